"""Texts in, which kinds of characters each is made of out."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sitewright.vectors import codes_of

_CLASSES = ("digit", "upper", "lower", "other_letter", "ideograph", "space", "mark", "symbol")
_DIGIT, _UPPER, _LOWER, _OTHER_LETTER, _IDEOGRAPH, _SPACE, _MARK, _SYMBOL = range(1, len(_CLASSES) + 1)
SHAPE = (
    *_CLASSES, "ends_sentence", "ends_colon", "begins_upper", "begins_digit", "begins_mark", "has_at", "has_pipe",
    "all_upper",
)  # fmt: skip
_HEAD = 96
_CLASS_LIMIT = 0x3400
_KANA = 0x3040
_MARKS = frozenset(".,;:!?'\"()-–—。、«»“”‘’…")
_SENTENCE_ENDS = frozenset('.!?。！？…"”؟।')
_COLONS = frozenset(":：»›>")


def shapes_of(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return the shapes of texts: a row a text."""
    count = len(texts)
    codes = codes_of([text[:_HEAD] for text in texts], _HEAD)
    classes = np.where(codes < _CLASS_LIMIT, _classes()[np.minimum(codes, _CLASS_LIMIT - 1)], _IDEOGRAPH)
    slots = len(_CLASSES) + 1
    counts = np.bincount((classes + slots * np.arange(count)[:, None]).ravel(), minlength=slots * count)
    counts = counts.reshape(count, slots)[:, 1:]
    shares = counts / np.maximum(counts.sum(axis=1), 1)[:, None]
    first = classes[:, 0]
    columns = [
        np.array([text[-1:] in _SENTENCE_ENDS for text in texts]), np.array([text[-1:] in _COLONS for text in texts]),
        first == _UPPER, first == _DIGIT, first >= _MARK,
        (codes == ord("@")).any(axis=1), (codes == ord("|")).any(axis=1),
        (shares[:, _UPPER - 1] > 0.3) & (counts[:, _LOWER - 1] == 0),
    ]  # fmt: skip
    return np.concatenate([shares, np.stack(columns, axis=1)], axis=1).astype(np.float32)


@lru_cache(maxsize=1)
def _classes() -> NDArray[np.uint8]:
    """Return the class of each character below the ideographs; 0 for none."""
    return np.array([0, *(_class_of(chr(code)) for code in range(1, _CLASS_LIMIT))], dtype=np.uint8)


def _class_of(char: str) -> int:
    tests = (
        (_DIGIT, char.isdigit()),
        (_UPPER, char.isupper()),
        (_LOWER, char.islower()),
        (_IDEOGRAPH, ord(char) >= _KANA),
        (_OTHER_LETTER, char.isalpha()),
        (_SPACE, char.isspace()),
        (_MARK, char in _MARKS),
    )
    return next((number for number, holds in tests if holds), _SYMBOL)
