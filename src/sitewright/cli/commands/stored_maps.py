"""`sitewright map get|put|versions`: maps out of a store, and back into it."""

import sys

import click
from rich.console import Console
from rich.table import Table

from sitewright.actions.hold import held
from sitewright.actions.maps import changes_told, put_map, readable, stored_map
from sitewright.actions.sites import known_sites
from sitewright.cli.files import deliver, shown_name, text_of
from sitewright.cli.options import StoreOption, open_known_store
from sitewright.errors import InputError
from sitewright.maps import parse_map


@click.command(short_help="Write a stored map to a file.")
@click.argument("site", metavar="SITE")
@click.option("-o", "--output", default="-", metavar="MAP", help="File to write; default: stdout.")
@click.option("--version", type=click.IntRange(min=1), help="Which version; default: the newest.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@StoreOption
def get(site: str, output: str, version: int | None, force: bool, store: str | None) -> None:
    """Write the map of a site of the store, to look at it or to edit it.

    `sitewright map put` stores what was edited; `sitewright re-extract SITE --map FILE --dry-run` shows what it would
    change.
    """
    with open_known_store(store) as opened:
        found = stored_map(opened, site, version)
    deliver(found.text, output, force=force)


@click.command(short_help="Store a map as the next version of its site's.")
@click.argument("file", metavar="MAP")
@StoreOption
def put(file: str, store: str | None) -> None:
    """Check a map file (or - on standard input) and store it as the next version of its site's, made by a person.

    Rules that differ from the version before are marked as edited, so that learning again leaves them alone. Index
    pages that are new in the map are watched from now on, those that are gone no longer. Records stay as they are:
    `sitewright re-extract SITE` reads their pages once more.
    """
    text = text_of(file)
    site = parse_map(text, shown_name(file)).site
    with open_known_store(store) as opened:
        known_sites(opened, [site])
        with held(opened, site, lambda line: click.echo(line, err=True)):  # or a repair could take its place unseen
            before = opened.load_map(site)
            stored = put_map(opened, text, shown_name(file))
    if before is not None and before.version == stored.version:
        click.echo(f"{stored.site}: version {before.version} is the same; nothing was stored")
    else:
        told = f" ({changes_told(before, stored)})" if before is not None else ""
        click.echo(f"{stored.site}: stored as version {stored.version}{told}")


@click.command(short_help="List the versions of a stored map.")
@click.argument("site", metavar="SITE")
@StoreOption
def versions(site: str, store: str | None) -> None:
    """List all versions of the map of a site of the store: since when, who made it, and what changed with it."""
    with open_known_store(store) as opened:
        known_sites(opened, [site])
        stored = opened.map_versions(site)
    if not stored:
        raise InputError(f"{site} has no map yet")
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in ("version", "since (UTC)", "made by", "rules", "changes"):
        table.add_column(column, justify="right" if column in {"version", "rules"} else "left")
    for before, own in zip([None, *stored], stored, strict=False):
        known = readable(own)
        rules = str(len(known.rules)) if known is not None else "-"
        told = changes_told(before, own) if before is not None or known is None else ""
        table.add_row(str(own.version), f"{own.made_at:%Y-%m-%d %H:%M}", own.made_by, rules, told)
    Console(width=None if sys.stdout.isatty() else 120).print(table)
