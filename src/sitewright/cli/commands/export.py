"""`sitewright export`: a store in, its records or pages in a file out."""

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click

from sitewright.actions.columns import fields_of, table_columns
from sitewright.actions.sites import known_sites
from sitewright.cli.commands.extract import ALL_WELL, INTERRUPTED, SOME_FAILED, refuse_overwriting
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, pages_folder, sqlite_file, store_address
from sitewright.cli.settings import load_settings
from sitewright.errors import InputError, OutputError, StoreError
from sitewright.maps.file import write_atomically
from sitewright.output.export import FORMATS, format_of, open_writer
from sitewright.output.feed import FeedHead, FeedKind, feed_of
from sitewright.output.rows import row_of
from sitewright.store.database import Store
from sitewright.store.entries import PageLocation, RecordQuery, StoredRecord, StoredSite
from sitewright.store.warc import copy_pages
from sitewright.values.as_json import json_of
from sitewright.values.words import counted

FEED_RECORDS = 100
"""What a feed holds unless told otherwise; readers fetch all of it each time."""
_ENDINGS = {".rss": "rss", ".xml": "rss", ".atom": "atom", ".warc.gz": "warc"}
_TABLES = ("csv", "parquet")
_DAY = timedelta(days=1)
_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    sites: tuple[str, ...]
    output: str
    kind: str | None
    since: datetime | None
    until: datetime | None
    template: str | None
    fields: str
    limit: int | None
    newest: bool
    explain: bool
    store: str | None
    pages: str | None
    quiet: bool

    @property
    def format(self) -> str:
        """The output format: as asked for, or by the name of the output."""
        return self.kind or format_of(self.output, _ENDINGS)

    @property
    def chooses(self) -> bool:
        """Whether some records are wanted and others not."""
        return any(value is not None for value in (self.since, self.until, self.template, self.limit))

    def query(self) -> RecordQuery:
        """Return which records are wanted, of all or of the named sites."""
        is_feed = self.format in ("rss", "atom")
        return RecordQuery(
            sites=tuple(dict.fromkeys(self.sites)),
            template=self.template,
            shown_since=self.since,
            shown_before=self.until,
            newest_first=self.newest or is_feed,
            limit=FEED_RECORDS if is_feed and self.limit is None else self.limit,
        )


@dataclass(slots=True)
class Tally:
    """What came of a call so far."""

    noun: str = "record"
    written: int = 0
    left_out: int = 0
    interrupted: bool = False


Write = Callable[[Store, Sequence[StoredSite], Request, Tally], None]


@click.command(short_help="Write records of the store to a file, as a feed, or their pages as a web archive.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option(
    "-o", "--output", default="-", metavar="OUT", help="File to write (a folder for Markdown); default: stdout."
)
@click.option(
    "--format",
    "kind",
    type=click.Choice((*FORMATS, "rss", "atom", "warc")),
    help="Default: by the name of the output (.csv, .parquet, FOLDER/, .rss, .xml, .atom, .warc.gz, else JSON lines).",
)
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="YYYY-MM-DD",
    help="Only what was published on this day (in UTC) or later; where that is not known, fetched.",
)
@click.option("--until", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD", help="Only up to this day, with it.")
@click.option("--template", metavar="NAME", help="Only records that this template of the map read.")
@click.option("--fields", default="", metavar="A,B", help="Write only these fields.")
@click.option("--limit", type=click.IntRange(min=0), help="Stop after so many records; of feeds the default is 100.")
@click.option("--newest", is_flag=True, help="The newest first; otherwise in the order in which they were collected.")
@click.option("--explain", is_flag=True, help="Name the rule that gave each value.")
@StoreOption
@PagesOption
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def export(**options: Any) -> None:
    """Write the records of the store, of all sites or of those named.

    JSON lines, CSV, Parquet and Markdown are as `sitewright extract` writes them. RSS and Atom feeds hold the newest
    records. A WARC file holds the raw pages: all of the sites, also those that gave no record, or, if --since, --until,
    --template or --limit choose, those of the chosen records.
    """
    since, until = options.pop("since"), options.pop("until")
    sys.exit(run(Request(since=_day(since), until=_day_after(until), **options)))


def _day(day: datetime | None) -> datetime | None:
    return day.replace(tzinfo=UTC) if day is not None else None


def _day_after(day: datetime | None) -> datetime | None:
    """Return the end of a day; the last day that there is has none."""
    return _day(day + _DAY) if day is not None and day < datetime.max - _DAY else None


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    _check(request)
    others: dict[str, Write] = {"rss": _write_feed, "atom": _write_feed, "warc": _write_pages}
    write: Write = others.get(request.format, _write_records)
    tally = Tally()
    with open_known_store(request.store) as store:
        sites = known_sites(store, request.sites)
        try:
            write(store, sites, request, tally)
        except KeyboardInterrupt:
            tally.interrupted = True
    if not request.quiet:
        click.echo(_summary(request, sites, tally), err=True)
    return INTERRUPTED if tally.interrupted else SOME_FAILED if tally.left_out else ALL_WELL


def _check(request: Request) -> None:
    """Refuse what cannot end well, before any work is done."""
    if request.format == "warc" and (request.fields or request.output == "-"):
        raise InputError("a WARC file holds whole pages and needs a name: -o FILE.warc.gz, without --fields")
    if request.explain and request.format not in FORMATS:
        raise InputError(f"--explain goes with {', '.join(FORMATS)}")
    if request.output == "-":
        return
    file = sqlite_file(store_address(request.store))
    refuse_overwriting([str(file)] if file is not None else [], {"-o": request.output})
    archive, target = Path(request.pages or load_settings().store.pages).resolve(), Path(request.output).resolve()
    if archive in (target, *target.parents):
        raise OutputError(f"{request.output} would lie among the pages of the store; name another place with -o")


def _write_records(store: Store, sites: Sequence[StoredSite], request: Request, tally: Tally) -> None:
    """Write record by record; what was written when the run ends is complete."""
    columns: dict[str, str] = {}
    if request.format in _TABLES:
        columns = table_columns(store, sites, fields_of(store, sites, request.fields), explain=request.explain)
    records = _records(store, sites, request)
    writer = open_writer(request.output, request.format, columns)
    try:
        with closing(writer):
            for stored in records:
                writer.write(json_of(row_of(stored.record, explain=request.explain)))
                tally.written += 1
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write the output: {error.strerror or error}") from error


def _write_feed(store: Store, sites: Sequence[StoredSite], request: Request, tally: Tally) -> None:
    records = list(_records(store, sites, request))
    kind: FeedKind = "atom" if request.format == "atom" else "rss"
    feed = feed_of(kind, _head(sites), records)
    if request.output == "-":
        sys.stdout.buffer.write(feed)
    else:
        write_atomically(Path(request.output), feed.decode("utf-8"))
    tally.written = len(records)


def _head(sites: Sequence[StoredSite]) -> FeedHead:
    """Return what a feed says about itself: the same at every call, so that readers know it again."""
    names = ", ".join(site.name for site in sites)
    url = sites[0].url or f"https://{sites[0].name}/"
    return FeedHead(
        title=names if len(sites) <= _SHOWN else f"{len(sites)} sites",
        url=url if len(sites) == 1 else f"{url}#{','.join(site.name for site in sites)}",
        updated=max(site.added_at for site in sites),
    )


def _write_pages(store: Store, sites: Sequence[StoredSite], request: Request, tally: Tally) -> None:
    tally.noun = "page"
    target = Path(request.output)
    if not target.absolute().parent.is_dir():
        raise OutputError(f"cannot write {target}: there is no such folder")

    def leave_out(error: StoreError) -> None:
        tally.written -= 1
        tally.left_out += 1
        if tally.left_out <= _SHOWN:
            click.echo(f"left out: {error}", err=True)

    def counting() -> Iterator[PageLocation]:
        for location in _locations(store, sites, request):
            tally.written += 1
            yield location

    copy_pages(pages_folder(request.pages), counting(), target, leave_out)


def _locations(store: Store, sites: Sequence[StoredSite], request: Request) -> Iterator[PageLocation]:
    """Yield where the pages lie: those of the chosen records, or all of the sites."""
    if request.chooses:
        yield from (stored.location for stored in store.records(request.query()) if stored.location is not None)
    else:
        for site in sites:
            yield from (page.location for page in store.pages(site.name))


def _records(store: Store, sites: Sequence[StoredSite], request: Request) -> Iterator[StoredRecord]:
    """Return the wanted records, with the wanted fields."""
    if not request.fields:
        return store.records(request.query())
    wanted = frozenset(fields_of(store, sites, request.fields))
    return (_narrowed(stored, wanted) for stored in store.records(request.query()))


def _narrowed(stored: StoredRecord, wanted: frozenset[str]) -> StoredRecord:
    fields = {name: value for name, value in stored.record.fields.items() if name in wanted}
    return replace(stored, record=replace(stored.record, fields=fields))


def _summary(request: Request, sites: Sequence[StoredSite], tally: Tally) -> str:
    """Return one line: how much of what was written, and where."""
    of_what = sites[0].name if len(sites) == 1 else counted(len(sites), "site")
    number = counted(tally.written, tally.noun) if tally.written else f"no {tally.noun}s"
    place = f" in {request.output}" if request.output != "-" and not tally.interrupted else ""
    parts = [f"{number} of {of_what}{place}"]
    if tally.left_out:
        parts.append(f"{counted(tally.left_out, tally.noun)} left out")
    if tally.interrupted:
        whole = request.format in FORMATS
        parts.append("interrupted; what is written is complete" if whole else "interrupted; nothing was written")
    return "; ".join(parts)
