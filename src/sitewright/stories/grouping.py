"""Many records in, their stories out: candidates by index, judged by the model, joined to groups."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitewright.stories.accounts import account_of, early_words
from sitewright.stories.clusters import Link, stories_of
from sitewright.stories.index import Keys, candidate_pairs, keys_of
from sitewright.stories.model import judge
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


def group(records: Iterable[Told], again: Callable[[int], Told], window: timedelta | None = WINDOW) -> Stories:
    """Group records; those with candidates are asked for `again` by their number, so that not all texts are held."""
    keys: list[Keys] = []
    moments: list[float] = []
    for record in records:
        keys.append(keys_of(early_words(record.title, record.text)))
        moments.append(record.moment.timestamp() if record.moment else np.nan)
    pairs = _within(_candidates(keys, np.array(moments)), np.array(moments), window)

    @lru_cache(maxsize=_KEPT_VIEWS)
    def view(number: int) -> View:
        told = again(number)
        return view_of(account_of(told.title, told.text))

    stories, differing = Stories(judged=len(pairs)), []
    for start in range(0, len(pairs), _TOGETHER):
        part = pairs[start : start + _TOGETHER].tolist()
        for (one, other), said in zip(part, judge([(view(one), view(other)) for one, other in part]), strict=True):
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
