"""`sitewright demo --heal`: a newspaper that is redesigned twice, watched by a collector that repairs its map."""

import asyncio
import math
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from rich.console import Console

from sitewright.cli.demo.eras import Era, EraReading, reading_of, tell_eras
from sitewright.cli.demo.healed import show
from sitewright.cli.demo.live import START, Shelf, collecting, tell, until_learned
from sitewright.demo import CLASSIC, REBUILT, RENAMED, Design, LivingPaper, ServedPaper, serve_papers
from sitewright.parse.sites import site_name
from sitewright.store.database import Store, open_store
from sitewright.store.entries import RecordQuery, StoredMap
from sitewright.watch.clock import Clock
from sitewright.watch.rereading import wanted_rereading

HOURS = 6.0
"""Of the paper's time, after its map was learned: two for each design."""
SPEED = 300.0
"""Twelve seconds are an hour: a repair, which takes two or three seconds, takes a quarter of an hour. Twenty stories,
as many as the front page has room for, are published in more than one."""
_BEGINS = START + timedelta(hours=4)
"""After the rush in the morning, so that there are about as many stories of each design."""
_SPARE = 6
"""Hours of news beyond those that are wanted: a slow computer takes longer to learn the map."""
_REDESIGNS = (
    (RENAMED, "all its classes and ids have other names, and most of its metadata is gone"),
    (REBUILT, "the same stories in other elements and another order"),
)
_NEWS = re.compile(r": \d+ new$")
_NOTED_SECONDS = 0.25
"""How often new records are looked at; repairs, which change them, take longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What happens, and how fast."""

    seed: int = 1
    hours: float = HOURS
    speed: float = SPEED
    stories_an_hour: int = 18
    before: int = 60
    """Stories that are there at first sight."""
    patience_seconds: float = 60.0
    """How long, beyond its time, a redesign is waited for until the map is repaired: some computers are slow."""


class _Diary:
    """What is noted while a collector works: the designs and since when, and what records held when they were new."""

    def __init__(self) -> None:
        self.eras = [Era(CLASSIC, _BEGINS)]
        self.first: dict[str, EraReading] = {}
        self._seen: datetime | None = None

    def design(self, _: datetime) -> Design:
        """Return the design that the paper has now."""
        return self.eras[-1].design

    def note(self, store: Store, site: str) -> None:
        """Keep what new records hold; what is read once more later does not count."""
        for stored in store.records(RecordQuery(site=site, stored_since=self._seen)):
            self.first.setdefault(stored.id, reading_of(stored.record))
            self._seen = max(self._seen or stored.stored_at, stored.stored_at)


def run(console: Console, folder: Path, plan: Plan) -> None:
    """Watch a paper that is redesigned twice, for some hours of its time, then show what became of its map."""
    clock = Clock(speed=plan.speed, start=_BEGINS)
    shelf = Shelf(folder, "healed")
    shelf.clear()
    diary = _Diary()
    hours = math.ceil(plan.hours) + _SPARE
    stories = plan.before + plan.stories_an_hour * hours
    paper = partial(LivingPaper, plan.seed, start=_BEGINS, hours=hours, stories=stories, before=plan.before)
    with serve_papers([partial(paper, design=diary.design)], clock.now) as (served,):
        console.print(f"[bold]{served.paper.name}[/bold] lives at {served.base_url}")
        console.print(
            f"its clock runs {plan.speed:.0f} times as fast: {3600 / plan.speed:.0f} seconds are an hour\n"
            "it will be redesigned twice, and nobody tells the collector; Ctrl-C ends it sooner\n"
        )
        watch = _Watch(console, served, clock, diary)
        with suppress(KeyboardInterrupt):
            asyncio.run(watch.run(shelf, plan))
        now = clock.now()
    with open_store(shelf.store) as store:
        diary.note(store, site_name(served.base_url))
        show(console, store, shelf, tell_eras(store, shelf, served, diary.eras, diary.first, now))


def _has_new_rules(versions: Sequence[StoredMap], since: datetime) -> bool:
    """Tell whether stories are read by other rules since a moment; links alone may be repaired before them."""
    before = [version for version in versions if version.made_at <= since]
    return bool(before) and versions[-1].parsed().templates != before[-1].parsed().templates


class _Watch:
    """A collector beside a paper that is redesigned; what happens is told."""

    def __init__(self, console: Console, served: ServedPaper, clock: Clock, diary: _Diary) -> None:
        self._console = console
        self._served = served
        self._clock = clock
        self._diary = diary

    async def run(self, shelf: Shelf, plan: Plan) -> None:
        """Have the paper learned, then redesign it after a third and after two thirds of the time."""
        seconds = 3600 * plan.hours / (1 + len(_REDESIGNS)) / plan.speed
        async with collecting([self._served], shelf, self._clock, self._say) as (collector, working):
            noting = asyncio.create_task(self._note(collector.store))
            try:
                await until_learned(collector, [self._served], working)
                await asyncio.wait([working], timeout=seconds)
                for design, about in _REDESIGNS:
                    self._redesign(design, about)
                    await asyncio.wait([working], timeout=seconds)
                    await self._until_repaired(collector.store, working, plan.patience_seconds)
            finally:
                noting.cancel()

    async def _until_repaired(self, store: Store, working: "asyncio.Task[None]", patience: float) -> None:
        """Wait until rules were made since the last redesign, or proposed, and pages were read with them."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not working.done() and not self._is_repaired(store):
                    await asyncio.sleep(_NOTED_SECONDS)

    def _is_repaired(self, store: Store) -> bool:
        since, site = self._diary.eras[-1].since, site_name(self._served.base_url)
        known = store.site(site)
        if known is None or wanted_rereading(known.state) is not None:
            return False
        is_proposed = any(proposal.made_at > since for proposal in store.proposals(site, waiting_only=False))
        return is_proposed or _has_new_rules(store.map_versions(site), since)

    def _redesign(self, design: Design, about: str) -> None:
        now, paper = self._clock.now(), self._served.paper.name
        tell(self._console, now, f"{len(self._diary.first)} stories collected so far")
        self._diary.eras.append(Era(design, now, len(self._served.log)))
        tell(self._console, now, f"{paper} is redesigned: {about}", style="bold magenta")

    async def _note(self, store: Store) -> None:
        while True:
            self._diary.note(store, site_name(self._served.base_url))
            await asyncio.sleep(_NOTED_SECONDS)

    def _say(self, _: str, line: str) -> None:
        if not _NEWS.search(line):
            tell(self._console, self._clock.now(), line)
