"""`sitewright dedupe`: records in, of each story the richest out, with the others linked to it."""

import sys
from typing import Any

import click

from sitewright.actions.dedupe import dedupe as dedupe_records
from sitewright.actions.dedupe import judged_pairs, story_work
from sitewright.cli.files import refuse_overwriting
from sitewright.cli.show.lines import echo
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED
from sitewright.errors import InputError
from sitewright.output.export import open_writer, writing
from sitewright.values.as_json import json_of
from sitewright.values.words import counted


@click.command(short_help="Tell which records are the same story, and keep the richest of each.")
@click.argument("records", nargs=-1, metavar="RECORDS...")
@click.option("--pairs", metavar="PAIRS", help="Judge the pairs of this JSONL file instead of looking for them.")
@click.option("-o", "--output", default="-", metavar="OUT", help="JSONL file to write; default: stdout.")
@click.option("--all", "everything", is_flag=True, help="Also write the others, with what they are the same as.")
@click.option(
    "--days",
    type=click.FloatRange(min=0),
    help="Records that were published further apart are different stories; default: 3, 0: whenever.",
)
@click.option(
    "--engine",
    type=click.Choice(("here", "spark")),
    default="here",
    show_default=True,
    help="Who compares records: this process, or the tasks of a Spark cluster.",
)
@click.option("--master", metavar="URL", help="The Spark cluster; default: Spark on this machine.")
@click.option("-q", "--quiet", is_flag=True, help="No summary.")
def dedupe(**options: Any) -> None:
    """Tell which records are the same story: copies, near copies, and reports of one event on several sites.

    RECORDS are JSONL files as `extract` and `export` write them ({"url", "title", "text", "published"?, "images"?} a
    line; also .gz and .xz), or - for standard input. Of each story the record with most pictures, then with most text,
    is written, with "also": the others by url, title, kind (copy, near copy, same event) and score. Records that nobody
    else tells are written as they are, so no story is lost.

    With --engine spark the words of records are weighed and pairs judged by the tasks of a cluster; what is written is
    the same.

    --pairs takes {"a": {"title", "text"}, "b": {"title", "text"}} a line, and writes {"same", "score", "kind"} a line.

    \b
    Examples:
      sitewright dedupe records.jsonl -o stories.jsonl
      sitewright dedupe monday.jsonl tuesday.jsonl --all --days 1
      sitewright dedupe --pairs pairs.jsonl
    """
    try:
        _run(**options)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(INTERRUPTED)
    sys.exit(ALL_WELL)


def _run(  # noqa: PLR0913 -- the options of the command
    records: tuple[str, ...],
    pairs: str | None,
    output: str,
    *,
    everything: bool,
    days: float | None,
    engine: str,
    master: str | None,
    quiet: bool,
) -> None:
    if bool(records) == bool(pairs):
        raise InputError("name files of records, or a file of pairs with --pairs")
    if pairs and engine != "here":
        raise InputError("pairs are judged here; leave out --engine, or name files of records")
    refuse_overwriting([*records, *filter(None, [pairs])], {"-o": output})
    writer = open_writer(output, "jsonl", {})
    with writing(writer):
        if pairs:
            for said in judged_pairs(pairs):
                writer.write(json_of(said))
            return
        with story_work(engine, master) as work:
            done = dedupe_records(
                records, lambda row: writer.write(json_of(row)), everything=everything, days=days, work=work
            )
    if not quiet:
        repeated = f"{done.repeated:,} linked to one of them"
        echo(f"{counted(done.records, 'record')}: {done.stories:,} of them kept, {repeated}", err=True)
