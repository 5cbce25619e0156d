"""A store and which records are wanted in; a file of them, a feed, or a web archive of their pages out."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from sitewright.actions.columns import fields_of, table_columns
from sitewright.actions.photo_sets import as_photo_sets
from sitewright.actions.sample import sampled
from sitewright.actions.sites import known_sites
from sitewright.actions.telling import nobody
from sitewright.errors import OutputError, StoreError
from sitewright.output.export import STRUCTURED, encoder_of, open_writer, writing
from sitewright.output.feed import FeedFormat, FeedItem, feed_from
from sitewright.output.feed_head import FeedHead, common_name
from sitewright.output.rows import confident
from sitewright.processes.bodies import BodyJob, BodyTask, Encoded, EncodeRow, EncodeStored
from sitewright.processes.pool import Pool
from sitewright.store.database import Store
from sitewright.store.entries import PageLocation, RecordQuery, StoredRecord, StoredSite
from sitewright.store.warc import copy_pages
from sitewright.types import Limits

FEED_RECORDS = 100
"""What a feed holds unless told otherwise; readers fetch all of it each time."""
_TABLES = ("csv", "parquet")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWork:
    """How the pages of records are read, where an output shows the structure of their texts."""

    folder: Path | None = None
    """The web archive; None: texts are plain."""
    jobs: int = 0
    """Processes to use; 0: one a core."""
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedRecords:
    """Which records are wanted, and which of their fields."""

    sites: Sequence[str] = ()
    """Empty: all."""
    since: datetime | None = None
    until: datetime | None = None
    template: str | None = None
    limit: int | None = None
    newest_first: bool = False
    fields: Sequence[str] = ()
    """Empty: all."""
    raw_csv: bool = False
    """Whether cells of CSV stay as they are, also those that a spreadsheet would take for formulas."""
    min_confidence: float = 0.0
    """Fields that are less sure are left out."""
    page_work: PageWork = field(default_factory=PageWork)
    """How pages are read where an output shows the structure of texts."""
    sample: int | None = None
    """So many of the records, drawn by lot; None: all."""
    seed: int = 0
    """Of the lot: the same records for the same seed."""
    photo_sets: bool = False
    """Only stories that are photo sets, with the pictures that are theirs and the text without captions."""

    @property
    def bodies(self) -> "PageWork":
        """How pages are read for the structure of texts: those of photo sets are not their pages' texts."""
        return PageWork() if self.photo_sets else self.page_work

    @property
    def chooses(self) -> bool:
        """Whether some records of the sites are wanted and others not."""
        return any(value is not None for value in (self.since, self.until, self.template, self.limit, self.sample))

    def query(self) -> RecordQuery:
        """Return the same as the store is asked."""
        return RecordQuery(
            sites=tuple(dict.fromkeys(self.sites)),
            template=self.template,
            shown_since=self.since,
            shown_before=self.until,
            newest_first=self.newest_first,
            limit=self.limit,
        )


@dataclass(slots=True)
class Count:
    """How much was written so far; who holds it knows that also where the work is interrupted."""

    written: int = 0
    left_out: int = 0
    sites: Counter[str] = field(default_factory=Counter, compare=False)
    """Records by site."""
    maps: Counter[tuple[str, int | None]] = field(default_factory=Counter, compare=False)
    """Records by site and the version of its map that read them; None: no map did."""

    def add(self, stored: StoredRecord) -> None:
        """Count where a record comes from."""
        self.sites[stored.record.site] += 1
        self.maps[stored.record.site, stored.record.map_version] += 1


@dataclass(frozen=True, slots=True)
class WrittenFeed:
    """A feed as XML or JSON, and how many records it holds."""

    content: bytes
    records: int


def export_records(
    store: Store, wanted: WantedRecords, output: str, kind: str, *, explain: bool = False, count: Count | None = None
) -> Count:
    """Write records one by one to a file (`-`: standard output); what is written when this ends is complete.

    `kind` is one of `sitewright.output.FORMATS`; with `explain` each value names its rule.
    """
    counted = count if count is not None else Count()
    sites = known_sites(store, wanted.sites)
    columns: dict[str, str] = {}
    if kind in _TABLES:
        columns = table_columns(store, sites, fields_of(store, sites, wanted.fields), explain=explain)
    passed: deque[StoredRecord] = deque()
    records = _passing(_records(store, sites, wanted), passed)
    encode = EncodeRow(
        {site.domain: encoder_of(kind, columns, site.domain, raw_csv=wanted.raw_csv) for site in sites}, explain
    )
    writer = open_writer(output, kind, columns, fixed=bool(wanted.fields))
    with writing(writer):
        lines = _encoded(records, encode, wanted.bodies) if kind in STRUCTURED else map(Encoded, map(encode, records))
        for line in lines:
            writer.write(line.content)
            counted.written += 1
            counted.add(passed.popleft())
    return counted


def _passing(records: Iterable[StoredRecord], passed: "deque[StoredRecord]") -> Iterator[StoredRecord]:
    """Yield records, and remember those that are on their way through other processes, in their order."""
    for stored in records:
        passed.append(stored)
        yield stored


def export_feed(store: Store, wanted: WantedRecords, kind: FeedFormat, *, count: Count | None = None) -> WrittenFeed:
    """Return a feed of the newest records, with their whole texts; the same bytes for the same records."""
    sites = known_sites(store, wanted.sites)
    limit = FEED_RECORDS if wanted.limit is None else wanted.limit
    records = list(_records(store, sites, replace(wanted, newest_first=True, limit=limit)))
    items = list(_encoded(records, FeedItem(kind), wanted.bodies))
    names = _names(sites, zip(records, items, strict=True))
    content = feed_from(
        kind, _head(sites, names), (item.content for item in items), (stored.stored_at for stored in records)
    )
    if count is not None:
        for stored in records:
            count.add(stored)
    return WrittenFeed(content, len(records))


def _encoded(records: Iterable[StoredRecord], encode: EncodeStored, work: PageWork) -> Iterator[Encoded]:
    """Yield records as an output takes them, in their order, with the structure that their pages give their texts."""
    if work.folder is None:
        return (Encoded(encode(stored)) for stored in records)
    pool = Pool(BodyJob(encode=encode, limits=work.limits), work.jobs, work.limits.page_seconds)
    folder = str(work.folder)
    return pool.run(BodyTask(stored, folder) for stored in records)


def export_pages(
    store: Store,
    wanted: WantedRecords,
    folder: Path,
    target: Path,
    *,
    leave_out: Callable[[StoreError], None] = nobody,
    count: Count | None = None,
) -> Count:
    """Copy raw pages from the web archive in `folder` to one WARC file: all of the sites, or those of chosen records.

    Pages that are damaged or gone are left out, which `leave_out` is told.
    """
    counted, url = count if count is not None else Count(), ""
    sites = known_sites(store, wanted.sites)
    if not target.absolute().parent.is_dir():
        raise OutputError(f"cannot write {target}: there is no such folder")

    def left_out(error: StoreError) -> None:
        counted.written -= 1
        counted.left_out += 1
        leave_out(StoreError(f"{url}: {error}"))

    def counting() -> Iterator[PageLocation]:
        nonlocal url
        for place in _places(store, sites, wanted):
            counted.written += 1
            url = place.url
            yield place.location

    copy_pages(folder, counting(), target, left_out)
    return counted


def _names(sites: Sequence[StoredSite], items: Iterable[tuple[StoredRecord, Encoded]]) -> dict[str, str]:
    """Return what sites are called: as most of their pages say, else by their hosts."""
    said: dict[str, Counter[str]] = defaultdict(Counter)
    for stored, item in items:
        if item.site_name:
            said[stored.record.site][item.site_name] += 1
    return {site.name: _most_said(said[site.name]) or site.name for site in sites}


def _most_said(names: Counter[str]) -> str:
    return min(names, key=lambda name: (-names[name], name), default="")


def _head(sites: Sequence[StoredSite], names: Mapping[str, str]) -> FeedHead:
    """Return what a feed says about itself: the same at every call, so that readers know it again."""
    url = sites[0].url or f"https://{sites[0].name}/"
    return FeedHead(
        title=common_name(Counter(names[site.name] for site in sites)),
        url=url if len(sites) == 1 else f"{url}#{','.join(site.name for site in sites)}",
        updated=max(site.added_at for site in sites),
    )


class _Place(NamedTuple):
    """A page, and where it lies."""

    url: str
    location: PageLocation


def _places(store: Store, sites: Sequence[StoredSite], wanted: WantedRecords) -> Iterator[_Place]:
    """Yield where the pages lie: those of the chosen records, or all of the sites."""
    if wanted.chooses:
        for stored in _chosen(store, wanted):
            if stored.location is not None:
                yield _Place(stored.record.urls[0], stored.location)
    else:
        for site in sites:
            yield from (_Place(page.url, page.location) for page in store.pages(site.name))


def _records(store: Store, sites: Sequence[StoredSite], wanted: WantedRecords) -> Iterator[StoredRecord]:
    """Return the wanted records, with the wanted fields."""
    records = _chosen(store, wanted)
    if wanted.photo_sets:
        records = as_photo_sets(store, records)
    if wanted.min_confidence > 0:
        records = (replace(stored, record=confident(stored.record, wanted.min_confidence)) for stored in records)
    if not wanted.fields:
        return records
    fields = frozenset(fields_of(store, sites, wanted.fields))
    return (_narrowed(stored, fields) for stored in records)


def _chosen(store: Store, wanted: WantedRecords) -> Iterator[StoredRecord]:
    """Return the records of a query, or a sample of them: they are gone through twice then, and never held."""
    if wanted.sample is None:
        return store.records(wanted.query())
    numbers = sampled(store.records(wanted.query()), wanted.sample, wanted.seed)
    return (stored for stored in store.records(wanted.query()) if stored.number in numbers)


def _narrowed(stored: StoredRecord, wanted: frozenset[str]) -> StoredRecord:
    fields = {name: value for name, value in stored.record.fields.items() if name in wanted}
    return replace(stored, record=replace(stored.record, fields=fields))
