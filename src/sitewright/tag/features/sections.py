"""Blocks in, a flag for each kind of section that a unit stands in out."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.blocks import Blocks
from sitewright.tag.units import UnitPlace

SECTIONS = (
    "header footer nav aside article main figure figcaption form table li p blockquote h1 h2 h3 h4 h5 h6 time address "
    "section"
).split()
_BITS: Mapping[str | None, int] = {name: 1 << number for number, name in enumerate(SECTIONS)}
_ROLE_BITS: Mapping[object, int] = {
    "navigation": _BITS["nav"],
    "main": _BITS["main"],
    "complementary": _BITS["aside"],
    "contentinfo": _BITS["footer"],
    "banner": _BITS["header"],
    "article": _BITS["article"],
}


def sections_of(blocks: Blocks) -> NDArray[np.float32]:
    """Return the sections of units: a row a unit, a column a kind of section."""
    masks: list[int] = []
    for place, above in zip(blocks.places, blocks.above, strict=True):
        masks.append(_own_bits(place) | (masks[above] if above >= 0 else 0))
    masks.append(0)
    bits = np.array(masks, dtype=np.int64)[blocks.of_units, None] >> np.arange(len(SECTIONS))
    return (bits & 1).astype(np.float32)


def _own_bits(place: UnitPlace) -> int:
    bits = _BITS.get(place.tag, 0)
    role = place.attrs.get("role") if place.attrs else None
    return bits | _ROLE_BITS.get(role, 0) if isinstance(role, str) else bits
