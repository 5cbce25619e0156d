"""A domain's word lists and an element in, how much the element's names speak for each field and against it out.

A word counts whole where it is a word of a name, less where it is its beginning or end (`productname`), and half where
the name is its shortened form (`prod`).
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Attributes = Mapping[str, str | list[str] | None]
_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
WHOLE, JOINED, SHORTENED = 1.0, 0.8, 0.5
"""What a word counts that is found whole, within a longer one, shortened (the paper's share of a partial match)."""
_FULL = 10.0
"""The weights of a field's words are shares of this: the paper's two words of weight five are a sure match."""
_LONGEST = 300


class WordLists:
    """The word lists of all fields of a domain, ready to match names of elements."""

    def __init__(
        self, words: Sequence[tuple[Mapping[str, float], Mapping[str, float]]], attributes: Mapping[str, float]
    ) -> None:
        """Compile the words for each field and against it; columns are those for each, then those against each."""
        self.count = len(words)
        self.width = 2 * self.count
        self._attributes = {key: weight for key, weight in attributes.items() if not key.endswith("-")}
        self._data = {key: weight for key, weight in attributes.items() if key.endswith("-")}
        lists = [names for names, _ in words] + [against for _, against in words]
        self._words = [(word.casefold(), n, w / _FULL) for n, own in enumerate(lists) for word, w in own.items()]
        self._columns = np.array([column for _, column, _ in self._words], dtype=np.intp)
        self._nothing = np.zeros(self.width, dtype=np.float32)
        self._of_name = lru_cache(maxsize=20_000)(self._match)
        self._of_word = lru_cache(maxsize=20_000)(self._match_word)

    def of_element(self, attrs: Attributes) -> NDArray[np.float32]:
        """Return what the names of an element speak for."""
        if not attrs:
            return self._nothing
        found = self._nothing
        for key, value in attrs.items():
            weight = self._attributes.get(key)
            if weight is not None and value:
                text = " ".join(value) if isinstance(value, list) else value
                found = _better(found, weight, self._of_name(text[:_LONGEST]))
            elif weight is None and self._data:
                found = self._with_data(found, key)
        return found

    def _with_data(self, found: NDArray[np.float32], key: str) -> NDArray[np.float32]:
        for prefix, weight in self._data.items():
            if key.startswith(prefix):
                return _better(found, weight, self._of_name(key[len(prefix) :]))
        return found

    def _match(self, text: str) -> NDArray[np.float32]:
        """Return the sums of the weights of the words that a name holds, each word once."""
        words = {word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))}
        if not words:
            return self._nothing
        rows = np.stack([self._of_word(word) for word in words])
        best = rows.max(axis=0)
        return np.asarray(np.bincount(self._columns, weights=best, minlength=self.width), dtype=np.float32)

    def _match_word(self, name: str) -> NDArray[np.float32]:
        shares = [weight * likeness(word, name) for word, _, weight in self._words]
        return np.array(shares, dtype=np.float32)


def _better(found: NDArray[np.float32], weight: float, named: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.maximum(found, weight * named), dtype=np.float32)


def likeness(word: str, name: str) -> float:
    """Return how much of a word is in a word of a name.

    >>> likeness("product", "product"), likeness("name", "productname"), likeness("product", "prod")
    (1.0, 0.8, 0.5)
    >>> likeness("old", "bold"), likeness("product", "pro")
    (0.0, 0.0)
    """
    if word == name:
        return WHOLE
    if len(word) >= 4 and len(name) > len(word) and (name.startswith(word) or name.endswith(word)):
        return JOINED
    if len(name) >= max(3, len(word) / 2) and word.startswith(name):
        return SHORTENED
    return 0.0
