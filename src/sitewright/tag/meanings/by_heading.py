"""Units of a page and its heading in, what people press behind it, and what it begins with, out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import Domain
from sitewright.parse import fold_words
from sitewright.tag.units import PRESSED, Unit

_LONGEST = 60
_STEP, _LATER = 0.1, 0.3
"""What each thing to press counts less than the one before it, nearer to the heading; the least that one counts."""


def pressable(units: Sequence[Unit], domain: Domain, title: int) -> NDArray[np.float32]:
    """Tell which units people press: buttons, and links that say what the domain's actions are called.

    What stands behind the heading is the item's own as long as no other item follows, so the nearer counts more.
    """
    rows, nearest = [0.0] * len(units), 1.0
    for number, unit in enumerate(units):
        if number > title and _is_pressed(unit, domain):
            rows[number] = nearest
            nearest = max(_LATER, nearest - _STEP)
    return np.array(rows, dtype=np.float32)


def opening(units: Sequence[Unit], title: int) -> NDArray[np.float32]:
    """Tell which units say what the heading begins with, and no more."""
    heading = fold_words(units[title].text) if title >= 0 else []
    known: dict[str, float] = {}

    def opens(text: str) -> float:
        words = fold_words(text) if len(text) <= _LONGEST else []
        return float(0 < len(words) < len(heading) and heading[: len(words)] == words)

    rows = [known.setdefault(unit.text, opens(unit.text)) if unit.place is not None else 0.0 for unit in units]
    return np.array(rows, dtype=np.float32)


def _is_pressed(unit: Unit, domain: Domain) -> bool:
    if unit.place is None or len(unit.text) > _LONGEST:
        return False
    told = unit.text.casefold()
    return unit.place.tag == PRESSED or (
        unit.linked * 2 > len(told) and any(action in told for action in domain.actions)
    )
