"""`sitewright rollback`: a site in, an earlier version of its map as the newest one out."""

from datetime import UTC

import click

from sitewright.actions.roll_back import roll_back
from sitewright.cli.options import StoreOption, open_known_store, tell
from sitewright.cli.show.lines import echo
from sitewright.cli.show.map_changes import print_changes
from sitewright.values.words import counted


@click.command(short_help="Go back to an earlier version of a site's map.")
@click.argument("site", metavar="SITE")
@click.option(
    "--to",
    "wanted",
    type=click.IntRange(min=1),
    metavar="VERSION",
    help="Which one; default: the one before the newest.",
)
@StoreOption
def rollback(site: str, wanted: int | None, store: str | None) -> None:
    """Store an earlier version of a site's map as its next version, and show what changes by that, rule by rule.

    No version is lost: `sitewright map versions SITE` lists them all, and another rollback undoes this one. From then
    on the collector asks before it repairs this map, until a repair is accepted. Records stay as they are:
    `sitewright re-extract SITE` reads their pages once more.

    \b
    Example:
      sitewright rollback example.com
    """
    with open_known_store(store) as opened:
        done = roll_back(opened, site, wanted, tell)
    told = "the newest could not be read"
    if done.changes is not None:
        print_changes(done.changes)
        told = counted(len(done.changes), "change") if done.changes else "no rule differs"
    echo(f"{site}: version {done.earlier.version} is back, as version {done.stored.version} ({told})")
    again = f"sitewright re-extract {site} --since {done.read_since.astimezone(UTC):%Y-%m-%d}"
    echo(f"records stay as they are; to read what later versions read once more: {again}")
