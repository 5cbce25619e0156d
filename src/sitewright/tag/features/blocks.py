"""Units in, the blocks around them out, each once, so that what is known of a block is computed once for its units."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.units import Unit, UnitPlace


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of a page, those around before those inside."""

    places: Sequence[UnitPlace]
    above: Sequence[int]
    """For each block the index of the one around it; -1 for the root."""
    of_units: NDArray[np.intp]
    """For each unit the index of its block; -1, the row behind the last, for what metadata states."""


def read_blocks(units: Sequence[Unit]) -> Blocks:
    """Return the blocks of a page's units."""
    places: list[UnitPlace] = []
    above: list[int] = []
    numbers: dict[int, int] = {}
    of_units: list[int] = []
    for unit in units:
        if unit.place is None:
            of_units.append(-1)
            continue
        if id(unit.place) not in numbers:
            for place in _new_places(unit.place, numbers):
                numbers[id(place)] = len(places)
                places.append(place)
                above.append(numbers[id(place.above)] if place.above is not None else -1)
        of_units.append(numbers[id(unit.place)])
    return Blocks(places, above, np.array(of_units, dtype=np.intp))


def _new_places(place: UnitPlace | None, numbers: dict[int, int]) -> list[UnitPlace]:
    """Return a place and those around it that have no number yet, outermost first."""
    new: list[UnitPlace] = []
    while place is not None and id(place) not in numbers:
        new.append(place)
        place = place.above
    return new[::-1]
