"""What people want to be told of in the database, and what is still to be told: each thing once, until it is had."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import Engine, Select, delete, func, or_, select, update

from sitewright.store import turns
from sitewright.store.engine import reading, writing
from sitewright.store.schema import alerts, notices, records
from sitewright.store.statements import insert_into
from sitewright.store.states import JsonRow

AlertKind = Literal["search", "cheaper", "available", "incident", "digest"]
"""New records of a search, a price below a value, back in stock, an incident, what a day brought."""
AlertWay = Literal["mail", "webhook", "feed"]
NoticeState = Literal["waiting", "told", "refused"]
"""Refused: whoever is told did hear it several times, and does not want it."""
REFUSALS = 5
"""So often a notice is offered that is refused; one that nobody can read must not stand in the way for ever."""
_FIRST_PAUSE, _LONGEST_PAUSE = timedelta(minutes=1), timedelta(hours=6)
_KEPT = 1_000
"""Notices of an alert that are remembered once they are told."""
_TURN = "alerts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Alert:
    """What somebody wants to be told of, and how."""

    account: str
    kind: AlertKind
    label: str
    way: AlertWay
    made_at: datetime
    about: JsonRow = field(default_factory=dict)
    """A search: its `query`; of an item: `site`, `id` and, where it is to be cheaper, `amount` and `currency`; of
    incidents: `site`, or nothing; of digests: the `hour`."""
    target: str = ""
    """An address of mail, or of a webhook; empty: a feed has none."""
    secret: str = field(default="", repr=False)
    """What webhooks are signed by, and what whoever asks for the feed has to know."""
    begun: int = 0
    """The number of the newest record when it was made; told of are later ones."""
    reached: int = 0
    tries: int = 0
    """How often in a row it could not be delivered."""
    next_at: datetime | None = None
    """When it is tried again; None: at once."""
    trouble: str = ""
    """Why it could not be delivered, beginning with a code."""
    number: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """A thing that an alert has to tell, or has told."""

    alert: int
    name: str
    """What it is called to whoever is told: the same, however often it is sent."""
    key: str
    """By which it is known to have been told."""
    at: datetime
    about: JsonRow
    state: NoticeState = "waiting"
    tries: int = 0
    told_at: datetime | None = None
    trouble: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class AlertCounts:
    """How many notices of an alert wait, were told and were refused, and when the last was told."""

    waiting: int = 0
    told: int = 0
    refused: int = 0
    last: datetime | None = None


_NONE: tuple[int, datetime | None] = (0, None)


class Alerts:
    """The alerts of a store; every method is one transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        """Keep the engine of a store; see `Store.alerts`."""
        self._engine = engine
        self._clock = clock

    # What people want to be told of

    def put(self, wanted: Alert) -> Alert:
        """Add an alert; it tells of records that are stored from now on."""
        names = ("account", "kind", "label", "about", "way", "target", "secret")
        row = {name: getattr(wanted, name) for name in names} | {"made_at": self._clock(), "tries": 0, "trouble": ""}
        with writing(self._engine) as connection:
            newest = int(connection.execute(select(func.coalesce(func.max(records.c.number), 0))).scalar_one())
            made = insert_into(connection, alerts).values(row | {"begun": newest, "reached": newest})
            number = connection.execute(made.returning(alerts.c.number)).scalar_one()
            found = connection.execute(select(alerts).where(alerts.c.number == number)).mappings().one()
            return Alert(**found)

    def every(self, account: str | None = None) -> list[Alert]:
        """Return the alerts of an account (None: of all), the newest first."""
        query = select(alerts).order_by(alerts.c.number.desc())
        with reading(self._engine) as connection:
            chosen = query if account is None else query.where(alerts.c.account == account)
            return [Alert(**row) for row in connection.execute(chosen).mappings()]

    def find(self, number: int) -> Alert | None:
        """Return the alert of a number; None where there is none."""
        with reading(self._engine) as connection:
            row = connection.execute(select(alerts).where(alerts.c.number == number)).mappings().first()
            return Alert(**row) if row is not None else None

    def forget(self, number: int) -> bool:
        """Remove an alert with what it has to tell; False where there is none of the number."""
        with writing(self._engine) as connection:
            return connection.execute(delete(alerts).where(alerts.c.number == number)).rowcount > 0

    # What is to be told

    def keep(self, alert: Alert, found: Mapping[str, JsonRow], reached: int | None = None) -> int:
        """Keep what is to be told, by key, and how far was looked; return how much of it is new.

        What feeds tell is told with that: whoever wants it comes for it.
        """
        now = self._clock()
        is_told = alert.way == "feed"
        state = {
            "state": "told" if is_told else "waiting",
            "told_at": now if is_told else None,
            "tries": 0,
            "trouble": "",
        }
        rows = [
            {"alert": alert.number, "name": uuid4().hex, "key": key, "at": now, "about": about} | state
            for key, about in found.items()
        ]
        with writing(self._engine) as connection:
            there = select(alerts.c.number).where(alerts.c.number == alert.number)
            if connection.execute(there.with_for_update()).first() is None:
                return 0
            adding = insert_into(connection, notices).on_conflict_do_nothing()
            kept = [connection.execute(adding.values(row)) for row in rows]
            if reached is not None:
                connection.execute(update(alerts).where(alerts.c.number == alert.number).values(reached=reached))
            return sum(one.rowcount for one in kept)

    def known(self, alert: int, keys: Collection[str]) -> set[str]:
        """Return those of the keys that an alert has told, or has to tell."""
        query = select(notices.c.key).where(notices.c.alert == alert, notices.c.key.in_(keys))
        with reading(self._engine) as connection:
            return set(connection.execute(query).scalars())

    def due(self) -> list[Alert]:
        """Return the alerts that have something to tell which may be tried now."""
        some = select(notices.c.alert).where(notices.c.state == "waiting").distinct()
        may = or_(alerts.c.next_at.is_(None), alerts.c.next_at <= self._clock())
        with reading(self._engine) as connection:
            rows = connection.execute(select(alerts).where(alerts.c.number.in_(some), may).order_by(alerts.c.number))
            return [Alert(**row) for row in rows.mappings()]

    def waiting(self, alert: int, limit: int) -> list[Notice]:
        """Return what an alert has to tell, the oldest first."""
        return self._notices(select(notices).where(notices.c.alert == alert, notices.c.state == "waiting"), limit)

    def newest(self, alert: int, limit: int) -> list[Notice]:
        """Return what an alert has told, or has to tell, the newest first."""
        own = select(notices).where(notices.c.alert == alert).order_by(notices.c.number.desc())
        with reading(self._engine) as connection:
            return [Notice(**row) for row in connection.execute(own.limit(limit)).mappings()]

    def _notices(self, query: Select[Any], limit: int) -> list[Notice]:
        with reading(self._engine) as connection:
            rows = connection.execute(query.order_by(notices.c.number).limit(limit)).mappings()
            return [Notice(**row) for row in rows]

    def counts(self, numbers: Collection[int]) -> dict[int, AlertCounts]:
        """Return how many notices of alerts are in which state."""
        query = (
            select(notices.c.alert, notices.c.state, func.count(), func.max(notices.c.told_at))
            .where(notices.c.alert.in_(numbers))
            .group_by(notices.c.alert, notices.c.state)
        )
        by_alert: dict[int, dict[str, tuple[int, datetime | None]]] = {}
        with reading(self._engine) as connection:
            for number, state, count, last in connection.execute(query):
                by_alert.setdefault(number, {})[state] = (count, last)
        return {
            number: AlertCounts(
                waiting=states.get("waiting", _NONE)[0],
                told=states.get("told", _NONE)[0],
                refused=states.get("refused", _NONE)[0],
                last=states.get("told", _NONE)[1],
            )
            for number, states in by_alert.items()
        }

    # How it went

    def told(self, alert: int, numbers: Sequence[int]) -> None:
        """Note that somebody has these; what an alert told long ago is dropped."""
        done = {"state": "told", "told_at": self._clock(), "trouble": ""}
        with writing(self._engine) as connection:
            connection.execute(update(notices).where(notices.c.number.in_(numbers)).values(done))
            well = {"tries": 0, "next_at": None, "trouble": ""}
            connection.execute(update(alerts).where(alerts.c.number == alert).values(well))
            own = (notices.c.alert == alert, notices.c.state != "waiting")
            old = select(notices.c.number).where(*own).order_by(notices.c.number.desc()).offset(_KEPT)
            connection.execute(delete(notices).where(notices.c.number.in_(old.limit(_KEPT))))

    def failed(self, alert: Alert, trouble: str, *, refused: int | None = None) -> None:
        """Note that nobody could be told, and why: it is tried again, later and later.

        `refused` is the number of the notice that was heard and not wanted; offered often enough, it is left out.
        """
        now, pause = self._clock(), pause_after(alert.tries)
        with writing(self._engine) as connection:
            row = {"tries": alert.tries + 1, "next_at": now + pause, "trouble": trouble}
            connection.execute(update(alerts).where(alerts.c.number == alert.number).values(row))
            if refused is not None:
                own = notices.c.number == refused
                more = {"tries": notices.c.tries + 1, "trouble": trouble}
                connection.execute(update(notices).where(own).values(more))
                connection.execute(update(notices).where(own, notices.c.tries >= REFUSALS).values(state="refused"))

    def try_now(self, alert: int) -> None:
        """Have what waits be tried at once, and once more what was refused."""
        with writing(self._engine) as connection:
            connection.execute(update(alerts).where(alerts.c.number == alert).values(next_at=None))
            again = update(notices).where(notices.c.alert == alert, notices.c.state == "refused")
            connection.execute(again.values(state="waiting", tries=0))

    # Who tells

    def take_turn(self, owner: str, *, seconds: float) -> bool:
        """Tell whether an owner may look and deliver now; nobody else does so until it is done, or time is up."""
        now = self._clock()
        with writing(self._engine) as connection:
            return turns.take(connection, _TURN, owner, (now, now + timedelta(seconds=seconds)))

    def finish_turn(self, owner: str) -> None:
        """Let others look and deliver."""
        with writing(self._engine) as connection:
            turns.finish(connection, _TURN, owner, self._clock())


def pause_after(tries: int) -> timedelta:
    """Return how long to wait after so many failures before this one.

    >>> [str(pause_after(tries)) for tries in (0, 1, 5, 20)]
    ['0:01:00', '0:02:00', '0:32:00', '6:00:00']
    """
    return min(_FIRST_PAUSE * (1 << min(tries, 20)), _LONGEST_PAUSE)
