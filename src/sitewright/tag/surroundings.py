"""Units in, which of them stand in elements whose names speak against a field out: captions, comments, author boxes."""

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

from sitewright.tag.units import Attributes, Unit, UnitPlace

LEVELS = 4
"""A unit's block and three around it are looked at: names further out are those of the page."""
_NAMING = ("class", "id", "itemprop")
_HOLD_ALL = frozenset({"html", "body", "main", "article"})


def stand_outside(units: Sequence[Unit], against: str) -> NDArray[np.bool_]:
    """Tell which units stand in elements with tags or names that an expression finds."""
    outside = np.zeros(len(units), dtype=np.bool_)
    if not against:
        return outside
    known: dict[int, bool] = {}
    for number, unit in enumerate(units):
        around: list[UnitPlace | Element] = list(unit.chain)
        place = unit.place
        for _ in range(LEVELS):
            if place is None or place.tag in _HOLD_ALL:
                break
            around.append(place)
            place = place.above
        for holder in around:
            if id(holder) not in known:
                known[id(holder)] = _is_named(holder.tag, holder.attrs, against)
            if known[id(holder)]:
                outside[number] = True
                break
    return outside


def _is_named(tag: str, attrs: Attributes, against: str) -> bool:
    values = [value for name in _NAMING if (value := attrs.get(name))] if attrs else []
    return _speaks(
        " ".join([tag, *(" ".join(value) if isinstance(value, list) else value for value in values)]), against
    )


@lru_cache(maxsize=16384)
def _speaks(names: str, against: str) -> bool:
    return re.search(against, names, re.IGNORECASE) is not None
