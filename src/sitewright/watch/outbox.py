"""Events in, the same events out in their order until somebody has them: a small SQLite file that outlives the process.

Who collects only ever writes here, so nobody who listens can make it wait. One process of a folder delivers at a time.
What is about to be written to the store is noted before: of a process that ended before it told of it, whoever delivers
next sees what it was, and looks in the store what became of it.
"""

import fcntl
import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO, Any, Self

from sitewright.errors import OutputError
from sitewright.values.as_json import json_of
from sitewright.watch.events import Event, Foreseen
from sitewright.watch.owners import is_gone, own_name

NAME = "events.sqlite"
MOST = 100_000
"""Events that wait: at 20 kB each, as records with a whole text have, 2 GB."""
_SURELY_OVER = timedelta(hours=1)
"""Nobody writes to the store for so long: of processes elsewhere, or of before this machine began anew, that tells."""
_EVENTS = """
CREATE TABLE IF NOT EXISTS events (
    number INTEGER PRIMARY KEY AUTOINCREMENT, body BLOB NOT NULL, aside INTEGER NOT NULL DEFAULT 0
)"""
_FORESEEN = """
CREATE TABLE IF NOT EXISTS foreseen (
    number INTEGER PRIMARY KEY AUTOINCREMENT, owner TEXT NOT NULL, body BLOB NOT NULL
)"""
Now = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Waiting:
    """An event that waits."""

    number: int
    body: bytes


class Outbox:
    """Events that wait to be delivered; `with` closes it."""

    def __init__(
        self, folder: Path, most: int = MOST, *, owner: str = "", now: Now = lambda: datetime.now(UTC)
    ) -> None:
        """Open the file in a folder, or make it; what was set aside before waits again.

        `owner` is the name of this process, `now` the time by which the store writes.
        """
        self._path = folder / NAME
        self._most = most
        self._owner = owner or own_name()
        self._now = now
        self._lock = Lock()
        self._turn: IO[bytes] | None = None
        self.lost = 0
        """Events that could not be kept: the file is full, or cannot be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=10)
            for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", _EVENTS, _FORESEEN):
                self._connection.execute(statement)
            self._length = self.waiting + self.aside
        except (OSError, sqlite3.Error) as error:
            raise OutputError(f"{self._path} cannot be used to keep events: {error}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock, suppress(sqlite3.Error):
            self._connection.close()
        if self._turn is not None:
            self._turn.close()

    def foresee(self, about: Collection[Foreseen]) -> int:
        """Note what is about to be written; return the number of the note, 0 where there is none."""
        if not about:
            return 0
        now = self._now()
        body = json_of({"about": [(one.site, one.url, one.at or now) for one in about]})
        try:
            note = self._ask("INSERT INTO foreseen (owner, body) VALUES (?, ?) RETURNING number", self._owner, body)
        except sqlite3.Error:
            return 0  # the event itself may still find room
        return int(note[0][0])

    def untold(self) -> tuple[list[int], list[Foreseen]]:
        """Return what processes foresaw that ended before they told of it, and the numbers of their notes."""
        notes = self._ask("SELECT number, owner, body FROM foreseen ORDER BY number")
        others = [(number, owner, list(_read(body))) for number, owner, body in notes if owner != self._owner]
        left = [(number, about) for number, owner, about in others if is_gone(owner) or self._is_old(about)]
        return [number for number, _ in left], _merged(one for _, about in left for one in about)

    def _is_old(self, about: Iterable[Foreseen]) -> bool:
        before = self._now() - _SURELY_OVER
        return all(one.at is not None and one.at < before for one in about)

    def keep(self, events: Sequence[Event], *foreseen: int) -> None:
        """Keep events, and drop notes of what was foreseen; what cannot be kept is counted."""
        if not events and not any(foreseen):
            return
        bodies = [(json_of(event.to_row()),) for event in events]
        with self._lock:
            room = max(0, self._most - self._length)
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT INTO events (body) VALUES (?)", bodies[:room])
                self._connection.executemany("DELETE FROM foreseen WHERE number = ?", [(one,) for one in foreseen])
                self._connection.execute("COMMIT")
            except sqlite3.Error:
                with suppress(sqlite3.Error):
                    self._connection.execute("ROLLBACK")
                room = 0
            self._length += len(bodies[:room])
            self.lost += len(bodies[room:])

    def begin(self) -> bool:
        """Take the turn to deliver; False where another process of this folder has it."""
        if self._turn is None:
            turn = self._path.with_suffix(".lock").open("ab")
            try:
                fcntl.flock(turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                turn.close()
                return False
            self._turn = turn
            self._ask("UPDATE events SET aside = 0")
        return True

    def next(self, limit: int = 100) -> list[Waiting]:
        """Return the events that wait longest."""
        query = "SELECT number, body FROM events WHERE aside = 0 ORDER BY number LIMIT ?"
        return [Waiting(number, body) for number, body in self._ask(query, limit)]

    def delivered(self, number: int) -> None:
        """Forget an event that somebody has."""
        self._ask("DELETE FROM events WHERE number = ?", number)
        self._length -= 1

    def set_aside(self, number: int) -> None:
        """Leave an event for the next run: it stands in the way of others."""
        self._ask("UPDATE events SET aside = 1 WHERE number = ?", number)

    @property
    def waiting(self) -> int:
        """How many events wait."""
        return self._count(0)

    @property
    def aside(self) -> int:
        """How many were set aside."""
        return self._count(1)

    def _count(self, aside: int) -> int:
        return int(self._ask("SELECT count(*) FROM events WHERE aside = ?", aside)[0][0])

    def _ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock, closing(self._connection.execute(query, values)) as found:
            return found.fetchall()


def _read(body: bytes) -> Iterable[Foreseen]:
    return (Foreseen(site, url, datetime.fromisoformat(at)) for site, url, at in json.loads(body)["about"])


def _merged(several: Iterable[Foreseen]) -> list[Foreseen]:
    """Return what was foreseen, each once, from the earliest moment on."""
    earliest: dict[tuple[str, str], Foreseen] = {}
    for one in several:
        known = earliest.setdefault((one.site, one.url), one)
        if one.at is not None and known.at is not None and one.at < known.at:
            earliest[one.site, one.url] = replace(known, at=one.at)
    return list(earliest.values())
