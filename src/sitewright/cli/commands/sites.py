"""`sitewright sites`: a store in, what there is of each of its sites out; its sub-commands are files of their own."""

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import orjson

from sitewright.actions.remove_site import SiteSize, remove_site, size_of
from sitewright.cli.lazy_group import LazyGroup
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, tell
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.cli.show.tables import print_table
from sitewright.cli.statuses import SOME_FAILED
from sitewright.store.database import Store
from sitewright.store.entries import SiteSummary
from sitewright.values.words import counted, moment

_COLUMNS = ("site", "records", "newest", "sources", "waiting", "failures", "map", "next due", "held by")
_NUMBERS = {"records", "sources", "waiting", "failures"}


_COMMANDS = {
    "add": "sitewright.cli.commands.sites_add:add",
    "export": "sitewright.cli.commands.sites_export:export",
}


@click.group(
    cls=LazyGroup,
    lazy=_COMMANDS,
    invoke_without_command=True,
    short_help="List the sites of the store, add some, write a list of them, or remove one.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a site and line, with times in full.")
@click.option("--remove", metavar="SITE", help="Remove a site with all its records; asks before it does.")
@click.option("--yes", is_flag=True, help="With --remove: do not ask.")
@click.option("--dry-run", is_flag=True, help="With --remove: only say what would be removed.")
@click.option("--keep-pages", is_flag=True, help="With --remove: leave its pages in the web archive.")
@StoreOption
@PagesOption
@click.pass_context
def sites(context: click.Context, /, as_json: bool, remove: str | None, dry_run: bool, **options: Any) -> None:
    """List the sites of the store: records and the date of the newest, sources, links that wait, failures, map.

    Removing a site removes its records, links, failures, schedule, maps, and its pages from the web archive. The folder
    of the archive has to be there, unless --keep-pages says that it is of no interest.

    \b
    Examples:
      sitewright sites
      sitewright sites --remove example.com
    """
    if context.invoked_subcommand is not None:
        context.obj = options["store"]
        return
    if remove is None and (dry_run or options["yes"] or options["keep_pages"]):
        raise click.UsageError("--yes, --dry-run and --keep-pages go with --remove SITE")
    folder = None if options["keep_pages"] else Path(options["pages"] or load_settings().store.pages)
    with open_known_store(options["store"]) as opened:
        if remove is not None and dry_run:
            _tell_size(size_of(opened, remove), keep_pages=folder is None)
        elif remove is not None:
            _remove(opened, remove, folder, ask=not options["yes"])
        if remove is not None:
            return
        found = opened.site_summaries()
    if as_json:
        for summary in found:
            echo(orjson.dumps(_row(summary)).decode("utf-8"))
    elif found:
        print_table(_COLUMNS, map(_cells, found), numbers=_NUMBERS)
    else:
        echo("there is no site in the store yet; begin with: sitewright collect URL", err=True)


def _tell_size(size: SiteSize, *, keep_pages: bool) -> None:
    if keep_pages:
        tell(f"{counted(size.records, 'record')} would be removed; {counted(size.pages, 'page')} would stay")
        return
    gone = f"{counted(size.records, 'record')} and {counted(size.pages, 'page')}"
    tell(f"{gone} would be removed; {counted(size.files, 'file')} of the archive would be written anew")


def _remove(store: Store, name: str, folder: Path | None, *, ask: bool) -> None:
    there = counted(size_of(store, name).records, "record")
    if ask and not click.confirm(f"Remove {name} with {there}?"):
        tell("nothing was removed")
        sys.exit(SOME_FAILED)
    done = remove_site(store, name, folder, tell)
    tell(f"{name} was removed with {there}" + (" and its pages" if folder is not None else "; its pages stay"))
    if done.busy:
        files = counted(len(done.busy), "file")
        tell(f"its pages in {files} that is written to go with the next: sitewright store prune")
    for file in done.missing:
        tell(f"{file} is not in {folder}; what it holds of the site stays, wherever it is")


def _row(summary: SiteSummary) -> dict[str, Any]:
    site = summary.site
    return {
        "site": site.name,
        "url": site.url,
        "domain": site.domain,
        "added": site.added_at,
        "records": summary.records,
        "newest": summary.last_record,
        "sources": summary.sources,
        "waiting": summary.waiting,
        "failures": summary.failures,
        "map_version": summary.map_version,
        "map_made_by": summary.map_made_by,
        "next_due": site.next_due,
        "held_by": _holder_of(summary),
    }


def _holder_of(summary: SiteSummary) -> str | None:
    """Return who works on a site; a lease that ran out is nobody's."""
    until = summary.site.lease_until
    return summary.site.lease_owner if until is not None and until > datetime.now(UTC) else None


def _cells(summary: SiteSummary) -> tuple[str, ...]:
    own = f"{summary.map_version} ({summary.map_made_by})" if summary.map_version is not None else "-"
    return (
        summary.site.name,
        f"{summary.records:,}",
        moment(summary.last_record),
        f"{summary.sources:,}",
        f"{summary.waiting:,}",
        f"{summary.failures:,}",
        own,
        _due(summary.site.next_due),
        _holder_of(summary) or "-",
    )


def _due(at: datetime | None) -> str:
    return "now" if at is not None and at <= datetime.now(UTC) else moment(at)
