"""Pages in, the lists of each out, in the order of the pages."""

from collections.abc import Iterator, Sequence
from itertools import islice

from sitewright.actions.inputs import Inputs
from sitewright.fetch import Fetcher
from sitewright.processes.lists import ListsJob, ListsOutcome
from sitewright.processes.pool import Pool
from sitewright.types import Limits


class ListFinder:
    """Finds the lists of pages of a domain; the fetcher stays the caller's to close."""

    def __init__(
        self, sources: Sequence[str], fetcher: Fetcher, domain: str, limits: Limits, limit: int | None = None
    ) -> None:
        """Open all files; fetch nothing yet."""
        self.sources = Inputs(sources, fetcher, limit)
        self._job, self._limit = ListsJob(domain=domain, limits=limits), limit

    def run(self, jobs: int) -> Iterator[ListsOutcome]:
        """Yield the lists of each page, or why there are none."""
        pool = Pool(self._job, jobs, self._job.limits.page_seconds)
        yield from pool.run(islice(self.sources.places(), self._limit))
