"""`sitewright sites export`: a store in, a list of its sites out, for feed readers and for other stores."""

from pathlib import Path

import click

from sitewright.actions.site_lists import address_of, listed_sites
from sitewright.cli.files import put_out
from sitewright.cli.options import StoreOption, open_known_store
from sitewright.fetch.lists import ListedAddress, write_opml
from sitewright.maps.file import write_atomically

_OPML, _TEXT = "opml", "txt"
_TITLE = "Sites collected by Sitewright"


@click.command(short_help="Write the sites of the store as OPML or as a list.")
@click.argument("sites", nargs=-1, metavar="[SITE]...")
@click.option("-o", "--output", default="-", metavar="OUT", help="File to write; default: stdout.")
@click.option(
    "--format", "kind", type=click.Choice((_OPML, _TEXT)), help="Default: by the name of the output (.txt), else OPML."
)
@StoreOption
@click.pass_context
def export(context: click.Context, sites: tuple[str, ...], output: str, kind: str | None, store: str | None) -> None:
    """Write the sites of the store, all or those named: their feeds as OPML, or their front pages one a line.

    `sitewright sites add --from` reads both back.

    \b
    Example:
      sitewright sites export -o feeds.opml
    """
    with open_known_store(store or context.obj) as opened:
        listed = listed_sites(opened, sites)
    wanted = kind or (_TEXT if output.endswith(f".{_TEXT}") else _OPML)
    text = write_opml(listed, _TITLE) if wanted == _OPML else _lines(listed)
    if output == "-":
        put_out(text)
    else:
        write_atomically(Path(output), text)


def _lines(listed: list[ListedAddress]) -> str:
    fronts = {address_of(entry): entry.title for entry in listed}
    return "".join(f"{url}  # {title}\n" if title else f"{url}\n" for url, title in fronts.items())
