"""Living papers on loopback, a clock that can be set, and a collector beside them."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.servers import SiteServer

from sitewright.demo import ServedPaper
from sitewright.maps import parse_map
from sitewright.parse.sites import site_name
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery, StoredRecord, WatchedPage
from sitewright.types import Failure, FetchSettings, Limits
from sitewright.watch.clock import Clock
from sitewright.watch.collector import CollectorOptions, open_collector, say_nothing
from sitewright.watch.timing.periods import Timing
from sitewright.watch.tools import Say

PATIENCE = 300.0
"""How many seconds are waited for what has to happen, on a machine that is busy with other things."""


class TownClock(Clock):
    """Stands at a moment until it is moved, or set to run."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start=start)
        self._stands: datetime | None = start

    def now(self) -> datetime:
        return self._stands or super().now()

    def move(self, **span: float) -> None:
        self._stands = self.now() + timedelta(**span)

    def run(self, speed: float) -> None:
        super().__init__(speed=speed, start=self.now())
        self._stands = None

    def jump(self, **span: float) -> None:
        """Go on from a later time."""
        super().__init__(speed=self.speed, start=self.now() + timedelta(**span))

    def stop(self) -> None:
        self._stands = self.now()


@dataclass
class Newsroom:
    """A store, an archive, and how to collect into them."""

    folder: Path
    clock: Clock
    hosts: tuple[str, ...]
    timing: Timing = Timing()  # noqa: RUF009 -- frozen
    address: str = ""
    workers: int = 2
    lease_seconds: float = 60.0
    sites_at_once: int = 32
    fetch: FetchSettings | None = None

    @property
    def store(self) -> str:
        return self.address or f"sqlite:///{self.folder}/store.db"

    @property
    def options(self) -> CollectorOptions:
        return CollectorOptions(
            store=self.store,
            pages=str(self.folder / "pages"),
            workers=self.workers,
            lease_seconds=self.lease_seconds,
            sites_at_once=self.sites_at_once,
            fetch=self.fetch or FetchSettings(allow_hosts=self.hosts, pause_seconds=0.0),
            limits=Limits(page_seconds=PATIENCE),
            timing=self.timing,
        )

    def add(self, urls: Iterable[str]) -> None:
        """Put sites into the store of which nothing is known but their front pages."""
        with open_store(self.store, clock=self.clock.now) as store:
            for url in urls:
                store.add_site(site_name(url), url=url)
                store.put_index_pages([WatchedPage(site=site_name(url), url=url)])

    def add_known(self, *sites: SiteServer) -> None:
        """Put sites into the store with their maps and sources."""
        with open_store(self.store, clock=self.clock.now) as store:
            for site in sites:
                store.add_site(site.host, url=site.url)
                entries = parse_map(site.paper.map_text).index
                store.put_index_pages([WatchedPage(site=site.host, url=entry.url) for entry in entries])
                store.save_map(site.paper.map_text, "person")

    def collect_once(self) -> list[str]:
        """Collect until nothing is due; return what was said."""
        said: list[str] = []

        async def work() -> None:
            async with open_collector(self.options, clock=self.clock, say=lambda _, line: said.append(line)) as one:
                await asyncio.wait_for(one.run(once=True), PATIENCE)

        asyncio.run(work())
        return said

    def look_again(self, sites: Iterable[str]) -> None:
        """Have all sources looked at, due or not."""
        with open_store(self.store, clock=self.clock.now) as store:
            for site in sites:
                store.hasten(site)
        self.collect_once()

    def collect_until(self, is_done: Callable[[], bool], say: Say = say_nothing) -> None:
        """Collect until a condition holds."""

        async def work() -> None:
            async with open_collector(self.options, clock=self.clock, say=say) as collector:
                task = asyncio.create_task(collector.run())
                try:
                    await until(is_done, task)
                finally:
                    task.cancel()
                    await asyncio.gather(task, return_exceptions=True)

        asyncio.run(work())

    def records(self, site: str) -> list[StoredRecord]:
        with open_store(self.store) as store:
            return list(store.records(RecordQuery(site=site)))

    def failures(self, site: str) -> list[Failure]:
        with open_store(self.store) as store:
            return [stored.failure for stored in store.failures(site)]

    def is_complete(self, *sites: SiteServer) -> bool:
        """Tell whether all stories have a record."""
        return all(self.story_paths(site) == site.stories for site in sites)

    def story_paths(self, site: SiteServer) -> Counter[str]:
        """Return the path of each record of a site."""
        return Counter(urlsplit(stored.record.urls[0]).path for stored in self.records(site.host))

    def paths(self, served: ServedPaper) -> Counter[str]:
        """Return the path of each record of a paper."""
        found = self.records(site_name(served.base_url))
        return Counter(stored.record.urls[0].removeprefix(served.base_url) for stored in found)


async def until(is_done: Callable[[], bool], task: "asyncio.Task[None] | None" = None) -> None:
    """Wait until a condition holds; an error of the task is raised at once."""
    async with asyncio.timeout(PATIENCE):
        while not is_done():
            if task is not None and task.done():
                task.result()
                raise AssertionError("the collector ended by itself")
            await asyncio.sleep(0.25)
