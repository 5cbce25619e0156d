"""`sitewright links`: index pages in, a decision about each of their links out."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

import click

from sitewright.cli.commands.extract import ALL_WELL, INTERRUPTED, SOME_FAILED, Inputs, refuse_overwriting
from sitewright.cli.settings import Settings, load_settings
from sitewright.cli.show.progress import PageCounter
from sitewright.domains import Domain, load_domain
from sitewright.errors import FetchError, InputError, MapError, MixedSites, NoStableRule, OutputError, PageError
from sitewright.fetch import Archive, FailedPlace, Fetcher, PagePlace, Place, WebFetcher, open_archive
from sitewright.links import LearnedIndex, is_feed, merge_feeds
from sitewright.maps import dump_map, load_map, parse_map, save_map
from sitewright.output.export import Writer, open_writer
from sitewright.output.link_report import write_link_report
from sitewright.output.markup import prepare_report
from sitewright.output.rows import failure_row, links_row
from sitewright.parse import host_of, owner_of, parse
from sitewright.processes.links import LinksJob
from sitewright.processes.pool import Pool
from sitewright.reading.feeds import FetchOnce, find_feeds
from sitewright.reading.index import ReadPage, judge_pages, learn_indexes
from sitewright.types import DEFAULT_DOMAIN, LIST, NEXT, OTHER, ExtractionMap, Failure, LinkSet, Page, Role, Template
from sitewright.values.as_json import json_of

_NO_MAP = ExtractionMap(site="")


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
    try:
        status = run(Request(**options))
    except KeyboardInterrupt:  # while links are judged or files written; while pages are read, `Reading` sees to it
        sys.stderr.write("interrupted\n")
        status = INTERRUPTED
    sys.exit(status)


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    settings = load_settings()
    _refuse_nonsense(request)
    extraction_map = _deciding_map(request.map_file) if request.map_file else None
    kept = load_map(request.write_map) if request.write_map and Path(request.write_map).exists() else None
    domain = (extraction_map or kept or _NO_MAP).domain
    if request.report is not None:
        prepare_report(request.report)
    fetcher = WebFetcher(settings.fetch, settings.limits)
    sources = Sources(request.pages, FetchOnce(fetcher))
    writer = open_writer(request.output, "jsonl", {})
    job = LinksJob(limits=settings.limits, extraction_map=extraction_map, keep_places=request.write_map is not None)
    pool = Pool(job, request.jobs or settings.jobs, settings.limits.page_seconds)
    reading = Reading(PageCounter(sources.progress, quiet=request.quiet))
    try:
        reading.read(pool, islice(sources.places(), request.limit))
        judged = judge_pages(reading.pages, domain)
        outcomes = list(judged.outcomes())
        if request.everything:
            reading.add_feeds(outcomes, sources, settings, request)
        _write_lines(writer, outcomes)
    finally:
        reading.finish()
        fetcher.close()
    _say(request, _summary(outcomes, load_domain(domain)))
    if reading.interrupted:
        return INTERRUPTED
    if request.report is not None:
        write_link_report(request.report, outcomes, judged.clusters())
    if reading.broken is not None:
        raise reading.broken
    if request.write_map is not None:
        _write_map(request, kept, learn_indexes(judged, settings.limits))
    return SOME_FAILED if reading.has_failures else ALL_WELL


class Sources(Inputs):
    """Stored pages and pages of the web, in the order in which they were given; the latter are fetched one by one."""

    def __init__(self, sources: Sequence[str], fetcher: Fetcher) -> None:
        """Open all files; fetch nothing yet."""
        self.fetcher = fetcher
        super().__init__(sources, self._open)

    def _open(self, source: str) -> Archive:
        if _is_web(source):
            return WebPage(source, self.fetcher)
        if source != "-" and not Path(source).exists():
            raise InputError(f"there is no {source}; an address of the web begins with http:// or https://")
        return open_archive(source)

    def fetched(self, links: LinkSet) -> Page | None:
        """Return the page of the web that these links are on; None where they are on a stored one."""
        pages = (archive.page for archive in self._archives if isinstance(archive, WebPage))
        return next((page for page in pages if page is not None and _is_of(links, page)), None)


def _is_of(links: LinkSet, page: Page) -> bool:
    return (links.url, links.time) == (page.location, page.fetched_at)


class WebPage:
    """A page that is fetched when it is its turn."""

    def __init__(self, address: str, fetcher: Fetcher) -> None:
        """Fetch nothing yet."""
        self._address = address
        self._fetcher = fetcher
        self._asked = False
        self.page: Page | None = None

    def places(self) -> Iterator[Place]:
        """Yield the page, or in its place why it cannot be had."""
        self._asked = True
        try:
            self.page = self._fetcher.fetch(self._address)
        except (FetchError, PageError) as error:
            yield FailedPlace(self._address, error)
        else:
            yield PagePlace(self.page)

    def progress(self) -> float | None:
        """Return whether it was asked for."""
        return float(self._asked)


class Reading:
    """Reads all pages before any is judged: what stands on one tells of the others."""

    def __init__(self, counter: PageCounter) -> None:
        """Count what is read."""
        self._counter = counter
        self.pages: list[ReadPage] = []
        self.interrupted = False
        self.broken: InputError | None = None

    @property
    def has_failures(self) -> bool:
        """Whether any page could not be read."""
        return bool(self._counter.failures)

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

    def add_feeds(
        self, outcomes: list[LinkSet | Failure], sources: Sources, settings: Settings, request: Request
    ) -> None:
        """Merge what feeds and sitemaps list into the links of fetched pages, until the end or an interrupt."""
        try:
            for number, outcome in enumerate(outcomes):
                page = sources.fetched(outcome) if isinstance(outcome, LinkSet) else None
                if self.interrupted or not isinstance(outcome, LinkSet) or page is None or is_feed(page.body):
                    continue
                feeds = find_feeds(parse(page, settings.limits), sources.fetcher, lambda line: _say(request, line))
                outcomes[number] = merge_feeds(outcome, feeds)
        except KeyboardInterrupt:
            self.interrupted = True

    def finish(self) -> None:
        """Say what was read."""
        self._counter.finish(interrupted=self.interrupted)


def _is_web(source: str) -> bool:
    return source.lower().startswith(("http://", "https://"))


def _refuse_nonsense(request: Request) -> None:
    if request.everything and not any(map(_is_web, request.pages)):
        raise InputError("--all looks for feeds and sitemaps on the web; give the URL of a page")
    if request.map_file and request.write_map:
        raise InputError("--map uses selectors and --write-map learns them: one at a time")
    files = [source for source in request.pages if not _is_web(source)]
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


def _deciding_map(path: str) -> ExtractionMap:
    """Load a map whose selectors decide; one without any is refused before any work is done."""
    extraction_map = load_map(path)
    if not any(entry.items for entry in extraction_map.index):
        raise MapError(f"{path} has no selectors of article links in its index; learn some with --write-map {path}")
    return extraction_map


def _write_lines(writer: Writer, outcomes: Sequence[LinkSet | Failure]) -> None:
    try:
        for outcome in outcomes:
            writer.write(json_of(failure_row(outcome) if isinstance(outcome, Failure) else links_row(outcome)))
        writer.close()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write the output: {error.strerror or error}") from error


def _summary(outcomes: Sequence[LinkSet | Failure], domain: Domain) -> str:
    """Return how many distinct links there are, by role; one that any page shows to be an item is one."""
    item = domain.item
    names: dict[Role, str] = {item.kind: item.plural, LIST: "sections", NEXT: "next pages", OTHER: "other"}
    links = [link for found in outcomes if isinstance(found, LinkSet) for link in found.links]
    roles = {link.url.rstrip("/"): link.role for role in reversed(names) for link in links if link.role == role}
    counts = Counter(roles.values())
    said = ", ".join(f"{counts[role]:,} {name}" for role, name in names.items() if counts[role])
    return f"{_counted(len(roles), 'link')}: {said}" if roles else "no links"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'s' * (number != 1)}"


def _write_map(request: Request, kept: ExtractionMap | None, learned: Sequence[LearnedIndex]) -> None:
    """Put learned entries into a map: those of other pages stay as they are."""
    _refuse_unlearned(str(request.write_map), kept, learned)
    before = kept if kept is not None else _new_map(host_of(learned[0].entry.url))
    entries = {entry.url: entry for entry in before.index}
    for index in learned:
        entry = entries.get(index.entry.url, index.entry)
        entries[entry.url] = replace(entry, items=index.entry.items)
    changed = kept is not None and kept.index != tuple(entries.values())
    after = replace(before, index=tuple(entries.values()), version=before.version + changed)
    parse_map(dump_map(after), str(request.write_map))  # what would not load again is not written
    save_map(after, str(request.write_map), overwrite=True)
    for index in learned:
        _say(
            request,
            f"{index.entry.url}: {_counted(len(index.entry.items), 'selector')}; found {index.recall:.0%} of the "
            f"article links; of all that was found, {index.precision:.0%} are article links",
        )


def _refuse_unlearned(target: str, kept: ExtractionMap | None, learned: Sequence[LearnedIndex]) -> None:
    left = f"{target} is left as it is" if kept is not None else f"{target} is not written"
    if not learned:
        raise NoStableRule(f"no selector finds the article links of these pages and little else; {left}")
    sites = sorted({owner_of(host_of(index.entry.url)) for index in learned})
    if len(sites) > 1:
        raise MixedSites(f"the pages are of {len(sites)} sites ({', '.join(sites[:4])}): a map for each; {left}")


def _new_map(site: str) -> ExtractionMap:
    """Return a map to put entries into; a map has a template, which is without rules until some are learned."""
    now = datetime.now(UTC).replace(microsecond=0)
    item = load_domain(DEFAULT_DOMAIN).item.kind
    return ExtractionMap(site=site or "unknown", learned_at=now, templates=(Template(name=item),))


def _say(request: Request, line: str) -> None:
    if not request.quiet:
        sys.stderr.write(line + "\n")
