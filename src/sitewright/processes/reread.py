"""Stored pages in, their records as a map reads them now out: the pages are fetched from the archive by the workers."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from sitewright.errors import PageError, StoreError
from sitewright.processes.places import StoredPlace
from sitewright.processes.work import failure_from
from sitewright.reading.designs import Design
from sitewright.reading.item import read_page
from sitewright.reading.mapped import Doubt
from sitewright.types import ExtractionMap, Failure, Limits, Page, Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """What a stored page gives now: its record, or why there is none; and the page, without its body."""

    page: Page
    record: Record | None = None
    is_clear: bool = False
    """Whether the map that read it fits the page clearly better than those of other designs do."""
    failure: Failure | None = None
    is_lost: bool = False
    """The page is gone or damaged, so that nobody can read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadJob:
    """Reads pages of an archive once more, as a collector does."""

    extraction_map: ExtractionMap
    limits: Limits = field(default_factory=Limits)
    doubts: frozenset[Doubt] = frozenset()
    """Fields whose rules are not believed at present, so that the tagger reads them."""
    former: tuple[Design, ...] = ()
    """Maps of former designs, which read the pages that they were made for."""

    def start(self) -> Callable[[StoredPlace], Reread]:
        """Return the function that reads one page."""
        return self._read

    def weigh(self, task: StoredPlace) -> int:
        """Return the size of a page in the archive, where it has about a fifth of its own."""
        return 5 * task.location.length

    def fail(self, task: StoredPlace, error: PageError) -> Reread:
        """Return the outcome of a page that killed its worker or ran out of time."""
        return _failed(Page(url=task.url, body=b""), error)

    def _read(self, task: StoredPlace) -> Reread:
        page = Page(url=task.url, body=b"")
        try:
            loaded = task.load()
            page = replace(loaded, body=b"", headers={})
            reading = read_page(self.limits, loaded, self.extraction_map, self.doubts, self.former)
            return Reread(page=page, record=reading.record, is_clear=reading.is_clear)
        except Exception as error:  # noqa: BLE001 -- the worker's last resort: this page fails, the run goes on
            return _failed(page, error)


def _failed(page: Page, error: Exception) -> Reread:
    failure = failure_from(error, page.url, "extract")
    return Reread(page=page, failure=failure, is_lost=isinstance(error, StoreError))
