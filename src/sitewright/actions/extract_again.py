"""The stored pages of a site in, its records anew out, and what changed field by field."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path

from sitewright.actions.changes import Changes
from sitewright.actions.hold import Hold
from sitewright.actions.maps import prepared_text, put_map
from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.output.rows import row_of
from sitewright.parse import url_id
from sitewright.processes.places import StoredPlace
from sitewright.processes.pool import Pool
from sitewright.processes.reread import Reread, RereadJob
from sitewright.store.database import Store
from sitewright.store.entries import Collected, StoredPage, StoredRecord
from sitewright.store.pages import newest_pages
from sitewright.types import ExtractionMap, Failure, Limits, Record
from sitewright.values.as_json import json_of
from sitewright.watch.health import doubts_of
from sitewright.watch.inheritance import given_categories, with_categories_of
from sitewright.watch.map_history import load_history, wrong_by_now
from sitewright.watch.rereading import Rereading, pages_since
from sitewright.watch.story_pages import of_page_alone, read_again

TOGETHER = 10_000
"""So many records are written in one transaction, 200 MB of memory at 20 kB each; larger sites take several."""
_LOOKED_UP = 200

Outcome = tuple[StoredPage, Reread]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractAgainOptions:
    """Which pages of a site are read once more, with which map."""

    site: str
    extraction_map: ExtractionMap
    folder: Path
    """The web archive."""
    since: datetime | None = None
    """Only pages that were fetched since then."""
    wanted: Rereading | None = None
    """After a repair: which rules were wrong since when, so that only pages since then are read (None: all are)."""
    jobs: int = 0
    """Processes to use; 0: one a core."""
    limits: Limits = field(default_factory=Limits)


@dataclass(slots=True)
class Tally:
    """What came of the pages so far; who holds it knows that also where the work is interrupted."""

    changes: Changes
    pages: int = 0
    """How many there are."""
    changed: int = 0
    same: int = 0
    new: int = 0
    worse: int = 0
    """Records that would get worse, and stay as they are."""
    still_none: int = 0
    """Pages that gave no record and give none now."""
    unread: list[Failure] = field(default_factory=list)
    """Pages that are damaged, or whose record stays as it is because the map does not read them any more."""
    written: int = 0


def map_given(store: Store, site: str, text: str, file: str, *, keep: bool, tell: Tell = nobody) -> ExtractionMap:
    """Return the map that a person gives to read a held site with; it is stored first, unless nothing is to be kept."""
    given = parse_map(text, file)
    if given.site != site:
        raise InputError(f"{file} is the map of {given.site}, not of {site}")
    before = store.load_map(site)
    if not keep:
        return parse_map(prepared_text(text, file, before), file)
    stored = put_map(store, text, file)
    if before is None or stored.version != before.version:
        tell(f"{file} is stored as version {stored.version}")
    return stored.parsed()


def extract_again(
    store: Store,
    asked: ExtractAgainOptions,
    hold: Hold | None,
    tally: Tally | None = None,
    note: Callable[[str], None] = nobody,
) -> Tally:
    """Read pages of a site once more, and replace its records; without a hold on the site nothing is written.

    All is written in the end: in one transaction, or in several where there are very many. `note` is told of each page
    the code of its failure, or nothing.
    """
    counted = tally if tally is not None else Tally(Changes(asked.extraction_map.fields))
    _Work(store, asked, hold, counted).read(note)
    return counted


class _Work:
    """Reads pages, counts what changes, and writes it."""

    def __init__(self, store: Store, asked: ExtractAgainOptions, hold: Hold | None, tally: Tally) -> None:
        self._store = store
        self._asked = asked
        self._hold = hold
        self._tally = tally
        self._waiting: list[Collected] = []
        self._history = load_history(store, asked.site)
        site = store.site(asked.site)
        self._given = given_categories(asked.extraction_map, site.state.category if site is not None else "")
        self._wrong = wrong_by_now(store, asked.site)
        newest = max((stored.version for stored in self._history.versions), default=0)
        is_newest = asked.extraction_map.version >= newest  # of others nothing is in doubt: they are not used any more
        self._doubts = doubts_of(store.incidents(asked.site)) if is_newest else frozenset()

    def read(self, note: Callable[[str], None]) -> None:
        asked = self._asked
        pages = self._pages()
        self._tally.pages = len(pages)
        former = self._history.former(asked.extraction_map)
        job = RereadJob(extraction_map=asked.extraction_map, limits=asked.limits, doubts=self._doubts, former=former)
        pool = Pool(job, asked.jobs, asked.limits.page_seconds)
        places = (StoredPlace(str(asked.folder), page.location, page.url) for page in pages)
        for part in _parts(zip(pages, pool.run(places), strict=True)):
            self._take(part, note)
            if len(self._waiting) >= TOGETHER:
                self._write()
        self._write()

    def _pages(self) -> list[StoredPage]:
        if self._asked.wanted is not None:
            return pages_since(self._store, self._asked.site, self._asked.wanted.first)
        return newest_pages(self._store.pages(self._asked.site, self._asked.since))

    def _gets_worse(self, before: Record | None, read: Reread, page: StoredPage) -> bool:
        """Tell whether what rules read rightly would be lost: the record stays then."""
        after = read.record
        if before is None or after is None:
            return False
        if self._asked.wanted is not None:
            return bool(self._asked.wanted.worse(before, after, page.fetched_at)) and not read.is_clear
        doubted = {one.field for one in self._doubts if one.template == after.template}
        repaired = self._history.repaired(before.map_version, after.map_version)
        if read.is_clear and before.map_version != after.map_version:
            repaired = frozenset()
        return bool(self._wrong.worse(before, after, page.fetched_at, doubted | repaired))

    def _take(self, part: Sequence[Outcome], note: Callable[[str], None]) -> None:
        """Compare what was read with the records that are there."""
        if self._hold is not None:
            self._hold.renew()
        found = self._store.find_records(self._asked.site, (read.page.location for _, read in part))
        known = {stored.id: stored for stored in found}
        for page, read in part:
            own = known.get(url_id(read.page.location))
            before = of_page_alone(self._store, read.page.location, own, self._asked.site)
            self._count(page, read, before)
            failed = read.failure is not None and (read.is_lost or before is not None)
            note(read.failure.code if read.failure and failed else "")

    def _count(self, page: StoredPage, read: Reread, before: StoredRecord | None) -> None:
        tally = self._tally
        if read.record is None:
            if read.failure is not None and (read.is_lost or before is not None):
                tally.unread.append(read.failure)
            else:
                tally.still_none += 1
            return
        known = before.record if before is not None else None
        record = with_categories_of(known, read.record, self._given)
        if self._gets_worse(known, replace(read, record=record), page):
            tally.worse += 1
            return
        wanted = self._asked.wanted
        if wanted is not None and wanted.keeps(known, record, page.fetched_at, is_clear=read.is_clear):
            tally.same += 1
            return
        changed = tally.changes.count(known, record)
        tally.new += before is None
        tally.changed += changed
        tally.same += before is not None and not changed
        after = Collected(record=record, page=read.page, location=page.location)
        if self._hold is not None and not _is_same(before, after):
            self._waiting.append(after)

    def _write(self) -> None:
        if self._hold is not None:
            self._hold.renew()
        self._store.commit_pages([read_again(self._store, one) for one in self._waiting])
        self._tally.written += len(self._waiting)
        self._waiting.clear()


def _parts(outcomes: Iterable[Outcome]) -> Iterator[list[Outcome]]:
    several = iter(outcomes)
    while part := list(islice(several, _LOOKED_UP)):
        yield part


def _is_same(before: StoredRecord | None, after: Collected) -> bool:
    """Tell whether nothing at all would change, not even the map's version or how sure a value is."""
    if before is None or before.location != after.location:
        return False
    one, other = (json_of(row_of(record, explain=True)) for record in (before.record, after.record))
    return one == other
