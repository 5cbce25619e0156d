"""Clicks in, a list for each reader out: what to show next, how likely it is to be clicked, and why."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import itemgetter

import numpy as np

from sitewright.engines.engine import Engine
from sitewright.recommend.candidates import (
    SOMEBODY_NEW,
    ask_for,
    enough_for,
    look_at_made_up_readers,
    look_at_readers,
    weigh_items,
)
from sitewright.recommend.clicklog import ClickLog
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
class Likely:
    """An item that a reader may click: how likely, which read item speaks most for it, and how old it is."""

    item: str
    chance: float
    because: str | None
    age: float


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

    @property
    def has_stories(self) -> bool:
        """Whether some items may be left out for others of their story."""
        return any(fact.story is not None for fact in self.facts.values())


def reader_lists(engine: Engine, log: ClickLog, options: ListOptions) -> Iterator[ReaderList]:
    """Yield the list of each reader asked for, or of all and of whoever is new; who read all there is has none."""
    weigh_items(engine, log)
    names = _names(engine, options.readers)
    numbers = np.array(sorted(names), dtype=np.int64)
    for first in range(0, len(numbers), _AT_ONCE):
        part = numbers[first : first + _AT_ONCE]
        ask_for(engine, part)
        found = dict(ranked(engine, options, int(part[0]), int(part[-1]) + 1))
        for number in map(int, part):
            yield from (ReaderList(name, found.get(number, [])) for name in names[number])
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
    longest = options.length * (_SPARE if options.has_stories else 1)
    for number, found in likely_items(engine, first, beyond, longest):
        yield number, diverse([_recommended(one, options.facts) for one in found], options)


def likely_items(
    engine: Engine, first: int, beyond: int, longest: int, threads: int = 0
) -> Iterator[tuple[int, list[Likely]]]:
    """Yield the numbers of some readers with what they are likeliest to click, the likeliest first."""
    look_at_readers(engine, first, beyond, enough_for(longest))
    engine.make_scored("scored", statement("features"), partial(score, threads=threads))
    rows = engine.stream(statement("lists", longest=longest))
    for number, found in groupby(rows, key=itemgetter(0)):
        yield int(number), [_likely(row) for row in found]


def follow_ups(engine: Engine, threads: int = 0) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield items that were read lately, each with what it says for and against others that it was just opened."""
    look_at_made_up_readers(engine)
    engine.make_scored("scored", statement("features"), partial(score, threads=threads))
    for known, rows in groupby(engine.stream(statement("follow_ups")), key=itemgetter(0)):
        yield str(known), {str(item): float(evidence) for _, item, evidence in rows}


def _likely(row: Sequence[object]) -> Likely:
    _, item, chance, because, age, *_ = row
    return Likely(str(item), float(str(chance)), None if because is None else str(because), float(str(age)))


def _recommended(one: Likely, facts: Mapping[str, ItemFacts]) -> Recommended:
    section = facts[one.item].section if one.item in facts else None
    return Recommended(one.item, round(one.chance, 6), reason_of(one.because, one.age, section))


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
