"""Stored pages in, their lists out."""

from collections.abc import Callable
from dataclasses import dataclass, field

from sitewright.errors import PageError
from sitewright.fetch import Place
from sitewright.parse import Document
from sitewright.processes.work import failure_of, work_on
from sitewright.reading.lists import PageLists, read_lists
from sitewright.types import DEFAULT_DOMAIN, Failure, Limits

ListsOutcome = PageLists | Failure


@dataclass(frozen=True, slots=True, kw_only=True)
class ListsJob:
    """Finds the lists of pages."""

    domain: str = DEFAULT_DOMAIN
    limits: Limits = field(default_factory=Limits)

    def start(self) -> Callable[[Place], ListsOutcome]:
        """Return the function that finds the lists of one page."""

        def read(document: Document) -> ListsOutcome:
            return read_lists(document, self.domain)

        def work(place: Place) -> ListsOutcome:
            return work_on(place, self.limits, read, _as_it_is)

        return work

    def weigh(self, task: Place) -> int:
        """Return about how many bytes the page has."""
        return task.size

    def fail(self, task: Place, error: PageError) -> ListsOutcome:
        """Return the page that killed its worker or ran out of time."""
        return failure_of(task, error)


def _as_it_is(failure: Failure) -> ListsOutcome:
    return failure
