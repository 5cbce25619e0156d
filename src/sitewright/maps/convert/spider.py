"""ExtractionMap in, the source of a Scrapy spider out: one file that needs only scrapy and parsel."""

from sitewright.maps.convert.conversion import Conversion, Losses
from sitewright.maps.convert.names import class_name, template_name
from sitewright.maps.convert.outline import checked_templates, note_index
from sitewright.maps.convert.python_source import Group, call, listing, mapping, quote, render, with_long_lines_allowed
from sitewright.maps.convert.reading_code import ReadingCode, carried_functions, note_code, probe_of, runnable
from sitewright.types import ExtractionMap

_HEAD = '''"""A Scrapy spider, written from a Sitewright map; it needs Scrapy 2.13 or later.

Run it with `scrapy runspider FILE -o records.jsonl`; pages of your own choice: `-a urls=URL,URL`.
"""

import json
import re
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from copy import deepcopy
from typing import Any, ClassVar

import scrapy
from parsel import Selector
from scrapy.http import Response, TextResponse


'''
_SPIDER = '''class {class_name}(scrapy.Spider):
    """Follows the article links of the index pages and reads every page they lead to."""

    name = {site}
    custom_settings: ClassVar[dict[str, Any]] = {{"ROBOTSTXT_OBEY": True}}

    def __init__(self, urls: str = "", **kwargs: Any) -> None:
        """Take the pages to read, separated by commas; without any, the index pages are followed."""
        super().__init__(**kwargs)
        self.urls = [url.strip() for url in urls.split(",") if url.strip()]

    async def start(self) -> AsyncIterator[scrapy.Request]:
        """Yield the first requests."""
        for url in self.urls:
            yield scrapy.Request(url, self.parse)
        for url, links in [] if self.urls else INDEX.items():
            yield scrapy.Request(url, self.parse_index, cb_kwargs=links)

    def parse_index(self, response: Response, articles: list[str], following: list[str]) -> Iterator[scrapy.Request]:
        """Follow the article links of an index page, and the links to its next pages."""
        if not isinstance(response, TextResponse):
            return
        for url in links_of(response, articles):
            yield response.follow(url, self.parse)
        for url in links_of(response, following):
            links = {{"articles": articles, "following": following}}
            yield response.follow(url, self.parse_index, cb_kwargs=links)

    def parse(self, response: Response, **_: Any) -> Iterator[dict[str, Any]]:
        """Read a page with the first template that recognises it."""
        if not isinstance(response, TextResponse):
            return
        for url, probe, read in TEMPLATES:
            if is_kind(response.url, response.selector, url, probe):
                yield {{"url": response.url}} | read(response.selector)
                return
        self.logger.warning("no template for %s", response.url)


def links_of(response: TextResponse, select: Sequence[str]) -> list[str]:
    """Return the addresses of the links that the selectors find."""
    found = read_all(response.selector, select, take="@href")
    return [url for url in map(response.urljoin, found) if url.startswith(("http:", "https:", "file:"))]


def is_kind(address: str, page: Selector, url: str, probe: str) -> bool:
    """Tell whether a page has this kind of URL and what the probe looks for."""
    return bool(re.search(url, address)) and (not probe or bool(find(page, probe)))


'''
_CARRIED = "# From here on the same in every such file: how a map's selectors are run.\n\n"


def write_scrapy(extraction_map: ExtractionMap) -> Conversion[str]:
    """Write a spider."""
    lost = Losses("a Scrapy spider")
    templates = checked_templates(extraction_map)
    note_code(extraction_map, lost)
    code = ReadingCode(lost)
    readers = [
        code.function(f"read_{t.name}", t.rules, f"a page of the kind {template_name(t.name)}") for t in templates
    ]
    kinds = [
        render(call("", [quote(template.url), quote(probe_of(template, lost)), reader]), 4, after=",")
        for template, reader in zip(templates, readers, strict=True)
    ]
    parts = [
        _HEAD,
        "\n\n".join(code.functions),
        "\n\nTEMPLATES: list[tuple[str, str, Callable[[Selector], dict[str, Any]]]] = [\n",
        "\n".join(kinds),
        '\n]\n"""Of each kind of page: how its URL looks, what is on it, how it is read."""\n\n',
        render(_index(extraction_map, lost), 0, "INDEX: dict[str, dict[str, list[str]]] = "),
        "\n\n\n",
        _SPIDER.format(class_name=class_name(extraction_map.site, "Spider"), site=quote(extraction_map.site)),
        _CARRIED,
        carried_functions(),
    ]
    return Conversion(with_long_lines_allowed("".join(parts)), lost.all())


def _index(extraction_map: ExtractionMap, lost: Losses) -> Group:
    """Return the index pages as a dict: of each its article links and the links to its next pages."""
    pages = {}
    for page in extraction_map.index:
        note_index(page, lost)
        articles, following = (runnable(links, f"index {page.url}", lost) for links in (page.items, page.next))
        pages[page.url] = mapping({"articles": listing(articles), "following": listing(following)})
    return mapping(pages)
