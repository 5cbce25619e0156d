"""Accounts in, those that may tell the same out, without comparing all with all: they share two heavy words."""

from collections import Counter, defaultdict
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sitewright.stories.accounts import Bag
from sitewright.stories.weights import word_weights

HEAVY = 10
"""Words of a text that are combined. Of same pairs that the model knows as such (folds 1 and on) .89 of SemEval, .87 of
Russian headlines and .81 of ECB+ share two of their ten; of eight .84, .81 and .71. Time grows with the square."""
NEIGHBOURS = 5
"""Of all that share two words each is taken with so many that came next: a phrase of thousands tells little."""
CANDIDATES = 12
"""With so many a record is compared, those first with which it shares the most."""
Keys = NDArray[np.uint64]


def keys_of(early: Bag) -> Keys:
    """Return the pairs of a text's heaviest words, as numbers; words said often count more."""
    weights = word_weights(early) * early.counts
    heaviest = np.sort(early.ids[np.argsort(-weights, kind="stable")[:HEAVY]]).astype(np.uint64)
    first, second = _pairs_of(len(heaviest))
    return (heaviest[first] << np.uint64(32)) | heaviest[second]


@cache
def _pairs_of(count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    return np.triu_indices(count, 1)


def candidate_pairs(keys: Keys, owners: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return the pairs of records that share keys, in two columns; records are numbered in order of time."""
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    found = [_packed(keys, owners, step) for step in range(1, NEIGHBOURS + 1)]
    pairs, shared = np.unique(np.concatenate(found), return_counts=True)
    return _most_alike(np.column_stack([pairs >> np.uint64(32), pairs & np.uint64(0xFFFFFFFF)]), shared)


def _packed(keys: Keys, owners: NDArray[np.uint32], step: int) -> Keys:
    places = np.flatnonzero(keys[step:] == keys[:-step])
    return (owners[places].astype(np.uint64) << np.uint64(32)) | owners[places + step]


def _most_alike(pairs: Keys, shared: NDArray[np.intp]) -> NDArray[np.uint32]:
    """Keep of each record the pairs in which it shares the most, as its first and as its second."""
    kept = np.zeros(len(pairs), dtype=bool)
    for side in (0, 1):
        order = np.lexsort((-shared, pairs[:, side]))
        own = pairs[order, side]
        begins = np.flatnonzero(np.concatenate([[True], own[1:] != own[:-1]])) if len(own) else np.zeros(0, np.intp)
        rank = np.arange(len(own)) - np.repeat(begins, np.diff([*begins, len(own)]))
        kept[order[rank < CANDIDATES]] = True
    return pairs[kept].astype(np.uint32)


class StoryIndex:
    """What has been seen by its keys, for records that come one by one; a record is found by what it shares."""

    def __init__(self) -> None:
        self._sorted: list[tuple[Keys, NDArray[np.uint32]]] = []
        """Blocks of sorted keys, each at least twice as large as the next."""
        self._recent: defaultdict[int, list[int]] = defaultdict(list)
        self._waiting: list[tuple[Keys, int]] = []

    def add(self, number: int, keys: Keys) -> None:
        """Keep the keys of a record."""
        for key in keys.tolist():
            self._recent[key].append(number)
        self._waiting.append((keys, number))
        if len(self._waiting) >= _RECENT:
            self._settle()

    def candidates(self, keys: Keys) -> list[int]:
        """Return the records that share keys with one, those first that share the most, and newer ones before older."""
        shared: Counter[int] = Counter()
        for key in keys.tolist():
            shared.update(self._recent.get(key, ())[-_LATEST:])
        for block, owners in self._sorted:
            begins, ends = np.searchsorted(block, keys), np.searchsorted(block, keys, side="right")
            for begin, end in zip(begins, ends, strict=True):
                if begin < end:
                    shared.update(owners[max(begin, end - _LATEST) : end].tolist())
        return sorted(shared, key=lambda number: (-shared[number], -number))[:CANDIDATES]

    def _settle(self) -> None:
        keys = np.concatenate([own for own, _ in self._waiting])
        owners = np.repeat([number for _, number in self._waiting], [len(own) for own, _ in self._waiting])
        block = _sorted(keys, owners.astype(np.uint32))
        while self._sorted and len(self._sorted[-1][0]) < 2 * len(block[0]):
            older = self._sorted.pop()
            block = _sorted(np.concatenate([older[0], block[0]]), np.concatenate([older[1], block[1]]))
        self._sorted.append(block)
        self._recent.clear()
        self._waiting.clear()


_RECENT = 2000
"""Records that are kept in a dictionary before they are sorted in with the others."""
_LATEST = 50
"""Of all that share two words so many of the latest count."""


def _sorted(keys: Keys, owners: NDArray[np.uint32]) -> tuple[Keys, NDArray[np.uint32]]:
    order = np.argsort(keys, kind="stable")
    return keys[order], owners[order]
