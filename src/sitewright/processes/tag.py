"""Stored pages in, tagged pages out."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from sitewright.errors import PageError
from sitewright.fetch import Place
from sitewright.parse import Document
from sitewright.processes.pool import BATCH_BYTES
from sitewright.processes.work import failure_of, work_on
from sitewright.reading.learn import Tagged
from sitewright.reading.taggers import reader_by
from sitewright.types import DEFAULT_DOMAIN, Limits


@dataclass(frozen=True, slots=True, kw_only=True)
class TagJob:
    """Tags pages of a domain."""

    domain: str = DEFAULT_DOMAIN
    limits: Limits = field(default_factory=Limits)
    tagger: str = "network"
    now: datetime = field(default_factory=lambda: datetime.now(UTC))

    def start(self) -> Callable[[Place], Tagged]:
        """Load the tagger and return the function that tags one page."""
        reader = reader_by(self.tagger, self.domain)

        def tag(place: Place) -> Tagged:
            def read(document: Document) -> Tagged:
                return Tagged(place, reader.read(document, self.now).tagged)

            return work_on(place, self.limits, read, lambda failure: Tagged(place, None, failure))

        return tag

    def weigh(self, task: Place) -> int:  # noqa: ARG002 -- the interface's
        """Return a batch's worth: a page takes long enough to travel alone."""
        return BATCH_BYTES

    def fail(self, task: Place, error: PageError) -> Tagged:
        """Return the page that killed its worker or ran out of time."""
        return Tagged(task, None, failure_of(task, error))
