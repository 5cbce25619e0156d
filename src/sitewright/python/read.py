"""A page in, its record out: with a map or without."""

import os

from sitewright.domains import DEFAULT_DOMAIN
from sitewright.errors import UsageError
from sitewright.parse import parse
from sitewright.python.pages import Html, page_of
from sitewright.python.records import Record
from sitewright.python.site_map import SiteMap
from sitewright.reading.stated import displayed
from sitewright.reading.taggers import tagger_of
from sitewright.types import ExtractionMap

Map = SiteMap | ExtractionMap | str | os.PathLike[str]
"""A map, or the path of its file."""


def read(
    html: Html,
    url: str = "",
    *,
    domain: str = DEFAULT_DOMAIN,
    map: Map | None = None,  # noqa: A002 -- what it is called everywhere else
    stated: bool = True,
) -> Record:
    """Read a page of any site: title, text, authors, dates and what else its domain has; with a map, by the map.

    `html` is text, bytes, the path of a file, an open file or a Page; `url` the page's address, which links and
    pictures are relative to (without it, the one that the page states). `domain` is the kind of site (`news`, `shop`,
    or the path of a file that describes one); a map names its own. With `stated=False` authors, categories, tags and
    updates are left out that the page only states in metadata. Safe to be called in several threads. `PageError` says
    why a page cannot be read; a page that is no article gives a record that says so (`record.kind`).
    """
    if map is not None:
        return _site_map(map).read(html, url, stated=stated)
    page = page_of(html, url)
    found = tagger_of(domain).extract(parse(page))
    return Record.of(found if stated else displayed(found), page)


def _site_map(given: Map) -> SiteMap:
    if isinstance(given, SiteMap):
        return given
    if isinstance(given, ExtractionMap):
        return SiteMap(given)
    if isinstance(given, (str, os.PathLike)):
        return SiteMap.load(given)
    raise UsageError(f"the map of read() is a SiteMap or the path of a map file, not {type(given).__name__}")
