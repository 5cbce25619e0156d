"""A newspaper that was collected since the morning, and whose pages a test changes at noon."""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from urllib.parse import urlsplit

from tests.e2e.newsstand import PATIENCE, Newsroom, TownClock
from tests.e2e.servers import Reply, SiteServer

from sitewright.demo import LivingPaper, Truth
from sitewright.demo.designs import CLASSIC, Design
from sitewright.store.database import open_store
from sitewright.store.entries import Incident, RecordQuery, StoredMap, StoredProposal, StoredRecord
from sitewright.watch.collector import open_collector
from sitewright.watch.periods import Timing

EVENING = datetime(2026, 3, 15, 18, 0, tzinfo=UTC)
MORNING = EVENING + timedelta(hours=12)
STEP = timedelta(minutes=15)
TIMING = Timing(minimum=240.0, maximum=540.0, goal=240.0)
"""Every source is looked at in every step."""
FIRST, LATER, HOURS = 60, 200, 18
"""Stories before the morning, and how many more come in how many hours."""


class TickingClock(TownClock):
    """Stands until it is moved, but for a moment a look: no two pages are fetched at the same time."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self._ticks = count(1)

    def now(self) -> datetime:
        return super().now() + timedelta(microseconds=next(self._ticks))


def silent(design: Design) -> Design:
    """Return a design without what readers say: at noon the stories of the morning have more of it than new ones."""
    return replace(design, draw_story=lambda paper, story: design.draw_story(paper, replace(story, comments=())))


class ChangingPaper(SiteServer):
    """A paper with a clock, in a design that a test chooses."""

    def __init__(self, host: str, clock: TownClock, *, seed: int = 1, port: int = 0) -> None:
        self._wanted_port = port
        super().__init__(host, stories=10)
        self.clock = clock
        self.design = silent(CLASSIC)
        self.living = LivingPaper(
            seed,
            base_url=self.url,
            start=EVENING,
            hours=HOURS,
            stories=FIRST + LATER,
            before=FIRST,
            design=lambda _: self.design,
        )

    def server_bind(self) -> None:
        self.server_address = (self.server_address[0], self._wanted_port)
        super().server_bind()

    def good(self, path: str) -> Reply:
        page = self.living.page(urlsplit(path).path, self.clock.now())
        return Reply(page.html, headers={"Content-Type": page.content_type}) if page else Reply("nothing here", 404)

    def is_story(self, path: str) -> bool:
        return urlsplit(path).path in self.published

    @property
    def published(self) -> dict[str, Truth]:
        return self.living.published(self.clock.now())


@dataclass
class Scene:
    """A paper, and what was collected of it."""

    paper: ChangingPaper
    clock: TickingClock
    newsroom: Newsroom
    said: list[str] = field(default_factory=list)

    @property
    def site(self) -> str:
        return self.paper.host

    def collect(self, is_done: Callable[[], bool] = lambda: False, step: timedelta = STEP, **span: float) -> None:
        """Collect step by step for some time, or until a condition holds."""
        end = self.clock.now() + timedelta(**span)

        def hear(_: str, line: str) -> None:
            self.said.append(f"{self.clock.now():%d %H:%M} {line}")

        async def work() -> None:
            async with open_collector(self.newsroom.options, clock=self.clock, say=hear) as collector:
                while self.clock.now() + step <= end + timedelta(seconds=1) and not is_done():
                    self.clock.move(seconds=step.total_seconds())
                    await asyncio.wait_for(collector.run(once=True), PATIENCE)

        asyncio.run(work())
