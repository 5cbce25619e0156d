"""A site's page in, the feeds and sitemaps of the site out: found, fetched and read, the most promising first."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urljoin

from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.errors import ErrorPage, FetchError, PageError
from sitewright.fetch import Fetcher
from sitewright.links import (
    Feed,
    feeds_of_page,
    merge_feeds,
    read_feed,
    sitemaps_of_robots,
    sitemaps_to_follow,
    usual_places,
)
from sitewright.parse import Document, days_in
from sitewright.types import Limits, Link, LinkSet, Page

MOST_FETCHED = 20
"""So many feeds and sitemaps of a site are looked at; those of news and the newest come first."""


class FeedSearch:
    """Which addresses to ask for, one after the other; who asks tells what was there.

    What the page and robots.txt name is looked at; the usual places only where they name nothing.
    """

    def __init__(self, url: str, named: Sequence[str], robots: str = "", most: int = MOST_FETCHED) -> None:
        """Begin with what a page at `url` and the site's robots.txt name."""
        listed = [*named, *sitemaps_of_robots(robots, urljoin(url, "/robots.txt"))]
        self._waiting = deque(dict.fromkeys(listed or usual_places(url)))
        self._asked: set[str] = set()
        self._most = most

    def addresses(self) -> Iterator[str]:
        """Yield addresses to ask for; those that `add` brings come in between."""
        while self._waiting and len(self._asked) < self._most:
            url = self._waiting.popleft()
            if url not in self._asked:
                self._asked.add(url)
                yield url

    def add(self, feed: Feed) -> None:
        """Take note of what was found: the sitemaps of an index are asked for next."""
        self._waiting.extendleft(reversed([sitemap.url for sitemap in sitemaps_to_follow(feed.feeds)]))

    @property
    def left(self) -> int:
        """How many are not asked for, as there are too many."""
        return len(self._waiting)


class FetchOnce:
    """Fetches an address once and gives the same again: pages of a site name the same feeds."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._pages: dict[str, Page] = {}

    @property
    def pages(self) -> Collection[Page]:
        """What was fetched so far."""
        return self._pages.values()

    def fetch(self, url: str) -> Page:
        """Return the page at a URL; one that could not be had is asked for again."""
        if url not in self._pages:
            self._pages[url] = self._fetcher.fetch(url)
        return self._pages[url]

    def fetch_each(self, urls: Iterable[str]) -> Iterator[Page | FetchError | PageError]:
        """Yield the pages at some URLs, or why there is none, and remember the pages."""
        asked = list(urls)
        for url, outcome in zip(asked, self._fetcher.fetch_each(asked), strict=True):
            if isinstance(outcome, Page):
                self._pages[url] = outcome
            yield outcome


def find_feeds(
    document: Document, fetcher: Fetcher, tell: Callable[[str], None], most: int = MOST_FETCHED
) -> Iterator[tuple[str, Feed]]:
    """Yield the feeds and sitemaps of the site of a page, each with its address; `tell` hears what is done."""
    search = FeedSearch(document.url, feeds_of_page(document), _robots(document.url, fetcher), most)
    for url in search.addresses():
        feed = _read(url, fetcher, tell)
        if feed is not None:
            search.add(feed)
            yield url, feed
    if search.left:
        tell(f"{search.left:,} more feeds and sitemaps are not looked at (at most {most})")


def _robots(url: str, fetcher: Fetcher) -> str:
    try:
        page = fetcher.fetch(urljoin(url, "/robots.txt"))
    except (FetchError, PageError):
        return ""
    return _text(page) if page.status < 400 else ""


def _read(url: str, fetcher: Fetcher, tell: Callable[[str], None]) -> Feed | None:
    try:
        page = fetcher.fetch(url)
        if page.status >= 400:
            tell(f"{url}: the server answered {page.status}")
            return None
        feed = read_feed(page.body, page.location)
    except (FetchError, PageError) as error:
        tell(f"{url}: {error}")
        return None
    tell(f"{url}: {contents_of(feed)}")
    return feed


def contents_of(feed: Feed) -> str:
    """Say how much a feed or sitemap lists.

    >>> contents_of(Feed(kind="rss"))
    '0 entries'
    """
    if feed.feeds:
        return f"{len(feed.feeds):,} sitemap{'s' * (len(feed.feeds) != 1)}"
    return f"{len(feed.entries):,} {'entry' if len(feed.entries) == 1 else 'entries'}"


def _text(page: Page) -> str:
    return page.body if isinstance(page.body, str) else page.body.decode("utf-8", "replace")


def read_one_feed(limits: Limits, page: Page) -> Feed:  # noqa: ARG001 -- what all of these take
    """Read a feed or sitemap."""
    if page.status >= 400:
        raise ErrorPage(f"the server answered {page.status}")
    return read_feed(page.body, page.location)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapRead:
    """What a sitemap says of the past: articles since a day, further sitemaps, and how many entries have no date."""

    links: Sequence[Link]
    sitemaps: Sequence[str]
    undated: int


def read_sitemap(limits: Limits, page: Page, articles: Sequence[str], since: datetime) -> SitemapRead:
    """Read a sitemap or feed for articles since a day; what is one is told by the addresses of known articles."""
    feed = read_one_feed(limits, page)
    item = load_domain(DEFAULT_DOMAIN).item.kind
    known = LinkSet(url=page.location, links=tuple(Link(url=url, role=item, score=1.0) for url in articles))
    dates = {entry.url: entry.published or entry.modified or next(days_in(entry.url), None) for entry in feed.entries}
    judged = merge_feeds(known, [(page.location, feed)]).links
    listed = [replace(link, published=dates[link.url]) for link in judged if link.url in dates and link.is_item]
    return SitemapRead(
        links=tuple(link for link in listed if link.published is not None and link.published >= since),
        sitemaps=tuple(sitemap.url for sitemap in sitemaps_to_follow(feed.feeds, since)),
        undated=sum(link.published is None for link in listed),
    )
