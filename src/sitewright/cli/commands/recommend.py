"""`sitewright recommend`: files of clicks in, a line for each reader out."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from sitewright.actions.item_facts import read_facts
from sitewright.actions.judge_recommendations import judge
from sitewright.actions.recommend import Recommendation, RecommendOptions, faults_in_words
from sitewright.cli.files import refuse_overwriting, text_of
from sitewright.cli.show.lines import echo
from sitewright.engines import ENGINES
from sitewright.errors import InputError
from sitewright.output.export import open_writer, writing
from sitewright.recommend.lists import ReaderList
from sitewright.values.as_json import json_of
from sitewright.values.words import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """The options of one call."""

    clicks: tuple[str, ...]
    at: int | None
    length: int
    users: str | None
    items: str | None
    engine: str
    master: str | None
    output: str
    evaluate: bool
    charts: str | None
    quiet: bool

    def say(self, line: str) -> None:
        """Tell the caller beside the output."""
        if not self.quiet:
            echo(line, err=True)

    @property
    def wanted(self) -> RecommendOptions:
        """What is asked of the computation."""
        return RecommendOptions(
            at=self.at,
            length=self.length,
            readers=_names(self.users) if self.users else None,
            facts=read_facts(self.items) if self.items else {},
            engine=self.engine,
            master=self.master,
            tell=self.say,
        )


@click.command(short_help="Recommend items to readers, from their clicks.")
@click.argument("clicks", nargs=-1, required=True, metavar="CLICKS...")
@click.option(
    "--at",
    type=click.IntRange(min=0),
    metavar="EPOCH",
    help="The moment, in seconds since 1970; only clicks before it are known. Default: after the last click.",
)
@click.option(
    "-k", "length", type=click.IntRange(1, 1000), default=10, show_default=True, help="Items for each reader."
)
@click.option(
    "--users", metavar="FILE", help="Only for these readers, one a line (or - for standard input); also new ones."
)
@click.option(
    "--items", metavar="FILE", help="What is known of items: CSV, Parquet or JSONL with item and story, section."
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="duckdb",
    show_default=True,
    help="What computes: this process, or Spark.",
)
@click.option("--master", metavar="URL", help="The Spark cluster; default: Spark in this process.")
@click.option("-o", "--output", default="-", metavar="OUT", help="JSONL file to write; default: stdout.")
@click.option("--evaluate", is_flag=True, help="Tell how good lists were at past moments, beside other methods.")
@click.option("--charts", metavar="DIR", help="With --evaluate: folder for charts of clicks and of precision (SVG).")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")
def recommend(clicks: tuple[str, ...], **options: Any) -> None:
    """Say for each reader what to show next, how likely each item is to be clicked, and why.

    CLICKS are CSV or Parquet files with a row for each click: user, item, time (seconds since 1970, or a written
    moment), and optionally viewed, total and published. Items that a reader has opened are not shown again; readers of
    whom nothing is known get what is read now. Only the order of times counts, not that of rows.

    A line a reader: {"user", "items": [{"item", "score", "reason"}]}. Without --users there is a line for each reader
    of the clicks, and first one with "user": null for all who are new. What was left out is told, and why.

    --evaluate foretells what readers opened in the hour after --at, or after three moments late in the log, from what
    was known before: a line for each moment and method, with precision, recall, mean reciprocal rank, coverage and
    novelty. In a log with few clicks the hour is longer.

    \b
    Examples:
      sitewright recommend clicks.csv -o lists.jsonl
      sitewright recommend clicks.parquet --at 1508180400 -k 20 --users online.txt
    """
    call = Call(clicks=clicks, **options)
    refuse_overwriting([*clicks, *filter(None, [call.users, call.items])], {"-o": call.output})
    if call.charts and not call.evaluate:
        raise InputError("--charts are drawn with --evaluate")
    writer = open_writer(call.output, "jsonl", {})
    count = 0
    with writing(writer):
        for row in _judged(call) if call.evaluate else _lists(call):
            writer.write(json_of(row))
            count += 1
    call.say(counted(count, "figure" if call.evaluate else "list"))


def _judged(call: Call) -> Iterator[dict[str, Any]]:
    for one in judge(call.clicks, call.wanted, Path(call.charts) if call.charts else None):
        yield one.row()


def _lists(call: Call) -> Iterator[dict[str, Any]]:
    with closing(Recommendation(call.clicks, call.wanted)) as recommendation:
        for line in faults_in_words(recommendation.log.faults):
            call.say(line)
        yield from map(_row, recommendation.lists())


def _names(file: str) -> list[str]:
    names = [line.strip() for line in text_of(file).splitlines() if line.strip()]
    if not names:
        raise InputError(f"{file} names no reader")
    return names


def _row(found: ReaderList) -> dict[str, Any]:
    items = [{"item": item.item, "score": item.score, "reason": item.reason} for item in found.items]
    return {"user": found.reader, "items": items}
