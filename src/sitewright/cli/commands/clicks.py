"""`sitewright clicks`: a store in, what readers did in Parquet files out."""

from pathlib import Path

import click

from sitewright.cli.options import StoreOption, open_known_store
from sitewright.cli.show.lines import echo
from sitewright.values.words import counted


@click.command(short_help="Write what readers clicked and were shown, as Parquet files by day.")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@StoreOption
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def clicks(folder: str, store: str | None, quiet: bool) -> None:
    """Write the clicks of each day to DIR/clicks/day=YYYY-MM-DD/part.parquet, and what was shown to DIR/shown/….

    Only days that changed since the last time are written, each file as a whole. Readers are pseudonyms; `sitewright
    forget` removes one. The clicks are what `sitewright recommend` reads.

    \b
    Examples:
      sitewright clicks clicks-by-day
      sitewright recommend clicks-by-day/clicks/*/part.parquet -o lists.jsonl
    """
    from sitewright.actions.export_clicks import export_clicks  # noqa: PLC0415 -- help does not pay for SQLAlchemy
    from sitewright.actions.reader_events import left_out_in_words  # noqa: PLC0415 -- as above

    with open_known_store(store) as opened:
        done = export_clicks(opened, Path(folder), lambda day: None if quiet else echo(f"{day}", err=True))
        left_out = opened.clicks.left_out()
    if not quiet:
        echo(
            f"{counted(done.written, 'day')} with {counted(done.events, 'event')} written, "
            f"{counted(done.same, 'day')} as before",
            err=True,
        )
        for line in left_out_in_words(left_out):
            echo(line, err=True)
