"""`sitewright extract`: stored pages and a map in, records out."""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from sitewright.cli.domain_option import domain_option
from sitewright.cli.settings import load_settings
from sitewright.cli.show.progress import PageCounter
from sitewright.domains import Domain, load_domain
from sitewright.errors import InputError, OutputError
from sitewright.extract import Extractor
from sitewright.fetch import Archive, Place, open_archive
from sitewright.maps import load_map
from sitewright.output.export import FORMATS, Writer, columns_of, format_of, open_writer
from sitewright.output.markup import prepare_report
from sitewright.output.report import ReportPage, RunSummary, write_report
from sitewright.processes.extract import ExtractJob, Line
from sitewright.processes.pool import Pool
from sitewright.processes.report import ReportJob, Sample
from sitewright.processes.taggers import check_tagger
from sitewright.reading.mapped import handed_fields
from sitewright.reading.taggers import ONLY_MAP, TAGGERS
from sitewright.types import ExtractionMap, Rule

INTERRUPTED, SOME_FAILED, ALL_WELL = 130, 1, 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    pages: tuple[str, ...]
    map_file: str | None
    domain: str
    tagger: str | None
    output: str
    report: str | None
    kind: str | None
    fields: str
    limit: int | None
    explain: bool
    resume: bool
    jobs: int | None
    quiet: bool

    @property
    def format(self) -> str:
        """The output format: as asked for, or by the name of the output."""
        return self.kind or format_of(self.output)

    @property
    def can_resume(self) -> bool:
        """Whether an interrupted run into this output can go on: it has a line for every page."""
        return self.format == "jsonl" and self.output != "-"


@click.command(short_help="Read stored pages, with a map or without.")
@click.argument("pages", nargs=-1, required=True, metavar="PAGES...")
@click.option("--map", "map_file", metavar="MAP", help="The site's map file; without one each page is read by itself.")
@domain_option("Kind of pages, or a file that describes it; with --map, the map says.")
@click.option(
    "--tagger",
    metavar="NAME",
    help="What reads pages without a map: network (the default), mce, or a folder with a MarkupLM checkpoint. With a "
    "learned map: network reads what the map does not, none leaves it out.",
)
@click.option(
    "-o", "--output", default="-", metavar="OUT", help="File to write (a folder for Markdown); default: stdout."
)
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Default: by the name of the output.")
@click.option("--report", metavar="HTML", help="Also write a page that shows, for a sample, what was found where.")
@click.option("--fields", default="", metavar="A,B", help="Read only these fields.")
@click.option("--limit", type=click.IntRange(min=0), help="Stop after so many pages.")
@click.option("--explain", is_flag=True, help="Name the rule that gave each value.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run into the same JSONL file stopped.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")
def extract(**options: Any) -> None:
    """Read stored pages and write one record a page, in the order of the pages.

    With a map the site's own rules read the pages, at the speed of parsing. Without one each page is read by itself: a
    tagger tells from its text, its structure and what it states about itself which part is what.

    PAGES are JSONL files ({"url", "html", "time"?} a line; also .gz and .xz), WARC files, folders of HTML files, HTML
    files, or - for JSONL on standard input. A page that cannot be read gives a line with its error; the others go on,
    and the exit status is 1.
    """
    sys.exit(run(Request(**options)))


def run(request: Request) -> int:
    """Carry out one call and return its exit status."""
    settings = load_settings()
    extraction_map = load_map(request.map_file) if request.map_file else None
    if extraction_map is not None:
        Extractor(extraction_map)  # a bad rule fails here, once, and not in every worker
    domain = load_domain(extraction_map.domain if extraction_map is not None else request.domain)
    rules = _rules(extraction_map, domain)
    fields = _fields(request.fields, rules)
    job = ExtractJob(
        extraction_map=extraction_map,
        limits=settings.limits,
        fields=frozenset(fields if request.fields else ()),
        explain=request.explain,
        tagger=_tagger(request),
        domain=request.domain,
    )
    inputs = Inputs(request.pages)
    sources = [source for source in (*request.pages, request.map_file) if source]
    refuse_overwriting(sources, {"-o": request.output, "--report": request.report})
    report = Report(request.report, fields) if request.report is not None else None
    done = _lines_done(request) if request.resume else 0
    columns = columns_of(rules, domain, fields, explain=request.explain)
    writer = open_writer(request.output, request.format, columns, append=done > 0)
    workers = request.jobs or settings.jobs
    pool, looking = Pool(job, workers, job.page_seconds), Pool(ReportJob(job), workers, job.page_seconds)
    counter = PageCounter(inputs.progress, quiet=request.quiet, resumable=request.can_resume)
    places = islice(inputs.places(), done, request.limit)
    try:
        status = _write_all(pool, places, writer, counter, report)
    except InputError:  # an input breaks off: what came before is read
        if report is not None:
            report.write(looking, _read_by(request))
        raise
    if report is not None and status != INTERRUPTED:
        report.write(looking, _read_by(request))
    return status


class Report:
    """What is gathered for a report while the pages stream by."""

    def __init__(self, target: str, fields: list[str]) -> None:
        """Find out whether the report can be written."""
        prepare_report(target)
        self._target = target
        self.sample = Sample()
        self.summary = RunSummary(fields)

    def write(self, pool: Pool[Place, ReportPage], read_by: str) -> None:
        """Read the sample once more, and write."""
        write_report(self._target, self.summary, pool.run(self.sample.places), read_by)


def _write_all(
    pool: Pool[Place, Line], places: Iterator[Place], writer: Writer, counter: PageCounter, report: Report | None
) -> int:
    interrupted = False
    try:
        for line in pool.run(report.sample.through(places) if report is not None else places):
            writer.write(line.json)
            counter.count(line.failure, line.template, line.via)
            if report is not None:
                report.summary.count(line.json)
    except KeyboardInterrupt:
        interrupted = True
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write the output: {error.strerror or error}") from error
    finally:
        try:
            writer.close()
        finally:
            counter.finish(interrupted=interrupted)
    return INTERRUPTED if interrupted else SOME_FAILED if counter.failures else ALL_WELL


class Inputs:
    """Several archives, one after the other."""

    def __init__(self, sources: Sequence[str], open_one: Callable[[str], Archive] = open_archive) -> None:
        """Open all, so that a mistyped name is told before any work is done."""
        self._archives: list[Archive] = [open_one(source) for source in sources]

    def places(self) -> Iterator[Place]:
        """Yield the places of all pages."""
        return chain.from_iterable(archive.places() for archive in self._archives)

    def progress(self) -> float | None:
        """Return the share read, each archive counting the same; None where one has no known end."""
        shares = [archive.progress() for archive in self._archives]
        known = [share for share in shares if share is not None]
        return sum(known) / len(known) if len(known) == len(shares) else None


def _rules(extraction_map: ExtractionMap | None, domain: Domain) -> list[Rule]:
    """Return the rules of a map; without one, what stands for them: each field of the domain as it is usually read."""
    usual = [Rule(field=spec.name, many=spec.many) for spec in domain.fields.values()]
    if extraction_map is None:
        return usual
    handed = handed_fields(extraction_map).difference(extraction_map.fields)
    return [*extraction_map.rules, *(rule for rule in usual if rule.field in handed)]


def _fields(wanted: str, rules: list[Rule]) -> list[str]:
    """Return the fields to read: those asked for, else all that there are rules for, each once."""
    known = list(dict.fromkeys(rule.field for rule in rules))
    asked = [name.strip() for name in wanted.split(",") if name.strip()]
    unknown = [name for name in asked if name not in known]
    if unknown:
        raise InputError(f"there is no field {unknown[0]!r}; there are {', '.join(known)}")
    return asked or known


def _tagger(request: Request) -> str:
    """Return the tagger to use; one that cannot be loaded fails here, once."""
    if request.tagger is None:
        return TAGGERS[0]
    if request.map_file:
        if request.tagger not in (ONLY_MAP, TAGGERS[0]):
            raise InputError(f"with --map, --tagger is {TAGGERS[0]} or {ONLY_MAP}: a map reads the pages itself")
        return request.tagger
    check_tagger(request.tagger, request.domain)
    return request.tagger


def _read_by(request: Request) -> str:
    if request.map_file:
        return (
            f"the map {request.map_file}. Which lines a rule took is not known: marked are those that stand in a value."
        )
    return f"the tagger {request.tagger or TAGGERS[0]}."


def refuse_overwriting(sources: Sequence[str], targets: Mapping[str, str | None]) -> None:
    """Refuse an output that is an input, one of the pages of a folder, or another output; targets are by option."""
    inputs = [source for source in sources if source != "-" and Path(source).exists()]
    folders = [source for source in inputs if Path(source).is_dir()]
    taken: dict[Path, str] = {}
    for option, target in targets.items():
        if target in (None, "-"):
            continue
        path = Path(str(target))
        if any(path.exists() and path.samefile(source) for source in inputs):
            raise OutputError(f"{target} is an input of this run and would be lost; name another file with {option}")
        folder = next((source for source in folders if Path(source).resolve() in path.resolve().parents), "")
        if folder and option == "--report":
            raise OutputError(f"{target} would be one of the pages in {folder}; name another file with {option}")
        if path.resolve() in taken:
            raise OutputError(f"{target} is the output of this run; name another file with {option}")
        taken[path.resolve()] = option


def _lines_done(request: Request) -> int:
    """Count the complete lines of an earlier run, and cut off what an interrupt left of the last one."""
    if not request.can_resume:
        raise OutputError("--resume goes with a JSONL file (-o FILE.jsonl)")
    path = Path(request.output)
    if not path.exists():
        return 0
    lines = end = 0
    try:
        with path.open("rb+") as file:
            for line in file:
                if line.endswith(b"\n"):
                    lines, end = lines + 1, end + len(line)
            file.truncate(end)
    except OSError as error:
        raise OutputError(f"cannot go on with {path}: {error.strerror or error}") from error
    return lines
