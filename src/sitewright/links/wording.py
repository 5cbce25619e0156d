"""Texts of links in, what the classifier of headlines sees of them out: hashed pieces, and the shape of the text."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.links.bags import Floats, Numbers, padded
from sitewright.vectors import MIXERS, buckets_of, codes_of, hash_word, with_digits_alike

TEXT_BUCKETS = 16384
"""The network that reads texts has a row for each; so with names and addresses."""
_READ = 64
"""How much of a text is looked at; longer ones, one in seven on front pages of folds 1 and 2, show their length."""
_WORD_SLOTS = 10
"""About as many words as there are in that much of a text."""
TEXT_SLOTS = 2 * (_READ - 2) + _WORD_SLOTS
"""How many pieces of a text are read: two kinds of grams, and words."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+|[^\W_]+")
_UNPARTED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_CHARACTERS_A_WORD = 2.5
"""In scripts without blanks; about so many take the place of a word of other scripts."""
TEXT_NUMBERS = 15
"""How many numbers tell the shape of a text."""


def words_in(text: str) -> float:
    """Return how many words a text has; where no blanks part them, by the number of characters.

    >>> words_in("Why bees dance"), words_in("蜜蜂为什么跳舞呢你知道")
    (3.0, 4.4)
    """
    unparted = len(_UNPARTED.findall(text)) if not text.isascii() else 0
    return len(_WORD.findall(_UNPARTED.sub(" ", text) if unparted else text)) + unparted / _CHARACTERS_A_WORD


def text_pieces(texts: Sequence[str]) -> Numbers:
    """Return the hashed pieces of texts: trigrams of the beginning and bigrams, then the first words."""
    heads = [text[:_READ].lower()[:_READ] for text in texts]
    codes = with_digits_alike(codes_of(heads, _READ))
    words = padded([_word_numbers(head) for head in heads], _WORD_SLOTS)
    return np.concatenate([_grams(codes, 3), _grams(codes, 2), words], axis=1)


def _grams(codes: NDArray[np.uint32], length: int) -> Numbers:
    end = codes.shape[1] - 2
    mixed = np.full((len(codes), end), np.uint32(length), dtype=np.uint32)
    for place in range(length):
        mixed += codes[:, place : place + end] * MIXERS[place]
    last = codes[:, length - 1 : length - 1 + end]
    return np.where(last == 0, 0, buckets_of(mixed, TEXT_BUCKETS)).astype(np.uint16)


def _word_numbers(text: str) -> list[int]:
    return [hash_word("w" + word, TEXT_BUCKETS) for word in _WORD.findall(text)[:_WORD_SLOTS]]


def text_numbers(texts: Sequence[str]) -> Floats:
    """Return the shape of texts: length, words, capitals, digits, punctuation."""
    return np.array([_shape(text) for text in texts], dtype=np.float32).reshape(-1, TEXT_NUMBERS)


def _shape(text: str) -> tuple[float, ...]:
    words = words_in(text)
    length = max(len(text), 1)
    tokens = text.split()
    return (
        np.log1p(words),
        np.log1p(len(text)),
        float(words < 2),
        float(words < 3),
        float(words < 4),
        min(words, 12) / 12,
        sum(map(str.isdigit, text)) / length,
        sum(map(str.isupper, text)) / length,
        sum(token[0].isupper() for token in tokens) / max(len(tokens), 1),
        float(text.endswith(("?", "!", ".", "…", "؟", "。"))),
        float(any(mark in text for mark in "\"'“”„«»‘’「」")),
        float(":" in text or "–" in text or "—" in text),
        float("," in text or "،" in text or "、" in text),
        float(not text.isascii()),
        float(len(text) > 140),
    )
