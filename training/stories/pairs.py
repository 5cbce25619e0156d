"""The corpora of duplicates in, labelled pairs of their training folds out."""

import json
import lzma
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

SETS = ("semeval2022_task8", "sohu2021_A_short", "sohu2021_B_short", "mrpc_news_sentences", "ru_news_clustering_urls")
CLUSTERS = {"ecbplus_clusters": "topic", "news_search_clusters": "query"}
"""Texts with the name of their story, and what names the subject in which stories are easily taken for each other."""
_SAME, _OTHER = 700, 900
"""Pairs of one story and of two that are drawn of a set of clusters."""
_LEAST_SLUG = 12
"""Addresses that end in less say nothing."""
_LETTERS = (
    ("shch", "щ"), ("sch", "щ"), ("zh", "ж"), ("kh", "х"), ("ts", "ц"), ("ch", "ч"), ("sh", "ш"), ("yu", "ю"), ("ju",
    "ю"),
    ("ya", "я"), ("ja", "я"), ("yo", "ё"), ("yy", "ый"), ("iy", "ий"), *zip("abvwgdezijklmnoprstufhcyq'",
    "абввгдезийклмнопрстуфхцыкь", strict=True),
)  # fmt: skip

_AFTER_VOWEL = re.compile("(?<=[аеиоуыэюя])ы")


class Pair(NamedTuple):
    """Two texts, and whether they tell the same."""

    source: str
    one: Mapping[str, Any]
    other: Mapping[str, Any]
    same: bool
    language: str


def labelled_pairs(data: Path) -> list[Pair]:
    """Return all pairs of the training folds."""
    pairs = [pair for name in SETS for pair in _pairs(name, rows_of(data, name))]
    return pairs + [
        pair for name, subject in CLUSTERS.items() for pair in _of_clusters(name, subject, rows_of(data, name))
    ]


def rows_of(data: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a set that are not of the validation fold."""
    with lzma.open(data / f"dedup/{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["fold"] != 0]


def _pairs(name: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Pair]:
    for row in rows:
        one, other = row["a"], row["b"]
        if name.startswith("ru_"):
            if min(len(one["title"]), len(other["title"])) < _LEAST_SLUG:
                continue
            one, other = ({"title": cyrillic(text["title"]), "text": ""} for text in (one, other))
        yield Pair(name, one, other, bool(row["same"]), row.get("lang") or "")


def _of_clusters(name: str, subject: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Pair]:
    both = [pair for pair in combinations(rows, 2) if pair[0][subject] == pair[1][subject]]
    for same, most in ((True, _SAME), (False, _OTHER)):
        chosen = [pair for pair in both if (pair[0]["cluster"] == pair[1]["cluster"]) == same]
        Random(len(name)).shuffle(chosen)
        yield from (Pair(name, one, other, same, "en") for one, other in chosen[:most])


def cyrillic(slug: str) -> str:
    """Return a Russian headline of the end of an address, as near as its letters allow.

    >>> cyrillic("novaya vakcina ot koronavirusa v moskovskoy oblasti")
    'новая вакцина от коронавируса в московской области'
    """
    text, place = "", 0
    while place < len(slug):
        latin, letter = next((pair for pair in _LETTERS if slug.startswith(pair[0], place)), (slug[place], slug[place]))
        text += letter
        place += len(latin)
    return _AFTER_VOWEL.sub("й", text)
