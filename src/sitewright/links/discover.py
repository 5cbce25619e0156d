"""A page, a robots.txt or an address in, where feeds and sitemaps may be out, the most promising first."""

import calendar
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import parse_qsl, urlsplit

from turbohtml import Element

from sitewright.links.feeds import SitemapLink
from sitewright.parse import Document, absolute_url, host_of, owner_of

USUAL_PLACES = (
    "/sitemap.xml", "/sitemap_index.xml", "/news-sitemap.xml", "/sitemap-news.xml",
    "/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/wp-sitemap.xml", "/index.xml", "/feed.json",
)  # fmt: skip
"""Where sites keep sitemaps and feeds that nothing points to."""

_FEED_TYPES = frozenset(("application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json"))
_VAGUE_TYPES = frozenset(("application/xml", "text/xml", "application/json", "application/rss", "text/rss+xml"))
"""Types that feeds are stated with, but not only feeds: the address must look like one, too."""
_FEED_PATH = re.compile(r"(?:^|/)(?:feeds?|rss\d?|atom|rdf|feed\.json)/?$|\.(?:rss|atom|rdf|xml)$")
_FEED_VALUE = re.compile(r"^(?:feed|rss\d?|atom|rdf)$")
_COMMENTS = re.compile(r"comment|kommentar|comentario|commentaire|replies", re.IGNORECASE)

_ROBOTS_SITEMAP = re.compile(r"^\s*sitemap\s*:\s*(\S+)", re.IGNORECASE)

_NEWS = re.compile(r"(?<![a-z])(?:google-?)?news(?![a-z])|latest|recent|today|breaking|current|last-?\d")
_NO_ARTICLES = re.compile(
    r"(?<![a-z])(?:images?|authors?|users?|tags?|taxonom(?:y|ies)|categor(?:y|ies)|keywords?|attachments?|static|"
    r"page-sitemap|posts-page)(?![a-z])"
)
_PARAMETER = re.compile(r"[?&][^=&]*=")
_PERIOD = re.compile(
    r"(?<!\d)(?P<year>(?:19[89]|20[0-4])\d)(?!\d{5})"
    r"(?:[/_.-]?(?:(?P<month>0[1-9]|1[0-2])|(?P<name>[a-z]{3})[a-z]*)(?:[/_.-]?(?P<day>0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def feeds_of_page(document: Document) -> tuple[str, ...]:
    """Return the feeds that a page names: those it states, then those it links to, feeds of comments last."""
    base = document.base_url
    stated = [link for link in document.tree.select("link[href]") if _states_feed(link)]
    linked = [link for link in document.tree.select("a[href]") if _leads_to_feed(link, document)]
    main = [link for link in stated if not _is_of_comments(link)]
    comments = [link for link in stated if _is_of_comments(link)]
    addresses = (absolute_url(link.attr("href") or "", base) for link in (*main, *linked, *comments))
    return tuple(dict.fromkeys(filter(None, addresses)))


def _states_feed(link: Element) -> bool:
    href = (link.attr("href") or "").strip()
    relations = (link.attr("rel") or "").lower().split()
    kind = (link.attr("type") or "").partition(";")[0].strip().lower()
    if not href or "alternate" not in relations:
        return bool(href) and "feed" in relations
    return kind in _FEED_TYPES or (kind in _VAGUE_TYPES and could_be_feed(href))


def _leads_to_feed(link: Element, document: Document) -> bool:
    href = link.attr("href") or ""
    if not could_be_feed(href) or _is_of_comments(link):
        return False
    url = absolute_url(href, document.base_url)
    return bool(url) and owner_of(host_of(url)) == owner_of(host_of(document.url))


def could_be_feed(url: str) -> bool:
    """Tell whether an address looks like that of a feed.

    >>> [could_be_feed(url) for url in ("/sport/feed/", "/rss", "/?feed=rss2", "/index.xml", "/feedback", "/news")]
    [True, True, True, True, False, False]
    """
    try:
        parts = urlsplit(url.strip().lower())
    except ValueError:
        return False
    values = (value for _, value in parse_qsl(parts.query))
    is_named_so = _FEED_PATH.search(parts.path) is not None and "sitemap" not in parts.path
    return is_named_so or any(map(_FEED_VALUE.match, values))


def _is_of_comments(link: Element) -> bool:
    return bool(_COMMENTS.search(f"{link.attr('href')} {link.attr('title') or ''}"))


def sitemaps_of_robots(text: str, url: str) -> tuple[str, ...]:
    """Return the sitemaps that a robots.txt found at `url` names.

    >>> sitemaps_of_robots("User-agent: *\\nSITEMAP: /news.xml # new\\nSitemap:https://a.example/s.xml", "https://a.example/robots.txt")
    ('https://a.example/news.xml', 'https://a.example/s.xml')
    """
    lines = (_ROBOTS_SITEMAP.match(line.removeprefix("\ufeff")) for line in text.splitlines())
    addresses = (absolute_url(line[1], url) for line in lines if line)
    return tuple(dict.fromkeys(filter(None, addresses)))


def usual_places(url: str) -> tuple[str, ...]:
    """Return where the site of a page may have sitemaps and feeds.

    >>> usual_places("https://example.com/sport/")[:2]
    ('https://example.com/sitemap.xml', 'https://example.com/sitemap_index.xml')
    """
    return tuple(filter(None, (absolute_url(path, url) for path in USUAL_PLACES)))


def sitemaps_to_follow(sitemaps: Iterable[SitemapLink], since: datetime | None = None) -> tuple[SitemapLink, ...]:
    """Return the sitemaps of an index that may name articles, those of news first, then the newest.

    So whoever follows only some of them meets the new articles.
    """
    followed = (sitemap for sitemap in sitemaps if should_follow(sitemap.url, sitemap.modified, since))
    return tuple(sorted(followed, key=_order))


def should_follow(url: str, modified: datetime | None = None, since: datetime | None = None) -> bool:
    """Tell whether a sitemap may name articles, and ones not older than `since`.

    >>> should_follow("https://example.com/post-sitemap2.xml"), should_follow("https://example.com/author-sitemap.xml")
    (True, False)
    """
    if _NO_ARTICLES.search(_beyond_host(url)):
        return False
    newest = newest_in(url, modified)
    return since is None or newest is None or newest >= since


def newest_in(url: str, modified: datetime | None = None) -> datetime | None:
    """Return when the newest article of a sitemap may have appeared, by its name and its last change; None: unknown.

    >>> newest_in("https://example.com/sitemap-2024-02.xml").isoformat()
    '2024-02-29T23:59:59+00:00'
    """
    named = _end_of_period(_beyond_host(url))
    return min(filter(None, (named, modified)), default=None)


def _order(sitemap: SitemapLink) -> tuple[int, float]:
    newest = newest_in(sitemap.url, sitemap.modified)
    name = _beyond_host(sitemap.url)
    is_of_news = bool(_NEWS.search(name)) and _end_of_period(name) is None
    return (0 if is_of_news else 1 if newest else 2, -newest.timestamp() if newest else 0.0)


def _beyond_host(url: str) -> str:
    """Return path and values of an address, in which sitemaps name what they hold.

    >>> _beyond_host("https://news.example.com/Sitemap.xml?yyyy=2024&mm=05")
    '/sitemap.xml-2024-05'
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return parts.path.lower() + _PARAMETER.sub("-", f"?{parts.query.lower()}" if parts.query else "")


def _end_of_period(name: str) -> datetime | None:
    """Return the last second of the day, month or year in the name of a sitemap."""
    found = _PERIOD.search(name)
    if found is None:
        return None
    year, month = int(found["year"]), int(found["month"] or 0)
    if found["name"] in _MONTHS:
        month = _MONTHS.index(found["name"]) + 1
    last_day = calendar.monthrange(year, month or 12)[1]
    day = min(int(found["day"]), last_day) if month and found["day"] else last_day
    return datetime(year, month or 12, day, 23, 59, 59, tzinfo=UTC)
