"""`sitewright map PAGES`: pages of a site in, its map out."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import click
import orjson
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.cli.commands.extract import Inputs, refuse_overwriting
from sitewright.cli.domain_option import domain_option
from sitewright.cli.settings import load_settings
from sitewright.cli.show.progress import PageCounter
from sitewright.errors import InputError, MapExists, OutputError
from sitewright.induce import Learned, example_of
from sitewright.maps import dump_map, load_map, parse_map
from sitewright.maps.file import earlier_text, is_untouched, read_text, save_map, set_aside, write_atomically
from sitewright.output.markup import prepare_report
from sitewright.output.report import RunSummary, write_report
from sitewright.output.rows import row_of
from sitewright.processes.pool import Pool
from sitewright.processes.tag import TagJob
from sitewright.reading.learn import Tagged, heading_of, learn_from, read_samples
from sitewright.reading.refine import refine
from sitewright.reading.report import report_of_learning, rule_text, rules_of
from sitewright.types import ExtractionMap, Failure, Record
from sitewright.values.as_json import json_of

MOST_PAGES = 40
"""More pages make a map slower to learn and hardly better (docs/evaluation.md)."""
_SHORT = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    pages: tuple[str, ...]
    output: str
    domain: str
    examples: tuple[str, ...]
    merge: bool
    replace_edited: bool
    force: bool
    report: str | None
    limit: int
    jobs: int | None
    quiet: bool


@click.command(short_help="Learn a map from a site's pages.")
@click.argument("pages", nargs=-1, required=True, metavar="PAGES...")
@click.option("-o", "--output", default="-", metavar="MAP", help="Map file to write; default: stdout.")
@domain_option()
@click.option(
    "--example",
    "examples",
    multiple=True,
    metavar="FIELD=VALUE",
    help="A value as it stands on one of the pages; two of one field make a list. Learns fields of any name.",
)
@click.option(
    "--merge", is_flag=True, help="Refine the map that is there: what still holds and what a person edited stays."
)
@click.option("--replace-edited", is_flag=True, help="With --merge: learn also what a person edited.")
@click.option("--force", is_flag=True, help="Write over an existing map.")
@click.option("--report", metavar="HTML", help="Also write a page that shows what each rule gives on each page.")
@click.option(
    "--limit",
    type=click.IntRange(min=2),
    default=MOST_PAGES,
    show_default=True,
    help="Learn from at most so many pages.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no table.")
def learn(**options: Any) -> None:
    """Learn a site's map from some of its pages: two at least, ten are better.

    A map that is there already is safe: with --merge it is refined, with --force written over; without either it makes
    way, kept under another name, if it is as it was learned, and is left alone if a person changed it.

    PAGES are JSONL files ({"url", "html", "time"?} a line; also .gz and .xz), WARC files, folders of HTML files, HTML
    files, or - for JSONL on standard input. Pages that cannot be read are named and left out.
    """
    run(Request(**options))


def run(request: Request) -> None:
    """Carry out one call."""
    settings = load_settings()
    _check(request)
    examples = example_of(request.examples)
    earlier = load_map(request.output) if request.merge else None
    domain = earlier.domain if earlier is not None else request.domain
    job = TagJob(limits=settings.limits, domain=domain)
    pool = Pool(job, request.jobs or settings.jobs, settings.limits.page_seconds)
    inputs = Inputs(request.pages)
    tagged = list(_tagged(pool, inputs, request))
    failures = [page.failure for page in tagged if page.failure is not None]
    for failure in failures:
        click.echo(f"left out: {failure.url}: {failure.code}: {failure.detail}", err=True)
    learned = learn_from(tagged, settings.limits, domain, examples)
    extraction_map = learned.extraction_map
    if earlier is not None:
        extraction_map = refine(earlier, learned, keep_edited=not request.replace_edited)
    records = read_samples(learned, extraction_map)
    _deliver(request, extraction_map, heading_of(learned, extraction_map, records))
    if request.report is not None:
        _write_report(request, learned, extraction_map, records, failures)
    if not request.quiet:
        _show(extraction_map, records)
    for warning in learned.warnings:
        click.echo(f"warning: {warning}", err=True)


def _check(request: Request) -> None:
    """Refuse what cannot end well, before any work is done."""
    for example in request.examples:
        field, sign, value = example.partition("=")
        if not sign or not value.strip() or not field.strip().replace("-", "_").isidentifier():
            raise InputError(f"{example!r} is not FIELD=VALUE")
    if request.replace_edited and not request.merge:
        raise InputError("--replace-edited goes with --merge")
    refuse_overwriting(request.pages, {"-o": request.output, "--report": request.report})
    there = request.output != "-" and Path(request.output).exists()
    if request.merge and not there:
        raise InputError(f"--merge refines a map that is there; {request.output} is not (name it with -o)")
    if there and not (request.force or request.merge) and not is_untouched(read_text(Path(request.output))):
        raise MapExists(
            f"{request.output} is there and has a person's work in it; it is refined with --merge, written over only "
            "with --force"
        )
    if request.report is not None:
        prepare_report(request.report)


def _tagged(pool: Pool[Any, Tagged], inputs: Inputs, request: Request) -> Iterator[Tagged]:
    counter = PageCounter(inputs.progress, quiet=True)
    for page in pool.run(islice(inputs.places(), request.limit)):
        counter.count("", "")
        yield page
        if not request.quiet and sys.stderr.isatty():
            sys.stderr.write(f"\r{counter.pages} pages tagged")
    if not request.quiet and sys.stderr.isatty():
        sys.stderr.write("\r\033[K")


def _deliver(request: Request, extraction_map: ExtractionMap, heading: str) -> None:
    if request.output == "-":
        click.echo(dump_map(extraction_map, heading=heading), nl=False)
        return
    parse_map(dump_map(extraction_map), request.output)  # what would not load again is not written
    path = Path(request.output)
    if path.exists() and not (request.force or request.merge):
        if dump_map(replace(load_map(path), learned_at=extraction_map.learned_at)) == dump_map(extraction_map):
            raise MapExists(f"{path} is there, and the same; it is written over only with --force")
        click.echo(f"the map that was there is kept as {set_aside(path)}", err=True)
        write_atomically(path, dump_map(extraction_map, heading=heading))
        return
    if request.force:
        write_atomically(path, dump_map(extraction_map, like=earlier_text(path), heading=heading))
        return
    # Where a person's work is in it, no seal says that it is as learned.
    sealed = not path.exists() or is_untouched(read_text(path))
    save_map(extraction_map, path, overwrite=request.merge, heading=heading, sealed=sealed)


def _show(extraction_map: ExtractionMap, records: Sequence[Record]) -> None:
    console = Console(stderr=True, width=None if sys.stderr.isatty() else 160)
    table = Table(title=Text(f"{extraction_map.site}: {len(records)} pages"), title_justify="left")
    for column in ("field", "pages", "agrees", "rule", "sample value"):
        table.add_column(column, overflow="fold")
    for name in extraction_map.fields:
        found = [record.fields[name] for record in records if name in record.fields]
        rules = [rule for rule in extraction_map.rules if rule.field == name]
        support = [rule.support.agreement for rule in rules if rule.support and rule.support.agreement is not None]
        value = _shortened(found[0].value) if found else ""
        first = next((value.rule for value in found), "")
        more = f"\n(+{len(rules) - 1} more)" if len(rules) > 1 else ""
        rule = rule_text(extraction_map, first) or ", ".join(rules[0].select)
        agrees = f"{max(support):.0%}" if support else ""
        table.add_row(*map(Text, (name, f"{len(found)}/{len(records)}", agrees, rule + more, value)))
    console.print(table)


def _shortened(value: object) -> str:
    plain = orjson.loads(json_of({"value": value}))["value"]
    text = ", ".join(map(str, plain)) if isinstance(plain, list) else str(plain)
    flat = " ".join(text.split())
    return flat if len(flat) <= _SHORT else f"{flat[:_SHORT]}…"


def _write_report(
    request: Request,
    learned: Learned,
    extraction_map: ExtractionMap,
    records: Sequence[Record],
    failures: Sequence[Failure],
) -> None:
    if request.report is None:
        raise OutputError("no report was asked for")
    summary = RunSummary(list(extraction_map.fields))
    for record in records:
        summary.count(json_of(row_of(record)))
    for failure in failures:
        summary.failures[failure.code] += 1
        summary.failed.append(failure)
    target = request.output if request.output != "-" else extraction_map.site
    pages = report_of_learning(learned, extraction_map)
    write_report(
        request.report, summary, pages, f"the map {target}, learned from these pages.", rules_of(extraction_map)
    )
