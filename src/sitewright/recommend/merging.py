"""A list that was made before and what a reader opened since in, the list as it is now out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

NEWEST = 5
"""So many of the newest clicks are looked at: what was opened before says little more."""
_SPEAKS = 0.7
"""Evidence from which on a click is named as the reason: twice the chance, as in `features.sql`."""


@dataclass(frozen=True, slots=True)
class Expected:
    """An item that a reader is expected to click: log odds, which read item speaks most for it, whether it is new."""

    item: int
    odds: float
    because: int | None = None
    is_new: bool = False


def odds_of(chance: float) -> float:
    """Return the log odds of a chance.

    >>> odds_of(0.5), round(odds_of(0.1), 4), round(odds_of(0.0), 4)
    (0.0, -2.1972, -20.7233)
    """
    bounded = min(max(chance, 1e-9), 1 - 1e-9)
    return log(bounded / (1 - bounded))


def chance_of(odds: float) -> float:
    """Return the chance of log odds.

    >>> chance_of(0.0), round(chance_of(odds_of(0.1)), 6)
    (0.5, 0.1)
    """
    return 1 / (1 + exp(-odds))


def merged(
    made: Sequence[Expected], clicks: Sequence[int], follow_ups: Mapping[int, Mapping[int, float]]
) -> list[Expected]:
    """Return a list with what the newest clicks say added, the likeliest first, without what was clicked.

    `follow_ups` says of items what it speaks for and against others that they were opened. What the list lacks counts
    as its last.

    >>> [one.item for one in merged([Expected(1, -2.0), Expected(2, -3.0)], [9], {9: {2: 0.5, 3: 1.5}})]
    [3, 1, 2]
    """
    last = min((one.odds for one in made), default=0.0)
    known = {one.item: one for one in made}
    added: dict[int, float] = {}
    because: dict[int, int] = {}
    for click in clicks[:NEWEST]:
        for item, evidence in follow_ups.get(click, {}).items():
            added[item] = added.get(item, 0.0) + evidence
            if evidence > _SPEAKS:
                because[item] = click
    changed = {item: known.get(item) or Expected(item, last) for item in added}
    found = known | {
        item: Expected(item, one.odds + added[item], because.get(item, one.because), one.is_new)
        for item, one in changed.items()
    }
    left = (one for one in found.values() if one.item not in clicks)
    return sorted(left, key=lambda one: (-one.odds, one.item))
