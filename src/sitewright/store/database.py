"""The address of a database in, a Store out: what is known about sites, and what was collected from them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from types import TracebackType
from typing import Self

from sqlalchemy import Connection, Engine, Select, func, inspect, select, text

from sitewright.errors import StoreError
from sitewright.maps import dump_map, parse_map
from sitewright.parse import url_id
from sitewright.store import records, schedule
from sitewright.store.engine import is_sqlite, make_engine, reading, writing
from sitewright.store.entries import (
    Collected,
    FillRate,
    MadeBy,
    PageLocation,
    RecordQuery,
    StoredFailure,
    StoredMap,
    StoredPage,
    StoredRecord,
    StoredSite,
    WatchedPage,
)
from sitewright.store.schema import REVISION, VERSION_TABLE, failures, maps, metadata, photo_sets, sites
from sitewright.store.statements import (
    claim,
    count_seen,
    insert_into,
    mark_seen,
    signature_of,
    site_id,
    unseen,
    upsert,
)
from sitewright.types import Failure, Page, Photo, PhotoSet, Record

DEFAULT_STORE = "sqlite:///sitewright.db"
Clock = Callable[[], datetime]
_CHUNK = 500
"""So many records are held at a time when all are read: 10 MB at 20 kB each."""
_UPGRADE_LOCK = 0x73697465
"""PostgreSQL's advisory lock under which only one process makes or changes the tables."""


def now_in_utc() -> datetime:
    """Return the time of this machine."""
    return datetime.now(UTC)


def open_store(url: str = DEFAULT_STORE, *, wait_seconds: float = 30.0, clock: Clock = now_in_utc) -> "Store":
    """Open a store, making its tables or bringing them up to date; `StoreError` says why it cannot be opened.

    Others are waited for `wait_seconds`; `clock` is what leases, schedules and dates go by.
    """
    engine = make_engine(url, wait_seconds)
    try:
        _prepare(engine)
    except StoreError:
        engine.dispose()
        raise
    return Store(engine, clock)


class Store:
    """A database of sites and records; every method is one transaction. Each process opens its own."""

    def __init__(self, engine: Engine, clock: Clock) -> None:
        """Keep the engine of a database whose tables are there; see `open_store`."""
        self._engine = engine
        self._clock = clock

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    # Sites and maps

    def add_site(self, name: str, *, url: str = "", domain: str = "news") -> None:
        """Add a site; one that is there stays as it is."""
        row = {"name": name, "url": url, "domain": domain, "added_at": self._clock()}
        with writing(self._engine) as connection:
            connection.execute(insert_into(connection, sites).values(row).on_conflict_do_nothing())

    def sites(self) -> list[StoredSite]:
        """Return all sites, by name."""
        columns = (sites.c.name, sites.c.url, sites.c.domain, sites.c.added_at)
        with reading(self._engine) as connection:
            return [StoredSite(**row) for row in connection.execute(select(*columns).order_by("name")).mappings()]

    def save_map(self, text: str, made_by: MadeBy) -> int:
        """Keep the text of a map as the newest version of its site's; return that version.

        A version that is there already is not written over: the text then gets the next one.
        """
        extraction_map = parse_map(text)
        with writing(self._engine) as connection:
            site = site_id(connection, extraction_map.site, lock=True)
            last = connection.execute(select(func.max(maps.c.version)).where(maps.c.site_id == site)).scalar() or 0
            version = max(extraction_map.version, last + 1)
            if version != extraction_map.version:
                text = dump_map(replace(extraction_map, version=version), like=text)
            row = {"site_id": site, "version": version, "made_by": made_by, "made_at": self._clock(), "text": text}
            connection.execute(maps.insert().values(row))
        return version

    def load_map(self, site: str, version: int | None = None) -> StoredMap | None:
        """Return a site's newest map, or the version asked for; None where there is none."""
        query = _maps_of(site).order_by(maps.c.version.desc()).limit(1)
        with reading(self._engine) as connection:
            found = connection.execute(query if version is None else query.where(maps.c.version == version)).mappings()
            return next((StoredMap(**row) for row in found), None)

    def map_versions(self, site: str) -> list[StoredMap]:
        """Return all versions of a site's map, the first one first."""
        with reading(self._engine) as connection:
            rows = connection.execute(_maps_of(site).order_by(maps.c.version)).mappings()
            return [StoredMap(**row) for row in rows]

    # Index pages and hosts

    def put_index_pages(self, pages: Sequence[WatchedPage]) -> None:
        """Add index pages; those that are there keep their schedule and take on kind and weight."""
        with writing(self._engine) as connection:
            schedule.put(connection, pages, self._clock())

    def remove_index_pages(self, site: str, urls: Iterable[str]) -> None:
        """Watch these pages no longer."""
        with writing(self._engine) as connection:
            schedule.remove(connection, site, urls)

    def index_pages(self, site: str) -> list[WatchedPage]:
        """Return all index pages of a site."""
        with reading(self._engine) as connection:
            return schedule.of_site(connection, site)

    def due_index_pages(self, limit: int = 100) -> list[WatchedPage]:
        """Return pages that are due and that nobody works on, the longest due first."""
        with reading(self._engine) as connection:
            return schedule.due(connection, self._clock(), limit)

    def next_due(self) -> datetime | None:
        """Return when there will be something to lease; None where nothing is watched."""
        with reading(self._engine) as connection:
            return schedule.next_due(connection)

    def lease(self, owner: str, *, seconds: float, limit: int = 10) -> list[WatchedPage]:
        """Take pages that are due; nobody else gets them until they are finished, released, or time is up."""
        with writing(self._engine) as connection:
            now = self._clock()
            return schedule.lease(connection, owner, now, now + timedelta(seconds=seconds), limit)

    def renew(self, owner: str, *, seconds: float) -> list[WatchedPage]:
        """Hold all leases of an owner for longer; return the pages that are still theirs."""
        with writing(self._engine) as connection:
            return schedule.renew(connection, owner, self._clock() + timedelta(seconds=seconds))

    def finish(self, owner: str, page: WatchedPage) -> bool:
        """Write a page's new schedule and give it back; False, and nothing written, where another took it over."""
        with writing(self._engine) as connection:
            return schedule.finish(connection, owner, page, self._clock())

    def release(self, owner: str) -> None:
        """Give back all pages of an owner, as due as they were."""
        with writing(self._engine) as connection:
            schedule.release(connection, owner)

    def reserve_host(self, host: str, *, pause_seconds: float) -> datetime:
        """Return when the caller may ask a host; others are given moments a pause apart from it."""
        with writing(self._engine) as connection:
            return schedule.reserve_host(connection, host, timedelta(seconds=pause_seconds), self._clock())

    # Links

    def new_links(self, site: str, urls: Iterable[str]) -> list[str]:
        """Return the links that have not reached the store, each once (whatever its spelling), in their order."""
        with reading(self._engine) as connection:
            return unseen(connection, site_id(connection, site), urls)

    def claim_links(self, site: str, urls: Sequence[str], owner: str, *, seconds: float) -> list[str]:
        """Return those new links that nobody else is fetching, and keep others from them for some time."""
        with writing(self._engine) as connection:
            now = self._clock()
            number = site_id(connection, site)
            wanted = unseen(connection, number, urls)
            taken = claim(connection, number, wanted, owner, (now, now + timedelta(seconds=seconds)))
        return [url for url in wanted if signature_of(url) in taken]

    def mark_seen(self, site: str, urls: Iterable[str]) -> None:
        """Treat links as if they were stored, for instance the past of a site that is not wanted."""
        with writing(self._engine) as connection:
            mark_seen(connection, site_id(connection, site), map(signature_of, urls), self._clock())

    def count_seen(self, site: str) -> int:
        """Count the links of a site that have reached the store."""
        with reading(self._engine) as connection:
            return count_seen(connection, site_id(connection, site))

    # Records

    def commit_page(self, record: Record, page: Page, location: PageLocation | None = None) -> None:
        """Store a record and where its page lies, mark its links as seen, count it: all of it, or nothing."""
        self.commit_pages([Collected(record=record, page=page, location=location)])

    def commit_pages(self, batch: Sequence[Collected]) -> None:
        """Store many records in one transaction; of one address the last is kept."""
        if batch:
            with writing(self._engine) as connection:
                records.commit(connection, batch, self._clock())

    def add_page(self, site: str, page: Page, location: PageLocation) -> None:
        """Store where a page lies that gave no record."""
        with writing(self._engine) as connection:
            records.add_page(connection, site, page, location)

    def records(self, query: RecordQuery | None = None) -> Iterator[StoredRecord]:
        """Yield the records of a query; no transaction stays open between them."""
        wanted = query or RecordQuery()
        left = wanted.limit
        last: StoredRecord | None = None
        while left is None or left > 0:
            size = _CHUNK if left is None else min(left, _CHUNK)
            with reading(self._engine) as connection:
                found = records.chunk(connection, wanted, last, size)
            yield from found
            if len(found) < size:
                return
            last = found[-1]
            left = None if left is None else left - size

    def count_records(self, query: RecordQuery | None = None) -> int:
        """Count the records of a query, whatever its limit."""
        with reading(self._engine) as connection:
            return records.count(connection, query or RecordQuery())

    def find_record(self, site: str, url: str) -> StoredRecord | None:
        """Return the record of a URL, in whatever spelling; None where there is none."""
        with reading(self._engine) as connection:
            return records.find(connection, site, url)

    def pages(self, site: str) -> Iterator[StoredPage]:
        """Yield the pages of a site in the order of the archive, also those without a record."""
        last: PageLocation | None = None
        found: list[StoredPage] = []
        while last is None or len(found) == _CHUNK:
            with reading(self._engine) as connection:
                found = records.page_chunk(connection, site, last, _CHUNK)
            yield from found
            if not found:
                return
            last = found[-1].location

    def fill_rates(self, site: str, since: date | None = None) -> list[FillRate]:
        """Return how often each field was found, by template, on pages fetched since a day."""
        with reading(self._engine) as connection:
            return records.fill_rates(connection, site, since)

    # Photo sets and failures

    def put_photo_set(self, photo_set: PhotoSet) -> None:
        """Store a photo set; one with the same first address is written over."""
        with writing(self._engine) as connection:
            row = {
                "site_id": site_id(connection, photo_set.site),
                "id": url_id(photo_set.urls[0]),
                "urls": list(photo_set.urls),
                "title": photo_set.title,
                "text": photo_set.text,
                "photos": list(photo_set.photos),
                "stored_at": self._clock(),
            }
            upsert(connection, photo_sets, ("site_id", "id"), [row])

    def photo_sets(self, site: str) -> list[PhotoSet]:
        """Return the photo sets of a site, in the order in which they were first stored."""
        with reading(self._engine) as connection:
            own = photo_sets.c.site_id == site_id(connection, site)
            rows = connection.execute(select(photo_sets).where(own).order_by(photo_sets.c.number))
            return [
                PhotoSet(
                    site=site,
                    urls=tuple(row.urls),
                    title=row.title,
                    text=row.text,
                    photos=tuple(Photo(**photo) for photo in row.photos),
                )
                for row in rows
            ]

    def add_failure(self, site: str, failure: Failure, *, settled: bool = False) -> None:
        """Store why a page has no record; `settled`: it never will, so its link counts as seen."""
        now = self._clock()
        with writing(self._engine) as connection:
            number = site_id(connection, site)
            _put_failure(connection, number, failure, now)
            if settled:
                mark_seen(connection, number, [signature_of(failure.url)], now)

    def failures(self, site: str) -> list[StoredFailure]:
        """Return what has no record and why, the latest first; a failure is dropped once the page has a record."""
        with reading(self._engine) as connection:
            own = failures.c.site_id == site_id(connection, site)
            rows = connection.execute(select(failures).where(own).order_by(failures.c.at.desc(), failures.c.url))
            return [
                StoredFailure(
                    site=site,
                    failure=Failure(row.url, row.stage, row.code, row.detail),
                    first_at=row.first_at,
                    at=row.at,
                    times=row.times,
                )
                for row in rows
            ]


def _prepare(engine: Engine) -> None:
    """Make the tables, or bring them up to date; refuse those of others and those of the future."""
    with reading(engine) as connection:
        if _revision_of(connection) == REVISION:
            return
    from sitewright.store.migrations import scripts, upgrade  # noqa: PLC0415 -- only a change of the tables pays for it

    known = {script.revision for script in scripts().walk_revisions()}
    with writing(engine) as connection:
        if not is_sqlite(connection):
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _UPGRADE_LOCK})
        found = _revision_of(connection)
        if found and found not in known:
            told = f"a newer version of Sitewright wrote it (tables {found}, known up to {REVISION}); update Sitewright"
            raise StoreError(f"{engine.url.render_as_string()}: {told}")
        if not found and (others := set(inspect(connection).get_table_names()) & set(metadata.tables)):
            told = f"holds tables of something else ({', '.join(sorted(others))}); name another database"
            raise StoreError(f"{engine.url.render_as_string()}: {told}")
        upgrade(connection)


def _revision_of(connection: Connection) -> str:
    """Return the last migration that was run; empty where none was."""
    if not inspect(connection).has_table(VERSION_TABLE):
        return ""
    return str(connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar() or "")  # noqa: S608 -- a constant


def _maps_of(site: str) -> "Select[tuple[str, int, str, datetime, str]]":
    columns = (sites.c.name.label("site"), maps.c.version, maps.c.made_by, maps.c.made_at, maps.c.text)
    return select(*columns).join_from(maps, sites).where(sites.c.name == site)


def _put_failure(connection: Connection, site: int, failure: Failure, now: datetime) -> None:
    row = {
        "site_id": site,
        "signature": signature_of(failure.url),
        "stage": failure.stage,
        "url": failure.url,
        "code": failure.code,
        "detail": failure.detail,
        "first_at": now,
        "at": now,
        "times": 1,
    }
    keys = ("site_id", "signature", "stage")
    upsert(connection, failures, keys, [row], ("url", "code", "detail", "at"), ("times",))
