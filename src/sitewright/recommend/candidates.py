"""Tables of what readers opened in, a row of features for each reader and each item that may be recommended out."""

from collections.abc import Mapping, Sequence

import numpy as np

from sitewright.engines.engine import Engine
from sitewright.recommend.clicklog import ClickLog
from sitewright.recommend.statements import names_in, statement

OF_ITEMS = ("measures", "standing", "live", "recent", "recent_totals", "past_totals", "pairs", "lifts", "follows")
"""Tables that are the same for all readers, in the order in which they are made."""

OF_READERS = ("history", "habits", "drawn", "led", "candidates")
"""Tables of some readers."""

FEATURES = tuple(
    """
    p150 p300 p600 p1200 p3600 p10800 p43200 r150 r300 r600 r1200 r3600 r10800 r43200 rise150 rise300 rise600 rise3600
    age since opening by_new_readers by_old_readers last_read
    reads away last_hour last_day mainstream early openings
    lift lift_lately best_lift lift_of_three lift_of_last cosine ties lift_a_read follows follows_last unseen
    """.split()
)
"""What the ranker looks at, in the order of its inputs."""

MANY, _FEW = 45, 35
"""Of what many read so many items are looked at for each reader. Lists of ten are as good with few (globo, eleven
moments, 10,900 readers: precision .1417 with many, .1418 with few), at three quarters of the work; with 24 they are
worse (.1292 for .1311 at three of the moments)."""
_DRAWN = 5 / 9
"""For each of these so many that the reader's own past speaks for."""

SOMEBODY_NEW = 0
"""The number of all readers of whom nothing is known."""


def weigh_items(engine: Engine, log: ClickLog) -> None:
    """Make the tables that are the same for all readers."""
    values = {"at": log.at, "pace": log.pace}
    for name in OF_ITEMS:
        engine.make(name, statement(name, **{key: values[key] for key in names_in(name)}))


def ask_for(engine: Engine, readers: np.ndarray | None) -> int:
    """Make the table `asked` of these readers, or of all; return the number after the last."""
    if readers is None:
        engine.make("asked", f"select reader from reader_names union all select {SOMEBODY_NEW}")
    else:
        engine.put("asked", {"reader": np.append(readers, SOMEBODY_NEW).astype(np.int64)})
    [(last,)] = engine.rows("select max(reader) from asked")
    return int(last) + 1


def enough_for(length: int) -> int:
    """Return how many of the items that many read are to be looked at for lists of a length."""
    return min(MANY, max(_FEW, 2 * length))


def look_at_readers(engine: Engine, first: int, beyond: int, common_items: int = MANY) -> None:
    """Make the tables of the readers that are asked for, of a range of numbers."""
    _make(engine, OF_READERS, {"first": first, "beyond": beyond}, common_items)


def look_at_made_up_readers(engine: Engine) -> None:
    """Make the tables of readers each of whom has just opened one item, and of whoever is new."""
    engine.make("history", statement("made_up_history"))
    engine.make("asked", f"select reader from history union all select {SOMEBODY_NEW}")
    [(first,)] = engine.rows("select min(reader) from asked")
    _make(engine, OF_READERS[1:], {"first": int(first), "beyond": SOMEBODY_NEW + 1}, MANY)


def _make(engine: Engine, names: Sequence[str], bounds: Mapping[str, int], common_items: int) -> None:
    values = {**bounds, "common_items": common_items, "drawn_items": round(_DRAWN * common_items)}
    for name in names:
        engine.make(name, statement(name, **{key: values[key] for key in names_in(name)}))
