"""What readers should see next in the database: a list for each, what follows each record, and who makes them anew."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Engine, delete, select, update

from sitewright.store.engine import reading, writing
from sitewright.store.schema import reader_lists, refreshes, related_items
from sitewright.store.statements import insert_into, one_of, parts, upsert

EVERYBODY = ""
"""The reader whose list is for all of whom nothing is known."""
_LISTS = "lists"


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

    def related(self, numbers: Collection[int]) -> dict[int, list[NextRead]]:
        """Return what readers of some records read next."""
        with reading(self._engine) as connection:
            wanted = one_of(connection, numbers)(related_items.c.record)
            rows = connection.execute(select(related_items.c.record, related_items.c.listed).where(wanted))
            return {row.record: [_read(one) for one in row.listed or ()] for row in rows}

    def put_lists(self, made: Mapping[str, Sequence[NextRead]], made_at: datetime) -> None:
        """Keep the lists of readers, in the place of older ones."""
        rows = [
            {"reader": reader, "made_at": made_at, "listed": [_written(one) for one in items]}
            for reader, items in made.items()
        ]
        with writing(self._engine) as connection:
            for some in parts(rows):
                upsert(connection, reader_lists, ("reader",), list(some))

    def put_related(self, made: Mapping[int, Sequence[NextRead]], made_at: datetime) -> None:
        """Keep what follows each record; what is known of others is gone with it."""
        rows = [
            {"record": record, "made_at": made_at, "listed": [_written(one) for one in items]}
            for record, items in made.items()
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
            row = {"what": _LISTS, "owner": "", "until": now}
            connection.execute(insert_into(connection, refreshes).values(row).on_conflict_do_nothing())
            taken = update(refreshes).where(
                refreshes.c.what == _LISTS, (refreshes.c.until <= now) | (refreshes.c.owner == owner)
            )
            return connection.execute(taken.values(owner=owner, until=now + timedelta(seconds=seconds))).rowcount > 0

    def finish_turn(self, owner: str, *, made_at: datetime | None = None) -> None:
        """Let others make the lists again; with `made_at` they are as of that moment."""
        done = {"until": self._clock()} | ({"made_at": made_at} if made_at is not None else {})
        with writing(self._engine) as connection:
            connection.execute(
                update(refreshes).where(refreshes.c.what == _LISTS, refreshes.c.owner == owner).values(done)
            )

    def made_at(self) -> datetime | None:
        """Return when the lists were made last; None: never."""
        with reading(self._engine) as connection:
            return connection.execute(select(refreshes.c.made_at).where(refreshes.c.what == _LISTS)).scalar()


def _written(one: NextRead) -> list[object]:
    return [one.record, round(one.chance, 6), one.because, int(one.is_new)]


def _read(row: Sequence[object]) -> NextRead:
    record, chance, because, is_new = row
    return NextRead(int(str(record)), float(str(chance)), None if because is None else int(str(because)), bool(is_new))
