"""`sitewright map versions`: a site of the store in, the versions of its map out."""

import sys

import click
from rich.console import Console
from rich.table import Table

from sitewright.actions.maps import list_versions
from sitewright.cli.options import StoreOption, open_known_store
from sitewright.values.words import moment


@click.command(short_help="List the versions of a stored map.")
@click.argument("site", metavar="SITE")
@StoreOption
def versions(site: str, store: str | None) -> None:
    """List all versions of the map of a site of the store: since when, who made it, and what changed with it.

    \b
    Example:
      sitewright map versions example.com
    """
    with open_known_store(store) as opened:
        found = list_versions(opened, site)
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in ("version", "since (UTC)", "made by", "rules", "changes"):
        table.add_column(column, justify="right" if column in {"version", "rules"} else "left")
    for own in found:
        rules = str(own.rules) if own.rules is not None else "-"
        table.add_row(str(own.stored.version), moment(own.stored.made_at), own.stored.made_by, rules, own.changes)
    Console(width=None if sys.stdout.isatty() else 120).print(table)
