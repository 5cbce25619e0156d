"""Files of clicks in, tables of what readers opened out; what does not count is counted."""

from collections.abc import Sequence
from dataclasses import dataclass

from sitewright.engines.engine import Columns, Engine
from sitewright.errors import InputError
from sitewright.recommend.statements import statement
from sitewright.recommend.typed import typed_columns

_A_DAY = 86_400
_USUAL_DAY = 20_000
"""Clicks of a day of a portal, at least: for it the half-lives are right; where a log has fewer, they are longer."""

_AHEAD = _A_DAY
"""Clicks so much later than nearly all others have a clock that is ahead; globo has 40 of them, up to a month later."""


@dataclass(frozen=True, slots=True)
class Faults:
    """How many clicks were left out, and why."""

    rows: int
    incomplete: int
    later: int
    repeated: int
    by_robots: int
    beyond_bounds: int


@dataclass(frozen=True, slots=True)
class ClickLog:
    """The clicks up to a moment, in tables; `pace` says how much slower than a portal's day they come."""

    at: int
    pace: float
    faults: Faults


def load_clicks(engine: Engine, places: Sequence[str], at: int | None = None) -> ClickLog:
    """Make the tables `clicks`, `reads` and `visits` of files."""
    columns = engine.read(places)
    engine.make("typed", f"select {typed_columns(columns, engine.quote)} from log")
    moment = _last_moment(engine) if at is None else at
    pace = pace_at(engine, moment)
    return count_reads(engine, moment, pace)


def begin_clicks(engine: Engine) -> None:
    """Make the table of clicks, without any."""
    nothing = {"reader": "string", "item": "string", "time": "bigint", "viewed": "double", "total": "double"}
    kinds = nothing | {"published": "double"}
    named = ", ".join(f"cast(null as {kind}) as {name}" for name, kind in kinds.items())
    engine.make("typed", f"select {named} where 1 = 0")


def add_clicks(engine: Engine, fresh: Columns, since: int) -> None:
    """Add clicks (reader, item, time) to the table, once each, and leave out those before a moment."""
    engine.put("fresh", fresh)
    missing = "cast(null as double) as viewed, cast(null as double) as total, cast(null as double) as published"
    known = f"select * from typed where time >= {since}"
    engine.make("typed", f"{known} union select reader, item, time, {missing} from fresh")


def count_reads(engine: Engine, at: int, pace: float) -> ClickLog:
    """Make the tables of all clicks before a moment."""
    engine.make("clicks", statement("clicks", at=at))
    for name in ("reader_names", "item_names", "reads", "robots"):
        engine.make(name, statement(name))
    engine.make("visits", statement("visits", at=at, pace=pace))
    return ClickLog(at, pace, _faults(engine, at))


def _last_moment(engine: Engine) -> int:
    """Return the moment after the last click whose clock can be right."""
    [(last, usual)] = engine.rows("select max(time), percentile_cont(0.999) within group (order by time) from typed")
    if last is None:
        raise InputError("there is no click with a time in these files")
    return int(min(last, usual + _AHEAD)) + 1


def pace_at(engine: Engine, at: int) -> float:
    """Return how many times a usual day the newest clicks took that a usual day has."""
    [(first, count)] = engine.rows(
        "select min(time), count(*) from "
        f"(select time from typed where time < {at} and time >= 0 order by time desc limit {_USUAL_DAY})"
    )
    if not count:
        raise InputError("there is no click before the moment that is asked for; give an earlier file, or a later --at")
    return float(round(max(1.0, (at - first) / _A_DAY * _USUAL_DAY / count), 3))


def _faults(engine: Engine, at: int) -> Faults:
    [(rows, incomplete, later)] = engine.rows(
        "select count(*), count(case when reader is null or item is null or time is null or time < 0 then 1 end), "
        f"count(case when time >= {at} then 1 end) from typed"
    )
    [(clicks,)] = engine.rows("select count(*) from clicks")
    [(reads, by_robots)] = engine.rows(
        "select count(*), count(b.reader) from reads r left join robots b on b.reader = r.reader"
    )
    [(visits,)] = engine.rows("select count(*) from visits")
    return Faults(rows, incomplete, later, clicks - reads, by_robots, reads - by_robots - visits)
