"""`sitewright re-extract`: the stored pages of a site in, its records anew out."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import click
from rich.console import Console

from sitewright.actions.changes import Changes
from sitewright.actions.extract_again import ExtractAgainOptions, Tally, extract_again, map_given
from sitewright.actions.hold import Hold, held
from sitewright.actions.maps import stored_map
from sitewright.actions.sites import known_sites
from sitewright.cli.files import shown_name, text_of
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, pages_folder, tell
from sitewright.cli.settings import load_settings
from sitewright.cli.show.field_changes import changes_table
from sitewright.cli.show.progress import PageCounter
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.types import ExtractionMap
from sitewright.values.words import counted

_NAMED = 20
"""So many pages that cannot be read are named; the others are counted."""


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

    Nothing is fetched. After a redesign each page is read by the version of the map that it was made for, and what was
    read rightly before a repair is not replaced by anything worse: such records stay, and are counted. What a person
    changed in the map is done on all pages. Pages that gave no record get one if the map reads them now; a record whose
    page the map does not read any more, or whose page is damaged, stays as it is and is named, and the exit status is
    1. A table shows, field by field, how many values change, how many records had the field and have it now.

    \b
    Examples:
      sitewright re-extract example.com --dry-run
      sitewright re-extract example.com --map edited.map.yaml
    """
    since = options.pop("since")
    sys.exit(run(Request(since=since.replace(tzinfo=UTC) if since else None, **options)))


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    if request.map_file is not None and request.version is not None:
        raise InputError("--map and --version both name a map; give one of them")
    settings = load_settings()
    folder = pages_folder(request.pages)
    with open_known_store(request.store) as store, ExitStack() as stack:
        known_sites(store, [request.site])
        hold = None if request.dry_run else stack.enter_context(held(store, request.site, tell))
        asked = ExtractAgainOptions(
            site=request.site,
            extraction_map=_map(store, request),
            folder=folder,
            since=request.since,
            jobs=request.jobs or settings.jobs,
            limits=settings.limits,
        )
        return read_again(store, asked, hold, quiet=request.quiet)


def read_again(store: Store, asked: ExtractAgainOptions, hold: Hold | None, *, quiet: bool) -> int:
    """Read pages once more, show what that changes, and return the exit status; without a hold nothing is written."""
    tally = Tally(Changes(asked.extraction_map.fields))
    counter = PageCounter(lambda: counter.pages / max(tally.pages, 1), quiet=quiet)
    interrupted = False
    try:
        extract_again(store, asked, hold, tally, lambda code: counter.count(code, "page"))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        counter.finish(interrupted=False)
    if not interrupted and (hold is None or not quiet):
        Console(width=None if sys.stdout.isatty() else 120).print(changes_table(tally.changes))
    for line in _unread(tally):
        tell(line)
    if not quiet:
        tell(_summary(asked, tally, dry_run=hold is None, interrupted=interrupted))
    return INTERRUPTED if interrupted else SOME_FAILED if tally.unread else ALL_WELL


def _map(store: Store, request: Request) -> ExtractionMap:
    """Return the map to read with; a file is stored first, unless nothing is to be changed."""
    if request.map_file is None:
        return stored_map(store, request.site, request.version).parsed()
    text, name = text_of(request.map_file), shown_name(request.map_file)
    return map_given(store, request.site, text, name, keep=not request.dry_run, tell=tell)


def _unread(tally: Tally) -> Iterator[str]:
    for failure in tally.unread[:_NAMED]:
        yield f"not read: {failure.url}: {failure.code}: {failure.detail}"
    if len(tally.unread) > _NAMED:
        yield f"not read: {counted(len(tally.unread) - _NAMED, 'more page')}"


def _summary(asked: ExtractAgainOptions, tally: Tally, *, dry_run: bool, interrupted: bool) -> str:
    """Return one line: how many records change, and whether they were changed."""
    numbers = f"{counted(tally.changed, 'record')} with other values, {tally.same:,} with the same, {tally.new:,} new"
    parts = [f"{asked.site}, map version {asked.extraction_map.version}: {numbers}"]
    if tally.worse:
        parts.append(
            f"{counted(tally.worse, 'record')} would get worse and {'stays' if tally.worse == 1 else 'stay'} as before"
        )
    if tally.still_none:
        parts.append(f"{counted(tally.still_none, 'page')} without a record, as before")
    if tally.unread:
        parts.append(f"{counted(len(tally.unread), 'page')} not read, whose records stay as they were")
    if dry_run:
        parts.append("nothing was written")
    if interrupted:
        done = f"{tally.written:,} records were written" if tally.written else "nothing was written"
        parts.append(f"interrupted; {done}; run it again to finish")
    return "; ".join(parts)
