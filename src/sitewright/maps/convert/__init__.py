"""Maps to and from what people already have: Web Scraper, ftr-site-config, crawl4ai; and out to Scrapy and web-poet."""

import re
from collections.abc import Mapping

from sitewright.errors import ConversionError
from sitewright.maps.convert.conversion import Conversion, Format
from sitewright.maps.convert.crawl4ai import read_crawl4ai, write_crawl4ai
from sitewright.maps.convert.ftr import read_ftr, write_ftr
from sitewright.maps.convert.page_object import write_webpoet
from sitewright.maps.convert.spider import write_scrapy
from sitewright.maps.convert.webscraper import read_webscraper, write_webscraper
from sitewright.types import ExtractionMap

__all__ = ["FORMATS", "OWN", "Conversion", "Format", "guess_format", "read_foreign", "write_foreign"]

FORMATS: Mapping[str, Format] = {
    "webscraper": Format(title="Web Scraper sitemap", suffix=".json", read=read_webscraper, write=write_webscraper),
    "ftr": Format(title="ftr-site-config file", suffix=".txt", read=read_ftr, write=write_ftr),
    "crawl4ai": Format(title="crawl4ai schema", suffix=".json", read=read_crawl4ai, write=write_crawl4ai),
    "scrapy": Format(title="Scrapy spider", suffix=".py", write=write_scrapy),
    "webpoet": Format(title="web-poet page object", suffix=".py", write=write_webpoet),
}

OWN = "sitewright"
"""What our own format is called beside the foreign ones."""

_SIGNS = (
    (OWN, re.compile(r"""^\{?\s*(["']?)sitewright\1\s*:""", re.MULTILINE)),
    ("webpoet", re.compile(r"^\s*(?:from|import)\s+web_poet\b", re.MULTILINE)),
    ("scrapy", re.compile(r"^\s*(?:from|import)\s+scrapy\b", re.MULTILINE)),
    ("crawl4ai", re.compile(r'^\s*\{.*"baseSelector"\s*:', re.DOTALL)),
    ("webscraper", re.compile(r'^\s*\{.*"(?:startUrl|parentSelectors|selectors)"\s*:', re.DOTALL)),
    ("ftr", re.compile(r"^\s*(?:title|body|date|author|strip(?:_\w+)?|prune|tidy|test_url)\s*:", re.MULTILINE)),
)


def read_foreign(text: str, format: str, site: str = "") -> Conversion[ExtractionMap]:  # noqa: A002
    """Read a map from a foreign file; `ConversionError` says where it is wrong and what was expected."""
    reader = _format(format).read
    if reader is None:
        readable = ", ".join(name for name, known in FORMATS.items() if known.read)
        raise ConversionError(f"{format}: can be written, but not read; expected one of {readable}")
    return reader(text, site)


def write_foreign(extraction_map: ExtractionMap, format: str) -> Conversion[str]:  # noqa: A002
    """Write a map as a foreign file."""
    return _format(format).write(extraction_map)


def guess_format(text: str, filename: str) -> str:
    """Return the name of the format that a file seems to have, by its text and then by its name.

    >>> guess_format("body: //article", "example.com.txt"), guess_format('{"baseSelector": "li"}', "x.json")
    ('ftr', 'crawl4ai')
    >>> guess_format("sitewright: 1", "-")
    'sitewright'
    """
    for name, sign in _SIGNS:
        if sign.search(text):
            return name
    if filename.endswith(".txt"):
        return "ftr"
    raise ConversionError(f"{filename or 'the file'}: of no known format; expected one of {', '.join(FORMATS)}")


def _format(name: str) -> Format:
    if name not in FORMATS:
        raise ConversionError(f"no format {name!r}; expected one of {', '.join(FORMATS)}")
    return FORMATS[name]
