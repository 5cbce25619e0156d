"""A store in, what its readers should see next made anew in it: lists of who was there lately, what follows what."""

import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitewright.actions.background import Background
from sitewright.actions.telling import Tell, nobody
from sitewright.engines.duck import DuckEngine
from sitewright.errors import PageCrashed, PageError, SitewrightError, StoreError
from sitewright.processes.process import WorkerProcess, fresh
from sitewright.recommend.candidates import SOMEBODY_NEW, ask_for, weigh_items
from sitewright.recommend.clicklog import add_clicks, begin_clicks, count_reads, pace_at
from sitewright.recommend.lists import Likely, follow_ups, likely_items
from sitewright.recommend.reasons import is_new
from sitewright.recommend.statements import statement
from sitewright.store.clicks import FORGOTTEN, NumberedEvent
from sitewright.store.database import Store, open_store
from sitewright.store.next_reads import EVERYBODY, NextRead

LENGTH = 60
"""Items of a list: about all candidates of a reader."""
_KEPT = timedelta(days=14)
"""Older clicks are not looked at; `recommend` lets even the slowest of their counts fade within days of a portal."""
_ACTIVE = timedelta(hours=2)
"""Whoever clicked within that time has a list made anew; others get what is read now, and what follows their clicks."""
_MOST_READERS = 5_000
"""Lists made in one turn, of those who clicked last."""
_DROPPED = timedelta(days=1)
"""Lists that old are removed."""
_OVERLAP = 1_000
"""So many numbers back clicks are asked for again: a transaction of PostgreSQL may end after a later one."""
_AT_ONCE = 50_000
_EVERY_SECONDS = 30.0
_SHARE = 9
"""The pause is so many times as long as the work was: a tenth of a core, however many clicks there are."""
_TURN_SECONDS = 1800.0
_THREADS = 1
"""On a machine of two cores, who waits for a page has the other one."""
_NICE = 10
"""Whoever waits for a page comes first."""


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a turn has made."""

    clicks: int
    lists: int
    followed: int


class ListMaker:
    """Makes lists anew as clicks come; what was clicked before stays in memory between turns."""

    def __init__(self, store: Store, owner: str = "") -> None:
        """Keep the store; nothing is read yet. The turn of an `owner` that died is taken up."""
        self._store = store
        self._owner = owner or secrets.token_hex(8)
        self._engine: DuckEngine | None = None
        self._reached = 0
        self._forgotten = 0

    def refresh(self, now: datetime) -> Refreshed | None:
        """Make lists as of now; None where there is no click, or another process makes them."""
        lists = self._store.next_reads
        if not lists.take_turn(self._owner, seconds=_TURN_SECONDS):
            return None
        made = False
        try:
            refreshed = self._refresh(now)
            made = refreshed is not None
            return refreshed
        finally:
            lists.finish_turn(self._owner, made_at=now if made else None)

    def close(self) -> None:
        """Let the clicks go."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def _refresh(self, now: datetime) -> Refreshed | None:
        clicks = self._load(now)
        if not clicks or self._engine is None:
            return None
        engine, lists = self._engine, self._store.next_reads
        at = int(now.timestamp()) + 1
        weigh_items(engine, count_reads(engine, at, pace_at(engine, at)))
        followed = {
            int(item): {int(other): e for other, e in found.items()} for item, found in follow_ups(engine, _THREADS)
        }
        made = dict(_lists(engine, at - int(_ACTIVE.total_seconds())))
        lists.put_lists(made, now)
        lists.put_follow_ups(followed, now)
        lists.drop_lists(now - _DROPPED)
        return Refreshed(clicks, len(made), len(followed))

    def _load(self, now: datetime) -> int:
        """Read the clicks that came since the last turn; return how many are known in all."""
        forgotten = self._now_forgotten()
        if self._engine is None or forgotten != self._forgotten:
            self.close()
            self._engine = DuckEngine(threads=_THREADS)
            begin_clicks(self._engine)
            self._reached, self._forgotten = 0, forgotten
        since = now - _KEPT
        reached = self._store.clicks.last_click()
        after = max(0, self._reached - _OVERLAP)
        while found := self._store.clicks.after(after, since=since, limit=_AT_ONCE):
            add_clicks(self._engine, _columns(found), int(since.timestamp()))
            after = found[-1].number
        self._reached = max(reached, after)
        [(count,)] = self._engine.rows("select count(*) from typed")
        return int(count)

    def _now_forgotten(self) -> int:
        return self._store.clicks.left_out()[FORGOTTEN]


@dataclass(frozen=True, slots=True)
class ListJob:
    """Makes lists of a store in a process of its own: thousands of them beside pages would have these wait."""

    store: str
    owner: str = field(default_factory=lambda: secrets.token_hex(8))
    """Whose turn it is: the same when the process dies and another one begins."""

    def start(self) -> Callable[[datetime], str]:
        """Open the store, and return what makes lists as of a moment, and says what went wrong."""
        if hasattr(os, "nice"):
            os.nice(_NICE)
        maker = ListMaker(open_store(self.store), self.owner)

        def refresh(now: datetime) -> str:
            try:
                maker.refresh(now)
            except SitewrightError as error:
                return str(error)
            return ""

        return refresh

    def weigh(self, task: datetime) -> int:  # noqa: ARG002 -- they come one by one
        return 1

    def fail(self, task: datetime, error: PageError) -> str:  # noqa: ARG002 -- whatever the moment
        return str(error)


class ListUpkeep(Background):
    """Has lists made anew as clicks come, as long as wanted; the process for it begins with the first of them."""

    def __init__(self, store: Store, address: str, tell: Tell = nobody) -> None:
        """Keep the store, and where another process finds it."""
        super().__init__("lists", tell, every=_EVERY_SECONDS)
        self._store = store
        self._job = ListJob(address)
        self._process: WorkerProcess | None = None
        self._done = (0, 0)

    def once(self) -> float:
        """Have lists made where clicks came or were forgotten."""
        began = time.monotonic()
        known = self._store.clicks.last_click(), self._store.clicks.left_out()[FORGOTTEN]
        if known[0] and known != self._done:
            self._turn()
            self._done = known
        return max(_EVERY_SECONDS, _SHARE * (time.monotonic() - began))

    def stop(self, seconds: float | None = None) -> None:
        """End, and the process, too."""
        super().stop(seconds)
        self._end()

    def _turn(self) -> None:
        """Have lists made once."""
        try:
            if self._process is None:
                self._process = fresh(self._job)
                self._process.connection.recv()  # it is ready
            self._process.connection.send([datetime.now(UTC)])
            [said] = self._process.connection.recv()
        except (EOFError, OSError) as error:
            raise PageCrashed(f"the process that makes lists died (exit code {self._end()})") from error
        if said:
            raise StoreError(said)

    def _end(self) -> int | None:
        process, self._process = self._process, None
        return process.kill() if process is not None else None


def _lists(engine: DuckEngine, since: int) -> Iterator[tuple[str, list[NextRead]]]:
    """Yield the lists of those who clicked since a moment, and of whoever is new."""
    active = engine.rows(statement("active", since=since, most=_MOST_READERS))
    names = {SOMEBODY_NEW: EVERYBODY} | {int(number): str(name) for name, number in active}
    beyond = ask_for(engine, np.array(sorted(names.keys() - {SOMEBODY_NEW}), dtype=np.int64))
    for number, items in likely_items(engine, SOMEBODY_NEW, beyond, LENGTH, _THREADS):
        yield names[number], [_next_read(one) for one in items]


def _next_read(one: Likely) -> NextRead:
    because = None if one.because is None else int(one.because)
    return NextRead(int(one.item), one.chance, because, is_new(one.age))


def _columns(found: list[NumberedEvent]) -> dict[str, NDArray[Any]]:
    return {
        "reader": np.array([one.reader for one in found], dtype=object),
        "item": np.array([str(one.record) for one in found], dtype=object),
        "time": np.array([int(one.at.timestamp()) for one in found], dtype=np.int64),
    }
