"""Lists and what was clicked in, figures of how good the lists were out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log2

Lists = Mapping[int, Sequence[int]]
"""The items of each reader, the best first."""


@dataclass(frozen=True, slots=True)
class Figures:
    """How good the lists of one method were."""

    precision: float
    recall: float
    mean_reciprocal_rank: float
    coverage: float
    novelty: float


def figures_of(lists: Lists, clicked: Mapping[int, set[int]], readers_of: Mapping[int, int], length: int) -> Figures:
    """Return the figures of lists; `readers_of` says how many had read each item.

    Precision is that of the paper: what was clicked of all places. Coverage is the share of all items that stand in any
    list. Novelty is the mean of the bits of an item's share of all reads: much-read items have few.

    >>> found = figures_of({1: [7, 8]}, {1: {8}}, {7: 3, 8: 1}, 2)
    >>> found.precision, found.recall, found.mean_reciprocal_rank
    (0.5, 1.0, 0.5)
    """
    places = [(lists.get(reader, ())[:length], wanted) for reader, wanted in clicked.items()]
    hits = [(sum(item in wanted for item in items), len(wanted)) for items, wanted in places]
    everybody = sum(readers_of.values())
    shown = [item for items, _ in places for item in items]
    return Figures(
        precision=_mean([hit / length for hit, _ in hits]),
        recall=_mean([hit / wanted for hit, wanted in hits]),
        mean_reciprocal_rank=_mean([_reciprocal(items, wanted) for items, wanted in places]),
        coverage=len(set(shown)) / max(1, len(readers_of)),
        novelty=_mean([log2(everybody / readers_of.get(item, 1)) for item in shown]),
    )


def _reciprocal(items: Sequence[int], wanted: set[int]) -> float:
    return next((1 / place for place, item in enumerate(items, 1) if item in wanted), 0.0)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
