"""`sitewright price-histories`: records with the time of their pages in, what their items cost over time out."""

import click

from sitewright.cli.domain_option import domain_option
from sitewright.cli.files import refuse_overwriting
from sitewright.cli.options import RawCsvOption
from sitewright.cli.show.lines import echo
from sitewright.engines import ENGINES
from sitewright.errors import OutputError
from sitewright.output.export import encoder_of, format_of, open_writer, writing
from sitewright.values.words import counted

_FORMATS = ("jsonl", "csv", "parquet")


@click.command(short_help="Put together what items cost over time, from records of an archive.")
@click.argument("records", nargs=-1, required=True, metavar="RECORDS...")
@domain_option("Kind of the items, or a file that describes it.")
@click.option("-o", "--output", default="-", metavar="OUT", help="JSONL, CSV or Parquet file; default: stdout.")
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    show_default=True,
    help="What computes: this process, or Spark.",
)
@click.option("--master", metavar="URL", help="The Spark cluster; default: Spark on this machine.")
@RawCsvOption
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def price_histories(  # noqa: PLR0913 -- the options of the command
    records: tuple[str, ...],
    domain: str,
    output: str,
    engine: str,
    master: str | None,
    *,
    raw_csv: bool,
    quiet: bool,
) -> None:
    """Put together what each item cost, from when until when, from pages that were fetched again and again.

    RECORDS are JSONL or Parquet files, or folders of them, as `extract --dated` writes them: {"url", "name", "price",
    "fetched_at"} a line; also .gz and .xz, and addresses such as s3://bucket/records/. What this command wrote before
    can be given, too, so that a month is put together once, and days are added to it.

    A line a price, item by item, as `prices -o` writes them: {"site", "url", "name", "amount", "currency",
    "old_amount", "stock", "since", "until"}. Sightings one after the other that say the same are one price. Lines that
    say none, as they have no time or are of no item, are counted.

    \b
    Examples:
      sitewright price-histories records.jsonl --domain shop -o history.csv
      sitewright price-histories history.jsonl today/ --domain shop -o new.jsonl
    """
    from sitewright.actions.price_histories import COLUMNS, price_histories  # noqa: PLC0415 -- help does not pay for it

    kind = format_of(output)
    if kind not in _FORMATS:
        raise OutputError(f"prices are written as {', '.join(_FORMATS)}; name such a file with -o")
    refuse_overwriting(records, {"-o": output})
    encode = encoder_of(kind, COLUMNS, raw_csv=raw_csv)
    writer = open_writer(output, kind, COLUMNS, fixed=True)

    def say(line: str) -> None:
        if not quiet:
            echo(line, err=True)

    with writing(writer):
        done = price_histories(
            records, domain, lambda row: writer.write(encode(dict(row))), say, engine=engine, master=master
        )
    say(f"{counted(done.prices, 'price')} of {counted(done.items, 'item')}")
