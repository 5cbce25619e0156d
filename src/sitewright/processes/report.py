"""Stored pages that stream by in, some of them as pages of a report out."""

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from sitewright.errors import PageError
from sitewright.fetch import Place
from sitewright.output.report import ReportPage
from sitewright.parse import Document
from sitewright.processes.extract import ExtractJob
from sitewright.processes.pool import BATCH_BYTES
from sitewright.processes.work import failure_of, work_on
from sitewright.reading.report import page_by_map, page_by_tagger
from sitewright.tag import PageReader
from sitewright.types import Failure

SAMPLE = 24
"""As many pages as a person looks through in some minutes."""
_SEED = 1


@dataclass(slots=True)
class PlaceSample:
    """Some of the things that stream by, each with the same chance, and always the same ones of the same stream."""

    size: int = SAMPLE
    _kept: dict[int, tuple[int, Place]] = field(default_factory=dict)

    def through(self, places: Iterable[Place]) -> Iterator[Place]:
        """Yield all places and keep a sample of them."""
        generator = random.Random(_SEED)  # noqa: S311 -- a sample, not a secret
        for number, place in enumerate(places):
            slot = number if number < self.size else generator.randrange(number + 1)
            if slot < self.size:
                self._kept[slot] = number, place
            yield place

    @property
    def places(self) -> list[Place]:
        """The sample, in the order of the stream."""
        return [place for _, place in sorted(self._kept.values(), key=lambda kept: kept[0])]


@dataclass(frozen=True, slots=True)
class ReportJob:
    """Reads pages the way another job does, and tells where on the page each value stands."""

    job: ExtractJob

    def start(self) -> Callable[[Place], ReportPage]:
        """Set up the reader and return the function that reads one page."""
        reader = self.job.reader()

        def read(document: Document) -> ReportPage:
            if isinstance(reader, PageReader):
                return page_by_tagger(reader, document, self.job.now, self.job.fields)
            return page_by_map(reader, document, self.job.now, self.job.fields)

        return lambda place: work_on(place, self.job.limits, read, _failed)

    def weigh(self, task: Place) -> int:  # noqa: ARG002 -- the interface's
        """Return a batch's worth: each page has its time for itself."""
        return BATCH_BYTES

    def fail(self, task: Place, error: PageError) -> ReportPage:
        """Return the page that killed its worker or ran out of time."""
        return _failed(failure_of(task, error))


def _failed(failure: Failure) -> ReportPage:
    return ReportPage(url=failure.url, failure=failure)
