"""Units in, the lists that they are entries of out, and what is known of each list."""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.table import UnitTable
from sitewright.tag.units import Unit, UnitKind

GROUP = ("group_size", "group_place", "group_alone", "group_length", "group_links", "group_index")


def group_units(units: Sequence[Unit]) -> NDArray[np.int32]:
    """Number the lists: entries have the same block around them (or the same source) and the same tags inside."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(_group_key(unit), len(numbers)) for unit in units], dtype=np.int32)


def _group_key(unit: Unit) -> Hashable:
    place = unit.place
    if place is None:
        return unit.source
    inside = tuple([element.tag for element in unit.chain]) if unit.chain else ()
    if unit.kind is UnitKind.RUN and place.above is not None:
        return id(place.above), place.tag, inside
    return id(place), int(unit.kind), inside


def places_in_groups(groups: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each unit how many of its list come before it."""
    order = np.argsort(groups, kind="stable")
    places = np.empty(len(groups), dtype=np.int64)
    places[order] = np.arange(len(groups)) - np.repeat(np.cumsum(counts) - counts, counts)
    return places


def group_numbers(table: UnitTable, groups: NDArray[np.int32]) -> NDArray[np.float32]:
    """Return size of the unit's list, its place in it, and how long and how linked the entries are on average."""
    if not len(groups):
        return np.zeros((0, len(GROUP)), dtype=np.float32)
    counts = np.bincount(groups)
    size = counts.astype(np.float32)
    total = np.bincount(groups, weights=table.lengths).astype(np.float32)
    links = np.bincount(groups, weights=table.linked).astype(np.float32)
    place = places_in_groups(groups, counts).astype(np.float32)
    own = size[groups]
    columns = [
        np.log1p(own) / 3, place / own, own == 1, np.log1p(total / size)[groups] / 4,
        np.minimum(links / np.maximum(total, 1), 1)[groups], np.log1p(place) / 3,
    ]  # fmt: skip
    return np.stack(columns, axis=1).astype(np.float32)
