"""A site's page in, the feeds and sitemaps of the site out: found, fetched and read, the most promising first."""

from collections import deque
from collections.abc import Callable, Iterator
from urllib.parse import urljoin

from sitewright.errors import FetchError, PageError
from sitewright.fetch import Fetcher
from sitewright.links import Feed, feeds_of_page, read_feed, sitemaps_of_robots, sitemaps_to_follow, usual_places
from sitewright.parse import Document
from sitewright.types import Page

MOST_FETCHED = 20
"""So many feeds and sitemaps of a site are looked at; those of news and the newest come first."""


class FetchOnce:
    """Fetches an address once and gives the same again: pages of a site name the same feeds."""

    def __init__(self, fetcher: Fetcher) -> None:
        """Remember nothing yet."""
        self._fetcher = fetcher
        self._pages: dict[str, Page] = {}

    def fetch(self, url: str) -> Page:
        """Return the page at a URL; one that could not be had is asked for again."""
        if url not in self._pages:
            self._pages[url] = self._fetcher.fetch(url)
        return self._pages[url]


def find_feeds(
    document: Document, fetcher: Fetcher, tell: Callable[[str], None], most: int = MOST_FETCHED
) -> Iterator[tuple[str, Feed]]:
    """Yield the feeds and sitemaps of the site of a page, each with its address; `tell` hears what is done.

    What the page and robots.txt name is looked at; the usual places only where they name nothing.
    """
    named = [*feeds_of_page(document), *_of_robots(document.url, fetcher)]
    waiting = deque(dict.fromkeys(named or usual_places(document.url)))
    asked: set[str] = set()
    while waiting and len(asked) < most:
        url = waiting.popleft()
        if url in asked:
            continue
        asked.add(url)
        feed = _read(url, fetcher, tell)
        if feed is not None:
            waiting.extendleft(reversed([sitemap.url for sitemap in sitemaps_to_follow(feed.feeds)]))
            yield url, feed
    if waiting:
        tell(f"{len(waiting):,} more feeds and sitemaps are not looked at (at most {most})")


def _of_robots(url: str, fetcher: Fetcher) -> tuple[str, ...]:
    place = urljoin(url, "/robots.txt")
    try:
        page = fetcher.fetch(place)
    except (FetchError, PageError):
        return ()
    return sitemaps_of_robots(_text(page), place) if page.status < 400 else ()


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
    tell(f"{url}: {_contents(feed)}")
    return feed


def _contents(feed: Feed) -> str:
    """Say how much a feed or sitemap lists.

    >>> _contents(Feed(kind="rss"))
    '0 entries'
    """
    if feed.feeds:
        return f"{len(feed.feeds):,} sitemap{'s' * (len(feed.feeds) != 1)}"
    return f"{len(feed.entries):,} {'entry' if len(feed.entries) == 1 else 'entries'}"


def _text(page: Page) -> str:
    return page.body if isinstance(page.body, str) else page.body.decode("utf-8", "replace")
