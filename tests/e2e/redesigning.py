"""A newspaper that was collected through the night, a morning in which a test changes its pages, and a collector."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.e2e.newsstand import PATIENCE, Newsroom, TownClock
from tests.e2e.servers import Reply, SiteServer

from sitewright.demo import LivingPaper, Truth
from sitewright.demo.designs import CLASSIC, Design
from sitewright.store.database import open_store
from sitewright.store.entries import Incident, RecordQuery, StoredMap, StoredProposal, StoredRecord, WatchedPage
from sitewright.types import Rule
from sitewright.watch.collector import open_collector
from sitewright.watch.timing.periods import Timing

EVENING = datetime(2026, 3, 15, 18, 0, tzinfo=UTC)
MORNING = EVENING + timedelta(hours=12)
FIRST, LATER, HOURS = 60, 200, 18
"""Stories before the evening, and how many more come in how many hours: most of them in the morning."""
NIGHTLY, STEP = timedelta(hours=1), timedelta(minutes=15)
TIMING = Timing(minimum=240.0, maximum=540.0, goal=240.0, longest_silence=840.0)
"""Every source is looked at in every step, also where it failed in the last ones."""


def silent(design: Design) -> Design:
    """Return a design without what readers say: old stories have more of it than new ones, so these would differ."""
    return replace(design, draw_story=lambda paper, story: design.draw_story(paper, replace(story, comments=())))


class TickingClock(TownClock):
    """Stands until it is moved, but for a moment a look: no two pages are fetched at the same time."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self._ticks = count(1)

    def now(self) -> datetime:
        return super().now() + timedelta(microseconds=next(self._ticks))


class ChangingPaper(SiteServer):
    """A paper with a clock, in a design that a test chooses."""

    def __init__(self, host: str, clock: TownClock, *, seed: int, port: int = 0) -> None:
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
        return urlsplit(path).path in self.truths

    @property
    def truths(self) -> dict[str, Truth]:
        """What is true of the stories published by now, by their paths."""
        return self.living.published(self.clock.now())

    @property
    def expected(self) -> dict[str, Truth]:
        """Those of them that came while the paper was collected, and are still there."""
        gone = self.living.withdrawn(self.clock.now())
        return {path: truth for path, truth in self.truths.items() if truth.published > EVENING and path not in gone}


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

    # Time

    def collect(self, *, step: timedelta = STEP, is_done: Callable[[], bool] = lambda: False, **span: float) -> None:
        """Collect step by step, for some time or until a condition holds."""

        async def work() -> None:
            async with open_collector(self.newsroom.options, clock=self.clock, say=self._hear) as collector:
                for _ in range(round(timedelta(**span) / step)):
                    self.clock.move(seconds=step.total_seconds())
                    await asyncio.wait_for(collector.run(once=True), PATIENCE)
                    if is_done():
                        break

        asyncio.run(work())

    def collect_until(self, is_done: Callable[[], bool], *, step: timedelta = STEP, **span: float) -> None:
        """Collect until a condition holds, which has to be within some time of the paper's."""
        self.collect(is_done=is_done, step=step, **span)
        assert is_done(), "\n".join(self.said)

    def _hear(self, _: str, line: str) -> None:
        self.said.append(f"{self.clock.now():%H:%M} {line}")

    # What the store holds

    @property
    def incidents(self) -> list[Incident]:
        """All of them, the first one first."""
        with open_store(self.newsroom.store) as store:
            return sorted(store.incidents(self.site, open_only=False), key=lambda incident: incident.number or 0)

    @property
    def open_incidents(self) -> list[Incident]:
        return [incident for incident in self.incidents if incident.is_open]

    @property
    def versions(self) -> list[StoredMap]:
        with open_store(self.newsroom.store) as store:
            return store.map_versions(self.site)

    @property
    def makers(self) -> list[str]:
        """Who made the versions of the map."""
        return [version.made_by for version in self.versions]

    @property
    def proposals(self) -> list[StoredProposal]:
        """Those that wait."""
        with open_store(self.newsroom.store) as store:
            return store.proposals(self.site)

    @property
    def sources(self) -> list[WatchedPage]:
        with open_store(self.newsroom.store) as store:
            return store.index_pages(self.site)

    @property
    def records(self) -> dict[str, StoredRecord]:
        """By path."""
        with open_store(self.newsroom.store) as store:
            return {
                urlsplit(stored.record.urls[0]).path: stored for stored in store.records(RecordQuery(site=self.site))
            }

    def records_of(self, incident: Incident) -> list[StoredRecord]:
        """Return the records of the pages that an incident names."""
        paths = {urlsplit(seen.url).path for seen in incident.affected}
        return [stored for path, stored in self.records.items() if path in paths]

    @property
    def lost(self) -> list[str]:
        """The stories without a record."""
        return sorted(self.paper.expected.keys() - self.records.keys())

    def _collected(self, name: str) -> Iterator[tuple[str, Any, Truth]]:
        """Yield a field of all stories that came while the paper was collected: path, value, and truth."""
        expected = self.paper.expected
        for path, stored in self.records.items():
            if path in expected:
                yield path, value_of(stored, name), expected[path]

    @property
    def wrong_titles(self) -> dict[str, object]:
        return {path: title for path, title, truth in self._collected("title") if title != truth.title}

    @property
    def wrong_days(self) -> dict[str, object]:
        found = self._collected("published")
        return {path: day for path, day, truth in found if str(day)[:10] != f"{truth.published:%Y-%m-%d}"}

    @property
    def wrong_tags(self) -> dict[str, object]:
        return {path: tags for path, tags, truth in self._collected("tags") if sorted(tags or ()) != sorted(truth.tags)}

    @property
    def poor_texts(self) -> dict[str, float]:
        """How much of the words is there where they are hardly those of the story.

        Of live blogs the tagger is in doubt after the first entries, and what is learned from it reads the
        introduction alone: two in five of their words are asked for until it is trained on more of them.
        """
        shares = {path: shared_words(str(text), truth.text) for path, text, truth in self._collected("text")}
        return {path: share for path, share in shares.items() if share < (0.4 if "/live/" in path else 0.8)}

    def rules(self, field_name: str, version: int = -1) -> list[tuple[str, Rule]]:
        """Return the rules of a field in a version of the map, without what is known of them, by template."""
        found = self.versions[version].parsed()
        return [
            (template.name, replace(rule, support=None))
            for template in found.templates
            for rule in template.rules
            if rule.field == field_name
        ]


def begin(known: Path, folder: Path, paper: ChangingPaper, clock: TickingClock) -> Scene:
    """Go on in another folder from what was collected."""
    shutil.copytree(known, folder, dirs_exist_ok=True)
    return Scene(paper, clock, Newsroom(folder, clock, (paper.host,), TIMING))


def noticed_after(incident: Incident) -> int:
    """Return how many affected pages it took to notice."""
    return [seen.at for seen in incident.affected].index(incident.opened_at) + 1


def value_of(stored: StoredRecord, name: str) -> Any:
    value = stored.record.fields.get(name)
    return value.value if value is not None else None


def is_tagged(stored: StoredRecord, name: str) -> bool:
    """Tell whether the tagger read a field."""
    return stored.record.fields[name].rule.startswith("tagger/")


def shared_words(first: str, second: str) -> float:
    one, other = Counter(first.split()), Counter(second.split())
    return 2 * (one & other).total() / (one.total() + other.total())
