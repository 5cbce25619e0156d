"""A log and a moment in, figures of each method out: what readers clicked in the hour after, foretold from before."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sitewright.engines.engine import Engine
from sitewright.recommend import paper
from sitewright.recommend.candidates import ask_for, weigh_items
from sitewright.recommend.clicklog import ClickLog, count_reads, pace_at
from sitewright.recommend.factors import lists_by_factors
from sitewright.recommend.figures import Figures, Lists, figures_of
from sitewright.recommend.lists import ListOptions, ranked
from sitewright.recommend.statements import statement

OURS = "sitewright"
_HOUR = 3600
_READERS = 1000
"""Readers that are looked at after a moment, at most; some by their number, which says nothing of them."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A moment, and what the readers that are looked at clicked after it."""

    log: ClickLog
    clicked: Mapping[int, set[int]]
    readers_of: Mapping[int, int]
    length: int

    def figures(self, lists: Lists) -> Figures:
        """Return how good lists are."""
        return figures_of(lists, self.clicked, self.readers_of, self.length)


def trial_at(engine: Engine, at: int, length: int = 10) -> Trial:
    """Make the tables of a moment, and ask for those who clicked after it."""
    log = count_reads(engine, at, pace_at(engine, at))
    weigh_items(engine, log)
    engine.make("later", statement("later", at=at, until=at + int(_HOUR * log.pace)))
    clicked: dict[int, set[int]] = {}
    for reader, item in engine.rows("select reader, item from later order by reader * 7919 % 104729, reader, item"):
        if reader in clicked or len(clicked) < _READERS:
            clicked.setdefault(int(reader), set()).add(int(item))
    ask_for(engine, np.array(sorted(clicked), dtype=np.int64))
    readers_of = {int(item): int(count) for item, count in engine.rows("select item, readers from measures")}
    return Trial(log, clicked, readers_of, length)


def lists_of_all(engine: Engine, trial: Trial) -> Iterator[tuple[str, Lists]]:
    """Yield each method with its lists: ours, then its rivals."""
    beyond = max(trial.clicked, default=0) + 1
    options = ListOptions(length=trial.length)
    names = {name: int(number) for name, number in engine.rows("select name, item from item_names")}
    ours = ((reader, items) for reader, items in ranked(engine, options, 0, beyond) if reader in trial.clicked)
    yield OURS, {reader: [names[item.item] for item in items] for reader, items in ours}
    for name in ("rival_popular", "sessions", "rival_items", "rival_sessions"):
        engine.make(name, statement(name))
    paper.predict(engine, trial.log)
    rivals = {
        "most opened in three hours": "(select reader, item, score from paper_scored where 1 = 0) nothing",
        "the paper's": "paper_scored",
        "nearest items": "rival_items",
        "nearest sessions": "rival_sessions",
    }
    for title, rival in rivals.items():
        rows = engine.rows(statement("rival_lists", rival=rival, length=trial.length))
        yield title, _grouped([row for row in rows if row[0] in trial.clicked])
    yield from lists_by_factors(engine, sorted(trial.clicked), trial.length)


def _grouped(rows: list[tuple[int, int, int]]) -> Lists:
    lists: dict[int, list[int]] = {}
    for reader, item, _ in rows:
        lists.setdefault(int(reader), []).append(int(item))
    return lists
