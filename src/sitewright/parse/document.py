"""A Page in, a Document out: the tree, where it came from, and what it says about itself."""

from datetime import UTC, datetime, timedelta
from functools import cached_property, lru_cache

import turbohtml
from turbohtml import Element, XPath

from sitewright.errors import ErrorPage, PageTooDeep, PageTooLarge, UsageError
from sitewright.parse.encoding import parse_body
from sitewright.parse.metadata import PAGE_SOURCES, Metadata
from sitewright.parse.urls import absolute_url, days_in
from sitewright.types import Limits, Page

DEFAULT_LIMITS = Limits()
_ADDRESSED = "img[src], source[src], link[href], a[href], meta[content], time[datetime]"
_ADDRESSES = ("src", "href", "content", "datetime")
_DAY = timedelta(days=1, seconds=-1)


class Document:
    """A parsed page. Elements are numbered in document order, from 0 (`<html>`)."""

    def __init__(self, tree: turbohtml.Document, url: str, fetched_at: datetime | None = None) -> None:
        """Wrap a tree; numbers, base URL and metadata are made when first asked for."""
        self.tree = tree
        self.url = url
        self.fetched_at = fetched_at.replace(tzinfo=UTC) if fetched_at and fetched_at.tzinfo is None else fetched_at

    @property
    def encoding(self) -> str:
        """The encoding the bytes were read in; empty where the page came as text."""
        return self.tree.encoding or ""

    @cached_property
    def base_url(self) -> str:
        """What relative links are relative to: `<base href>` or the page's own URL."""
        if self.tree.select_one("base") is None:  # few pages name one, and this look-up costs next to nothing
            return self.url
        return self.tree.base_url(self.url) or self.url

    @cached_property
    def seen_at(self) -> datetime | None:
        """When the page was fetched; where that is unknown, the end of the newest day that addresses name, or later.

        Stored pages often come without a time, and what they say may need one ("6 May, 10:30" is of which year?). It is
        the end of the day, since what is of that day was not yet to come.
        """
        if self.fetched_at is not None:
            return self.fetched_at
        stated = (element.attr(name) for element in self.tree.select(_ADDRESSED) for name in _ADDRESSES)
        days = [day for address in stated if address for day in days_in(address)]
        now = datetime.now(UTC)
        newest = max((day for day in days if day <= now), default=None)
        return min(newest + _DAY, now) if newest is not None else None

    @cached_property
    def metadata(self) -> Metadata:
        """What the page says about itself."""
        return Metadata(self.tree, self.url)

    @cached_property
    def elements(self) -> tuple[Element, ...]:
        """All elements, at the place of their number."""
        return tuple(self.tree.iter_elements())

    @cached_property
    def _numbers(self) -> dict[Element, int]:
        return {element: number for number, element in enumerate(self.elements)}

    def number_of(self, element: Element) -> int:
        """Return the number of an element."""
        return self._numbers[element]


def parse(page: Page, limits: Limits = DEFAULT_LIMITS) -> Document:
    """Parse a page.

    >>> document = parse(Page(url="https://example.com/a", body="<title>Hello</title><h1>Hello, world</h1>"))
    >>> document.metadata.title, document.tree.select_one("h1").text
    ('Hello', 'Hello, world')
    """
    if not isinstance(page, Page):
        raise UsageError(
            f"parse() takes a Page, not {type(page).__name__}: write parse(Page(url=…, body=html)); "
            "to read HTML in one line, sitewright.read(html)"
        )
    if len(page.body) > limits.page_bytes:
        raise PageTooLarge(f"{len(page.body):,} bytes; at most {limits.page_bytes:,} are read (limits.page_bytes)")
    if page.status >= 400:
        raise ErrorPage(f"the server answered {page.status}")
    tree = parse_body(page.body, page.headers)
    if _deeper_than(limits.depth)(tree):
        raise PageTooDeep(f"elements are nested more than {limits.depth} deep (limits.depth)")
    document = Document(tree, page.location, page.fetched_at)
    if not page.location or page.location.startswith("file:"):  # it says where it is from, which is what maps go by
        stated = (absolute_url(str(fact.value), "") for fact in document.metadata.facts(PAGE_SOURCES["canonical"]))
        document.url = next(filter(None, stated), page.location)
    return document


@lru_cache(maxsize=8)
def _deeper_than(depth: int) -> XPath:
    """Compile the test; it goes down level by level, each node once, and stops at the last (8 % of a parse)."""
    return XPath(f"boolean(/{'/'.join('*' * (depth + 1))})")
