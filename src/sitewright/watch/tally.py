"""What happened in a run in, how much of it there was of each site out."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

from sitewright.watch.events import Event

_OPENED = frozenset(("open", "waiting", "healing"))


@dataclass(slots=True)
class SiteTally:
    """What there was of one site."""

    new: int = 0
    updated: int = 0
    failed: int = 0
    incidents: int = 0
    """Opened in this run."""
    seconds: float = 0.0
    """For how long it was worked on."""
    pages: int = 0
    """Pages of items that were taken on, whatever became of them."""


class Tally:
    """Counts; it may be told of events from any thread."""

    def __init__(self, most_pages: int | None = None) -> None:
        """Count; of each site so many pages may be taken on (None: any number)."""
        self._most_pages = most_pages
        self._lock = Lock()
        self._sites: dict[str, SiteTally] = defaultdict(SiteTally)

    def hear(self, events: Sequence[Event]) -> None:
        """Count events."""
        with self._lock:
            for event in events:
                self._count(self._sites[event.site], event)

    def _count(self, tally: SiteTally, event: Event) -> None:
        tally.new += (event.what, event.change) == ("record", "new")
        tally.updated += (event.what, event.change) == ("record", "updated")
        tally.failed += event.what == "failure"
        tally.incidents += event.what == "incident" and event.change in _OPENED

    def spend(self, site: str, seconds: float) -> None:
        """Count the time of a visit."""
        with self._lock:
            self._sites[site].seconds += seconds

    def take(self, site: str, pages: int) -> None:
        """Count pages that are taken on."""
        with self._lock:
            self._sites[site].pages += pages

    def room(self, site: str) -> int | None:
        """Return how many more pages of a site may be taken on; None: any number.

        >>> tally = Tally(most_pages=3)
        >>> tally.take("example.com", 2)
        >>> tally.room("example.com"), tally.room("example.org"), Tally().room("example.com")
        (1, 3, None)
        """
        return None if self._most_pages is None else max(0, self._most_pages - self._sites[site].pages)

    def of(self, sites: Iterable[str]) -> dict[str, SiteTally]:
        """Return the counts of sites, also of those where nothing happened."""
        return {site: self._sites[site] for site in sites}
