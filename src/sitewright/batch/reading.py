"""Pages in, out what a collector needs of them: records, links, feeds, whether a browser is needed, a map.

These are done in other processes (see desk.py): each takes and returns what travels.
"""

import pickle
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from time import time

from sitewright.batch.learn import Tagged, heading_of, learn_from, read_samples
from sitewright.batch.links import ReadPage, feed_of, judge_pages, learn_indexes
from sitewright.batch.mapped import Doubt, MapReader, MapReading
from sitewright.batch.observation import (
    Observation,
    address_of,
    agreements_of,
    fingerprint_of,
    observe,
    observe_failure,
    pack_observation,
)
from sitewright.domains import DEFAULT_DOMAIN, load_domain
from sitewright.errors import ErrorPage, NoLinks, NotItem, PageError, SitewrightError
from sitewright.fetch import PagePlace
from sitewright.fetch.data_calls import DataCall, data_calls
from sitewright.fetch.fingerprint import Decision, Level, needs_rendering
from sitewright.fetch.walls import is_wall_status, wall_of
from sitewright.links import (
    Feed,
    PageLinks,
    feeds_of_page,
    load_model,
    merge_feeds,
    next_url,
    read_feed,
    read_page,
    select_links,
    sitemaps_to_follow,
)
from sitewright.parse import Document, days_in, parse
from sitewright.store.warc import PackedPage, pack_page
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Failure, IndexPage, Limits, Link, LinkSet, Page, Record

_MOST_READERS = 64
"""So many maps are kept compiled in each process."""


@dataclass(frozen=True, slots=True)
class ItemRead:
    """A page of a story or a product: its record, or why there is none; and the page, packed for the archive."""

    packed: PackedPage
    observation: bytes
    """What baselines count of it, packed."""
    record: Record | None = None
    failure: Failure | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRead:
    """The links of an index page, feed or sitemap, and by what they were told apart."""

    links: LinkSet
    next: str = ""
    feed: Feed | None = None
    by_map: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRead:
    """The index pages of a site, judged together."""

    pages: Sequence[LinkSet | Failure]
    entries: Sequence[IndexPage] = ()
    """Selectors for those pages on which some find the article links."""
    feeds: Sequence[str] = ()
    """Addresses of feeds that the pages name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedCall:
    """A call of a page's scripts that brings its content: where, how much of it, and what the answer looks like."""

    url: str
    method: str
    sent: str
    share: float
    shape: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLearned:
    """A map, what to write above it, and what a person should know."""

    extraction_map: ExtractionMap
    heading: str
    warnings: Sequence[str]


@dataclass(frozen=True, slots=True)
class PackedMap:
    """A map and what of it is in doubt as bytes, which travel with every page and are unpacked in each process once."""

    digest: bytes
    content: bytes


def pack_map(extraction_map: ExtractionMap, doubts: Collection[Doubt] = ()) -> PackedMap:
    """Make a map ready to travel, with the fields whose rules are not believed at present."""
    content = pickle.dumps((extraction_map, tuple(sorted(doubts))))
    return PackedMap(blake2b(content, digest_size=16).digest(), content)


def read_item(limits: Limits, page: Page, packed_map: PackedMap) -> ItemRead:
    """Read a page of a story or a product, and pack it for the archive."""
    packed = pack_page(page)
    at = page.fetched_at.timestamp() if page.fetched_at is not None else time()
    document: Document | None = None
    try:
        document = parsed(limits, page)
        reading = checked(page, document, reader_of(packed_map))
    except SitewrightError as error:
        failure = Failure(page.url, "extract", error.code, str(error))
        fingerprint = fingerprint_of(document) if document is not None else 0
        seen = observe_failure(failure, at, fingerprint)
        return ItemRead(packed, pack_observation(seen), failure=failure)
    return ItemRead(packed, pack_observation(_observed(reading, document, at)), reading.record)


def _observed(reading: MapReading, document: Document, at: float) -> Observation:
    return observe(
        reading.record,
        at,
        by_map=reading.by_map,
        fingerprint=fingerprint_of(document),
        agreements=agreements_of(document, reading.by_map),
        address=address_of(document),
    )


def read_record(
    limits: Limits, page: Page, extraction_map: ExtractionMap, doubts: frozenset[Doubt] = frozenset()
) -> Record:
    """Return the record of a page, with fields in doubt read by the tagger; an error says why it has none."""
    return checked(page, parsed(limits, page), _cached_reader(extraction_map, doubts)).record


def checked(page: Page, document: Document, reader: MapReader) -> MapReading:
    """Read a page; an error says why it has no record."""
    reading, item = reader.read(document), load_domain(reader.map.domain).item
    record = reading.record
    handed_over = record.via == "tagger" and record.kind != item.kind
    if handed_over or not record.fields or reader.looks_other(reading):
        raise wall_of(page, document) or NotItem(f"the page is no {item.noun}")
    return reading._replace(record=replace(record, site=reader.map.site, extracted_at=page.fetched_at))


def parsed(limits: Limits, page: Page) -> Document:
    """Parse a page; where the server refused it, say what it shows instead."""
    if not is_wall_status(page.status):
        return parse(page, limits)
    try:
        wall: PageError | None = wall_of(page, parse(replace(page, status=200), limits))
    except SitewrightError:
        wall = None
    raise wall or ErrorPage(f"the server answered {page.status}")


@lru_cache(maxsize=_MOST_READERS)
def _cached_reader(extraction_map: ExtractionMap, doubts: frozenset[Doubt]) -> MapReader:
    return MapReader(extraction_map, doubts)


_unpacked: dict[bytes, MapReader] = {}


def reader_of(packed: PackedMap) -> MapReader:
    """Return the reader of a map that travelled here, compiled once a process."""
    reader = _unpacked.get(packed.digest)
    if reader is None:
        if len(_unpacked) >= _MOST_READERS:
            _unpacked.clear()
        extraction_map, doubts = pickle.loads(packed.content)  # noqa: S301 -- from our own parent
        reader = _unpacked[packed.digest] = MapReader(extraction_map, doubts)
    return reader


def read_index(limits: Limits, page: Page, entry: IndexPage | None) -> IndexRead:
    """Read a feed, a sitemap, or an index page: by the selectors of its entry, or by the model where they fail."""
    found = feed_of(page, limits)
    if found is not None:
        feed, links = found
        return IndexRead(links=links, next=feed.next, feed=feed)
    document = parsed(limits, page)
    selected = select_links(document, entry) if entry is not None and entry.items else None
    following = _next_of(selected) or next_url(document)
    if selected is not None and any(link.is_item for link in selected.links):
        return IndexRead(links=selected, next=following, by_map=True)
    judged = judge_pages([ReadPage(_links(page, document))])
    (outcome,) = judged.outcomes()
    if isinstance(outcome, Failure):
        raise NoLinks(outcome.detail)
    return IndexRead(links=outcome, next=following)


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
        feeds |= dict.fromkeys(feeds_of_page(document))
        return ReadPage(_links(page, document), place=PagePlace(page))
    except SitewrightError as error:
        return ReadPage(failure=Failure(page.url, "links", error.code, str(error)))


def read_one_feed(limits: Limits, page: Page) -> Feed:  # noqa: ARG001 -- what all of these take
    """Read a feed or sitemap."""
    if page.status >= 400:
        raise ErrorPage(f"the server answered {page.status}")
    return read_feed(page.body, page.location)


def compare(
    limits: Limits, static: Page, rendered: Page, calls: Sequence[DataCall], level: Level
) -> tuple[Decision, list[OfferedCall]]:
    """Tell whether pages like this need a browser, and which calls bring its content."""
    shown = parse(rendered, limits)
    offered = [
        OfferedCall(url=call.url, method=call.method, sent=call.sent, share=call.share, shape=call.shape)
        for call in data_calls(calls, shown, level)
    ]
    return needs_rendering(parse(static, limits), shown, level), offered


def tag(limits: Limits, page: Page, domain: str) -> Tagged:
    """Tag a page to learn from."""
    return Tagged(PagePlace(page), tagger_of(domain).read(parsed(limits, page)).tagged)


@lru_cache(maxsize=4)
def tagger_of(domain: str) -> PageReader:
    """Return the tagger of a domain, loaded once a process."""
    return PageReader(domain)


def learn(limits: Limits, tagged: Sequence[Tagged], domain: str) -> MapLearned:
    """Learn a map from tagged pages."""
    learned = learn_from(tagged, limits, domain, {})
    heading = heading_of(learned, learned.extraction_map, read_samples(learned, learned.extraction_map))
    return MapLearned(extraction_map=learned.extraction_map, heading=heading, warnings=learned.warnings)


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
