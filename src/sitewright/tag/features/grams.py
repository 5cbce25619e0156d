"""Texts in, hashed pieces of each out: character trigrams of how it begins and ends, its first and last words."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.features.texts import Texts
from sitewright.vectors import MIXERS, buckets_of, codes_of, hash_word, with_digits_alike

GRAM_BUCKETS = 16384
_HEAD, _TAIL = 48, 16
_FIRST_WORDS, _LAST_WORDS = 4, 2
_WORDS = _FIRST_WORDS + _LAST_WORDS
GRAM_SLOTS = (_HEAD - 2) + (_TAIL - 2) + _WORDS
_KANA = 0x3040


def grams_of(texts: Texts) -> NDArray[np.uint16]:
    """Return the pieces of texts: a row a text, zeros where there are fewer."""
    heads = [text[:_HEAD].lower()[:_HEAD] for text in texts.distinct]
    tails = [text[-_TAIL:].lower()[-_TAIL:] if len(text) > _HEAD else "" for text in texts.distinct]
    words = np.array([_word_numbers(own) for own in texts.words], dtype=np.uint16).reshape(-1, _WORDS)
    return np.concatenate([_trigrams(codes_of(heads, _HEAD)), _trigrams(codes_of(tails, _TAIL)), words], axis=1)


def _trigrams(codes: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Return the hashed trigrams; of ideographs, which say more each, the bigrams."""
    plain = with_digits_alike(codes)
    first, second, third = plain[:, :-2], plain[:, 1:-1], plain[:, 2:]
    third_or_none = np.where(second >= _KANA, np.uint32(0), third)
    mixed: NDArray[np.uint32] = first * MIXERS[0] + second * MIXERS[1] + third_or_none * MIXERS[2]
    return np.where(second == 0, 0, buckets_of(mixed, GRAM_BUCKETS)).astype(np.uint16)


def _word_numbers(words: Sequence[str]) -> tuple[int, ...]:
    numbers = tuple([_word_number(word) for word in (*words[:_FIRST_WORDS], *words[_FIRST_WORDS:][-_LAST_WORDS:])])
    return numbers + (0,) * (_WORDS - len(numbers))


@lru_cache(maxsize=65536)
def _word_number(word: str) -> int:
    return hash_word("w" + word, GRAM_BUCKETS)
