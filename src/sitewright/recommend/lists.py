"""Clicks in, a list for each reader out: what to show next, how likely it is to be clicked, and why."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

import numpy as np

from sitewright.recommend.candidates import SOMEBODY_NEW, ask_for, look_at_readers, weigh_items
from sitewright.recommend.clicklog import ClickLog
from sitewright.recommend.engine import Engine
from sitewright.recommend.ranker import score
from sitewright.recommend.reasons import reason_of
from sitewright.recommend.statements import statement

_AT_ONCE = 5_000
"""Readers that are looked at together: with some 60 candidates each, a few hundred MB."""

_SPARE = 3
"""So many times the length of a list is ranked, for what diversity leaves out."""


@dataclass(frozen=True, slots=True)
class Recommended:
    """One item of a list."""

    item: str
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class ReaderList:
    """What one reader should see next, the best first; without a name, whoever is new."""

    reader: str | None
    items: Sequence[Recommended]


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """What is known of an item beside its clicks."""

    story: str | None = None
    section: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ListOptions:
    """For whom, how many, and what is known of the items."""

    length: int = 10
    readers: Sequence[str] | None = None
    facts: Mapping[str, ItemFacts] = field(default_factory=dict)
    tell: Callable[[str], None] = lambda _: None


def reader_lists(engine: Engine, log: ClickLog, options: ListOptions) -> Iterator[ReaderList]:
    """Yield the list of each reader that is asked for, or of all and of whoever is new."""
    weigh_items(engine, log)
    names = _names(engine, options.readers)
    numbers = np.array(sorted(names), dtype=np.int64)
    for first in range(0, len(numbers), _AT_ONCE):
        part = numbers[first : first + _AT_ONCE]
        ask_for(engine, part)
        for number, items in ranked(engine, options, int(part[0]), int(part[-1]) + 1):
            for name in names[number]:
                yield ReaderList(name, items)
        options.tell(f"{min(first + _AT_ONCE, len(numbers)):,} of {len(numbers):,} readers")


def _names(engine: Engine, wanted: Sequence[str] | None) -> dict[int, list[str | None]]:
    """Return who is asked for, by number; all who are new have the same."""
    if wanted is None:
        return {SOMEBODY_NEW: [None]} | {number: [name] for name, number in engine.rows("select * from reader_names")}
    engine.put("wanted_names", {"name": np.array(list(dict.fromkeys(wanted)), dtype=object)})
    found: dict[int, list[str | None]] = {}
    for name, number in engine.rows(statement("wanted")):
        found.setdefault(SOMEBODY_NEW if number is None else int(number), []).append(name)
    return found


def ranked(engine: Engine, options: ListOptions, first: int, beyond: int) -> Iterator[tuple[int, list[Recommended]]]:
    """Yield the numbers of some readers with what they should see."""
    look_at_readers(engine, first, beyond)
    engine.make_scored("scored", statement("features"), score)
    rows = engine.stream(statement("lists", longest=options.length * _SPARE))
    for number, found in groupby(rows, key=itemgetter(0)):
        yield int(number), diverse([_recommended(row, options.facts) for row in found], options)


def _recommended(row: Sequence[object], facts: Mapping[str, ItemFacts]) -> Recommended:
    _, item, chance, because, age, *_ = row
    section = facts[str(item)].section if str(item) in facts else None
    known = None if because is None else str(because)
    return Recommended(str(item), round(float(str(chance)), 6), reason_of(known, float(str(age)), section))


def diverse(items: Sequence[Recommended], options: ListOptions) -> list[Recommended]:
    """Return the best items, one of each story."""
    told: set[str] = set()
    chosen = []
    for item in items:
        story = options.facts[item.item].story if item.item in options.facts else None
        if story is None or story not in told:
            chosen.append(item)
        told |= {story} if story is not None else set()
    return chosen[: options.length]
