"""Units and the words of a field in, whether the names of the elements around speak for the field or against it out."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from sitewright.domains import FieldWords
from sitewright.parse.patterns import fits
from sitewright.tag.units import Attributes, Unit, UnitPlace

_NAMING = ("class", "id", "itemprop", "rel", "data-testid")
_LONGEST = 200
"""Longer names are lists of states and sizes, whose beginning says what the element is."""
_NEAR, _FAR = 2, 4
"""So many blocks above a unit name it; behind these some name what it stands in."""


class Named(NamedTuple):
    """Whether names speak for a field, and against it: near a value, and farther from it."""

    near_for: float = 0.0
    near_against: float = 0.0
    far_for: float = 0.0
    far_against: float = 0.0


def named(words: FieldWords, units: Iterable[Unit]) -> Named:
    """Return whether the names around any of some units speak for a field or against it."""
    said = [_named(words, unit) for unit in units]
    return Named(*map(max, zip(*said, strict=True))) if said else Named()


def _named(words: FieldWords, unit: Unit) -> Named:
    near, far = _speak(words, _near(unit)), _speak(words, _far(unit))
    return Named(*near, *far)


@lru_cache(maxsize=50_000)
def _speak(words: FieldWords, names: str) -> tuple[float, float]:
    return tuple(float(bool(pattern) and fits(f"(?i){pattern}", names)) for pattern in words)  # type: ignore[return-value]


def _near(unit: Unit) -> str:
    """Return the names of a stated unit's source, or of the elements that hold a displayed one."""
    if unit.source:
        return unit.source
    blocks = (place.attrs for place in _above(unit.place, 0, _NEAR))
    return _joined([*(dict(element.attrs) for element in unit.chain), *blocks])


def _far(unit: Unit) -> str:
    return "" if unit.source else _joined(place.attrs for place in _above(unit.place, _NEAR, _FAR))


def _above(place: UnitPlace | None, first: int, last: int) -> Iterator[UnitPlace]:
    for level in range(last):
        if place is None:
            return
        if level >= first:
            yield place
        place = place.above


def _joined(elements: Iterable[Attributes]) -> str:
    return " ".join(filter(None, (_names(attrs)[:_LONGEST] for attrs in elements)))


def _names(attrs: Attributes) -> str:
    values = (attrs.get(key) for key in _NAMING)
    return " ".join(value if isinstance(value, str) else " ".join(value) for value in values if value)
