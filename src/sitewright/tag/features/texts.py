"""Units in, their distinct texts out, with what is compared of each: one unit in four repeats the text of another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import fold_words
from sitewright.tag.units import Unit

COMPARED = 400
"""Units longer than this are no titles, names or dates."""
_IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
_MORE = 1.5
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Texts:
    """The distinct texts of a page, in the order in which they come first."""

    distinct: Sequence[str]
    of_units: NDArray[np.intp]
    """For each unit the index of its text."""
    lengths: NDArray[np.float64]
    """How much there is to read, in letters: an ideograph says as much as two or three."""
    words: Sequence[list[str]]
    """The words as they are compared; none of a text that is too long for it."""
    folded: Sequence[str]
    """The same words, joined."""
    dated: Sequence[int]
    """The indices of the texts that are compared and have a digit."""


def read_texts(units: Sequence[Unit]) -> Texts:
    """Return the texts of a page's units."""
    numbers: dict[str, int] = {}
    of_units = np.array([numbers.setdefault(unit.text, len(numbers)) for unit in units], dtype=np.intp)
    distinct = list(numbers)
    words = [fold_words(text) if len(text) <= COMPARED else [] for text in distinct]
    return Texts(
        distinct,
        of_units,
        lengths=np.array([_reading_length(text) for text in distinct]),
        words=words,
        folded=[" ".join(own) for own in words],
        dated=[n for n, text in enumerate(distinct) if len(text) <= COMPARED and _DIGIT.search(text)],
    )


def _reading_length(text: str) -> float:
    """Return how long a text is in letters.

    >>> _reading_length("honey"), _reading_length("蜂蜜")
    (5, 5.0)
    """
    return len(text) if text.isascii() else len(text) + _MORE * sum(map(len, _IDEOGRAPHS.findall(text)))
