"""Many records in, their stories out: candidates by index, judged by the model, joined to groups."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sitewright.stories.accounts import account_of, early_words
from sitewright.stories.clusters import Link, stories_of
from sitewright.stories.index import Keys, candidate_pairs, keys_of
from sitewright.stories.model import Judgement, judge
from sitewright.stories.signs import View, view_of

WINDOW = timedelta(days=3)
"""Records that appeared further apart are taken for different stories: weather, matches and quotes of shares come
back in the
same words. A choice, not a measurement: no corpus at hand has both stories and days."""
_TOGETHER = 2000
"""Pairs that are judged in one go."""
_KEPT_VIEWS = 20_000


class Told(NamedTuple):
    """What is compared of a record."""

    title: str
    text: str
    moment: datetime | None = None
    """When it appeared; None: not known, which is within any window."""


@dataclass(slots=True)
class Stories:
    """Which records tell the same."""

    groups: list[list[int]] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    judged: int = 0


class StoryWork(Protocol):
    """Who weighs words and judges pairs: this process, or a cluster."""

    def keys(self, records: Iterable[Told]) -> Iterable[Keys]:
        """Give the keys of records, in their order."""

    def judged(self, pairs: Sequence[tuple[int, int]], again: Callable[[int], Told]) -> Iterable[Judgement]:
        """Give what pairs of records are taken for, in their order."""


class StoriesHere:
    """Does the work in this process."""

    def keys(self, records: Iterable[Told]) -> Iterator[Keys]:
        """Yield the keys of records."""
        return (keys_of(early_words(record.title, record.text)) for record in records)

    def judged(self, pairs: Sequence[tuple[int, int]], again: Callable[[int], Told]) -> Iterator[Judgement]:
        """Yield what pairs of records are taken for."""

        @lru_cache(maxsize=_KEPT_VIEWS)
        def view(number: int) -> View:
            told = again(number)
            return view_of(account_of(told.title, told.text))

        for start in range(0, len(pairs), _TOGETHER):
            yield from judge([(view(one), view(other)) for one, other in pairs[start : start + _TOGETHER]])


def group(
    records: Iterable[Told],
    again: Callable[[int], Told],
    window: timedelta | None = WINDOW,
    work: StoryWork | None = None,
) -> Stories:
    """Group records; those with candidates are asked for `again` by their number, so that not all texts are held."""
    work = work or StoriesHere()
    moments: list[float] = []

    def noted() -> Iterator[Told]:
        for record in records:
            moments.append(record.moment.timestamp() if record.moment else np.nan)
            yield record

    keys = list(work.keys(noted()))
    found = _within(_candidates(keys, np.array(moments)), np.array(moments), window)
    pairs: list[tuple[int, int]] = [(one, other) for one, other in found.tolist()]
    stories, differing = Stories(judged=len(pairs)), []
    for (one, other), said in zip(pairs, work.judged(pairs, again), strict=True):
        if said.same:
            stories.links.append(Link(one, other, said.kind, said.score))
        else:
            differing.append((one, other))
    stories.groups = stories_of(stories.links, differing)
    return stories


def _candidates(keys: list[Keys], moments: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return pairs of records by number; neighbours are looked for in order of time."""
    order = np.argsort(moments, kind="stable")
    if not len(order):
        return np.zeros((0, 2), dtype=np.intp)
    counts = np.array([len(keys[number]) for number in order])
    joined = np.concatenate([keys[number] for number in order])
    owners = np.repeat(np.arange(len(order), dtype=np.uint32), counts)
    pairs: NDArray[np.intp] = np.take(order, candidate_pairs(joined, owners))
    return pairs


def _within(pairs: NDArray[np.intp], moments: NDArray[np.float64], window: timedelta | None) -> NDArray[np.intp]:
    if window is None or not len(pairs):
        return pairs
    apart = np.abs(moments[pairs[:, 0]] - moments[pairs[:, 1]])
    return pairs[~(apart > window.total_seconds())]
