"""`sitewright map URL|PAGES`: a site, or pages of it, in, its map out."""

import sys
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import click

from sitewright.actions import learn_map as action
from sitewright.actions.inputs import Inputs, address_of
from sitewright.actions.telling import nobody
from sitewright.cli.domain_option import domain_option
from sitewright.cli.files import put_out, refuse_overwriting
from sitewright.cli.options import tell
from sitewright.cli.settings import load_settings
from sitewright.cli.show.learned import show_learned
from sitewright.cli.show.lines import echo
from sitewright.cli.web_options import all_sources, fetch_settings, open_fetcher, web_options
from sitewright.errors import InputError
from sitewright.maps import load_map
from sitewright.output.markup import prepare_report
from sitewright.reading.learn import Tagged
from sitewright.types import Failure, FetchSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    pages: tuple[str, ...]
    lists: tuple[str, ...]
    render: bool
    cache: str | None
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

    @property
    def where_there(self) -> action.WhereThere:
        """What becomes of a map that is there."""
        return "merge" if self.merge else "replace" if self.force else "keep"


@click.command(short_help="Learn a map of a site, from its address or from pages.")
@click.argument("pages", nargs=-1, metavar="URL|PAGES...")
@web_options
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
    default=action.MOST_PAGES,
    show_default=True,
    help="Learn from at most so many pages.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no table.")
def learn(**options: Any) -> None:
    """Learn a site's map from its address, or from some of its pages: two at least, ten are better.

    One URL is the front page of a site: its articles are found, some of them are fetched, politely, and the map is
    learned from these; it also says where new articles are listed. Several URLs are pages to learn from themselves.

    A map that is there already is safe: with --merge it is refined, with --force written over; without either it makes
    way, kept under another name, if it is as it was learned, and is left alone if a person changed it.

    PAGES are JSONL files ({"url", "html", "time"?} a line; also .gz and .xz), WARC files, folders of HTML files, HTML
    files, or - for JSONL on standard input. Pages that cannot be read are named and left out.

    \b
    Examples:
      sitewright map example.com -o example.com.map.yaml --report example.html
      sitewright map pages.jsonl -o example.com.map.yaml
      sitewright map pages/ --example "price=19.90" --domain shop
    """
    request = Request(**options)
    request = replace(request, pages=all_sources(request.pages, request.lists))
    settings = load_settings()
    examples = action.examples_of(request.examples)
    _check(request)
    wanted = action.LearnOptions(
        domain=request.domain,
        examples=examples,
        earlier=load_map(request.output) if request.merge else None,
        keep_edited=not request.replace_edited,
        jobs=request.jobs or settings.jobs,
        limits=settings.limits,
    )
    found = _learned(request, wanted, fetch_settings(settings.fetch, request.cache))
    _deliver(request, found)
    if request.report is not None:
        named = request.output if request.output != "-" else found.extraction_map.site
        action.report_learned(found, request.report, named)
    if not request.quiet:
        show_learned(found)
    for warning in found.warnings:
        echo(f"warning: {warning}", err=True)


def _learned(request: Request, wanted: action.LearnOptions, fetch: FetchSettings) -> action.LearnedMap:
    """Learn the site of an address, or from pages."""
    site = address_of(request.pages[0]) if len(request.pages) == 1 else ""
    if site:
        from sitewright.actions.learn_site import SiteOptions, learn_site  # noqa: PLC0415 -- only who fetches pays for it

        looking = SiteOptions(fetch=fetch, pages=request.limit, render=request.render)
        return learn_site(site, wanted, looking, nobody if request.quiet else tell)
    progress = _Progress(quiet=request.quiet)
    try:
        with open_fetcher(fetch, wanted.limits, render=request.render, extraction_map=wanted.earlier) as fetcher:
            pages = Inputs(request.pages, fetcher, request.limit).places()
            return action.learn_map(islice(pages, request.limit), wanted, progress.note)
    finally:
        progress.finish()


def _check(request: Request) -> None:
    """Refuse what cannot end well, before any work is done."""
    if request.replace_edited and not request.merge:
        raise InputError("--replace-edited goes with --merge")
    refuse_overwriting(request.pages, {"-o": request.output, "--report": request.report})
    if request.output != "-" or request.merge:
        action.refuse_edited(Path(request.output), request.where_there)
    if request.report is not None:
        prepare_report(request.report)


class _Progress:
    """Shows on a terminal how many pages are tagged, and names in the end those that cannot be read."""

    def __init__(self, *, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()
        self._pages = 0
        self._failures: list[Failure] = []

    def note(self, page: Tagged) -> None:
        self._pages += 1
        if page.failure is not None:
            self._failures.append(page.failure)
        if self._shown:
            sys.stderr.write(f"\r{self._pages} pages tagged")

    def finish(self) -> None:
        if self._shown:
            sys.stderr.write("\r\033[K")
        for failure in self._failures:
            echo(f"left out: {failure.url}: {failure.code}: {failure.detail}", err=True)


def _deliver(request: Request, found: action.LearnedMap) -> None:
    if request.output == "-":
        put_out(found.text)
    elif (kept := action.save_learned(found, Path(request.output), request.where_there)) is not None:
        echo(f"the map that was there is kept as {kept}", err=True)
