"""`sitewright mcp`: a store in, a server for assistants out, which speaks over standard input and output."""

import sys
from contextlib import redirect_stdout
from pathlib import Path

import click

from sitewright.actions.catalogues import Library, open_catalogue
from sitewright.cli.options import PagesOption, StoreOption, store_address
from sitewright.cli.settings import load_settings
from sitewright.store.database import open_store


@click.command(short_help="Serve the main verbs to assistants (Model Context Protocol).")
@StoreOption
@PagesOption
def mcp(store: str | None, pages: str | None) -> None:
    """Speak the Model Context Protocol over standard input and output.

    An assistant reads pages, finds links, learns and shows maps, searches records, explains values, adds sites and
    hears of incidents. What strangers wrote is marked as untrusted; pages are fetched from public addresses only,
    robots.txt is obeyed; nothing is written but the store.

    \b
    Examples:
      sitewright mcp
      sitewright mcp --store sqlite:////srv/sitewright.db --pages /srv/sitewright-pages
    """
    from sitewright.mcp.protocol import Protocol  # noqa: PLC0415 -- with all that reads pages
    from sitewright.mcp.tools import Desk, tools_of  # noqa: PLC0415

    settings, address = load_settings(), store_address(store)
    folder = Path(pages or settings.store.pages)
    with open_store(address) as opened, open_catalogue(opened, address) as catalogue:
        library = Library(opened, catalogue, folder, settings.limits)
        protocol = Protocol(tools_of(Desk(library=library, fetch=settings.fetch, jobs=settings.jobs)))
        output = sys.stdout.buffer
        with redirect_stdout(sys.stderr):  # whatever else is said must not come between the messages
            for line in sys.stdin.buffer:
                if line.strip() and (answer := protocol.answer_line(line)) is not None:
                    output.write(answer + b"\n")
                    output.flush()
