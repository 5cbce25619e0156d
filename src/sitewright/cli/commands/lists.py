"""`sitewright lists`: pages in, the lists that they show out, as tables."""

import sys
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import click

from sitewright.actions.find_lists import ListFinder
from sitewright.cli.domain_option import domain_option
from sitewright.cli.files import refuse_overwriting
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lists import show_lists
from sitewright.cli.show.progress import PageCounter
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.cli.web_options import all_sources, fetch_settings, open_fetcher, web_options
from sitewright.output.export import Writer, open_writer, writing
from sitewright.output.rows import failure_row, lists_row
from sitewright.processes.lists import ListsOutcome
from sitewright.processes.work import told
from sitewright.types import Failure
from sitewright.values.as_json import json_of


@click.command(short_help="Show the lists of pages as tables.")
@click.argument("pages", nargs=-1, metavar="URL|PAGES...")
@web_options
@domain_option()
@click.option("-o", "--output", default="-", metavar="OUT", help="JSONL file to write; default: stdout.")
@click.option("--json", "as_json", is_flag=True, help="JSONL also where a terminal would show tables.")
@click.option("--limit", type=click.IntRange(min=1), help="Stop after so many pages.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")
def lists(**options: Any) -> None:
    """Find what repeats on pages (products, teasers, rows of tables), and what each entry is called and costs.

    PAGES are JSONL files ({"url", "html", "time"?} a line; also .gz and .xz), WARC files, folders of HTML files, HTML
    files, or - for JSONL on standard input. A URL is fetched.

    One line a page, in the order of the pages: {"url", "lists": [{"selector", "score", "items": [{"name", "price",
    "url", "image"}]}]}, the list that the page is about first. A terminal shows tables instead; --json gives the lines
    there, too. The fields of entries are those of the domain that lists show: its heading, its prices, url and image.

    \b
    Examples:
      sitewright lists https://shop.example/towels --domain shop
      sitewright lists pages.jsonl --domain shop -o lists.jsonl
    """
    sys.exit(run(Request(**options)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    pages: tuple[str, ...]
    lists: tuple[str, ...]
    render: bool
    cache: str | None
    domain: str
    output: str
    as_json: bool
    limit: int | None
    jobs: int | None
    quiet: bool


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    settings = load_settings()
    sources = all_sources(request.pages, request.lists)
    refuse_overwriting(list(sources), {"-o": request.output})
    fetcher = open_fetcher(fetch_settings(settings.fetch, request.cache), settings.limits, render=request.render)
    finding = ListFinder(sources, fetcher, request.domain, settings.limits, request.limit)
    as_table = request.output == "-" and not request.as_json and sys.stdout.isatty()
    writer = None if as_table else open_writer(request.output, "jsonl", {})
    counter = PageCounter(finding.sources.progress, quiet=request.quiet)
    interrupted = False
    try:
        with writing(writer) if writer is not None else nullcontext():
            for outcome in finding.run(request.jobs or settings.jobs):
                _deliver(outcome, writer)
                if isinstance(outcome, Failure):
                    counter.count(outcome.code, "", "", told(outcome))
                else:
                    counter.count("", "page")
    except KeyboardInterrupt:
        interrupted = True
    finally:
        counter.finish(interrupted=interrupted)
        fetcher.close()
    if interrupted:
        return INTERRUPTED
    return SOME_FAILED if counter.failures else ALL_WELL


def _deliver(outcome: ListsOutcome, writer: Writer | None) -> None:
    if writer is None:
        show_lists(outcome)
        return
    writer.write(
        json_of(failure_row(outcome) if isinstance(outcome, Failure) else lists_row(outcome.url, outcome.lists))
    )
