"""A store and which records are wanted in; a file of them, a feed, or a web archive of their pages out."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from sitewright.actions.columns import fields_of, table_columns
from sitewright.actions.sample import sampled
from sitewright.actions.sites import known_sites
from sitewright.actions.telling import nobody
from sitewright.errors import OutputError, StoreError
from sitewright.output.export import encoder_of, open_writer, writing
from sitewright.output.feed import FeedFormat, FeedHead, feed_of
from sitewright.output.rows import row_of
from sitewright.store.database import Store
from sitewright.store.entries import PageLocation, RecordQuery, StoredRecord, StoredSite
from sitewright.store.warc import copy_pages

FEED_RECORDS = 100
"""What a feed holds unless told otherwise; readers fetch all of it each time."""
_TABLES = ("csv", "parquet")
_NAMED = 10
"""So many sites are named in the title of a feed."""


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
    sample: int | None = None
    """So many of the records, drawn by lot; None: all."""
    seed: int = 0
    """Of the lot: the same records for the same seed."""

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
    """A feed as XML, and how many records it holds."""

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
    records = _records(store, sites, wanted)
    encoders = {site.domain: encoder_of(kind, columns, site.domain) for site in sites}
    writer = open_writer(output, kind, columns)
    with writing(writer):
        for stored in records:
            writer.write(encoders[stored.record.domain](row_of(stored.record, explain=explain)))
            counted.written += 1
            counted.add(stored)
    return counted


def export_feed(store: Store, wanted: WantedRecords, kind: FeedFormat, *, count: Count | None = None) -> WrittenFeed:
    """Return a feed of the newest records."""
    sites = known_sites(store, wanted.sites)
    limit = FEED_RECORDS if wanted.limit is None else wanted.limit
    records = list(_records(store, sites, replace(wanted, newest_first=True, limit=limit)))
    if count is not None:
        for stored in records:
            count.add(stored)
    return WrittenFeed(feed_of(kind, _head(sites), records), len(records))


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
    counted = count if count is not None else Count()
    sites = known_sites(store, wanted.sites)
    if not target.absolute().parent.is_dir():
        raise OutputError(f"cannot write {target}: there is no such folder")

    def left_out(error: StoreError) -> None:
        counted.written -= 1
        counted.left_out += 1
        leave_out(error)

    def counting() -> Iterator[PageLocation]:
        for location in _locations(store, sites, wanted):
            counted.written += 1
            yield location

    copy_pages(folder, counting(), target, left_out)
    return counted


def _head(sites: Sequence[StoredSite]) -> FeedHead:
    """Return what a feed says about itself: the same at every call, so that readers know it again."""
    names = ", ".join(site.name for site in sites)
    url = sites[0].url or f"https://{sites[0].name}/"
    return FeedHead(
        title=names if len(sites) <= _NAMED else f"{len(sites)} sites",
        url=url if len(sites) == 1 else f"{url}#{','.join(site.name for site in sites)}",
        updated=max(site.added_at for site in sites),
    )


def _locations(store: Store, sites: Sequence[StoredSite], wanted: WantedRecords) -> Iterator[PageLocation]:
    """Yield where the pages lie: those of the chosen records, or all of the sites."""
    if wanted.chooses:
        yield from (stored.location for stored in _chosen(store, wanted) if stored.location is not None)
    else:
        for site in sites:
            yield from (page.location for page in store.pages(site.name))


def _records(store: Store, sites: Sequence[StoredSite], wanted: WantedRecords) -> Iterator[StoredRecord]:
    """Return the wanted records, with the wanted fields."""
    if not wanted.fields:
        return _chosen(store, wanted)
    fields = frozenset(fields_of(store, sites, wanted.fields))
    return (_narrowed(stored, fields) for stored in _chosen(store, wanted))


def _chosen(store: Store, wanted: WantedRecords) -> Iterator[StoredRecord]:
    """Return the records of a query, or a sample of them: they are gone through twice then, and never held."""
    if wanted.sample is None:
        return store.records(wanted.query())
    numbers = sampled(store.records(wanted.query()), wanted.sample, wanted.seed)
    return (stored for stored in store.records(wanted.query()) if stored.number in numbers)


def _narrowed(stored: StoredRecord, wanted: frozenset[str]) -> StoredRecord:
    fields = {name: value for name, value in stored.record.fields.items() if name in wanted}
    return replace(stored, record=replace(stored.record, fields=fields))
