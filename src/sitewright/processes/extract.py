"""Stored pages in, one output line a page out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from sitewright.errors import PageError
from sitewright.extract import Extractor
from sitewright.fetch import Place
from sitewright.output.export import Encode, json_row
from sitewright.output.report import PageCount, page_count
from sitewright.output.rows import confident, failure_row, row_of
from sitewright.parse import Document
from sitewright.processes.pool import BATCH_BYTES
from sitewright.processes.taggers import LOADING_SECONDS
from sitewright.processes.work import failure_of, told, work_on
from sitewright.reading.body import read_body
from sitewright.reading.mapped import MapReader
from sitewright.reading.stated import displayed, stating_rules
from sitewright.reading.story_pages import story_pages
from sitewright.reading.taggers import ONLY_MAP, TAGGERS, reader_by
from sitewright.tag import PageReader
from sitewright.types import DEFAULT_DOMAIN, ExtractionMap, Failure, Limits


class Line(NamedTuple):  # a tuple, because these travel between processes and pickle twice as fast
    """A row as the output takes it (by itself: JSON), and the code of the failure it tells of, if any."""

    content: bytes
    failure: str = ""
    template: str = ""
    via: str = ""
    counted: PageCount | Failure | None = None
    """What a report counts of it, where there is to be one."""
    detail: str = ""
    """Which page failed, and why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractJob:
    """Reads pages with a map, or without one each page by itself, by a tagger."""

    extraction_map: ExtractionMap | None = None
    limits: Limits = field(default_factory=Limits)
    fields: frozenset[str] = frozenset()
    explain: bool = False
    encode: Encode = json_row
    """What makes of a row what the output takes."""
    with_body: bool = False
    """Whether the output shows the structure of texts."""
    min_confidence: float = 0.0
    """Fields that are less sure are left out."""
    stated: bool = True
    """Whether values are given that a page states and does not display, where the domain keeps them apart."""
    parts: bool = False
    """Whether rows name the other pages of their story."""
    dated: bool = False
    """Whether rows say when their page was fetched."""
    count: bool = False
    """Whether there is to be a report."""
    now: datetime = field(default_factory=lambda: datetime.now(UTC))
    domain: str = DEFAULT_DOMAIN
    """What kind of pages they are, without a map; a map names its own."""
    tagger: str = TAGGERS[0]
    """Without a map: `network`, `mce`, or a folder with a fine-tuned MarkupLM checkpoint. With a map: `network` reads
    what a learned map does not, `none` leaves it out."""

    def start(self) -> Callable[[Place], Line]:
        """Compile the map or load the tagger, and return the function that reads one page."""
        reader = self.reader()
        unmapped = "page" if self.extraction_map is None else ""

        def read(document: Document) -> Line:
            read = reader.extract(document, self.now, self.fields)
            record = confident(read if self.stated else displayed(read), self.min_confidence)
            body = read_body(document, record) if self.with_body else None
            row = row_of(record, explain=self.explain)
            if self.parts:
                pages = story_pages(document, read, self.extraction_map)
                row["parts"] = [url for url in pages.parts if url != pages.guessed]
            if self.dated and document.fetched_at is not None:
                row["fetched_at"] = document.fetched_at
            line = self.encode(row, body)
            counted = page_count(record) if self.count else None
            return Line(line, template=record.template or unmapped, via=record.via, counted=counted)

        return lambda place: work_on(place, self.limits, read, self._failed)

    def reader(self) -> Extractor | MapReader | PageReader:
        """Return what reads the pages."""
        if self.extraction_map is not None:
            skipped = frozenset[str]() if self.stated else stating_rules(self.extraction_map)
            if self.tagger == ONLY_MAP:
                return Extractor(self.extraction_map, skipped)
            return MapReader(self.extraction_map, skipped=skipped)
        return reader_by(self.tagger, self.domain)

    @property
    def page_seconds(self) -> float:
        """How long a worker may be silent before its page counts as hanging."""
        return self.limits.page_seconds + (LOADING_SECONDS if self._is_slow else 0.0)

    @property
    def _is_slow(self) -> bool:
        return self.extraction_map is None and self.tagger not in TAGGERS

    def weigh(self, task: Place) -> int:
        """Return the size of a page; one that takes seconds fills a batch, so that it has its time for itself."""
        return BATCH_BYTES if self._is_slow else task.size

    def fail(self, task: Place, error: PageError) -> Line:
        """Return the line of a page that killed its worker or ran out of time."""
        return self._failed(failure_of(task, error))

    def _failed(self, failure: Failure) -> Line:
        counted = failure if self.count else None
        return Line(self.encode(failure_row(failure)), failure.code, counted=counted, detail=told(failure))
