"""Title and text in, an `Account` out: what one site tells, as numbers that can be compared fast."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitewright.stories.words import first_sentence, folded, letters_of, names_of, numbers_of, quoted_of, words_of
from sitewright.vectors import MIXERS, buckets_of, codes_of, hash_words

Floats = NDArray[np.float32]
BUCKETS = 1 << 18
"""Of words and of runs of characters; that two words of a text share one is then rarer than one in a thousand texts."""
TEXT_CHARACTERS = 3000
"""What is read of a text: the news of it stands at the beginning."""
GRAM_CHARACTERS = EARLY_CHARACTERS = 1000


class Bag(NamedTuple):
    """Buckets in ascending order, and how much each counts for being there once or more often."""

    ids: NDArray[np.uint32]
    counts: Floats


NOTHING = Bag(np.zeros(0, np.uint32), np.zeros(0, np.float32))
_BEGIN = np.ones(1, dtype=bool)


@dataclass(frozen=True, slots=True)
class Account:
    """What one site tells of a story: its words and runs of characters, of the whole and of the beginning."""

    words: Bag
    lead: Bag
    """Title and first sentence."""
    head: Bag
    """The title, or the first sentence where there is none."""
    grams: Bag
    head_grams: Bag
    numbers: Bag
    head_numbers: Bag
    names: Bag
    quoted: Bag
    letters: Bag
    """Single ideographs of the beginning."""
    early: Bag
    """Words of the title and the beginning of the text, by which others like it are looked up."""


def account_of(title: str, text: str) -> Account:
    """Return what is compared of a title and a text."""
    title, text = title.strip(), text.strip()[:TEXT_CHARACTERS]
    first = first_sentence(text)
    whole = f"{title}. {text}" if title and text else title or text
    head = title or first
    small, small_head = folded(whole), folded(head)
    words, head_words = words_of(small), words_of(small_head)
    return Account(
        words=_bag(words),
        lead=_bag(head_words + words_of(folded(first)) if title else head_words),
        head=_bag(head_words),
        grams=_grams(small[:GRAM_CHARACTERS]),
        head_grams=_grams(small_head),
        numbers=_bag(numbers_of(small)),
        head_numbers=_bag(numbers_of(small_head)),
        names=_bag(names_of(whole[:GRAM_CHARACTERS])),
        quoted=_bag(quoted_of(small)),
        letters=_bag(letters_of(small[:GRAM_CHARACTERS])),
        early=early_words(title, text),
    )


def early_words(title: str, text: str) -> Bag:
    """Return the words of the title and the beginning of a text."""
    return _bag(words_of(folded(f"{title}. {text[:EARLY_CHARACTERS]}")[:EARLY_CHARACTERS]))


def _bag(words: Sequence[str]) -> Bag:
    return _counted(hash_words(words, BUCKETS))


def _counted(ids: NDArray[np.uint32]) -> Bag:
    if not len(ids):
        return NOTHING
    ids = np.sort(ids)
    begins = np.flatnonzero(np.concatenate([_BEGIN, ids[1:] != ids[:-1]]))
    counts = np.concatenate([begins[1:], [len(ids)]]) - begins
    return Bag(ids[begins], (1 + np.log(counts)).astype(np.float32))


_IDEOGRAPHS = 0x2E80
_SPACE = ord(" ")


def _in_ideographs(codes: NDArray[np.uint32]) -> bool:
    """Say whether a text is written in them; names and numbers among them are not."""
    return bool(codes.size) and float((codes > _IDEOGRAPHS).mean()) > 1 / 4


_BETWEEN_GAPS = re.compile(r"[^\W_]+")


def _grams(text: str) -> Bag:
    """Return runs of four characters, of ideographs of two; each gap between words is one character."""
    squeezed = " ".join(_BETWEEN_GAPS.findall(text))
    codes = codes_of([squeezed], len(squeezed))[0]
    size = 2 if _in_ideographs(codes) else 4
    if codes.size < size:
        return NOTHING
    mixed = np.zeros(codes.size - size + 1, dtype=np.uint32)
    for place in range(size):
        mixed = mixed * _TURN + codes[place : place + mixed.size] * MIXERS[place % len(MIXERS)]
    return _counted(buckets_of(mixed, BUCKETS))


_TURN = np.uint32(0x01000193)
"""Makes the place of a character count: sums alone would take "abca" and "aabc" for each other."""
