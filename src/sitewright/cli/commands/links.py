"""`sitewright links`: index pages in, a decision about each of their links out."""

import os
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from sitewright.actions.find_links import LinkFinder, LinkOptions, deciding_map, write_index
from sitewright.actions.inputs import address_of
from sitewright.cli.domain_option import domain_option
from sitewright.cli.files import refuse_overwriting
from sitewright.cli.settings import load_settings
from sitewright.cli.show.lines import echo
from sitewright.cli.show.links import show_links
from sitewright.cli.show.progress import PageCounter
from sitewright.cli.statuses import ALL_WELL, INTERRUPTED, SOME_FAILED
from sitewright.cli.web_options import all_sources, fetch_settings, open_fetcher, web_options
from sitewright.domains import Domain, load_domain
from sitewright.errors import InputError, OutputError
from sitewright.links import LearnedIndex
from sitewright.maps import load_map
from sitewright.output.export import Writer, open_writer, writing
from sitewright.output.markup import prepare_report
from sitewright.output.rows import failure_row, links_row
from sitewright.processes.work import told
from sitewright.types import LIST, NEXT, OTHER, Failure, LinkSet, Role
from sitewright.values.as_json import json_of
from sitewright.values.words import counted


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
    everything: bool
    map_file: str | None
    write_map: str | None
    report: str | None
    limit: int | None
    jobs: int | None
    quiet: bool


@click.command(short_help="Tell which links of index pages lead to articles.")
@click.argument("pages", nargs=-1, metavar="URL|PAGES...")
@web_options
@domain_option("Kind of site, or a file that describes it; with a map, the map says.")
@click.option("-o", "--output", default="-", metavar="OUT", help="JSONL file to write; default: stdout.")
@click.option("--json", "as_json", is_flag=True, help="JSONL also where a terminal would show a table.")
@click.option(
    "--all", "everything", is_flag=True, help="With a URL: also what the site's feeds and sitemaps list, merged."
)
@click.option(
    "--map", "map_file", metavar="MAP", help="Let the selectors in the index of this map decide; no model is asked."
)
@click.option(
    "--write-map",
    metavar="MAP",
    help="Also put selectors of the article links into the index of this map; it is made where there is none.",
)
@click.option("--report", metavar="HTML", help="Also write a page that shows the links by decision and by cluster.")
@click.option("--limit", type=click.IntRange(min=1), help="Stop after so many pages.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")
def links(**options: Any) -> None:
    """Tell of every link of a front page or section page whether it leads to an article, how sure that is, and why.

    PAGES are JSONL files ({"url", "html", "time"?} a line; also .gz and .xz), WARC files, folders of HTML files, HTML
    files, or - for JSONL on standard input; stored feeds and sitemaps are read as well. A URL is fetched. Pages of one
    host are judged together, and several snapshots of one URL make a time series: what comes and goes is an article,
    what stays is not.

    One line a page, in the order of the pages: {"url", "time", "links": [{"href", "text", "role", "article", "score",
    "reason"}]}; each page that is linked to stands there once. Roles are article, list (a section), next and other. A
    terminal shows a table instead, the articles first; --json gives the lines there, too.

    \b
    Examples:
      sitewright links example.com
      sitewright links https://example.com/ --all -o links.jsonl
      sitewright links front-pages.jsonl --write-map example.com.map.yaml
    """
    request = Request(**options)
    request = replace(request, pages=all_sources(request.pages, request.lists))
    try:
        status = run(request)
    except KeyboardInterrupt:  # while links are judged or files written; while pages are read, `run` sees to it
        sys.stderr.write("interrupted\n")
        status = INTERRUPTED
    sys.exit(status)


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    settings = load_settings()
    _refuse_nonsense(request)
    extraction_map = deciding_map(request.map_file) if request.map_file else None
    kept = load_map(request.write_map) if request.write_map and Path(request.write_map).exists() else None
    known = extraction_map or kept
    options = LinkOptions(
        extraction_map=extraction_map,
        domain=known.domain if known is not None else request.domain,
        to_learn=request.write_map is not None,
        limit=request.limit,
        jobs=request.jobs or settings.jobs,
        limits=settings.limits,
    )
    if request.report is not None:
        prepare_report(request.report)
    fetcher = open_fetcher(fetch_settings(settings.fetch, request.cache), settings.limits, render=request.render)
    finding = LinkFinder(request.pages, fetcher, options)
    writer = None if _shows_table(request) else open_writer(request.output, "jsonl", {})
    counter = PageCounter(finding.sources.progress, quiet=request.quiet)
    reading = _Reading(finding, counter)
    try:
        reading.read()
        finding.judge()
        if request.everything:
            reading.add_feeds(lambda line: _say(request, line))
        if writer is not None:
            _write_lines(writer, finding.outcomes)
    finally:
        counter.finish(interrupted=reading.interrupted)
        fetcher.close()
    if writer is None:
        show_links(finding.outcomes)
    _say(request, _summary(finding.outcomes, load_domain(options.domain)))
    if reading.interrupted:
        return INTERRUPTED
    if request.report is not None:
        finding.write_report(request.report)
    if reading.broken is not None:
        raise reading.broken
    if request.write_map is not None:
        learned = finding.learn()
        write_index(request.write_map, kept, learned)
        _say_learned(request, learned)
    return SOME_FAILED if counter.failures else ALL_WELL


def _shows_table(request: Request) -> bool:
    return request.output == "-" and not request.as_json and sys.stdout.isatty()


class _Reading:
    """Reads until the end, an interrupt, or an input that breaks off; what came before is judged all the same."""

    def __init__(self, finding: LinkFinder, counter: PageCounter) -> None:
        self._finding = finding
        self._counter = counter
        self.interrupted = False
        self.broken: InputError | None = None

    def read(self) -> None:
        try:
            self._finding.read(
                lambda page: self._counter.count(
                    *(("", "page") if page.failure is None else (page.failure.code, "", "", told(page.failure)))
                )
            )
        except KeyboardInterrupt:
            self.interrupted = True
        except InputError as error:
            self.broken = error

    def add_feeds(self, tell: Callable[[str], None]) -> None:
        try:
            if not self.interrupted:
                self._finding.add_feeds(tell)
        except KeyboardInterrupt:
            self.interrupted = True


def _refuse_nonsense(request: Request) -> None:
    if request.everything and not any(map(address_of, request.pages)):
        raise InputError("--all looks for feeds and sitemaps on the web; give the URL of a page")
    if request.map_file and request.write_map:
        raise InputError("--map uses selectors and --write-map learns them: one at a time")
    files = [source for source in request.pages if not address_of(source)]
    sources = [*files, *filter(None, [request.map_file])]
    refuse_overwriting(sources, {"-o": request.output, "--report": request.report, "--write-map": request.write_map})
    if request.write_map is not None:
        _refuse_unwritable(request.write_map)


def _refuse_unwritable(target: str) -> None:
    """Find out whether a map can be written there, before any work is done."""
    if target == "-":
        raise OutputError("a map is not written to standard output, where the links go; name a file with --write-map")
    folder = next(parent for parent in Path(target).absolute().parents if parent.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise OutputError(f"cannot write {target}: {folder} is not a folder that can be written to")


def _write_lines(writer: Writer, outcomes: Sequence[LinkSet | Failure]) -> None:
    with writing(writer):
        for outcome in outcomes:
            writer.write(json_of(failure_row(outcome) if isinstance(outcome, Failure) else links_row(outcome)))


def _summary(outcomes: Sequence[LinkSet | Failure], domain: Domain) -> str:
    """Return how many distinct links there are, by role; one that any page shows to be an item is one."""
    item = domain.item
    names: dict[Role, str] = {item.kind: item.plural, LIST: "sections", NEXT: "next pages", OTHER: "other"}
    links = [link for found in outcomes if isinstance(found, LinkSet) for link in found.links]
    roles = {link.url.rstrip("/"): link.role for role in reversed(names) for link in links if link.role == role}
    counts = Counter(roles.values())
    said = ", ".join(f"{counts[role]:,} {name}" for role, name in names.items() if counts[role])
    return f"{counted(len(roles), 'link')}: {said}" if roles else "no links"


def _say_learned(request: Request, learned: Sequence[LearnedIndex]) -> None:
    for index in learned:
        _say(
            request,
            f"{index.entry.url}: {counted(len(index.entry.items), 'selector')}; found {index.recall:.0%} of the "
            f"article links; of all that was found, {index.precision:.0%} are article links",
        )


def _say(request: Request, line: str) -> None:
    if not request.quiet:
        echo(line, err=True)
