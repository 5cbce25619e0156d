"""`sitewright extract`: stored pages and a map in, records out."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from sitewright.batch import ExtractJob, Pool
from sitewright.cli.progress import PageCounter
from sitewright.cli.settings import load_settings
from sitewright.domains import Domain, load_domain
from sitewright.errors import InputError, OutputError
from sitewright.extract import Extractor
from sitewright.fetch import Archive, Place, open_archive
from sitewright.maps import load_map
from sitewright.store import FORMATS, Writer, columns_of, format_of, open_writer
from sitewright.types import ExtractionMap, Rule

INTERRUPTED, SOME_FAILED, ALL_WELL = 130, 1, 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The options of one call."""

    pages: tuple[str, ...]
    map_file: str | None
    output: str
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
@click.option(
    "-o", "--output", default="-", metavar="OUT", help="File to write (a folder for Markdown); default: stdout."
)
@click.option("--format", "kind", type=click.Choice(FORMATS), help="Default: by the name of the output.")
@click.option("--fields", default="", metavar="A,B", help="Read only these fields.")
@click.option("--limit", type=click.IntRange(min=0), help="Stop after so many pages.")
@click.option("--explain", is_flag=True, help="Name the rule that gave each value.")
@click.option("--resume", is_flag=True, help="Go on where an interrupted run into the same JSONL file stopped.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes to use; default: one a core.")
@click.option("-q", "--quiet", is_flag=True, help="No progress, no summary.")
def extract(**options: Any) -> None:
    """Read stored pages and write one record a page, in the order of the pages.

    With a map the site's own rules read the pages, at the speed of parsing. Without one each page is read by itself:
    what it states about itself, and the text that MCE finds (language independent, less exact than a map).

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
    domain = load_domain(extraction_map.domain if extraction_map is not None else "news")
    rules = _rules(extraction_map, domain)
    fields = _fields(request.fields, rules)
    job = ExtractJob(
        extraction_map=extraction_map,
        limits=settings.limits,
        fields=frozenset(fields if request.fields else ()),
        explain=request.explain,
    )
    inputs = Inputs(request.pages)
    _refuse_overwriting_inputs(request)
    done = _lines_done(request) if request.resume else 0
    columns = columns_of(rules, domain, fields, explain=request.explain)
    writer = open_writer(request.output, request.format, columns, append=done > 0)
    pool = Pool(job, request.jobs or settings.jobs, settings.limits.page_seconds)
    counter = PageCounter(inputs.progress, quiet=request.quiet, resumable=request.can_resume)
    return _write_all(pool, islice(inputs.places(), done, request.limit), writer, counter)


def _write_all(pool: Pool[Place, Any], places: Iterator[Place], writer: Writer, counter: PageCounter) -> int:
    interrupted = False
    try:
        for line in pool.run(places):
            writer.write(line.json)
            counter.count(line.failure, line.template)
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

    def __init__(self, sources: tuple[str, ...]) -> None:
        """Open all, so that a mistyped name is told before any work is done."""
        self._archives: list[Archive] = [open_archive(source) for source in sources]

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
    if extraction_map is None:
        return [Rule(field=spec.name, many=spec.many) for spec in domain.fields.values()]
    return list(extraction_map.rules)


def _fields(wanted: str, rules: list[Rule]) -> list[str]:
    """Return the fields to read: those asked for, else all that there are rules for, each once."""
    known = list(dict.fromkeys(rule.field for rule in rules))
    asked = [name.strip() for name in wanted.split(",") if name.strip()]
    unknown = [name for name in asked if name not in known]
    if unknown:
        raise InputError(f"there is no field {unknown[0]!r}; there are {', '.join(known)}")
    return asked or known


def _refuse_overwriting_inputs(request: Request) -> None:
    output = Path(request.output)
    for source in filter(None, (*request.pages, request.map_file)):
        if request.output != "-" and source != "-" and output.exists() and output.samefile(source):
            raise OutputError(f"{request.output} is an input of this run and would be lost; name another file with -o")


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
