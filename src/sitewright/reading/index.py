"""Index pages in, their links judged out, and the selectors that find them."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from operator import itemgetter
from typing import NamedTuple

from sitewright.domains import Domain, load_domain, named_levels
from sitewright.errors import NoLinks, SitewrightError
from sitewright.fetch import PagePlace, Place
from sitewright.fetch.walls import wall_of
from sitewright.links import (
    Feed,
    Judged,
    LearnedIndex,
    PageLinks,
    feeds_of_page,
    is_feed,
    judge,
    learn_index,
    links_of_feed,
    load_model,
    next_url,
    read_feed,
    read_page,
    select_links,
)
from sitewright.links.addresses import same_page
from sitewright.links.anchors import refuse_too_many
from sitewright.links.places import nested_names, trail_of
from sitewright.parse import Document, host_of, parse
from sitewright.reading.item import parsed
from sitewright.reading.levels import listed_costs, listed_items
from sitewright.types import DEFAULT_DOMAIN, LIST, NEXT, Failure, IndexPage, Limits, LinkSet, Page

SNAPSHOTS = 5
"""So many snapshots of an index page its selectors are learned from; on fold 1 they find more links of later snapshots
than those of one or three (`bench.links selectors`)."""
_LONG_AGO = datetime.min.replace(tzinfo=UTC)


class ReadPage(NamedTuple):
    """What was read of a page: its links, to be judged with those of its site; a finished set of them; or a failure."""

    links: PageLinks | None = None
    finished: LinkSet | None = None
    failure: Failure | None = None
    place: Place | None = None
    """Where it is, if it is to be looked at again; many places hold the whole page."""


def feed_of(page: Page, limits: Limits) -> tuple[Feed, LinkSet] | None:
    """Return a feed or sitemap and what it lists; None where the page is neither."""
    if page.status >= 400 or len(page.body) > limits.page_bytes or not is_feed(page.body):
        return None
    feed = read_feed(page.body, page.location)
    links = links_of_feed(feed, page.location, page.fetched_at)
    if not links.links:
        raise NoLinks("the feed or sitemap lists nothing")
    return feed, links


@dataclass(frozen=True, slots=True)
class JudgedPages:
    """Pages in their order, and the decisions about the links of their sites."""

    pages: Sequence[ReadPage]
    sites: Mapping[str, Judged]
    """By what `site_of` says of their pages."""

    def clusters(self) -> dict[str, str]:
        """Return the selector of the cluster of each link that is in one, by where it leads."""
        return {page: selector for judged in self.sites.values() for page, selector in judged.clusters.items()}

    def outcomes(self) -> Iterator[LinkSet | Failure]:
        """Yield for each page its links, or why there are none."""
        sets = {site: iter(judged.sets()) for site, judged in self.sites.items()}
        for page in self.pages:
            if page.failure is not None:
                yield page.failure
            elif page.finished is not None:
                yield page.finished
            elif page.links is not None:
                yield next(sets[site_of(page.links.url)])


def judge_pages(pages: Iterable[ReadPage], domain: str = DEFAULT_DOMAIN) -> JudgedPages:
    """Judge the links of pages, those of one host together."""
    read = list(pages)
    sites: dict[str, list[PageLinks]] = defaultdict(list)
    for page in read:
        if page.links is not None:
            sites[site_of(page.links.url)].append(page.links)
    model = load_model() if sites else None
    return JudgedPages(read, {site: judge(own, model, domain) for site, own in sites.items() if model is not None})


def site_of(url: str) -> str:
    """Return what pages are judged together by: the host; pages without one are judged by themselves."""
    return host_of(url) or url


def learn_indexes(judged: JudgedPages, limits: Limits) -> list[LearnedIndex]:
    """Learn the entries of all index pages for a map, from their latest snapshots; their places must be kept."""
    pages: dict[str, list[tuple[datetime, Place]]] = defaultdict(list)
    for page in judged.pages:
        if page.links is not None and page.place is not None:
            pages[page.links.url].append((page.links.time or _LONG_AGO, page.place))
    learned = [_learned(own, judged.sites[site_of(url)], limits) for url, own in pages.items()]
    return [index for index in learned if index is not None]


def _learned(snapshots: Sequence[tuple[datetime, Place]], judged: Judged, limits: Limits) -> LearnedIndex | None:
    articles = {page for page, link in judged.links.items() if link.is_item}
    latest = sorted(snapshots, key=itemgetter(0))[-SNAPSHOTS:]
    return learn_index([parse(place.load(), limits) for _, place in latest], articles)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRead:
    """The links of an index page, feed or sitemap, and by what they were told apart."""

    links: LinkSet
    next: str = ""
    feed: Feed | None = None
    by_map: bool = False
    trail: tuple[str, ...] = ()
    """The names of the levels on the way to it, its own last, as far as it displays them."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The names that lead to the lists it links, by where they are."""
    costs: Mapping[str, float] = field(default_factory=dict)
    """What items cost by this list, by their addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRead:
    """The index pages of a site, judged together."""

    pages: Sequence[LinkSet | Failure]
    entries: Sequence[IndexPage] = ()
    """Selectors for those pages on which some find the article links."""
    feeds: Sequence[str] = ()
    """Addresses of feeds that the pages name."""


def read_index(limits: Limits, page: Page, entry: IndexPage | None, domain: str = DEFAULT_DOMAIN) -> IndexRead:
    """Read a feed, a sitemap, or an index page: by the selectors of its entry, or by the model where they fail."""
    if load_domain(domain).is_walked:
        return _read_level(limits, page, entry, load_domain(domain))
    found = feed_of(page, limits)
    if found is not None:
        feed, links = found
        return IndexRead(links=links, next=feed.next, feed=feed)
    document = parsed(limits, page)
    refuse_too_many(document, limits.links)
    selected = select_links(document, entry) if entry is not None and entry.items else None
    following = _next_of(selected) or next_url(document)
    if selected is not None and any(link.is_item for link in selected.links):
        return IndexRead(links=selected, next=following, by_map=True)
    judged = judge_pages([ReadPage(_links(page, document))])
    (outcome,) = judged.outcomes()
    if isinstance(outcome, Failure):
        raise NoLinks(outcome.detail)
    return IndexRead(links=outcome, next=following)


def _read_level(limits: Limits, page: Page, entry: IndexPage | None, domain: Domain) -> IndexRead:
    """Read a page between the front page and the items: what it lists, further lists, and the next page of its own.

    One on which selectors find nothing lists nothing, or they are dead: that is told by what it displays.
    """
    document = parsed(limits, page)
    refuse_too_many(document, limits.links)
    known = entry or IndexPage(url=page.url)
    selected = select_links(document, known, domain.reference)
    by_map = any(link.is_item for link in selected.links)
    if not by_map and (listed := set(map(same_page, listed_items(document, domain, host_of(document.url))))):
        links = [
            replace(link, role=domain.item.kind, score=1.0) if same_page(link.url) in listed else link
            for link in selected.links
        ]
        selected = replace(selected, links=tuple(links))
    lists = {same_page(link.url) for link in selected.links if link.role == LIST}
    if not (lists or any(link.is_item or link.role == NEXT for link in selected.links)):
        wall = wall_of(page, document)
        if wall is not None:
            raise wall
    return IndexRead(
        links=selected,
        next=_next_of(selected) or next_url(document),
        by_map=by_map,
        trail=named_levels(trail_of(document), domain),
        places=nested_names(document, lists),
        costs=listed_costs(document, domain),
    )


def count_links(limits: Limits, page: Page) -> None:
    """Raise `TooManyLinks` for a page that is not read as it has too many; feeds are no pages."""
    if feed_of(page, limits) is None:
        refuse_too_many(parsed(limits, page), limits.links)


def _next_of(selected: LinkSet | None) -> str:
    """Return where the link to the next page leads that a map's selectors found; empty where they found none."""
    return next((link.url for link in selected.links if link.role == "next"), "") if selected is not None else ""


def _links(page: Page, document: Document) -> PageLinks:
    read = read_page(document, load_model().networks)
    if not read.pages:
        raise wall_of(page, document) or NoLinks("the page has no links to web pages")
    return read


def read_site(limits: Limits, pages: Sequence[Page]) -> SiteRead:
    """Judge the index pages of a site together, and learn selectors of their article links."""
    feeds: dict[str, None] = {}
    judged = judge_pages([_read(limits, page, feeds) for page in pages])
    learned = learn_indexes(judged, limits)
    return SiteRead(pages=tuple(judged.outcomes()), entries=tuple(index.entry for index in learned), feeds=tuple(feeds))


def _read(limits: Limits, page: Page, feeds: dict[str, None]) -> ReadPage:
    try:
        document = parsed(limits, page)
        refuse_too_many(document, limits.links)
        feeds |= dict.fromkeys(feeds_of_page(document))
        return ReadPage(_links(page, document), place=PagePlace(page))
    except SitewrightError as error:
        return ReadPage(failure=Failure(page.url, "links", error.code, str(error)))
