"""What readers did in the database: by pseudonym, each event once, counted where it was left out, gone on request."""

import secrets
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Engine, delete, func, select

from sitewright.store.engine import reading, writing
from sitewright.store.schema import event_counts, reader_events, reader_lists, readers, records, sites
from sitewright.store.statements import insert_into, one_of, parts, upsert

EventKind = Literal["shown", "clicked", "viewed"]
"""A card was seen, a story was opened, pictures of it were viewed."""
ReaderSource = Literal["account", "sent"]
"""Whether a name is that of an account here, or what a program calls a reader of its own."""
FORGOTTEN = "forgotten"
"""The count of events that were removed because their reader is to be forgotten."""
MOST_AN_HOUR: Mapping[EventKind, int] = {"shown": 20_000, "clicked": 1_000, "viewed": 5_000}
"""Events of one reader that are kept within an hour. The keenest reader of globo opened 46 items in an hour, and from
200 on `recommend` takes a reader for a robot; this only keeps robots from filling the disk."""
_HOUR = timedelta(hours=1)
_AT_ONCE = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderEvent:
    """Something that a reader did with a record."""

    event: str
    """What its sender calls it: the same when it is sent again."""
    reader: str
    """A pseudonym."""
    what: EventKind
    record: int
    at: datetime
    shown_in: str = ""
    """In which list the record stood; empty: not known."""
    place: int | None = None
    viewed: int | None = None
    total: int | None = None


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """A click, with its number in the order in which clicks were stored."""

    number: int
    reader: str
    record: int
    at: datetime


@dataclass(frozen=True, slots=True)
class EventDay:
    """How many events a day has, and the number of the newest one."""

    day: date
    count: int
    last: int


class Clicks:
    """What a store knows of what readers did; every method is one transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        """Keep the engine of a store; see `Store.clicks`."""
        self._engine = engine
        self._clock = clock

    # Readers

    def pseudonyms(self, source: ReaderSource, names: Collection[str]) -> dict[str, str]:
        """Return what readers are called here; who is new gets a name that is drawn at random."""
        with reading(self._engine) as connection:
            found = _known(connection, source, names)
        if missing := [name for name in dict.fromkeys(names) if name not in found]:
            now = self._clock()
            rows = [{"id": secrets.token_hex(8), "source": source, "name": one, "made_at": now} for one in missing]
            with writing(self._engine) as connection:
                made = insert_into(connection, readers).on_conflict_do_nothing(index_elements=["source", "name"])
                connection.execute(made, rows)
                found |= _known(connection, source, missing)
        return found

    def pseudonym(self, source: ReaderSource, name: str) -> str | None:
        """Return what a reader is called here; None for one that nothing is known of."""
        with reading(self._engine) as connection:
            return _known(connection, source, [name]).get(name)

    def readers_called(self, name: str) -> list[str]:
        """Return the pseudonyms that a name may mean: that of an account, of a program's reader, or a pseudonym."""
        query = select(readers.c.id).where((readers.c.name == name) | (readers.c.id == name))
        with reading(self._engine) as connection:
            return list(connection.execute(query.order_by(readers.c.id)).scalars())

    def forget(self, reader: str) -> int:
        """Remove a reader with all that they did; return how many events that were."""
        with writing(self._engine) as connection:
            gone = connection.execute(delete(reader_events).where(reader_events.c.reader == reader)).rowcount
            connection.execute(delete(reader_lists).where(reader_lists.c.reader == reader))
            connection.execute(delete(readers).where(readers.c.id == reader))
            self._count(connection, Counter({FORGOTTEN: gone or 1}))
            return gone

    # Events

    def take_in(self, events: Sequence[ReaderEvent], left_out: Mapping[str, int] | None = None) -> Counter[str]:
        """Store events that are new; return how many were `taken`, and how many not for which reason.

        `left_out` are the counts of those that whoever asks has left out before.
        """
        told = Counter(left_out or {})
        with writing(self._engine) as connection:
            there = _there(connection, {one.record for one in events})
            known = _sent_before(connection, events)
            room = _room(connection, {one.reader for one in events}, self._clock() - _HOUR)
            rows = []
            for one in events:
                why = _reason(one, there, known, room)
                told[why] += 1
                known.add((one.event, one.reader))
                if why == "taken":
                    room[one.reader, one.what] -= 1
                    rows.append(self._row(one))
            for some in parts(rows):
                made = insert_into(connection, reader_events)
                connection.execute(made.on_conflict_do_nothing(index_elements=["event", "reader"]), list(some))
            self._count(connection, Counter({why: n for why, n in told.items() if why != "taken"}))
        return told

    def _row(self, one: ReaderEvent) -> dict[str, Any]:
        return {
            "event": one.event,
            "reader": one.reader,
            "what": one.what,
            "record": one.record,
            "at": one.at,
            "received_at": self._clock(),
            "day": one.at.date(),
            "shown_in": one.shown_in,
            "place": one.place,
            "viewed": one.viewed,
            "total": one.total,
        }

    def _count(self, connection: Connection, counts: Counter[str]) -> None:
        day = self._clock().date()
        rows = [{"day": day, "why": why, "count": count} for why, count in counts.items() if count]
        upsert(connection, event_counts, ("day", "why"), rows, changes=(), sums=("count",))

    def left_out(self) -> Counter[str]:
        """Return how many events were left out for which reason, and how many were forgotten, ever."""
        query = select(event_counts.c.why, func.sum(event_counts.c.count)).group_by(event_counts.c.why)
        with reading(self._engine) as connection:
            return Counter({why: int(count) for why, count in connection.execute(query)})

    def after(self, number: int, *, since: datetime, limit: int) -> list[NumberedEvent]:
        """Return clicks that were stored after the one of a number, and happened since a moment, the first ones."""
        query = (
            select(reader_events.c.number, reader_events.c.reader, reader_events.c.record, reader_events.c.at)
            .where(reader_events.c.number > number, reader_events.c.what == "clicked", reader_events.c.at >= since)
            .order_by(reader_events.c.number)
            .limit(limit)
        )
        with reading(self._engine) as connection:
            return [NumberedEvent(*row) for row in connection.execute(query)]

    def last_click(self) -> int:
        """Return the number of the newest click; 0 where there is none."""
        query = select(reader_events.c.number).where(reader_events.c.what == "clicked")
        with reading(self._engine) as connection:
            return connection.execute(query.order_by(reader_events.c.number.desc()).limit(1)).scalar() or 0

    def newest(self, reader: str, *, limit: int) -> list[NumberedEvent]:
        """Return what a reader clicked, the newest first."""
        query = (
            select(reader_events.c.number, reader_events.c.reader, reader_events.c.record, reader_events.c.at)
            .where(reader_events.c.reader == reader, reader_events.c.what == "clicked")
            .order_by(reader_events.c.at.desc())
            .limit(limit)
        )
        with reading(self._engine) as connection:
            return [NumberedEvent(*row) for row in connection.execute(query)]

    # Days

    def days(self) -> list[EventDay]:
        """Return the days of which there are events, the first one first."""
        query = (
            select(reader_events.c.day, func.count(), func.max(reader_events.c.number))
            .group_by(reader_events.c.day)
            .order_by(reader_events.c.day)
        )
        with reading(self._engine) as connection:
            return [EventDay(day, int(count), int(last)) for day, count, last in connection.execute(query)]

    def of_day(self, day: date) -> Iterator[Mapping[str, Any]]:
        """Yield the events of a day with what is known of their records, some thousand at a time."""
        own = [column for column in reader_events.c if column.name not in {"day", "number"}]
        query = (
            select(reader_events.c.number, *own, sites.c.name.label("site"), records.c.id, records.c.shown_at)
            .join_from(reader_events, records, records.c.number == reader_events.c.record, isouter=True)
            .join(sites, sites.c.id == records.c.site_id, isouter=True)
            .where(reader_events.c.day == day)
            .order_by(reader_events.c.number)
            .limit(_AT_ONCE)
        )
        last = 0
        while True:
            with reading(self._engine) as connection:
                found = connection.execute(query.where(reader_events.c.number > last)).mappings()
                rows = [dict(row) for row in found]
            yield from rows
            if len(rows) < _AT_ONCE:
                return
            last = rows[-1]["number"]

    def prune(self, before: date) -> int:
        """Remove the events of days before one; return how many."""
        with writing(self._engine) as connection:
            return connection.execute(delete(reader_events).where(reader_events.c.day < before)).rowcount


def _known(connection: Connection, source: ReaderSource, names: Collection[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for some in parts(list(names)):
        query = select(readers.c.name, readers.c.id).where(readers.c.source == source, readers.c.name.in_(some))
        found |= {row.name: row.id for row in connection.execute(query)}
    return found


def _there(connection: Connection, numbers: Iterable[int]) -> set[int]:
    wanted = one_of(connection, numbers)(records.c.number)
    return set(connection.execute(select(records.c.number).where(wanted)).scalars())


def _sent_before(connection: Connection, events: Sequence[ReaderEvent]) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    for some in parts(list({one.event for one in events})):
        query = select(reader_events.c.event, reader_events.c.reader).where(reader_events.c.event.in_(some))
        found.update((row.event, row.reader) for row in connection.execute(query))
    return found


def _room(connection: Connection, who: Collection[str], since: datetime) -> dict[tuple[str, EventKind], int]:
    """Return how many more events of each kind are kept of readers within the hour."""
    room = {(reader, what): most for reader in who for what, most in MOST_AN_HOUR.items()}
    for some in parts(list(who)):
        query = (
            select(reader_events.c.reader, reader_events.c.what, func.count())
            .where(reader_events.c.reader.in_(some), reader_events.c.at >= since)
            .group_by(reader_events.c.reader, reader_events.c.what)
        )
        for reader, what, count in connection.execute(query):
            room[reader, what] -= count
    return room


def _reason(
    one: ReaderEvent,
    there: Collection[int],
    known: Collection[tuple[str, str]],
    room: Mapping[tuple[str, EventKind], int],
) -> str:
    """Return `taken`, or why an event is left out."""
    if (one.event, one.reader) in known:
        return "repeated"
    if one.record not in there:
        return "unknown_item"
    return "taken" if room[one.reader, one.what] > 0 else "too_many"
