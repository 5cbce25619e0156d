"""Stored pages in, one output line a page out; the one place where an error becomes a Failure."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from sitewright.errors import PageError, SitewrightError
from sitewright.extract import Extractor
from sitewright.fetch import Place
from sitewright.parse import parse
from sitewright.store import failure_row, json_of, row_of
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Failure, Limits


class Line(NamedTuple):  # a tuple, because these travel between processes and pickle twice as fast
    """A finished output line (JSON, without its line break), and the code of the failure it tells of, if any."""

    json: bytes
    failure: str = ""
    template: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractJob:
    """Reads pages with a map, or without one each page by itself."""

    extraction_map: ExtractionMap | None = None
    limits: Limits = field(default_factory=Limits)
    fields: frozenset[str] = frozenset()
    explain: bool = False
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def start(self) -> Callable[[Place], Line]:
        """Compile the map and return the function that reads one page."""
        reader = PageReader() if self.extraction_map is None else Extractor(self.extraction_map)
        unmapped = "page" if self.extraction_map is None else ""

        def read(place: Place) -> Line:
            url, stage = place.name, "fetch"
            try:
                page = place.load()
                url, stage = page.url or url, "parse"
                document = parse(page, self.limits)
                stage = "extract"
                record = reader.extract(document, self.now, self.fields)
                return Line(json_of(row_of(record, explain=self.explain)), template=record.template or unmapped)
            except SitewrightError as error:
                return _failed(Failure(url, stage, error.code, str(error)))
            except Exception as error:  # noqa: BLE001 -- the worker's last resort: this page fails, the run goes on
                return _failed(Failure(url, stage, "internal_error", f"{type(error).__name__}: {error}"))

        return read

    def weigh(self, task: Place) -> int:
        """Return the size of a page."""
        return task.size

    def fail(self, task: Place, error: PageError) -> Line:
        """Return the line of a page that killed its worker or ran out of time."""
        return _failed(Failure(_url_of(task), "extract", error.code, str(error)))


def _failed(failure: Failure) -> Line:
    return Line(json_of(failure_row(failure)), failure.code)


def _url_of(place: Place) -> str:
    """Return the URL of a page that could not be worked on; reading the line again is safe, parsing it was not."""
    try:
        return place.load().url or place.name
    except SitewrightError:
        return place.name
