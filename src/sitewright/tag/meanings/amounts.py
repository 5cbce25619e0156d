"""Units in, how the price of each relates to the other prices of its page out: a sum, a rest, more than the next.

Who shows a former price, a current one and what is saved shows two numbers and their sum, whatever they are called.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.units import Unit, UnitKind
from sitewright.values.prices import AMOUNT

AMOUNTS = ("is_sum", "is_rest", "is_larger_rest", "over_next", "over_before", "same_amount")
_AMOUNT = re.compile(AMOUNT)
_MOST, _NEAR = 40, 6
"""So many different amounts of a page are compared; sums are looked for among those so many prices around."""
_CENT = 0.011
_RATIO = 1.5
"""Amounts that differ by more than this power of e are as different as any."""


def plain_amount(text: str) -> float | None:
    """Return the first amount of a text; the last mark before one or two digits is that of the decimals.

    >>> plain_amount("Only $1,299.50!"), plain_amount("1.299 €"), plain_amount("soon")
    (1299.5, 1299.0, None)
    """
    found = _AMOUNT.search(text)
    if found is None:
        return None
    parts = re.split(r"\D", found[0])
    decimals = parts.pop() if len(parts) > 1 and len(parts[-1]) < 3 else "0"
    return float(f"{''.join(parts)}.{decimals}")


def amounts_of(units: Sequence[Unit], prices: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how prices relate: a row a unit; `prices` tells which units look like one."""
    table = np.zeros((len(units), len(AMOUNTS)), dtype=np.float32)
    shown = [n for n, unit in enumerate(units) if prices[n] and unit.place is not None]
    runs: dict[int, float] = {}
    for number in shown:
        amount = plain_amount(units[number].text)
        if amount and units[number].kind is UnitKind.RUN:
            runs[number] = amount
    order = list(runs)
    rows = {number: _row(place, order, runs, Counter(runs.values())) for place, number in enumerate(order[:_MOST])}
    for number in shown:  # a part of a line is what its line is, where it begins with the same amount
        run = number if number in rows else units[number].run
        if run in rows and plain_amount(units[number].text) == runs[run]:
            table[number] = rows[run]
    return table


def _row(place: int, order: Sequence[int], runs: dict[int, float], counts: Counter[float]) -> tuple[float, ...]:
    own = runs[order[place]]
    around = [runs[n] for n in order[max(0, place - _NEAR) : place + _NEAR + 1]]
    others = sorted({amount for amount in around if amount != own})
    is_sum = any(_in(own - other, others) and own - other != other for other in others if other < own)
    rests = [other - own for other in others if other > own and _in(other - own, others)]
    before = runs[order[place - 1]] if place else own
    after = runs[order[place + 1]] if place + 1 < len(order) else own
    larger = bool(rests) and own >= max(rests)
    return (
        float(is_sum),
        float(bool(rests)),
        float(larger),
        _over(own, after),
        _over(own, before),
        math.log1p(counts[own]) / 3,
    )


def _in(amount: float, amounts: Sequence[float]) -> bool:
    return any(abs(amount - other) < _CENT for other in amounts)


def _over(one: float, other: float) -> float:
    """Return how much larger one amount is, from -1 to 1."""
    return max(-1.0, min(1.0, math.log(one / other) / _RATIO))
