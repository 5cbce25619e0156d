"""`sitewright sites`: a store in, what there is of each of its sites out."""

import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.actions.hold import held
from sitewright.actions.sites import known_sites
from sitewright.cli.options import StoreOption, open_known_store
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, SiteSummary
from sitewright.values.words import counted

_COLUMNS = ("site", "records", "newest", "sources", "waiting", "failures", "map", "next due", "held by")
_NUMBERS = {"records", "sources", "waiting", "failures"}


@click.command(short_help="List the sites of the store, or remove one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a site and line, with times in full.")
@click.option("--remove", metavar="SITE", help="Remove a site with all its records; asks before it does.")
@click.option("--yes", is_flag=True, help="With --remove: do not ask.")
@StoreOption
def sites(as_json: bool, remove: str | None, yes: bool, store: str | None) -> None:
    """List the sites of the store: records and the date of the newest, sources, links that wait, failures, map.

    Removing a site removes its records, links, failures, schedule and maps. Its pages stay in the web archive.
    """
    with open_known_store(store) as opened:
        if remove is not None:
            _remove(opened, remove, ask=not yes)
            return
        found = opened.site_summaries()
    if as_json:
        for summary in found:
            click.echo(orjson.dumps(_row(summary)).decode("utf-8"))
    elif found:
        _show(found)
    else:
        click.echo("there is no site in the store yet; begin with: sitewright collect URL", err=True)


def _remove(store: Store, name: str, *, ask: bool) -> None:
    known_sites(store, [name])
    there = counted(store.count_records(RecordQuery(site=name)), "record")
    if ask and not click.confirm(f"Remove {name} with {there}?"):
        click.echo("nothing was removed", err=True)
        sys.exit(1)
    with held(store, name, lambda line: click.echo(line, err=True)):
        store.forget_site(name)
    click.echo(f"{name} was removed with {there}; its pages stay in the web archive", err=True)


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


def _show(found: Sequence[SiteSummary]) -> None:
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in _COLUMNS:
        table.add_column(column, justify="right" if column in _NUMBERS else "left", overflow="fold")
    for summary in found:
        own = f"{summary.map_version} ({summary.map_made_by})" if summary.map_version is not None else "-"
        cells = (
            summary.site.name,
            f"{summary.records:,}",
            _moment(summary.last_record),
            f"{summary.sources:,}",
            f"{summary.waiting:,}",
            f"{summary.failures:,}",
            own,
            _due(summary.site.next_due),
            _holder_of(summary) or "-",
        )
        table.add_row(*map(Text, cells))
    Console(width=None if sys.stdout.isatty() else 160).print(table)


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment is not None else "-"


def _due(moment: datetime | None) -> str:
    return "now" if moment is not None and moment <= datetime.now(UTC) else _moment(moment)
