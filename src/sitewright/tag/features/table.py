"""Units in, what several kinds of features start from out: their numbers as arrays, their texts and their blocks."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.blocks import Blocks, read_blocks
from sitewright.tag.features.texts import Texts, read_texts
from sitewright.tag.units import Unit


@dataclass(frozen=True, slots=True)
class UnitTable:
    """The units of a page, one row a unit."""

    units: Sequence[Unit]
    kinds: NDArray[np.int64]
    runs: NDArray[np.int64]
    lengths: NDArray[np.float64]
    """How much there is to read in the text."""
    linked: NDArray[np.float64]
    """How much of that is in links."""
    texts: Texts
    blocks: Blocks


def read_table(units: Sequence[Unit]) -> UnitTable:
    """Return the table of a page's units."""
    texts = read_texts(units)
    lengths = texts.lengths[texts.of_units]
    linked = np.array([unit.linked / max(len(unit.text), 1) for unit in units])
    return UnitTable(
        units,
        kinds=np.array([unit.kind for unit in units], dtype=np.int64),
        runs=np.array([unit.run for unit in units], dtype=np.int64),
        lengths=lengths,
        linked=linked * lengths,
        texts=texts,
        blocks=read_blocks(units),
    )
