"""What readers should see next in the database: a list for each, what records follow others, who makes them anew."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, bindparam, delete, select

from sitewright.store import turns
from sitewright.store.clicks import ReaderSource
from sitewright.store.engine import reading, writing
from sitewright.store.schema import reader_events, reader_lists, readers, refreshes, related_items
from sitewright.store.statements import parts, upsert

EVERYBODY = ""
"""The reader whose list is for all of whom nothing is known."""
_LISTS = "lists"
_CLICKS = 500
"""Of so many of the newest clicks of a reader it is known that they need not be shown again: as `recommend` has it."""


@dataclass(frozen=True, slots=True)
class NextRead:
    """A record that should be seen next: how likely it is to be clicked, and what speaks for it."""

    record: int
    chance: float
    because: int | None = None
    """The record that the reader has read; None: that many read it."""
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class MadeList:
    """What a reader should see next, as of a moment."""

    made_at: datetime
    items: Sequence[NextRead]


@dataclass(frozen=True, slots=True)
class KnownReader:
    """What is known of a reader who asks: what they clicked, the newest first, and the list that was made for them."""

    clicked: Sequence[tuple[int, datetime]] = ()
    made: MadeList | None = None


class NextReads:
    """The lists of a store; every method is one transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        """Keep the engine of a store; see `Store.next_reads`."""
        self._engine = engine
        self._clock = clock

    def lists(self, who: Collection[str]) -> dict[str, MadeList]:
        """Return the lists of readers by pseudonym, where there are any."""
        query = select(reader_lists).where(reader_lists.c.reader.in_(list(who)))
        with reading(self._engine) as connection:
            rows = connection.execute(query)
            return {row.reader: MadeList(row.made_at, [_read(one) for one in row.listed or ()]) for row in rows}

    def known(self, source: ReaderSource, name: str) -> KnownReader:
        """Return what is known of a reader, of clicks the newest; nothing of one who was never heard of."""
        with reading(self._engine) as connection:
            row = connection.execute(_KNOWN, {"source": source, "called": name}).first()
            if row is None:
                return KnownReader()
            clicks = tuple((found.record, found.at) for found in connection.execute(_NEWEST, {"reader": row.id}))
            made = None if row.made_at is None else MadeList(row.made_at, [_read(one) for one in row.listed])
            return KnownReader(clicks, made)

    def follow_ups(self) -> dict[int, dict[int, float]]:
        """Return of records what it speaks for and against others that they were opened."""
        with reading(self._engine) as connection:
            rows = connection.execute(select(related_items.c.record, related_items.c.listed))
            return {row.record: {int(item): float(evidence) for item, evidence in row.listed} for row in rows}

    def put_lists(self, made: Mapping[str, Sequence[NextRead]], made_at: datetime) -> None:
        """Keep the lists of readers, in the place of older ones; not of those who were forgotten meanwhile."""
        rows = [
            {"reader": reader, "made_at": made_at, "listed": [_written(one) for one in items]}
            for reader, items in made.items()
        ]
        with writing(self._engine) as connection:
            for some in parts(rows):
                asked = select(readers.c.id).where(readers.c.id.in_([row["reader"] for row in some]))
                there = {EVERYBODY, *connection.execute(asked).scalars()}
                upsert(connection, reader_lists, ("reader",), [row for row in some if row["reader"] in there])

    def put_follow_ups(self, made: Mapping[int, Mapping[int, float]], made_at: datetime) -> None:
        """Keep what follows records; what is known of others is gone with it."""
        rows = [
            {
                "record": record,
                "made_at": made_at,
                "listed": [[item, round(evidence, 3)] for item, evidence in found.items()],
            }
            for record, found in made.items()
        ]
        with writing(self._engine) as connection:
            connection.execute(delete(related_items))
            for some in parts(rows):
                connection.execute(related_items.insert(), list(some))

    def drop_lists(self, before: datetime) -> int:
        """Remove lists that were made before a moment; return how many."""
        with writing(self._engine) as connection:
            return connection.execute(delete(reader_lists).where(reader_lists.c.made_at < before)).rowcount

    # Who makes them

    def take_turn(self, owner: str, *, seconds: float) -> bool:
        """Tell whether an owner may make the lists now; nobody else does so until it is done, or time is up."""
        now = self._clock()
        with writing(self._engine) as connection:
            return turns.take(connection, _LISTS, owner, (now, now + timedelta(seconds=seconds)))

    def finish_turn(self, owner: str, *, made_at: datetime | None = None) -> None:
        """Let others make the lists again; with `made_at` they are as of that moment."""
        with writing(self._engine) as connection:
            turns.finish(connection, _LISTS, owner, self._clock(), made_at)

    def made_at(self) -> datetime | None:
        """Return when the lists were made last; None: never."""
        with reading(self._engine) as connection:
            return connection.execute(select(refreshes.c.made_at).where(refreshes.c.what == _LISTS)).scalar()


_KNOWN = (
    select(readers.c.id, reader_lists.c.made_at, reader_lists.c.listed)
    .join_from(readers, reader_lists, reader_lists.c.reader == readers.c.id, isouter=True)
    .where(readers.c.source == bindparam("source"), readers.c.name == bindparam("called"))
)
_NEWEST = (
    select(reader_events.c.record, reader_events.c.at)
    .where(reader_events.c.reader == bindparam("reader"), reader_events.c.what == "clicked")
    .order_by(reader_events.c.at.desc(), reader_events.c.number.desc())
    .limit(_CLICKS)
)
"""Asked for with every list: to build a statement takes as long as to run it."""


def _written(one: NextRead) -> list[object]:
    return [one.record, round(one.chance, 6), one.because, int(one.is_new)]


def _read(row: tuple[int, float, int | None, int]) -> NextRead:
    record, chance, because, is_new = row
    return NextRead(record, chance, because, bool(is_new))
