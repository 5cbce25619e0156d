"""Values with their stated confidence and whether they are right in, bins and the expected calibration error out."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

EDGES = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 1.0)


class Judged(NamedTuple):
    """A value that was given: how sure the reader was of it, and whether it is right."""

    confidence: float
    right: bool


class Bin(NamedTuple):
    """Values whose confidence lies between two edges (the upper one is outside, but for the last)."""

    low: float
    high: float
    values: int
    confidence: float
    right: float

    @property
    def name(self) -> str:
        """Return the edges."""
        return f"{self.low:g}–{self.high:g}"


def bins(judged: Iterable[Judged]) -> list[Bin]:
    """Return the bins that have values.

    >>> [(found.name, found.values, found.right) for found in bins([Judged(0.5, True), Judged(1.0, False)])]
    [('0.5–0.7', 1, 1.0), ('0.95–1', 1, 0.0)]
    """
    places: list[list[Judged]] = [[] for _ in EDGES[1:]]
    for value in judged:
        places[_place(value.confidence)].append(value)
    return [
        Bin(low, high, len(values), _mean([v.confidence for v in values]), _mean([float(v.right) for v in values]))
        for low, high, values in zip(EDGES, EDGES[1:], places, strict=False)
        if values
    ]


def calibration_error(found: Sequence[Bin]) -> float:
    """Return the mean distance of confidence and share of right values, over values."""
    total = sum(each.values for each in found)
    return sum(each.values * abs(each.confidence - each.right) for each in found) / total if total else 0.0


def _place(confidence: float) -> int:
    below = sum(confidence >= edge for edge in EDGES[1:-1])
    return min(below, len(EDGES) - 2)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
