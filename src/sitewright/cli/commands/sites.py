"""`sitewright sites`: a store in, what there is of each of its sites out; its sub-commands are files of their own."""

import sys
from datetime import UTC, datetime
from typing import Any

import click
import orjson

from sitewright.actions.sites import known_sites, remove_site
from sitewright.cli.lazy_group import LazyGroup
from sitewright.cli.options import StoreOption, open_known_store, tell
from sitewright.cli.show.lines import echo
from sitewright.cli.show.tables import print_table
from sitewright.cli.statuses import SOME_FAILED
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, SiteSummary
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
@StoreOption
@click.pass_context
def sites(context: click.Context, as_json: bool, remove: str | None, yes: bool, store: str | None) -> None:
    """List the sites of the store: records and the date of the newest, sources, links that wait, failures, map.

    Removing a site removes its records, links, failures, schedule and maps. Its pages stay in the web archive.

    \b
    Examples:
      sitewright sites
      sitewright sites --remove example.com
    """
    if context.invoked_subcommand is not None:
        context.obj = store
        return
    with open_known_store(store) as opened:
        if remove is not None:
            _remove(opened, remove, ask=not yes)
            return
        found = opened.site_summaries()
    if as_json:
        for summary in found:
            echo(orjson.dumps(_row(summary)).decode("utf-8"))
    elif found:
        print_table(_COLUMNS, map(_cells, found), numbers=_NUMBERS)
    else:
        echo("there is no site in the store yet; begin with: sitewright collect URL", err=True)


def _remove(store: Store, name: str, *, ask: bool) -> None:
    known_sites(store, [name])
    there = counted(store.count_records(RecordQuery(site=name)), "record")
    if ask and not click.confirm(f"Remove {name} with {there}?"):
        tell("nothing was removed")
        sys.exit(SOME_FAILED)
    remove_site(store, name, tell)
    tell(f"{name} was removed with {there}; its pages stay in the web archive")


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
