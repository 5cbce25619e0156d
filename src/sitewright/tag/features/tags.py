"""Units in, the numbers of the elements around each out: two inside of its block, then the blocks from the inside."""

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.table import UnitTable
from sitewright.tag.units import Unit

TAGS = (
    "? html body div p a span h1 h2 h3 h4 h5 h6 li ul ol time article section main header footer nav aside figure "
    "figcaption table tbody tr td th dl dt dd form label strong b em i u font small address blockquote center pre code "
    "cite abbr details summary sup sub ins del mark q s tt var dialog caption thead tfoot picture img amp-img button "
    "svg data meta"
).split()
TAG_LEVELS = 6
_INLINE_LEVELS = 2
_UNKNOWN = b"\0"
_NUMBERS = {tag: bytes([number]) for number, tag in enumerate(TAGS)}


def tags_of(table: UnitTable) -> NDArray[np.uint8]:
    """Return the tags around units: a row a unit."""
    blocks = table.blocks
    rows: list[bytes] = []
    nothing = bytes(TAG_LEVELS)
    for place, above in zip(blocks.places, blocks.above, strict=True):
        outer = rows[above] if above >= 0 else nothing
        rows.append(_NUMBERS.get(place.tag, _UNKNOWN) + outer[:-1])
    rows.append(nothing)
    around = np.frombuffer(b"".join(rows), dtype=np.uint8).reshape(-1, TAG_LEVELS)[blocks.of_units]
    inside = np.frombuffer(b"".join([_inside(unit) for unit in table.units]), dtype=np.uint8)
    return np.concatenate([inside.reshape(-1, _INLINE_LEVELS), around], axis=1)


def _inside(unit: Unit) -> bytes:
    if not unit.chain:
        return bytes(_INLINE_LEVELS)
    inner = [_NUMBERS.get(element.tag, _UNKNOWN) for element in unit.chain[-_INLINE_LEVELS:]]
    return b"".join(inner).ljust(_INLINE_LEVELS, b"\0")
