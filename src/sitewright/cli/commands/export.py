"""`sitewright export`: a store in, its records or pages in a file out."""

import sys
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import click
import orjson

from sitewright.actions.export import Count, PageWork, WantedRecords, export_feed, export_pages, export_records
from sitewright.actions.manifest import manifest_of, manifest_place
from sitewright.actions.sites import known_sites
from sitewright.cli.files import refuse_overwriting
from sitewright.cli.options import (
    MinConfidenceOption,
    PagesOption,
    RawCsvOption,
    StoreOption,
    open_known_store,
    pages_folder,
    store_address,
    words_of,
)
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.errors import InputError, OutputError, StoreError
from sitewright.maps.file import write_atomically
from sitewright.output.export import FORMATS, format_of
from sitewright.output.feed import FEED_FORMATS
from sitewright.output.stream import standard_output
from sitewright.store.database import Store
from sitewright.store.engine import sqlite_file
from sitewright.values.words import counted

_ENDINGS = {".rss": "rss", ".xml": "rss", ".atom": "atom", ".warc.gz": "warc"}
_DAY = timedelta(days=1)
_NAMED = 10
"""So many pages that are left out are named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    wanted: WantedRecords
    output: str
    kind: str | None
    explain: bool
    store: str | None
    pages: str | None
    quiet: bool
    manifest: str | None
    no_manifest: bool
    count: Count = field(default_factory=Count)

    @property
    def format(self) -> str:
        """The output format: as asked for, or by the name of the output."""
        return self.kind or format_of(self.output, _ENDINGS)


@click.command(short_help="Write records of the store to a file, as a feed, or their pages as a web archive.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option(
    "-o", "--output", default="-", metavar="OUT", help="File to write (or a folder, of Markdown); default: stdout."
)
@click.option(
    "--format",
    "kind",
    type=click.Choice((*FORMATS, "rss", "atom", "warc")),
    help="Default: by the name of the output (.csv, .parquet, .md, FOLDER/, .rss, .xml, .atom, .feed.json, .warc.gz, "
    "else JSON lines).",
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
@click.option("--photo-sets", is_flag=True, help="Only photo sets: stories with three pictures of their own or more.")
@MinConfidenceOption
@RawCsvOption
@click.option("--limit", type=click.IntRange(min=0), help="Stop after so many records; of feeds the default is 100.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="So many of the records, drawn by lot.")
@click.option("--seed", type=int, default=0, metavar="S", help="With --sample: the same seed draws the same records.")
@click.option("--newest", is_flag=True, help="The newest first; otherwise in the order in which they were collected.")
@click.option(
    "--manifest", metavar="FILE", help="Where to write the manifest; default: OUT.manifest.json, for stdout nowhere."
)
@click.option("--no-manifest", is_flag=True, help="Write no manifest.")
@click.option("--explain", is_flag=True, help="Name the rule that gave each value.")
@StoreOption
@PagesOption
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def export(**options: Any) -> None:
    """Write the records of the store, of all sites or of those named.

    JSON lines, CSV, Parquet and Markdown are as `sitewright extract` writes them. RSS, Atom and JSON feeds hold the
    newest records, with their whole texts. With --photo-sets pictures that are the site's (logos, adverts) are left
    out, and captions do not stand in the texts. A WARC file holds the raw pages: all of the sites, also those that
    gave no record, or, if --since, --until, --template, --limit or --sample choose, those of the chosen records.

    A manifest beside the file says what it holds: the query, versions of maps, counts, hashes, version and time.

    \b
    Examples:
      sitewright export example.com -o records.csv
      sitewright export --since 2026-01-01 -o news.atom
      sitewright export example.com --sample 200 --seed 7 -o sample.jsonl
    """
    own = ("sites", "template", "limit", "min_confidence", "raw_csv", "sample", "seed", "photo_sets")
    wanted = WantedRecords(
        since=_day(options.pop("since")),
        until=_day_after(options.pop("until")),
        newest_first=options.pop("newest"),
        fields=words_of(options.pop("fields")),
        **{name: options.pop(name) for name in own},
    )
    sys.exit(run(Request(wanted=wanted, **options)))


def _day(day: datetime | None) -> datetime | None:
    return day.replace(tzinfo=UTC) if day is not None else None


def _day_after(day: datetime | None) -> datetime | None:
    """Return the end of a day; the last day that there is has none."""
    return _day(day + _DAY) if day is not None and day < datetime.max - _DAY else None


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    _check(request)
    interrupted = False
    with open_known_store(request.store) as store:
        sites = known_sites(store, request.wanted.sites)
        try:
            _write(store, request)
            _write_manifest(request)
        except KeyboardInterrupt:
            interrupted = True
    if not request.quiet:
        of_what = sites[0].name if len(sites) == 1 else counted(len(sites), "site")
        echo(_summary(request, of_what, interrupted=interrupted), err=True)
    return INTERRUPTED if interrupted else SOME_FAILED if request.count.left_out else ALL_WELL


def _check(request: Request) -> None:
    """Refuse what cannot end well, before any work is done."""
    if request.wanted.sample is not None and request.wanted.limit is not None:
        raise InputError("--sample says how many records there are to be, and so does --limit; name one of them")
    if request.manifest is not None and request.no_manifest:
        raise InputError("--manifest and --no-manifest do not go together")
    if request.format == "warc" and (request.wanted.fields or request.output == "-"):
        raise InputError("a WARC file holds whole pages and needs a name: -o FILE.warc.gz, without --fields")
    rows = [kind for kind in FORMATS if kind not in FEED_FORMATS]
    if request.explain and request.format not in rows:
        raise InputError(f"--explain goes with {', '.join(rows)}")
    if request.output == "-":
        return
    file = sqlite_file(store_address(request.store))
    refuse_overwriting([str(file)] if file is not None else [], {"-o": request.output, "--manifest": request.manifest})
    archive, target = Path(request.pages or load_settings().store.pages).resolve(), Path(request.output).resolve()
    if archive in (target, *target.parents):
        raise OutputError(f"{request.output} would lie among the pages of the store; name another place with -o")


def _write(store: Store, request: Request) -> None:
    if request.format == "warc":
        folder = pages_folder(request.pages)
        target = Path(request.output)
        export_pages(store, request.wanted, folder, target, leave_out=_Named().leave_out, count=request.count)
    elif request.format in FEED_FORMATS:
        kind = next(kind for kind in FEED_FORMATS if kind == request.format)
        feed = export_feed(store, _with_pages(request), kind, count=request.count)
        _deliver(feed.content, request.output)
        request.count.written = feed.records
    else:
        output, explain = request.output, request.explain
        export_records(store, _with_pages(request), output, request.format, explain=explain, count=request.count)


def _with_pages(request: Request) -> WantedRecords:
    """Return what is wanted, and the archive that gives texts their structure; where there is none they are plain."""
    settings = load_settings()
    folder = Path(request.pages or settings.store.pages)
    work = PageWork(folder=folder if folder.is_dir() else None, jobs=settings.jobs, limits=settings.limits)
    return replace(request.wanted, page_work=work)


def _write_manifest(request: Request) -> None:
    if request.no_manifest or (request.output == "-" and request.manifest is None):
        return
    place = Path(request.manifest) if request.manifest is not None else manifest_place(request.output)
    row = manifest_of(request.wanted, request.format, request.output, request.count)
    write_atomically(place, orjson.dumps(row, option=orjson.OPT_INDENT_2).decode("utf-8") + "\n")


def _deliver(feed: bytes, output: str) -> None:
    if output == "-":
        standard_output().write(feed)
    else:
        write_atomically(Path(output), feed.decode("utf-8"))


class _Named:
    """Names the first pages that are left out."""

    def __init__(self) -> None:
        self._pages = 0

    def leave_out(self, error: StoreError) -> None:
        self._pages += 1
        if self._pages <= _NAMED:
            echo(f"left out: {error}", err=True)


def _summary(request: Request, of_what: str, *, interrupted: bool) -> str:
    """Return one line: how much of what was written, and where."""
    noun = "page" if request.format == "warc" else "record"
    number = counted(request.count.written, noun) if request.count.written else f"no {noun}s"
    place = f" in {request.output}" if request.output != "-" and not interrupted else ""
    parts = [f"{number} of {of_what}{place}"]
    if request.count.left_out:
        parts.append(f"{counted(request.count.left_out, noun)} left out")
    if interrupted:
        whole = request.format in FORMATS and request.format not in FEED_FORMATS
        parts.append("interrupted; what is written is complete" if whole else "interrupted; nothing was written")
    return "; ".join(parts)
