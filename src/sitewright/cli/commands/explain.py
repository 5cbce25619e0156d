"""`sitewright explain`: a record of the store in, where each of its values is from out."""

import sys

import click

from sitewright.actions import explain as action
from sitewright.cli.options import PagesOption, StoreOption, open_known_store, pages_folder
from sitewright.cli.settings import load_settings
from sitewright.cli.show.explained import explained_json, explained_lines
from sitewright.cli.show.lines import echo
from sitewright.cli.statuses import ALL_WELL, SOME_FAILED


@click.command(short_help="Show where the values of a record are from.")
@click.argument("record", metavar="RECORD")
@click.option("--site", metavar="SITE", help="The site of the record, where several have one of the same address.")
@click.option("--field", "fields", multiple=True, metavar="F", help="Only this field; may be given several times.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object, with everything in full.")
@StoreOption
@PagesOption
def explain(record: str, site: str | None, fields: tuple[str, ...], as_json: bool, **places: str | None) -> None:
    """Show for each field of a record which rule read it, and where on the stored page its value stands.

    RECORD is the address of a collected page, in whatever spelling, or the id of its record. The page is read once more
    with the version of the map that made the record, and what it gives today is compared with what is stored. Exit
    status 1 where that differs. Nothing is fetched, and nothing is changed.

    \b
    Examples:
      sitewright explain https://example.com/news/bees
      sitewright explain https://example.com/news/bees --field title --json
    """
    folder = pages_folder(places["pages"])
    with open_known_store(places["store"]) as store:
        explained = action.explain(store, folder, record, site=site, fields=fields, limits=load_settings().limits)
    for line in [explained_json(explained)] if as_json else explained_lines(explained):
        echo(line)
    sys.exit(ALL_WELL if explained.is_same else SOME_FAILED)
