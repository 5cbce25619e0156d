"""`sitewright re-extract`: the stored pages of a site in, its records anew out."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from sitewright.actions.changes import Changes
from sitewright.actions.hold import Hold, held
from sitewright.actions.maps import prepared_text, put_map, stored_map
from sitewright.actions.sites import known_sites
from sitewright.cli.commands.extract import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.cli.files import shown_name, text_of
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, pages_folder
from sitewright.cli.settings import Settings, load_settings
from sitewright.cli.show.progress import PageCounter
from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.output.rows import row_of
from sitewright.parse import url_id
from sitewright.processes.places import StoredPlace
from sitewright.processes.pool import Pool
from sitewright.processes.reread import Reread, RereadJob
from sitewright.reading.mapped import Doubt
from sitewright.store.database import Store
from sitewright.store.entries import Collected, StoredPage, StoredRecord
from sitewright.store.pages import newest_pages
from sitewright.types import ExtractionMap, Failure
from sitewright.values.as_json import json_of
from sitewright.values.words import counted
from sitewright.watch.rereading import Rereading

TOGETHER = 10_000
"""So many records are written in one transaction, 200 MB of memory at 20 kB each; larger sites take several."""
_LOOKED_UP = 200
_NAMED = 20
"""So many pages that cannot be read are named; the others are counted."""

Outcome = tuple[StoredPage, Reread]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    site: str
    map_file: str | None
    version: int | None
    since: datetime | None
    dry_run: bool
    store: str | None
    pages: str | None
    jobs: int | None
    quiet: bool
    wanted: Rereading | None = None
    """Which rules were wrong since when; records of pages that were read rightly stay (None: all are replaced)."""


@click.command("re-extract", short_help="Read the stored pages of a site once more, with its map as it is now.")
@click.argument("site", metavar="SITE")
@click.option("--map", "map_file", metavar="MAP", help="A map file, which is stored as the next version first.")
@click.option("--version", type=click.IntRange(min=1), help="A stored version of the map; default: the newest.")
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD", help="Only pages fetched since this day (UTC)."
)
@click.option("--dry-run", is_flag=True, help="Change nothing, only show what would change.")
@StoreOption
@PagesOption
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no summary; the table only with --dry-run.")
def reextract(**options: Any) -> None:
    """Read the stored pages of a site with its newest map, another version or a file, and replace the records.

    Nothing is fetched. Pages that gave no record get one if the map reads them now; a record whose page the map does
    not read any more, or whose page is damaged, stays as it is and is named, and the exit status is 1. A table shows,
    field by field, how many values change, how many records had the field and have it now.
    """
    since = options.pop("since")
    sys.exit(run(Request(since=since.replace(tzinfo=UTC) if since else None, **options)))


@dataclass(slots=True)
class Tally:
    """What came of the pages so far."""

    changes: Changes
    changed: int = 0
    same: int = 0
    new: int = 0
    still_none: int = 0
    """Pages that gave no record and give none now."""
    unread: list[Failure] = field(default_factory=list)
    """Pages that are damaged, or whose record stays as it is because the map does not read them any more."""
    written: int = 0
    interrupted: bool = False


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    if request.map_file is not None and request.version is not None:
        raise InputError("--map and --version both name a map; give one of them")
    settings = load_settings()
    folder = pages_folder(request.pages)
    with open_known_store(request.store) as store, ExitStack() as stack:
        known_sites(store, [request.site])
        hold = None if request.dry_run else stack.enter_context(held(store, request.site, _tell))
        extraction_map = _map(store, request)
        tally = Tally(Changes(extraction_map.fields))
        work = Work(store, request, hold, tally)
        try:
            work.read(folder, extraction_map, settings)
        except KeyboardInterrupt:
            tally.interrupted = True
    _report(request, extraction_map, tally)
    return INTERRUPTED if tally.interrupted else SOME_FAILED if tally.unread else ALL_WELL


def _map(store: Store, request: Request) -> ExtractionMap:
    """Return the map to read with; a file is stored first, unless nothing is to be changed."""
    if request.map_file is None:
        return stored_map(store, request.site, request.version).parsed()
    text, name = text_of(request.map_file), shown_name(request.map_file)
    given = parse_map(text, name)
    if given.site != request.site:
        raise InputError(f"{name} is the map of {given.site}, not of {request.site}")
    before = store.load_map(request.site)
    if request.dry_run:
        return parse_map(prepared_text(text, name, before), name)
    stored = put_map(store, text, name)
    if before is None or stored.version != before.version:
        _tell(f"{name} is stored as version {stored.version}")
    return stored.parsed()


class Work:
    """Reads pages, counts what changes, and writes it."""

    def __init__(self, store: Store, request: Request, hold: Hold | None, tally: Tally) -> None:
        """Begin with nothing to write; without a hold nothing is written."""
        self._store = store
        self._request = request
        self._hold = hold
        self._tally = tally
        self._waiting: list[Collected] = []

    def read(self, folder: Path, extraction_map: ExtractionMap, settings: Settings) -> None:
        """Read all pages, and write in the end: in one transaction, or in several where there are very many."""
        pages = newest_pages(self._store.pages(self._request.site, self._request.since))
        job = RereadJob(extraction_map=extraction_map, limits=settings.limits, doubts=self._doubts())
        pool = Pool(job, self._request.jobs or settings.jobs, settings.limits.page_seconds)
        counter = PageCounter(lambda: counter.pages / max(len(pages), 1), quiet=self._request.quiet)
        places = (StoredPlace(str(folder), page.location, page.url) for page in pages)
        try:
            for part in _parts(zip(pages, pool.run(places), strict=True)):
                self._take(part, counter)
                if len(self._waiting) >= TOGETHER:
                    self._write()
            self._write()
        finally:
            counter.finish(interrupted=False)

    def _doubts(self) -> frozenset[Doubt]:
        """Return the fields whose rules are not believed at present: those of open incidents."""
        found = self._store.incidents(self._request.site)
        return frozenset(Doubt(incident.template, incident.field) for incident in found if incident.field)

    def _take(self, part: Sequence[Outcome], counter: PageCounter) -> None:
        """Compare what was read with the records that are there."""
        if self._hold is not None:
            self._hold.renew()
        found = self._store.find_records(self._request.site, (read.page.location for _, read in part))
        known = {stored.id: stored for stored in found}
        for page, read in part:
            before = known.get(url_id(read.page.location))
            self._count(page, read, before)
            failed = read.failure is not None and (read.is_lost or before is not None)
            counter.count(read.failure.code if read.failure and failed else "", "page")

    def _count(self, page: StoredPage, read: Reread, before: StoredRecord | None) -> None:
        tally = self._tally
        if read.record is None:
            if read.failure is not None and (read.is_lost or before is not None):
                tally.unread.append(read.failure)
            else:
                tally.still_none += 1
            return
        known = before.record if before is not None else None
        if self._request.wanted is not None and self._request.wanted.keeps(known, read.record, page.fetched_at):
            tally.same += 1
            return
        changed = tally.changes.count(known, read.record)
        tally.new += before is None
        tally.changed += changed
        tally.same += before is not None and not changed
        after = Collected(record=read.record, page=read.page, location=page.location)
        if self._hold is not None and not _is_same(before, after):
            self._waiting.append(after)

    def _write(self) -> None:
        if self._hold is not None:
            self._hold.renew()
        self._store.commit_pages(self._waiting)
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


def _tell(line: str) -> None:
    click.echo(line, err=True)


def _report(request: Request, extraction_map: ExtractionMap, tally: Tally) -> None:
    """Show the table, name what could not be read, and sum up."""
    if not tally.interrupted and (request.dry_run or not request.quiet):
        Console(width=None if sys.stdout.isatty() else 120).print(tally.changes.table())
    for failure in tally.unread[:_NAMED]:
        _tell(f"not read: {failure.url}: {failure.code}: {failure.detail}")
    if len(tally.unread) > _NAMED:
        _tell(f"not read: {counted(len(tally.unread) - _NAMED, 'more page')}")
    if not request.quiet:
        _tell(_summary(request, extraction_map, tally))


def _summary(request: Request, extraction_map: ExtractionMap, tally: Tally) -> str:
    """Return one line: how many records change, and whether they were changed."""
    numbers = f"{counted(tally.changed, 'record')} with other values, {tally.same:,} with the same, {tally.new:,} new"
    parts = [f"{request.site}, map version {extraction_map.version}: {numbers}"]
    if tally.still_none:
        parts.append(f"{counted(tally.still_none, 'page')} without a record, as before")
    if tally.unread:
        parts.append(f"{counted(len(tally.unread), 'page')} not read, whose records stay as they were")
    if request.dry_run:
        parts.append("nothing was written")
    if tally.interrupted:
        done = f"{tally.written:,} records were written" if tally.written else "nothing was written"
        parts.append(f"interrupted; {done}; run it again to finish")
    return "; ".join(parts)
