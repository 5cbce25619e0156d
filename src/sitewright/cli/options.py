"""The options of a call in, an open store and the sites it speaks of out: what all commands on a store begin with."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.errors import InputError

if TYPE_CHECKING:  # commands that only name the options do not pay for SQLAlchemy
    from sitewright.store.database import Store


StoreOption = click.option("--store", metavar="URL", help="The database; default: the setting store.url.")
PagesOption = click.option("--pages", metavar="DIR", help="The folder of the web archive; default: store.pages.")
RawCsvOption = click.option(
    "--raw-csv", is_flag=True, help="Leave cells of CSV as they are, also those that a spreadsheet takes for formulas."
)
MinConfidenceOption = click.option(
    "--min-confidence",
    type=click.FloatRange(0, 1),
    default=0.0,
    metavar="X",
    help="Leave out fields that are less sure than this, 0 to 1.",
)


def open_known_store(url: str | None) -> "Store":
    """Open the store of a call; one that is not there is told, not made."""
    from sitewright.actions import known_store  # noqa: PLC0415 -- only who opens one pays for it

    return known_store.open_known_store(store_address(url))


def store_address(url: str | None) -> str:
    """Return the address of the store of a call: the option, or the setting."""
    return url or load_settings().store.url


def pages_folder(pages: str | None) -> Path:
    """Return the folder of the web archive of a call; one that is not there is told."""
    folder = Path(pages or load_settings().store.pages)
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder} with the pages of the store; name it with --pages")
    return folder


def words_of(text: str) -> list[str]:
    """Return what an option names.

    >>> words_of("title, text,")
    ['title', 'text']
    """
    return [word.strip() for word in text.split(",") if word.strip()]


def tell(line: str) -> None:
    """Tell a person what is done, beside the output."""
    echo(line, err=True)
