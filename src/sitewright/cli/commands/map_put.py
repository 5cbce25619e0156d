"""`sitewright map put`: a map file in, the next version of its site's map in the store out."""

import click

from sitewright.actions.maps import changes_told, store_map
from sitewright.cli.files import shown_name, text_of
from sitewright.cli.options import StoreOption, open_known_store, tell
from sitewright.cli.show.lines import echo
from sitewright.maps import parse_map


@click.command(short_help="Store a map as the next version of its site's.")
@click.argument("file", metavar="MAP")
@StoreOption
def put(file: str, store: str | None) -> None:
    """Check a map file (or - on standard input) and store it as the next version of its site's, made by a person.

    Rules that differ from the version before are marked as edited, so that learning again leaves them alone. Index
    pages that are new in the map are watched from now on, those that are gone no longer. Records stay as they are:
    `sitewright re-extract SITE` reads their pages once more.

    \b
    Example:
      sitewright map put example.com.map.yaml
    """
    text = text_of(file)
    parse_map(text, shown_name(file))  # what is no map is told before a store is looked for
    with open_known_store(store) as opened:
        done = store_map(opened, text, shown_name(file), tell)
    if not done.is_new:
        echo(f"{done.stored.site}: version {done.stored.version} is the same; nothing was stored")
    else:
        told = f" ({changes_told(done.before, done.stored)})" if done.before is not None else ""
        echo(f"{done.stored.site}: stored as version {done.stored.version}{told}")
