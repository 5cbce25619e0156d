"""`sitewright forget`: a reader in, a store without what they did out."""

from pathlib import Path

import click

from sitewright.cli.options import StoreOption, open_known_store
from sitewright.cli.show.lines import echo
from sitewright.errors import InputError
from sitewright.values.words import counted


@click.command(short_help="Remove all that is known of what a reader did.")
@click.argument("reader")
@click.option(
    "--clicks", "folder", metavar="DIR", type=click.Path(file_okay=False),
    help="Remove them from the files of `sitewright clicks DIR`, too.",
)  # fmt: skip
@StoreOption
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def forget(reader: str, folder: str | None, store: str | None, quiet: bool) -> None:
    """Remove the events and lists of a reader, and the pseudonym by which they could be told.

    READER is the name of an account, what a program calls a reader of its own, or a pseudonym. An account stays, with
    its marks; `sitewright account NAME --remove` removes it with all that is its own, and the same is forgotten.

    \b
    Examples:
      sitewright forget ann
      sitewright forget 5f1d0c9a77e24b18 --clicks clicks-by-day
    """
    from sitewright.actions.export_clicks import drop_from_files  # noqa: PLC0415 -- help does not pay for SQLAlchemy

    if folder is not None and not Path(folder).is_dir():
        raise InputError(f"{folder}: there is no such folder of clicks")
    with open_known_store(store) as opened:
        found = opened.clicks.readers_called(reader)
        if not found and folder is None:
            raise InputError(f"nothing is known of a reader {reader}")
        gone = sum(opened.clicks.forget(one) for one in found)
    files = drop_from_files(Path(folder), found or [reader]) if folder is not None else 0
    if not quiet:
        echo(
            f"{counted(gone, 'event')} removed" + (f", {counted(files, 'file')} written anew" if files else ""),
            err=True,
        )
