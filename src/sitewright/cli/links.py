"""`sitewright links`: index pages in, a decision about each of their links out."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from sitewright.batch import LinksJob, Pool, ReadPage, find_feeds, judge_pages, learn_indexes
from sitewright.cli.extract import ALL_WELL, INTERRUPTED, SOME_FAILED, Inputs, refuse_overwriting
from sitewright.cli.progress import PageCounter
from sitewright.cli.settings import Settings, load_settings
from sitewright.errors import FetchError, InputError, NoStableRule, OutputError, PageError
from sitewright.fetch import FailedPlace, Fetcher, PagePlace, Place, WebFetcher
from sitewright.links import LearnedIndex, is_feed, merge_feeds
from sitewright.maps import load_map, save_map
from sitewright.parse import host_of, parse
from sitewright.store import failure_row, json_of, links_row, open_writer, prepare_report, write_link_report
from sitewright.types import ExtractionMap, Failure, LinkSet, Page, Role

_WEB = ("http://", "https://")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    pages: tuple[str, ...]
    output: str
    everything: bool
    map_file: str | None
    write_map: str | None
    report: str | None
    limit: int | None
    jobs: int | None
    quiet: bool

    @property
    def addresses(self) -> tuple[str, ...]:
        """The inputs that are fetched from the web."""
        return tuple(source for source in self.pages if source.startswith(_WEB))

    @property
    def files(self) -> tuple[str, ...]:
        """The inputs that are stored pages."""
        return tuple(source for source in self.pages if not source.startswith(_WEB))


@click.command(short_help="Tell which links of index pages lead to articles.")
@click.argument("pages", nargs=-1, required=True, metavar="PAGES|URL...")
@click.option("-o", "--output", default="-", metavar="OUT", help="JSONL file to write; default: stdout.")
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
    "reason"}]}; each page that is linked to stands there once. Roles are article, list (a section), next and other.
    """
    sys.exit(run(Request(**options)))


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    settings = load_settings()
    _refuse_nonsense(request)
    extraction_map = load_map(request.map_file) if request.map_file else None
    kept = load_map(request.write_map) if request.write_map and Path(request.write_map).exists() else None
    if request.report is not None:
        prepare_report(request.report)
    inputs = Inputs(request.files)
    web = WebPages(request.addresses, WebFetcher(settings.fetch, settings.limits))
    writer = open_writer(request.output, "jsonl", {})
    job = LinksJob(limits=settings.limits, extraction_map=extraction_map)
    pool = Pool(job, request.jobs or settings.jobs, settings.limits.page_seconds)
    counter = PageCounter(inputs.progress, quiet=request.quiet)
    reading = Reading(counter)
    try:
        reading.read(pool, islice(chain(inputs.places(), web.places()), request.limit))
        judged = judge_pages(reading.pages)
        outcomes = list(judged.outcomes())
        if request.everything:
            outcomes = [_with_feeds(outcome, web, settings, request) for outcome in outcomes]
        for outcome in outcomes:
            writer.write(json_of(failure_row(outcome) if isinstance(outcome, Failure) else links_row(outcome)))
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise OutputError(f"cannot write the output: {error.strerror or error}") from error
    finally:
        writer.close()
        counter.finish(interrupted=reading.interrupted)
    _say(request, _summary(outcomes))
    if request.report is not None:
        write_link_report(request.report, outcomes, judged.clusters())
    if request.write_map is not None:
        _write_map(request, kept, learn_indexes(judged, settings.limits))
    if reading.broken is not None:
        raise reading.broken
    return INTERRUPTED if reading.interrupted else SOME_FAILED if counter.failures else ALL_WELL


class Reading:
    """Reads all pages before any is judged: what stands on one tells of the others."""

    def __init__(self, counter: PageCounter) -> None:
        """Count what is read."""
        self._counter = counter
        self.pages: list[ReadPage] = []
        self.interrupted = False
        self.broken: InputError | None = None

    def read(self, pool: Pool[Place, ReadPage], places: Iterator[Place]) -> None:
        """Read until the end, an interrupt, or an input that breaks off; what came before is kept."""
        try:
            for page in pool.run(places):
                self.pages.append(page)
                self._counter.count(page.failure.code if page.failure is not None else "", "page")
        except KeyboardInterrupt:
            self.interrupted = True
        except InputError as error:
            self.broken = error


class WebPages:
    """Pages that are fetched, one after the other."""

    def __init__(self, addresses: Sequence[str], fetcher: Fetcher) -> None:
        """Fetch nothing yet."""
        self._addresses = addresses
        self.fetcher = fetcher
        self.fetched: dict[str, Page] = {}
        """By where they were in the end."""

    def places(self) -> Iterator[Place]:
        """Yield the pages, or in their places why they cannot be had."""
        for address in self._addresses:
            try:
                page = self.fetcher.fetch(address)
            except (FetchError, PageError) as error:
                yield FailedPlace(address, error)
            else:
                self.fetched[page.location] = page
                yield PagePlace(page)


def _refuse_nonsense(request: Request) -> None:
    if request.everything and not request.addresses:
        raise InputError("--all looks for feeds and sitemaps on the web; give the URL of a page")
    if request.map_file and request.write_map:
        raise InputError("--map uses selectors and --write-map learns them: one at a time")
    sources = [*request.files, *filter(None, [request.map_file])]
    refuse_overwriting(sources, {"-o": request.output, "--report": request.report, "--write-map": request.write_map})


def _with_feeds(outcome: LinkSet | Failure, web: WebPages, settings: Settings, request: Request) -> LinkSet | Failure:
    """Return the links of a fetched page merged with what its site's feeds and sitemaps list."""
    page = web.fetched.get(outcome.url) if isinstance(outcome, LinkSet) else None
    if not isinstance(outcome, LinkSet) or page is None or is_feed(page.body):
        return outcome
    feeds = find_feeds(parse(page, settings.limits), web.fetcher, lambda line: _say(request, line))
    return merge_feeds(outcome, feeds)


def _summary(outcomes: Sequence[LinkSet | Failure]) -> str:
    """Return how many distinct links there are, by role."""
    roles = {
        link.url.rstrip("/"): link.role for links in outcomes if isinstance(links, LinkSet) for link in links.links
    }
    counts = Counter(roles.values())
    names: dict[Role, str] = {"article": "articles", "list": "sections", "next": "next pages", "other": "other"}
    said = ", ".join(f"{counts[role]:,} {name}" for role, name in names.items() if counts[role])
    return f"{len(roles):,} links: {said}" if roles else "no links"


def _write_map(request: Request, kept: ExtractionMap | None, learned: Sequence[LearnedIndex]) -> None:
    """Put learned entries into a map: those of other pages stay as they are."""
    if not learned:
        raise NoStableRule(
            "no selector finds the article links of these pages and little else; the map is left as it is"
        )
    entries = {entry.url: entry for entry in (kept.index if kept is not None else ())}
    for index in learned:
        before = entries.get(index.entry.url, index.entry)
        entries[index.entry.url] = replace(before, articles=index.entry.articles)
        _say(
            request,
            f"{index.entry.url}: {len(index.entry.articles)} selectors find {index.recall:.0%} of the article links, "
            f"{index.precision:.0%} of what they find are some",
        )
    site = host_of(learned[0].entry.url)
    before_map = (
        kept if kept is not None else ExtractionMap(site=site, learned_at=datetime.now(UTC).replace(microsecond=0))
    )
    version = kept.version + 1 if kept is not None and kept.index != tuple(entries.values()) else before_map.version
    save_map(
        replace(before_map, index=tuple(entries.values()), version=version), str(request.write_map), overwrite=True
    )


def _say(request: Request, line: str) -> None:
    if not request.quiet:
        sys.stderr.write(line + "\n")
