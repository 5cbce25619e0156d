"""Units and a domain's word lists in, how well the names of the elements around each unit speak for each field out.

What the nearest elements are named counts most.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

from sitewright.domains.word_lists import WordLists
from sitewright.tag.features.blocks import Blocks
from sitewright.tag.units import Unit

OUTWARD = 0.7
"""What a name of an element counts for what is one level inside of it."""


def named(units: Sequence[Unit], blocks: Blocks, lists: WordLists) -> NDArray[np.float32]:
    """Return for each unit what its own elements are named, and what those around are: a row a unit."""
    around = _around(blocks, lists)
    nothing = np.zeros(lists.width, dtype=np.float32)
    known: dict[int, NDArray[np.float32]] = {}
    rows = []
    for unit, block in zip(units, blocks.of_units.tolist(), strict=True):
        outer = around[block] if block >= 0 else nothing
        own = nothing
        for element in unit.chain:
            own = np.maximum(own * OUTWARD, _cached(known, element, lists))
        if unit.place is not None and len(unit.chain) == 0:
            own = lists.of_element(unit.place.attrs)
        rows.append(np.concatenate([own, np.maximum(own, outer)]))
    return np.array(rows, dtype=np.float32).reshape(len(units), 2 * lists.width)


def _cached(known: dict[int, NDArray[np.float32]], element: Element, lists: WordLists) -> NDArray[np.float32]:
    if id(element) not in known:
        known[id(element)] = lists.of_element(element.attrs)
    return known[id(element)]


def _around(blocks: Blocks, lists: WordLists) -> list[NDArray[np.float32]]:
    """Return what the names of a block and of those around it speak for, the nearest most."""
    rows: list[NDArray[np.float32]] = []
    for place, above in zip(blocks.places, blocks.above, strict=True):
        own = lists.of_element(place.attrs)
        rows.append(np.maximum(own, rows[above] * OUTWARD) if above >= 0 else own)
    return rows
