"""Units in, where on the page each stands out: against the title, the long text and the blocks that hold them."""

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.blocks import Blocks
from sitewright.tag.features.table import UnitTable
from sitewright.tag.units import UnitKind

POSITION = (
    "place", "before_title", "from_title", "near_title", "long_before", "long_after", "long_around", "long_next",
    "long_previous", "with_title", "below_title", "with_body", "below_body",
)  # fmt: skip
_LONG = 80
"""A run with this many characters outside of links is most likely a paragraph."""
_FAR = 1000


def positions_of(table: UnitTable, title_likeness: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the positions of units: a row a unit."""
    if not len(table.units):
        return np.zeros((0, len(POSITION)), dtype=np.float32)
    anchor = _anchor(table, title_likeness)
    plain = table.lengths - table.linked
    long = np.where((table.kinds == UnitKind.RUN) & (plain >= _LONG), plain, 0).astype(np.float32)
    title = int(table.blocks.of_units[anchor]) if anchor is not None else -1
    together = [_together(table.blocks, title), _together(table.blocks, _body(table.blocks, long))]
    return np.concatenate([_in_order(table.runs, long, anchor), *together], axis=1)


def _anchor(table: UnitTable, title_likeness: NDArray[np.float64]) -> int | None:
    """Return the index of the displayed unit that is most like the stated title, or else the first main heading."""
    tags = np.array([*(place.tag for place in table.blocks.places), ""])[table.blocks.of_units]
    displayed = (table.kinds == UnitKind.RUN) & (table.blocks.of_units >= 0)
    heading = np.where((tags == "h1") | (tags == "h2"), 0.2, 0.0)
    linked = np.where(table.linked * 2 > table.lengths, 0.3, 0.0)
    likeness = np.where(displayed, title_likeness + heading - linked, 0.0)
    best = int(likeness.argmax())
    if likeness[best] > 0.55:
        return best
    first = np.flatnonzero(displayed & (tags == "h1"))
    return int(first[0]) if len(first) else None


def _in_order(runs: NDArray[np.int64], long: NDArray[np.float32], anchor: int | None) -> NDArray[np.float32]:
    """Return where in the order of the page the run of each unit is."""
    count = len(runs)
    total = float(long.sum()) or 1.0
    before = np.cumsum(long) - long
    around = np.convolve(long, np.ones(9, dtype=np.float32), mode="same") if count >= 9 else np.full(count, long.sum())
    order = np.arange(count)
    last = np.maximum.accumulate(np.where(long > 0, order, -_FAR))
    following = np.minimum.accumulate(np.where(long > 0, order, count + _FAR)[::-1])[::-1]
    distance = (runs - anchor if anchor is not None else np.full(count, _FAR)).astype(np.float32)
    columns = [
        order / count, distance < 0, np.sign(distance) * np.log1p(np.abs(distance)) / 5, np.abs(distance) <= 8,
        before / total, (total - before - long) / total, np.log1p(around) / 6,
        np.log1p(np.minimum(following - order, _FAR)) / 5, np.log1p(np.minimum(order - last, _FAR)) / 5,
    ]  # fmt: skip
    return np.stack([np.asarray(column, dtype=np.float32) for column in columns], axis=1)[runs]


def _body(blocks: Blocks, long: NDArray[np.float32]) -> int:
    """Return the block that holds most of the long text: the lowest with two thirds of it; -1 where there is none."""
    total = float(long.sum())
    if not total:
        return -1
    displayed = blocks.of_units >= 0
    held = np.bincount(blocks.of_units[displayed], weights=long[displayed], minlength=len(blocks.places)).tolist()
    for number in range(len(held) - 1, -1, -1):  # those inside before those around
        if blocks.above[number] >= 0:
            held[blocks.above[number]] += held[number]
    enough = [number for number, length in enumerate(held) if length * 3 >= total * 2]
    return max(enough, key=lambda number: blocks.places[number].depth, default=-1)


def _together(blocks: Blocks, block: int) -> NDArray[np.float32]:
    """Tell for each unit how much of its way from the root it has in common with a block, and how far it is below."""
    if block < 0:
        return np.zeros((len(blocks.of_units), 2), dtype=np.float32)
    way = _way(blocks, block)
    depths = [place.depth for place in blocks.places]
    common: list[int] = []
    for number, above in enumerate(blocks.above):
        common.append(depths[number] if number in way or above < 0 else common[above])
    shared, depth = np.array([common, depths], dtype=np.float64)
    table = np.stack([shared / (depths[block] + 1), np.minimum(depth - shared, 8) / 8], axis=1)
    nothing = np.zeros((1, 2))  # of what metadata states
    return np.concatenate([table, nothing])[blocks.of_units].astype(np.float32)


def _way(blocks: Blocks, block: int) -> set[int]:
    """Return a block and all that are around it."""
    way: set[int] = set()
    while block >= 0:
        way.add(block)
        block = blocks.above[block]
    return way
