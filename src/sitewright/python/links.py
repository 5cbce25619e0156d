"""An index page in, its links out: what each leads to, how sure that is, and why."""

from sitewright.domains import DEFAULT_DOMAIN
from sitewright.errors import NoLinks
from sitewright.links import entry_for, load_model, read_page, select_links
from sitewright.links.anchors import refuse_too_many
from sitewright.parse import absolute_url, parse
from sitewright.python.pages import Html, page_of
from sitewright.reading.index import ReadPage, feed_of, judge_pages
from sitewright.types import ExtractionMap, Limits, Link, LinkSet, Page

_LIMITS = Limits()
_CALL = "find_links"


def find_links(html: Html, url: str = "", *, domain: str = DEFAULT_DOMAIN) -> list[Link]:
    """Return the links of a front page, a section page, a feed or a sitemap, in the order of the page.

    `link.is_item` tells whether a link leads to an article (or what the domain collects); `link.role`, `link.score`
    and `link.reason` say what else it may be, how likely it leads to one, and why. `url` is the address of the page:
    links are relative to it.
    """
    page = page_of(html, url, call=_CALL)
    return list((_of_feed(page) or _judged(page, domain)).links)


def select_by_map(html: Html, url: str, extraction_map: ExtractionMap) -> list[Link]:
    """Return the links of an index page, told apart by the selectors of a map alone."""
    document = parse(page_of(html, url, call=_CALL), _LIMITS)
    entry = entry_for(document.url, extraction_map.index)
    if entry is None:
        raise NoLinks("the map's index has no selectors of links; sitewright.find_links(html, url) needs no map")
    return list(select_links(document, entry, extraction_map.domain).links)


def _of_feed(page: Page) -> LinkSet | None:
    found = feed_of(page, _LIMITS)
    return found[1] if found is not None else None


def _judged(page: Page, domain: str) -> LinkSet:
    document = parse(page, _LIMITS)
    refuse_too_many(document, _LIMITS.links)
    read = read_page(document, load_model().networks)
    if not read.pages:
        told = "the page has no links to web pages"
        raise NoLinks(told if absolute_url("/", document.base_url) else f"{told}; pass its url, which they start from")
    (outcome,) = judge_pages([ReadPage(read)], domain).outcomes()
    if not isinstance(outcome, LinkSet):  # a failure, which only pages have that were not read
        raise NoLinks(outcome.detail)
    return outcome
