"""Addresses of sites in, each learned and collected once in the background out; who watches hears every step."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock, Thread

from sitewright.actions.add_sites import SiteOptions, add_site, front_pages
from sitewright.errors import NotThere, SitewrightError
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery
from sitewright.types import FetchSettings, Limits, StoreSettings
from sitewright.watch.collector import CollectorOptions, open_collector
from sitewright.watch.tally import Tally

_FIRST_PAGES = 40
"""So many pages of a site are collected at once when it is added; the rest is for who watches it."""
_MOST_LINES = 500


@dataclass(frozen=True, slots=True)
class Step:
    """A line about what is done."""

    at: datetime
    line: str


@dataclass(slots=True)
class Learning:
    """A site that is being learned, or was."""

    site: str
    url: str
    steps: list[Step] = field(default_factory=list)
    is_over: bool = False

    def say(self, line: str) -> None:
        """Note a step."""
        if len(self.steps) < _MOST_LINES:
            self.steps.append(Step(datetime.now(UTC), line))


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a site is."""

    steps: Sequence[Step]
    """Those that were not told yet."""
    has_map: bool
    records: int
    is_over: bool
    failure: str = ""
    """Why nothing was learned."""


class Learnings:
    """Learns sites, one after the other a thread; a process has one of it."""

    def __init__(self, store: Store, kept: StoreSettings, fetch: FetchSettings, limits: Limits, jobs: int = 1) -> None:
        self._store = store
        self._options = CollectorOptions(
            store=kept.url, pages=kept.pages, fetch=fetch, limits=limits, workers=jobs, sites_at_once=2
        )
        self._known: dict[str, Learning] = {}
        self._lock = Lock()

    def begin(self, url: str, options: SiteOptions | None = None) -> str:
        """Add the site of an address, and learn it; return its name. One that is being learned goes on."""
        ((name, front),) = front_pages([url]).items()
        with self._lock:
            running = self._known.get(name)
            if running is not None and not running.is_over:
                return name
            learning = self._known[name] = Learning(name, front)
        add_site(self._store, front, options, tell=learning.say)
        self._store.resume_site(name)
        Thread(target=self._learn, args=(learning,), name=f"sitewright-learn-{name}", daemon=True).start()
        return name

    def progress(self, site: str, after: int = 0) -> Progress:
        """Return how far a site is, with the steps behind the first `after`."""
        learning = self._known.get(site)
        steps = learning.steps[after:] if learning is not None else []
        is_over = learning is None or learning.is_over
        if self._store.site(site) is None:
            raise NotThere(f"there is no site {site} in the store")
        has_map = self._store.load_map(site) is not None
        failures = self._store.failures(site) if is_over and not has_map else []
        why = next(
            (f"{one.failure.code}: {one.failure.detail}" for one in failures if one.failure.stage == "learn"), ""
        )
        records = self._store.count_records(RecordQuery(site=site))
        return Progress(steps, has_map, records, is_over, why)

    def _learn(self, learning: Learning) -> None:
        try:
            asyncio.run(self._collect(learning))
        except SitewrightError as error:
            learning.say(f"{error.code}: {error}")
        except Exception as error:  # noqa: BLE001 -- the last resort of a thread: it is told, and the service goes on
            learning.say(f"internal_error: {type(error).__name__}: {error}")
        finally:
            learning.is_over = True

    async def _collect(self, learning: Learning) -> None:
        say: Callable[[str, str], None] = lambda _, line: learning.say(line)  # noqa: E731
        async with open_collector(self._options, say=say, tally=Tally(_FIRST_PAGES)) as collector:
            await collector.run([learning.site], once=True, patience=30.0)
