"""Texts and what the page states in, how much each text agrees with it out."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import fold_words
from sitewright.tag.features.facts import Day, Facts
from sitewright.tag.features.texts import COMPARED, Texts

AGREEMENT = (
    "title_precision", "title_recall", "title_equal", "description_equal", "description_within", "author",
    "author_part", "section", "keyword", "keyword_part", "site", "site_part", "published", "modified", "path", "slug",
    "titles_equal",
)  # fmt: skip
_COLUMN = {name: number for number, name in enumerate(AGREEMENT)}
_SHORT = 120
"""A longer text may hold a name or a date, but is none."""
_NUMBER = re.compile(r"\d+")


def agreement_of(texts: Texts, facts: Facts) -> NDArray[np.float64]:
    """Return how texts agree with what the page states: a row a text."""
    table = np.zeros((len(texts.distinct), len(AGREEMENT)))
    _compare_words(table, texts, facts)
    _compare_names(table, texts, facts)
    _compare_descriptions(table, texts, facts)
    _compare_days(table, texts, facts)
    return table


def _compare_words(table: NDArray[np.float64], texts: Texts, facts: Facts) -> None:
    """Compare with the stated titles and with the last part of the address, word by word."""
    in_titles = frozenset[str]().union(*facts.titles)
    for number, words in enumerate(texts.words):
        if not in_titles.isdisjoint(words):
            precision, recall, equals = _title_likeness(set(words), facts.titles)
            table[number, :3] = precision, recall, equals > 0
            table[number, _COLUMN["titles_equal"]] = min(equals, 4) / 4
        if not facts.slug.isdisjoint(words):
            own = set(words)
            table[number, _COLUMN["slug"]] = len(own & facts.slug) / len(own)


def _title_likeness(own: set[str], titles: Iterable[frozenset[str]]) -> tuple[float, float, int]:
    """Return precision and recall against the title that fits best, and to how many a text is equal."""
    best = (0.0, 0.0)
    equals = 0
    for title in titles:
        shared = len(own & title)
        if shared:
            found = (shared / len(own), shared / len(title))
            if sum(found) > sum(best):
                best = found
            equals += own == title
    return *best, equals


def _compare_names(table: NDArray[np.float64], texts: Texts, facts: Facts) -> None:
    """Compare with the names of authors, sections, keywords, the site and the folders of the address."""
    equal = {
        "author": facts.authors,
        "section": facts.sections,
        "keyword": facts.keywords,
        "site": facts.site,
        "path": facts.path,
    }
    for name, stated in equal.items():
        if stated:
            table[:, _COLUMN[name]] = [folded in stated and folded != "" for folded in texts.folded]
    short = [folded if len(folded) <= _SHORT else "" for folded in texts.folded]
    starts = list(accumulate((len(folded) + 1 for folded in short), initial=0))
    joined = "\n".join(short)
    parts = {"author_part": facts.authors, "keyword_part": facts.keywords, "site_part": facts.site}
    for name, stated in parts.items():
        table[list(_holders(joined, starts, stated)), _COLUMN[name]] = 1.0
    if facts.keywords:
        keywords = "\n".join(facts.keywords)
        within = [number for number, folded in enumerate(short) if folded and folded in keywords]
        table[within, _COLUMN["keyword_part"]] = 1.0


def _holders(joined: str, starts: Sequence[int], names: Collection[str]) -> Iterator[int]:
    """Yield the numbers of the texts that hold one of some names; all are searched at once, joined by line breaks."""
    for name in names:
        place = joined.find(name)
        while place >= 0:
            number = bisect_right(starts, place) - 1
            yield number
            place = joined.find(name, starts[number + 1])


def _compare_descriptions(table: NDArray[np.float64], texts: Texts, facts: Facts) -> None:
    """Compare with the stated descriptions: the only ones that a long text can be like."""
    if not facts.descriptions:
        return
    for number, (text, folded) in enumerate(zip(texts.distinct, texts.folded, strict=True)):
        start = folded or (" ".join(fold_words(text[:COMPARED])) if len(text) > COMPARED else "")
        if len(start) >= 20:
            table[number, 3:5] = _description_likeness(start, facts.descriptions)


def _description_likeness(folded: str, descriptions: Iterable[str]) -> tuple[float, float]:
    """Return how much of a description a text is, and whether it begins like one (half, if it is within one)."""
    equal = within = 0.0
    for description in descriptions:
        start = description[:60]
        if folded.startswith(start) or (len(start) >= 40 and start[:40] in folded):
            within = 1.0
            equal = max(equal, min(len(folded), len(description)) / max(len(folded), len(description), 1))
        elif folded[:60] in description:
            within = max(within, 0.5)
    return equal, within


def _compare_days(table: NDArray[np.float64], texts: Texts, facts: Facts) -> None:
    """Compare with the days of publication and modification."""
    if not facts.published and not facts.modified:
        return
    for number in texts.dated:
        if len(texts.folded[number]) <= _SHORT:
            numbers = frozenset(map(int, _NUMBER.findall(texts.distinct[number])))
            table[number, _COLUMN["published"]] = _same_day(numbers, facts.published)
            table[number, _COLUMN["modified"]] = _same_day(numbers, facts.modified)


def _same_day(numbers: frozenset[int], days: Iterable[Day]) -> float:
    """Tell how many of year and day (the month may be a word) a text shares with a stated date: 0, 0.5 or 1."""
    best = 0.0
    for year, month, day in days:
        if year in numbers and day in numbers:
            best = 1.0
        elif day in numbers and (month in numbers or year % 100 in numbers):
            best = max(best, 0.5)
    return best
