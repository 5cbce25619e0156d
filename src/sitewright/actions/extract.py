"""Stored pages in, one record a page in a file out: read with a map, or each by itself."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path

from sitewright.actions.inputs import Inputs
from sitewright.actions.telling import nobody
from sitewright.domains import DEFAULT_DOMAIN, Domain, load_domain
from sitewright.errors import InputError, OutputError, SitewrightError
from sitewright.extract import Extractor
from sitewright.fetch import Place
from sitewright.output.export import STRUCTURED, columns_of, encoder_of, open_writer, writing
from sitewright.output.markup import prepare_report
from sitewright.output.report import ReportHead, RunSummary, write_report
from sitewright.parse import host_of, owner_of
from sitewright.parse.sites import is_address
from sitewright.processes.extract import ExtractJob, Line
from sitewright.processes.pool import Pool
from sitewright.processes.report import PlaceSample, ReportJob
from sitewright.processes.taggers import check_tagger
from sitewright.reading.mapped import handed_fields
from sitewright.reading.taggers import ONLY_MAP, TAGGERS
from sitewright.types import ExtractionMap, Limits, Rule
from sitewright.values.words import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """How pages are read, and where to."""

    output: str = "-"
    """A file, for Markdown also a folder, or `-` for standard output."""
    format: str = "jsonl"
    extraction_map: ExtractionMap | None = None
    """None: each page is read by itself."""
    map_name: str = ""
    """What the report calls the map."""
    domain: str = DEFAULT_DOMAIN
    """What kind of pages they are, without a map; a map names its own."""
    tagger: str | None = None
    """What reads pages without a map (None: the network); with a map, whether the network reads what the map does not,
    or `none` does."""
    fields: Sequence[str] = ()
    """What is read; empty: all there is."""
    raw_csv: bool = False
    """Whether cells of CSV stay as they are, also those that a spreadsheet would take for formulas."""
    explain: bool = False
    """Whether rows name the rule of each value."""
    parts: bool = False
    """Whether rows name the other pages of their story."""
    dated: bool = False
    """Whether rows say when their page was fetched."""
    min_confidence: float = 0.0
    """Fields that are less sure are left out."""
    stated: bool = True
    """Whether values are given that a page states and does not display, where the domain keeps them apart."""
    report: str | None = None
    limit: int | None = None
    resume: bool = False
    """Go on where an interrupted run into the same JSONL file stopped."""
    jobs: int = 0
    """Processes to use; 0: one a core."""
    limits: Limits = field(default_factory=Limits)

    @property
    def can_resume(self) -> bool:
        """Whether an interrupted run into this output can go on: it has a line for every page."""
        return self.format == "jsonl" and self.output != "-"


@dataclass(frozen=True, slots=True)
class Extracted:
    """What came of the pages."""

    pages: int
    failures: Counter[str]
    """How many failed, by code."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """How pages are read, ready to travel to who reads them; the columns of tables of their records."""

    job: ExtractJob
    columns: dict[str, str]
    fields: list[str]


def prepare(options: ExtractOptions) -> Prepared:
    """Check options, and return what they mean; what cannot end well is refused here."""
    extraction_map = options.extraction_map
    if extraction_map is not None:
        Extractor(extraction_map)  # a bad rule fails here, once, and not in every worker
    domain = load_domain(extraction_map.domain if extraction_map is not None else options.domain)
    rules = _rules(extraction_map, domain)
    fields = _fields(options.fields, rules)
    tagger = _tagger(options)
    if options.report is not None:
        prepare_report(options.report)
    columns = columns_of(rules, domain, fields, explain=options.explain, parts=options.parts, dated=options.dated)
    job = ExtractJob(
        extraction_map=extraction_map,
        limits=options.limits,
        fields=frozenset(fields if options.fields else ()),
        explain=options.explain,
        parts=options.parts,
        dated=options.dated,
        tagger=tagger,
        domain=options.domain,
        min_confidence=options.min_confidence,
        stated=options.stated,
        encode=encoder_of(options.format, columns, domain.reference, raw_csv=options.raw_csv),
        with_body=options.format in STRUCTURED,
        count=options.report is not None,
    )
    return Prepared(job, columns, fields)


class Extraction:
    """Reads pages and writes a record of each; what cannot end well is refused when it is made."""

    def __init__(self, pages: Inputs, options: ExtractOptions) -> None:
        """Check the options, and open the output."""
        self._options = options
        prepared = prepare(options)
        self._job = prepared.job
        self._summary = RunSummary(prepared.fields)
        self._sample = PlaceSample()
        done = _lines_done(options) if options.resume else 0
        self._places: Iterator[Place] = islice(pages.places(), done, options.limit)
        fixed = bool(options.fields)
        self._writer = open_writer(options.output, options.format, prepared.columns, append=done > 0, fixed=fixed)

    def warnings(self) -> Iterator[str]:
        """Look at the first page, and yield what makes one doubt that all will be read well."""
        first = next(self._places, None)
        if first is None:
            return
        self._places = chain([first], self._places)
        extraction_map = self._options.extraction_map
        host = _host_of(first)
        if extraction_map is not None and host and owner_of(host) != owner_of(extraction_map.site):
            yield (
                f"the map {self._options.map_name} is of {extraction_map.site}, and the first page is of {host}: "
                f"its rules will hardly fit; learn a map with: sitewright map https://{host}/"
            )

    def run(self, note: Callable[[Line], None] = nobody) -> Extracted:
        """Read and write all pages, and let `note` know of each; what is written is complete, however this ends."""
        pages, failures = 0, Counter[str]()
        with writing(self._writer):
            for line in self._lines():
                self._writer.write(line.content)
                pages += 1
                failures.update([line.failure] if line.failure else [])
                if line.counted is not None:
                    self._summary.count(line.counted)
                note(line)
        return Extracted(pages, failures)

    def write_report(self) -> None:
        """Read a sample of the pages once more, and write the report, where one is wanted."""
        if self._options.report is not None:
            pool = Pool(ReportJob(self._job), self._options.jobs, self._job.page_seconds)
            pages = pool.run(self._sample.places)
            write_report(self._options.report, self._summary, pages, _head(self._options))

    def _lines(self) -> Iterator[Line]:
        pool: Pool[Place, Line] = Pool(self._job, self._options.jobs, self._job.page_seconds)
        return pool.run(self._sample.through(self._places) if self._job.count else self._places)


def extract_pages(pages: Inputs, options: ExtractOptions, note: Callable[[Line], None] = nobody) -> Extracted:
    """Read pages and write a record of each, in their order, and the report, where one is wanted."""
    extraction = Extraction(pages, options)
    try:
        extracted = extraction.run(note)
    except InputError:  # an input breaks off: what came before is read
        extraction.write_report()
        raise
    extraction.write_report()
    return extracted


def _rules(extraction_map: ExtractionMap | None, domain: Domain) -> list[Rule]:
    """Return the rules of a map; without one, what stands for them: each field of the domain as it is usually read."""
    usual = [Rule(field=spec.name, many=spec.many) for spec in domain.fields.values()]
    if extraction_map is None:
        return usual
    handed = handed_fields(extraction_map).difference(extraction_map.fields)
    return [*extraction_map.rules, *(rule for rule in usual if rule.field in handed)]


def _fields(asked: Sequence[str], rules: Sequence[Rule]) -> list[str]:
    """Return the fields to read: those asked for, else all that there are rules for, each once."""
    known = list(dict.fromkeys(rule.field for rule in rules))
    unknown = [name for name in asked if name not in known]
    if unknown:
        nearest = did_you_mean(unknown[0], known)
        raise InputError(f"there is no field {unknown[0]!r}{nearest or ';'} there are {', '.join(known)}")
    return list(asked) or known


def _tagger(options: ExtractOptions) -> str:
    """Return the tagger to use; one that cannot be loaded fails here, once."""
    if options.tagger is None:
        return TAGGERS[0]
    if options.extraction_map is not None:
        if options.tagger not in (ONLY_MAP, TAGGERS[0]):
            raise InputError(f"with --map, --tagger is {TAGGERS[0]} or {ONLY_MAP}: a map reads the pages itself")
        return options.tagger
    check_tagger(options.tagger, options.domain)
    return options.tagger


def _host_of(place: Place) -> str:
    """Return the host of a page; empty where it has no name, or cannot be read."""
    try:
        host = host_of(place.load().url)
    except SitewrightError:
        return ""
    return "" if is_address(host) else host  # a copy on this machine may be of any site


def _head(options: ExtractOptions) -> ReportHead:
    now = datetime.now(UTC)
    if options.extraction_map is not None:
        return ReportHead(read_by=f"the map {options.map_name}.", site=options.extraction_map.site, made_at=now)
    return ReportHead(read_by=f"the tagger {options.tagger or TAGGERS[0]}.", made_at=now)


def _lines_done(options: ExtractOptions) -> int:
    """Count the complete lines of an earlier run, and cut off what an interrupt left of the last one."""
    if not options.can_resume:
        raise OutputError("--resume goes with a JSONL file (-o FILE.jsonl)")
    path = Path(options.output)
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
