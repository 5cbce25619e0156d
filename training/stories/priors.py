"""The corpora in, how many texts words and runs of characters are in out."""

import json
import lzma
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import wordfreq

from sitewright.stories.accounts import BUCKETS, Floats, account_of
from sitewright.stories.words import letters_of, words_of
from sitewright.vectors import hash_word
from training.stories.pairs import Pair

_PIECE = 600
"""Characters of a text that count as one: titles with leads, the usual, have fewer, and whole texts more."""
_PIECES = 8
"""Of one text no more, so that no long one outweighs the others."""
_ENOUGH = 300
"""Pieces of a language that tell by themselves how frequent its words are; the smaller ones count as one language."""
_WORDS = 100
"""Of a piece, about."""


def shares(data: Path, pairs: Sequence[Pair]) -> tuple[Floats, Floats]:
    """Return by bucket the greatest share that a word, and a run of characters, has of the texts of any language."""
    pieces: dict[str, list[str]] = defaultdict(list)
    for language, text in [*_news(data), *_of_pairs(pairs)]:
        pieces[language] += [text[start : start + _PIECE] for start in range(0, len(text), _PIECE)][:_PIECES]
    small = [piece for own in pieces.values() if len(own) < _ENOUGH for piece in own]
    groups = [*(own for own in pieces.values() if len(own) >= _ENOUGH), small]
    counted = [_counts(group) for group in groups if group]
    words, grams = (np.max([one[which] for one in counted], axis=0) for which in (0, 1))
    for language in sorted(wordfreq.available_languages("best")):
        words = np.maximum(words, _in_general(language))
    return words, grams


def _in_general(language: str) -> Floats:
    """Return which share of pieces has a word, by how often it is said in general."""
    said = np.zeros(BUCKETS, dtype=np.float64)
    for word, frequency in wordfreq.get_frequency_dict(language, "best").items():
        for part in {*words_of(word), *letters_of(word)}:
            said[hash_word(part, BUCKETS)] += frequency
    return (1 - np.exp(-said * _WORDS)).astype(np.float32)


def _counts(pieces: Sequence[str]) -> tuple[Floats, Floats]:
    """Return shares; what was seen once is as rare as what was never seen."""
    words, grams = (np.zeros(BUCKETS, dtype=np.float32) for _ in range(2))
    for piece in pieces:
        account = account_of("", piece)
        words[np.union1d(account.words.ids, account.letters.ids)] += 1
        grams[account.grams.ids] += 1
    return tuple(np.maximum(counts - 1, 0) / len(pieces) for counts in (words, grams))  # type: ignore[return-value]


def _news(data: Path) -> Iterator[tuple[str, str]]:
    for name in ("news", "hand"):
        with lzma.open(data / f"{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                if row["fold"] != 0 and row["labels"].get("text"):
                    yield row["lang"] or "", row["labels"]["text"]


def _of_pairs(pairs: Sequence[Pair]) -> Iterator[tuple[str, str]]:
    for pair in pairs:
        if "-" not in pair.language:
            yield from (
                (pair.language, f"{text['title'] or ''} {text['text'] or ''}") for text in (pair.one, pair.other)
            )
