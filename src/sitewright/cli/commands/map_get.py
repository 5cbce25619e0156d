"""`sitewright map get`: a site of the store in, its map in a file out."""

import click

from sitewright.actions.maps import stored_map
from sitewright.cli.files import deliver
from sitewright.cli.options import StoreOption, open_known_store


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

    \b
    Example:
      sitewright map get example.com -o example.com.map.yaml
    """
    with open_known_store(store) as opened:
        found = stored_map(opened, site, version)
    deliver(found.text, output, force=force)
