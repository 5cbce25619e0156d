"""A site in a real store, and tools that work in this process: a web of made-up pages, readers that work here."""

import asyncio
import sqlite3
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from tests.e2e.newsstand import TownClock
from tests.watch.bulletin import FRONT, MAP, SITE, page_of, record_of

from sitewright.fetch import MemoryWeb
from sitewright.processes.readers import ReadersHere
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected, StoredSite
from sitewright.store.states import SiteState
from sitewright.store.warc import WarcStore
from sitewright.types import Failure, Limits
from sitewright.watch.recorder import Recorder
from sitewright.watch.store_thread import StoreThread
from sitewright.watch.timing.periods import Timing
from sitewright.watch.tools import Tools

P = ParamSpec("P")
T = TypeVar("T")


class WatchedReaders(ReadersHere):
    """Does in this process what others do elsewhere; `broken` names what ends in an error, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[str] = []
        self.broken: dict[str, int] = {}
        """After how many of them it breaks."""

    async def _have(
        self,
        about: Any,
        seconds: float | None,
        work: Callable[Concatenate[Limits, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T | Failure:
        name = work.__name__
        if self.done.count(name) >= self.broken.get(name, 1_000_000):
            raise Crash(name)
        self.done.append(name)
        return await super()._have(about, seconds, work, *arguments, **named)


class Crash(Exception):
    """The process ends here."""


@dataclass
class Workshop:
    """A store with the bulletin in it, its archive, and tools."""

    folder: Path
    clock: TownClock
    store: Store
    archive: WarcStore
    store_thread: StoreThread
    sure: float = 0.9
    web: MemoryWeb = field(default_factory=MemoryWeb)
    readers: WatchedReaders = field(default_factory=WatchedReaders)
    said: list[str] = field(default_factory=list)

    @property
    def tools(self) -> Tools:
        return Tools(
            web=self.web,
            readers=self.readers,
            store_thread=self.store_thread,
            recorder=Recorder(self.store_thread, self.archive),
            clock=self.clock,
            timing=Timing(),
            pages=str(self.folder / "pages"),
            sure=self.sure,
            owner="me",
            say=lambda _, line: self.said.append(line),
        )

    @property
    def site(self) -> StoredSite:
        found = self.store.site(SITE)
        assert found is not None
        return found

    @property
    def state(self) -> SiteState:
        return self.site.state

    @property
    def versions(self) -> list[int]:
        return [stored.version for stored in self.store.map_versions(SITE)]

    def heard(self, beginning: str) -> list[str]:
        return [line for line in self.said if line.startswith(beginning)]

    def collect(
        self, numbers: Iterable[int], at: datetime, design: str = "old", rules: Mapping[str, str] | None = None
    ) -> None:
        """Store stories as a collector does, a minute after the other: the pages, and what the map reads of them."""
        moments = [(number, at + timedelta(minutes=minutes)) for minutes, number in enumerate(numbers)]
        pages = [page_of(number, design, moment) for number, moment in moments]
        records = [record_of(number, moment, rules) for number, moment in moments]
        together = zip(records, pages, self.archive.append_all(pages), strict=True)
        self.store.commit_pages([Collected(record=one, page=page, location=place) for one, page, place in together])

    def execute(self, statement: str, *values: object) -> None:
        """Do what nobody should do to a store."""
        with closing(sqlite3.connect(self.folder / "store.db", isolation_level=None)) as connection:
            connection.execute(statement, values)


@contextmanager
def open_workshop(folder: Path, now: datetime) -> Iterator[Workshop]:
    """Open a store with the bulletin and its map."""
    clock = TownClock(now)
    with (
        open_store(f"sqlite:///{folder}/store.db", clock=clock.now) as store,
        WarcStore(folder / "pages") as archive,
        StoreThread(store) as store_thread,
    ):
        store.add_site(SITE, url=FRONT)
        store.save_map(MAP, "learned")
        yield Workshop(folder, clock, store, archive, store_thread)


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)
