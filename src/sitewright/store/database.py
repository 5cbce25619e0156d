"""The address of a database in, a Store out: what is known about sites, and what was collected from them."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, date, datetime, timedelta
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Connection, Engine

from sitewright.errors import StoreError
from sitewright.maps import parse_map
from sitewright.store import (
    archive_rows,
    failures,
    frontier,
    incidents,
    leases,
    photo_sets,
    pictures,
    proposals,
    records,
    retention,
    schedule,
    sites,
    story_parts,
    summaries,
)
from sitewright.store.alerts import Alerts
from sitewright.store.clicks import Clicks
from sitewright.store.engine import at_one_moment, make_engine, reading, together, vacuum, writing
from sitewright.store.entries import (
    Collected,
    FailedTry,
    FillRate,
    FoundLink,
    Incident,
    IncidentState,
    MadeBy,
    PageLocation,
    ProposalState,
    RecordQuery,
    SiteSummary,
    StoredFailure,
    StoredMap,
    StoredPage,
    StoredProposal,
    StoredRecord,
    StoredSite,
    WaitingLink,
    WatchedPage,
)
from sitewright.store.next_reads import NextReads
from sitewright.store.offers import Offers
from sitewright.store.people import People
from sitewright.store.pictures import StoredPicture
from sitewright.store.statements import signature_of, site_id, site_ids
from sitewright.store.states import SiteState
from sitewright.store.story_parts import FoundPart, PartState, StoryPart
from sitewright.store.tables import prepare
from sitewright.store.wares import Wares
from sitewright.types import DEFAULT_DOMAIN, Failure, Page, PhotoSet, Record

DEFAULT_STORE = "sqlite:///sitewright.db"
Now = Callable[[], datetime]
_CHUNK = 500
"""So many records are held at a time when all are read: 10 MB at 20 kB each."""


def now_in_utc() -> datetime:
    """Return the time of this machine."""
    return datetime.now(UTC)


def open_store(url: str = DEFAULT_STORE, *, wait_seconds: float = 30.0, clock: Now = now_in_utc) -> "Store":
    """Open a store, making its tables or bringing them up to date; `StoreError` says why it cannot be opened.

    Others are waited for `wait_seconds`; `clock` is what leases, schedules and dates go by.
    """
    engine = make_engine(url, wait_seconds)
    try:
        prepare(engine)
    except StoreError:
        engine.dispose()
        raise
    return Store(engine, clock)


class Store:
    """A database of sites and records; every method is one transaction, unless several are asked `together`.

    Each process opens its own.
    """

    def __init__(self, engine: Engine, clock: Now) -> None:
        """Keep the engine of a database whose tables are there; see `open_store`."""
        self._engine = engine
        self._clock = clock

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    @property
    def people(self) -> People:
        """What is known of people: accounts, marks, saved searches, changes."""
        return People(self._engine, self._clock)

    @property
    def clicks(self) -> Clicks:
        """What readers did: events by pseudonym."""
        return Clicks(self._engine, self._clock)

    @property
    def next_reads(self) -> NextReads:
        """What readers should see next: lists that were made before, and how far they are."""
        return NextReads(self._engine, self._clock)

    @property
    def alerts(self) -> Alerts:
        """What people want to be told of, and what is still to be told."""
        return Alerts(self._engine, self._clock)

    @property
    def offers(self) -> Offers:
        """What items cost, and when they are visited again."""
        return Offers(self._engine, self._clock)

    @property
    def wares(self) -> Wares:
        """The items that have prices, as people look for them."""
        return Wares(self._engine)

    def together(self) -> AbstractContextManager[None]:
        """Have all that this thread asks within `with` be one transaction: all of it is stored, or nothing."""
        return together(self._engine)

    def at_one_moment(self) -> AbstractContextManager[None]:
        """Have all that this thread reads within `with` be of one moment, which is also asked faster."""
        return at_one_moment(self._engine)

    # Sites and maps

    def add_site(self, name: str, *, url: str = "", domain: str = DEFAULT_DOMAIN) -> None:
        """Add a site; one that is there stays as it is."""
        with writing(self._engine) as connection:
            sites.add(connection, name, url, domain, self._clock())

    def site(self, name: str) -> StoredSite | None:
        """Return a site; None where there is none of the name."""
        with reading(self._engine) as connection:
            return sites.find(connection, name)

    def sites(self) -> list[StoredSite]:
        """Return all sites, by name."""
        with reading(self._engine) as connection:
            return sites.every(connection)

    def site_summaries(self) -> list[SiteSummary]:
        """Return what there is of each site, by name."""
        with reading(self._engine) as connection:
            return summaries.of_sites(connection)

    def save_site_state(self, site: str, state: SiteState) -> None:
        """Keep what the collector of a site remembers, as JSON."""
        with writing(self._engine) as connection:
            sites.save_state(connection, site_id(connection, site), state)

    def pause_site(self, name: str) -> None:
        """Have a site left alone until it is resumed."""
        with writing(self._engine) as connection:
            sites.pause(connection, name, self._clock())

    def resume_site(self, name: str) -> None:
        """Have a site collected again, which is due now."""
        with writing(self._engine) as connection:
            sites.pause(connection, name, None)
            leases.make_due(connection, site_id(connection, name), self._clock())

    def forget_site(self, name: str) -> None:
        """Remove a site with its maps, schedule, links, records and failures; its pages stay in the archive."""
        with writing(self._engine) as connection:
            sites.forget(connection, name)

    def save_map(self, text: str, made_by: MadeBy) -> int:
        """Keep the text of a map as the newest version of its site's; return that version.

        A version that is there already is not written over: the text then gets the next one.
        """
        with writing(self._engine) as connection:
            return sites.save_map(connection, text, made_by, self._clock())

    def load_map(self, site: str, version: int | None = None) -> StoredMap | None:
        """Return a site's newest map, or the version asked for; None where there is none."""
        with reading(self._engine) as connection:
            return sites.load_map(connection, site, version)

    def map_versions(self, site: str) -> list[StoredMap]:
        """Return all versions of a site's map, the first one first."""
        with reading(self._engine) as connection:
            return sites.map_versions(connection, site)

    def adopt_map(
        self,
        text: str,
        made_by: MadeBy,
        *,
        healed: Iterable[int] = (),
        accepted: int | None = None,
        state: SiteState | None = None,
    ) -> int:
        """Keep a repaired map, and with it what it brings, all at once; return its version.

        The incidents of the numbers are `healed`, a proposal is `accepted`, the site's state changes (None: not).
        """
        with writing(self._engine) as connection:
            now = self._clock()
            if accepted is not None and not proposals.decide(connection, accepted, "accepted", now):
                raise StoreError(f"proposal {accepted} does not wait any more")
            version = sites.save_map(connection, text, made_by, now)
            for number in healed:
                incidents.close(connection, number, "healed", now)
            if state is not None:
                sites.save_state(connection, site_id(connection, parse_map(text).site), state)
            return version

    # Who works on a site

    def lease_sites(
        self, owner: str, *, seconds: float, limit: int = 10, only: Collection[str] = ()
    ) -> list[StoredSite]:
        """Take sites that are due, the longest due first; nobody else gets them until released, or time is up.

        `only` names the sites to choose from; empty: all.
        """
        with writing(self._engine) as connection:
            return leases.lease_due(connection, owner, self._from_now(seconds), limit=limit, only=only)

    def lease_site(self, owner: str, site: str, *, seconds: float) -> bool:
        """Take a site, due or not; False where another holds it."""
        with writing(self._engine) as connection:
            return leases.lease(connection, owner, site, self._from_now(seconds))

    def leased_sites(self) -> list[StoredSite]:
        """Return the sites that somebody holds now."""
        now = self._clock()
        return [site for site in self.sites() if site.lease_until is not None and site.lease_until > now]

    def renew_sites(self, owner: str, *, seconds: float) -> set[str]:
        """Hold all sites of an owner for longer; return the names of those that are still theirs."""
        with writing(self._engine) as connection:
            return leases.renew(connection, owner, self._from_now(seconds)[1])

    def release_site(self, owner: str, site: str, *, not_before: datetime | None = None) -> bool:
        """Give a site back, due with its next index page or link, but not earlier; False where it is not theirs."""
        with writing(self._engine) as connection:
            number = leases.held_site(connection, owner, site)
            if number is not None:
                leases.release(connection, number, not_before)
            return number is not None

    def release_sites(self, owner: str) -> None:
        """Give back all sites of an owner."""
        with writing(self._engine) as connection:
            leases.release_all(connection, owner)

    def make_due(self, site: str, moment: datetime | None = None) -> None:
        """See to it that a site is due at a moment (None: now), if it was not earlier."""
        with writing(self._engine) as connection:
            leases.make_due(connection, site_id(connection, site), moment or self._clock())

    def bring_back(self, longest_seconds: float, lease_seconds: float) -> list[str]:
        """Make due what waits for a time further ahead than anything does, since the clock was set back.

        Returns the sites. No lease lasts longer than `lease_seconds` then.
        """
        with writing(self._engine) as connection:
            return leases.bring_back(connection, self._from_now(longest_seconds), self._from_now(lease_seconds))

    def hasten(self, site: str) -> None:
        """Have all index pages of a site looked at now."""
        with writing(self._engine) as connection:
            number, now = site_id(connection, site), self._clock()
            schedule.hasten(connection, number, now)
            leases.make_due(connection, number, now)

    def next_site_due(self, only: Collection[str] = ()) -> datetime | None:
        """Return when there will be something to lease; None where nothing is watched and no link waits."""
        with reading(self._engine) as connection:
            return leases.next_due(connection, only)

    # Index pages

    def put_index_pages(self, pages: Sequence[WatchedPage]) -> None:
        """Add index pages, with which their sites become due; those there keep their schedule, take kind and weight."""
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

    def due_index_pages(self, site: str, *, limit: int = 100) -> list[WatchedPage]:
        """Return the index pages of a site that are due, the longest due first."""
        with reading(self._engine) as connection:
            return schedule.due(connection, site, self._clock(), limit)

    def finish_look(
        self,
        owner: str,
        page: WatchedPage,
        links: Sequence[FoundLink] = (),
        state: SiteState | None = None,
    ) -> list[str] | None:
        """Write an index page's new schedule, have its links wait, keep the site's state (None: as it was).

        Returns the links that were neither seen nor waiting, in their order. None, and nothing is written, where the
        site is no longer the owner's.
        """
        with writing(self._engine) as connection:
            return schedule.finish_look(connection, owner, page, links, state, self._clock())

    # Links

    def add_links(self, site: str, links: Sequence[FoundLink]) -> list[str]:
        """Have links wait that no index page listed, with which the site becomes due; return those that were new."""
        with writing(self._engine) as connection:
            return schedule.add_links(connection, site, links, self._clock())

    def recollect(self, site: str, since: datetime, until: datetime) -> int:
        """Have the links of pages wait that were fetched in a span of time, to be fetched again; return how many."""
        with writing(self._engine) as connection:
            return schedule.recollect(connection, site, (since, until), self._clock())

    def known_links(self, site: str, urls: Iterable[str]) -> set[str]:
        """Return those of the links that were seen or wait, whatever their spelling."""
        with reading(self._engine) as connection:
            return frontier.known_urls(connection, site_id(connection, site), urls)

    def due_links(self, site: str, *, limit: int) -> list[WaitingLink]:
        """Return waiting links of a site that are due, the longest due first."""
        with reading(self._engine) as connection:
            return frontier.due(connection, site_id(connection, site), self._clock(), limit)

    def waiting_until(self, site: str, urls: Iterable[str]) -> dict[str, datetime]:
        """Return when those of the links are due that wait to be collected, whatever their spelling."""
        with reading(self._engine) as connection:
            return frontier.waiting(connection, site_id(connection, site), urls)

    def seen_since(self, site: str, urls: Iterable[str]) -> dict[str, datetime]:
        """Return since when those of the links count as stored or settled that do, whatever their spelling."""
        with reading(self._engine) as connection:
            return frontier.first_seen(connection, site_id(connection, site), urls)

    def mark_seen(self, site: str, urls: Iterable[str]) -> None:
        """Treat links as if they were stored, for instance the past of a site that is not wanted."""
        with writing(self._engine) as connection:
            number = site_id(connection, site, lock=True)
            frontier.settle(connection, number, map(signature_of, urls), self._clock())

    def count_seen(self, site: str) -> int:
        """Count the links of a site that were stored or settled."""
        with reading(self._engine) as connection:
            return frontier.count_seen(connection, site_id(connection, site))

    def count_waiting(self, site: str) -> int:
        """Count the links of a site that wait, due or not."""
        with reading(self._engine) as connection:
            return frontier.count_waiting(connection, site_id(connection, site))

    # Records

    def commit_page(self, record: Record, page: Page, location: PageLocation | None = None) -> None:
        """Store a record and where its page lies, settle its links, count it: all of it, or nothing."""
        self.commit_pages([Collected(record=record, page=page, location=location)])

    def commit_pages(self, batch: Sequence[Collected]) -> set[tuple[str, str]]:
        """Store many records in one transaction, of one address the last; return which there were, by site and id."""
        if not batch:
            return set()
        with writing(self._engine) as connection:
            return records.commit(connection, batch, self._clock())

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

    def records_after(self, after: tuple[datetime, int] | None, size: int) -> list[StoredRecord]:
        """Return the next records by when they were stored last, behind a moment and a number (None: the first)."""
        with reading(self._engine) as connection:
            return records.stored_after(connection, after, size)

    def records_by_number(self, numbers: Iterable[int]) -> list[StoredRecord]:
        """Return the records of these numbers that are there, in no order."""
        with reading(self._engine) as connection:
            return records.by_number(connection, numbers)

    def numbered(self, numbers: Sequence[int]) -> list[StoredRecord]:
        """Return the records of these numbers that are there, in this order."""
        with reading(self._engine) as connection:
            return records.numbered(connection, numbers)

    def there(self, numbers: Iterable[int]) -> set[int]:
        """Return those of the numbers that are of records."""
        with reading(self._engine) as connection:
            return records.there(connection, numbers)

    def find_record(self, site: str, url: str) -> StoredRecord | None:
        """Return the record of a URL, in whatever spelling; None where there is none."""
        with reading(self._engine) as connection:
            return records.find(connection, site, url)

    def find_records(self, site: str, urls: Iterable[str]) -> list[StoredRecord]:
        """Return the records of those URLs that have one, in whatever spelling and in no order."""
        with reading(self._engine) as connection:
            return records.find_all(connection, site, urls)

    def find_records_by_id(self, name: str, sites: Sequence[str]) -> list[StoredRecord]:
        """Return the records of an id that these sites have, in the order of the store."""
        with reading(self._engine) as connection:
            return records.find_by_id(connection, name, sites)

    def pages(self, site: str, since: datetime | None = None) -> Iterator[StoredPage]:
        """Yield the pages of a site (fetched since a moment) in the order of the archive, also without a record."""
        last: PageLocation | None = None
        found: list[StoredPage] = []
        while last is None or len(found) == _CHUNK:
            with reading(self._engine) as connection:
                found = records.page_chunk(connection, site, last, since, _CHUNK)
            yield from found
            if not found:
                return
            last = found[-1].location

    def fill_rates(self, site: str, since: date | None = None) -> list[FillRate]:
        """Return how often each field was found, by template, on pages fetched since a day."""
        with reading(self._engine) as connection:
            return records.fill_rates(connection, site, since)

    def daily_fills(self, site: str, since: date) -> list[tuple[str, str, date, int]]:
        """Return template, field, day and how many records of it have the field; field "" counts the records."""
        with reading(self._engine) as connection:
            return records.daily_fills(connection, site, since)

    # The archive, as the database knows it

    def archive_files(self) -> dict[str, int]:
        """Return the files that pages lie in, each with the end of its last page."""
        with reading(self._engine) as connection:
            return archive_rows.files(connection)

    def pages_in(self, file: str) -> list[StoredPage]:
        """Return the pages that lie in a file, in their order."""
        with reading(self._engine) as connection:
            return archive_rows.in_file(connection, file)

    def ask_again(self, lost: Sequence[StoredPage]) -> None:
        """Forget where pages lie that cannot be read; their records stay, and their links wait to be fetched again."""
        with writing(self._engine) as connection:
            archive_rows.ask_again(connection, lost, self._clock())

    def adopt_pages(self, site: str, found: Sequence[tuple[Page, PageLocation]]) -> int:
        """Take pages in of which nothing is known any more, and have their links wait; return how many."""
        with writing(self._engine) as connection:
            return archive_rows.adopt(connection, site_id(connection, site, lock=True), found, self._clock())

    def ask_for_unread(self, site: str) -> int:
        """Have the links of pages wait that have neither a record nor a failure; return how many."""
        with writing(self._engine) as connection:
            return archive_rows.ask_for_unread(connection, site_id(connection, site, lock=True), self._clock())

    def move_pages(self, moved: Sequence[tuple[PageLocation, PageLocation]]) -> None:
        """Say of pages that they lie elsewhere now."""
        with writing(self._engine) as connection:
            archive_rows.move(connection, moved)

    # What is too old

    def count_expired(self, before: datetime, sites: Sequence[str] = (), *, pages_only: bool = False) -> dict[str, int]:
        """Return how many rows of which tables are older than a moment, of some sites (none: of all)."""
        with reading(self._engine) as connection:
            return retention.count(connection, _expiry(connection, before, sites, pages_only))

    def files_of_expired(self, before: datetime, sites: Sequence[str] = (), *, pages_only: bool = False) -> list[str]:
        """Return the files of the archive in which pages lie that are too old."""
        with reading(self._engine) as connection:
            return retention.files(connection, _expiry(connection, before, sites, pages_only))

    def expire(self, before: datetime, sites: Sequence[str] = (), *, pages_only: bool = False) -> int:
        """Remove a part of what is too old, their links stay known; return how many rows, 0 in the end."""
        with writing(self._engine) as connection:
            return retention.expire(connection, _expiry(connection, before, sites, pages_only))

    def give_back_room(self) -> None:
        """Have a SQLite file hold nothing of what was removed; PostgreSQL sees to it by itself."""
        vacuum(self._engine)

    # Stories of several pages

    def keep_part(self, site: str, story: str, found: FoundPart, record: Record) -> None:
        """Store what a page of a story says; `story` is the address of its first page."""
        with writing(self._engine) as connection:
            story_parts.put(connection, site, story, found, record, self._clock())

    def expect_parts(self, site: str, story: str, found: Sequence[FoundPart]) -> None:
        """Have pages of a story wait to be collected, those of which nothing is known."""
        with writing(self._engine) as connection:
            story_parts.expect(connection, site, story, found, self._clock())

    def rename_story(self, site: str, story: str, first: str) -> None:
        """Have a story be known by its first page, where it was known by a later one."""
        with writing(self._engine) as connection:
            story_parts.rename(connection, site, story, first)

    def mark_part(self, site: str, url: str, state: PartState) -> None:
        """Say that a page of a story only repeats others, or cannot be had."""
        with writing(self._engine) as connection:
            story_parts.mark(connection, site, url, state, self._clock())

    def settle_part(self, site: str, urls: Iterable[str]) -> None:
        """Have the addresses of a page count as collected; its story has the record."""
        known = list(urls)
        with writing(self._engine) as connection:
            number = site_id(connection, site, lock=True)
            frontier.settle(connection, number, map(signature_of, known), self._clock())
            failures.forget(connection, number, map(signature_of, known))

    def part_of(self, site: str, url: str) -> StoryPart | None:
        """Return what is known of a page as one of a story; None where it is none."""
        with reading(self._engine) as connection:
            return story_parts.of_page(connection, site, url)

    def parts_of(self, site: str, story: str) -> list[StoryPart]:
        """Return the pages of a story, in their order; `story` is the address of the first."""
        with reading(self._engine) as connection:
            return story_parts.of_story(connection, site, story)

    # Photo sets and failures

    def put_photo_set(self, photo_set: PhotoSet) -> None:
        """Store a photo set; one with the same first address gets a new version, unless it is the same."""
        self.put_photo_sets([photo_set])

    def put_photo_sets(self, several: Sequence[PhotoSet]) -> None:
        """Store many photo sets in one transaction."""
        with writing(self._engine) as connection:
            for photo_set in several:
                photo_sets.put(connection, photo_set, self._clock())

    def photo_sets(self, site: str) -> list[PhotoSet]:
        """Return the photo sets of a site, in the order in which they were first stored."""
        with reading(self._engine) as connection:
            return photo_sets.of_site(connection, site)

    def photo_sets_of(self, site: str, urls: Iterable[str]) -> list[PhotoSet]:
        """Return the photo sets of a site whose stories have these addresses."""
        with reading(self._engine) as connection:
            return list(photo_sets.of_addresses(connection, site, urls))

    def stories_showing(self, site: str, keys: Iterable[str]) -> list[str]:
        """Return the addresses of the stories whose photo sets have some pictures (`values.images.picture_key`)."""
        with reading(self._engine) as connection:
            return list(photo_sets.showing(connection, site, keys))

    def forget_photo_set(self, site: str, url: str) -> None:
        """Remove the photo set of an address, if there is one."""
        with writing(self._engine) as connection:
            photo_sets.forget(connection, site_id(connection, site), url)

    # Pictures

    def pictures(self, site: str, keys: Iterable[str]) -> dict[str, StoredPicture]:
        """Return what is known of pictures, by their keys (`values.images.picture_key`)."""
        with reading(self._engine) as connection:
            return pictures.known(connection, site, keys)

    def want_pictures(self, site: str, keys: Iterable[str]) -> None:
        """Have the true sizes of pictures asked for, where they are not known yet."""
        with writing(self._engine) as connection:
            pictures.want(connection, site, keys, self._clock())

    def want_files(self, site: str, most_stories: int) -> None:
        """Have the files of all pictures asked for that no more stories show, and that were not kept yet."""
        with writing(self._engine) as connection:
            pictures.want_files(connection, site, most_stories, self._clock())

    def due_pictures(self, site: str, *, limit: int) -> list[StoredPicture]:
        """Return pictures of a site whose bytes are to be asked for, the longest due first."""
        with reading(self._engine) as connection:
            return pictures.due(connection, site, self._clock(), limit)

    def note_pictures(self, site: str, several: Sequence[StoredPicture]) -> None:
        """Write down what the bytes of pictures say, or that they cannot be had."""
        with writing(self._engine) as connection:
            for picture in several:
                pictures.note(connection, site, picture)

    def mark_told(self, site: str, keys: Iterable[str]) -> None:
        """Remember that photo sets know of pictures that many stories show."""
        with writing(self._engine) as connection:
            pictures.mark_told(connection, site, keys)

    def add_failure(
        self, site: str, failure: Failure, *, settled: bool = False, again_at: datetime | None = None
    ) -> None:
        """Store why a page has no record.

        `settled`: it never will, so its link counts as seen. `again_at`: if its link waits, it is due again then.
        """
        self.add_failures(site, [(failure, settled, again_at)])

    def add_failures(self, site: str, tries: Sequence[FailedTry]) -> None:
        """Store many failures in one transaction; see `add_failure`."""
        if tries:
            with writing(self._engine) as connection:
                failures.add(connection, site, tries, self._clock())

    def forget_failures(self, site: str, urls: Iterable[str]) -> None:
        """Drop the failures of addresses that are well again."""
        with writing(self._engine) as connection:
            failures.forget(connection, site_id(connection, site), map(signature_of, urls))

    def failures(self, site: str) -> list[StoredFailure]:
        """Return what has no record and why, the latest first; a failure is dropped once the page has a record."""
        with reading(self._engine) as connection:
            return failures.of_site(connection, site)

    # Baselines and incidents

    def load_baselines(self, site: str) -> dict[str, Any]:
        """Return what is kept of a site's baselines, by template; None in the place of what cannot be read."""
        with reading(self._engine) as connection:
            return incidents.load_baselines(connection, site)

    def save_baselines(self, site: str, states: Mapping[str, Any]) -> None:
        """Keep baselines by template, as JSON; those of other templates stay as they are."""
        if states:
            with writing(self._engine) as connection:
                incidents.save_baselines(connection, site, states, self._clock())

    def put_incident(self, incident: Incident) -> Incident:
        """Add an incident, or write it over itself if it has a number; return it with its number."""
        with writing(self._engine) as connection:
            return incidents.put(connection, incident)

    def incidents(self, site: str | None = None, *, open_only: bool = True) -> list[Incident]:
        """Return the incidents of a site (None: of all), the latest first."""
        with reading(self._engine) as connection:
            return incidents.of_site(connection, site, open_only=open_only)

    def find_incident(self, number: int) -> Incident | None:
        """Return the incident of a number; None where there is none."""
        with reading(self._engine) as connection:
            return incidents.find(connection, number)

    def incidents_since(self, moment: datetime, *, limit: int = 1_000) -> list[Incident]:
        """Return what was noticed since a moment, closed or not, the first first."""
        with reading(self._engine) as connection:
            return incidents.opened_since(connection, moment, limit)

    def close_incident(self, number: int, state: IncidentState = "dismissed") -> bool:
        """Close an incident; False where there is none of the number that is open."""
        with writing(self._engine) as connection:
            return incidents.close(connection, number, state, self._clock())

    # Repaired maps that wait for a person

    def put_proposal(self, proposal: StoredProposal) -> StoredProposal:
        """Have a repaired map wait, in the place of one of its site that does; return it with its number."""
        with writing(self._engine) as connection:
            return proposals.put(connection, proposal)

    def proposals(self, site: str | None = None, *, waiting_only: bool = True) -> list[StoredProposal]:
        """Return the proposals of a site (None: of all), the latest first; of those that wait, a site has one."""
        with reading(self._engine) as connection:
            return proposals.of_site(connection, site, waiting_only=waiting_only)

    def decide_proposal(self, number: int, state: ProposalState) -> bool:
        """Say what becomes of a proposal; False where none of the number waits."""
        with writing(self._engine) as connection:
            return proposals.decide(connection, number, state, self._clock())

    def _from_now(self, seconds: float) -> leases.Span:
        now = self._clock()
        return now, now + timedelta(seconds=seconds)


def _expiry(connection: Connection, before: datetime, names: Sequence[str], pages_only: bool) -> retention.Expiry:
    numbers = list(site_ids(connection, names).values()) if names else None
    return retention.Expiry(before, numbers, pages_only)
