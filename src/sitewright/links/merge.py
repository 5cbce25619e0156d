"""The links of an index page and its site's feeds and sitemaps in, one set of links out."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import urlsplit

from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.links.addresses import read_address, same_page
from sitewright.links.feeds import Feed, FeedEntry
from sitewright.links.judge import ARTICLE
from sitewright.parse import normalise_url
from sitewright.types import LIST, NEXT, OTHER, Link, LinkSet, Role

ARTICLE_SCORE = 0.99
"""Feeds and news sitemaps list stories: what they name is one, as sure as the front page's best links."""
UNKNOWN_SCORE = 0.3
"""A plain sitemap lists everything; of an address like no other nothing is known."""
_LEAST_ALIKE = 3
"""Fewer links of the page say nothing of the others of their shape."""


def merge_feeds(page: LinkSet, feeds: Iterable[tuple[str, Feed]], domain: str = DEFAULT_DOMAIN) -> LinkSet:
    """Add what feeds and sitemaps list to the links of a page; what both have is one link, with both reasons.

    An address that only a plain sitemap has is judged by the page's links whose addresses are of the same shape.
    """
    item = load_domain(domain).item.kind
    links = list(page.links)
    places = {_identity(link.url): place for place, link in reversed(list(enumerate(links)))}
    alike = _scores_of_shapes(page.links)
    for url, feed in feeds:
        for entry in feed.entries:
            place = places.setdefault(_identity(entry.url), len(links))
            if place == len(links):
                links.append(_added(entry, feed, url, alike, item))
            else:
                links[place] = _confirmed(links[place], entry, feed, url, item)
    return replace(page, links=tuple(links))


def _identity(url: str) -> str:
    """Return what tells whether a feed and a page speak of the same: parameters that count visits do not matter."""
    return same_page(normalise_url(url))


def links_of_feed(feed: Feed, url: str, time: datetime | None = None, domain: str = DEFAULT_DOMAIN) -> LinkSet:
    """Return what a feed or sitemap lists, by itself; the sitemaps that an index lists are lists."""
    listed = merge_feeds(LinkSet(url=url, time=time), [(url, feed)], domain)
    further = (Link(url=other.url, role=LIST, reason="a sitemap of this index") for other in feed.feeds)
    following = [Link(url=feed.next, role=NEXT, reason="leads to the next page")] if feed.next else []
    return replace(listed, links=(*listed.links, *further, *following))


def _states_stories(feed: Feed, entry: FeedEntry) -> bool:
    """Tell whether being listed there makes something a story; sitemaps of news give titles."""
    return feed.kind in ("rss", "atom", "json") or (feed.kind == "sitemap" and bool(entry.title))


def _added(entry: FeedEntry, feed: Feed, url: str, alike: Mapping[str, Sequence[float]], item: Role) -> Link:
    shape = read_address(entry.url).shape
    scores = alike.get(shape, ())
    if _states_stories(feed, entry):
        score, why = ARTICLE_SCORE, ""
    elif len(scores) >= _LEAST_ALIKE:
        score, why = sum(scores) / len(scores), f"; address like {len(scores)} links of the page (/{shape})"
    else:
        score, why = UNKNOWN_SCORE, "; address like none of the page's links"
    role = item if score >= ARTICLE else OTHER
    listed = f"listed in {_named(feed, url)}{_when(entry.published)}{why}"
    return Link(
        url=entry.url, text=entry.title, role=role, score=round(score, 4), reason=listed, published=entry.published
    )


def _confirmed(link: Link, entry: FeedEntry, feed: Feed, url: str, item: Role) -> Link:
    reason = f"{link.reason}; also in {_named(feed, url)}{_when(entry.published)}"
    published = link.published or entry.published
    if not _states_stories(feed, entry) or link.role == NEXT:
        return replace(link, reason=reason, published=published)
    score = max(link.score, ARTICLE_SCORE)
    return replace(link, role=item, score=score, reason=reason, published=published, text=link.text or entry.title)


def _scores_of_shapes(links: Iterable[Link]) -> dict[str, list[float]]:
    found: dict[str, list[float]] = defaultdict(list)
    for link in links:
        found[read_address(link.url).shape].append(link.score)
    return found


def _named(feed: Feed, url: str) -> str:
    kind = "the sitemap" if feed.kind in ("sitemap", "text") else "the feed"
    try:
        return f"{kind} {urlsplit(url).path or url}"
    except ValueError:
        return f"{kind} {url}"


def _when(published: datetime | None) -> str:
    return f", published {published:%Y-%m-%d %H:%M}" if published is not None else ""
