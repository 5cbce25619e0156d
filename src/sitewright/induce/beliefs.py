"""What is believed of a page's field in, how right a value would be out."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Protocol

from sitewright.domains import kinds
from sitewright.parse import fold_words
from sitewright.types import Label
from sitewright.values.images import picture_key, picture_keys

_NEARLY = 0.6
"""What a line counts that says nearly the same."""
_WITH_KICKER = 0.6
_LIKELY_ENOUGH = 0.4
_ANOTHER_TIME, _BARE_DAY = 0.6, 0.95
"""What another moment of the right day counts, and the day alone where a moment is told."""
_ENTRY = 0.2
"""Entries of a list that are less likely are not waited for."""


class Beliefs(Protocol):
    """What is believed of one field of one page."""

    best: float
    """How likely the likeliest value is."""

    def rightness(self, value: object) -> float:
        """Return how right a value is expected to be, 0..1."""
        ...


class LineBeliefs:
    """Which line of text is right: a value is as right as the likeliest line that says the same."""

    def __init__(self, labels: Iterable[Label]) -> None:
        """Keep the likeliest score of each line."""
        self._scores: dict[tuple[str, ...], float] = {}
        for label in labels:
            key = tuple(fold_words(str(label.value)))
            self._scores[key] = max(label.score, self._scores.get(key, 0.0))
        self.best = max(self._scores.values(), default=0.0)

    def rightness(self, value: object) -> float:
        """Return the score of the line, or of the nearest one by the words they share."""
        words = tuple(fold_words(str(value)))
        exact = self._scores.get(words)
        return exact if exact is not None else max((s * _overlap(words, k) for k, s in self._scores.items()), default=0)


def _overlap(one: Sequence[str], other: Sequence[str]) -> float:
    """Return how nearly two lines say the same; half of the words in common are nothing.

    >>> _overlap(["a", "b", "c", "d"], ["a", "b", "c", "d", "e"]) > 0.3, _overlap(["a", "b"], ["a", "c"])
    (True, 0.0)
    """
    total = len(one) + len(other)
    shared = 2 * len(set(one) & set(other)) / total if total else 0.0
    return _NEARLY * max(0.0, 2 * shared - 1) ** 2 if len(one) > 1 else 0.0


class DayBeliefs:
    """Which day is right, and which of its moments: comments and updates are often of the day of the publication."""

    def __init__(self, labels: Iterable[Label]) -> None:
        """Keep the likeliest score of each day, and the moments that are told of it."""
        self._scores: dict[date, float] = {}
        self._moments: dict[date, set[datetime]] = {}
        for label in labels:
            for day in days_of(label.value):
                self._scores[day] = max(label.score, self._scores.get(day, 0.0))
                if isinstance(label.value, datetime):
                    self._moments.setdefault(day, set()).add(label.value)
        self.best = max(self._scores.values(), default=0.0)

    def rightness(self, value: object) -> float:
        """Return the score of the value's day, less where it is another moment of that day than the likely one."""
        return max((self._scores.get(day, 0.0) * self._nearness(day, value) for day in days_of(value)), default=0.0)

    def _nearness(self, day: date, value: object) -> float:
        told = self._moments.get(day)
        if not told:
            return 1.0
        if not isinstance(value, datetime):
            return _BARE_DAY
        return 1.0 if any(is_same_minute(value, moment) for moment in told) else _ANOTHER_TIME


def is_same_minute(one: datetime, other: datetime) -> bool:
    """Tell whether two moments are the same minute: by the clock on the wall, where one has no zone."""
    if one.tzinfo is None or other.tzinfo is None:
        return (one.hour, one.minute) == (other.hour, other.minute)
    return one.timestamp() // 60 == other.timestamp() // 60


def days_of(value: object) -> set[date]:
    """Return the days that a moment may be on, in its own zone and in UTC."""
    if isinstance(value, datetime):
        return {value.date(), value.astimezone(UTC).date()} if value.tzinfo else {value.date()}
    return {value} if isinstance(value, date) else set()


class ListBeliefs:
    """Which entries are right: a list is as right as its entries, and as those it lacks."""

    def __init__(self, labels: Iterable[Label]) -> None:
        """Keep the likeliest score of each entry, and how many right ones there should be."""
        self.scores: dict[str, float] = {}
        for label in labels:
            key = entry_key(label.value)
            self.scores[key] = max(label.score, self.scores.get(key, 0.0))
        self.best = max(self.scores.values(), default=0.0)
        self._expected = max(sum(self.scores[key] for key in self._awaited()), self.best)

    def _awaited(self) -> list[str]:
        """Return the likely entries; of a byline and the names in it only the likelier."""
        likely = sorted((key for key, score in self.scores.items() if score >= _ENTRY), key=self.scores.__getitem__)
        kept: list[str] = []
        for key in reversed(likely):
            if not any(f" {key} " in f" {other} " or f" {other} " in f" {key} " for other in kept):
                kept.append(key)
        return kept

    def rightness(self, value: object) -> float:
        """Return the expected F1 of a list."""
        entries = {entry_key(entry) for entry in value} if isinstance(value, list) else {entry_key(value)}
        hits = sum(self.scores.get(key, 0.0) for key in entries)
        return min(1.0, 2 * hits / (len(entries) + self._expected)) if hits else 0.0


def entry_key(value: object) -> str:
    """Return an entry as it is compared."""
    return _key_of(str(value))


@lru_cache(maxsize=50_000)
def _key_of(text: str) -> str:
    return " ".join(fold_words(text))


class PictureBeliefs:
    """Which pictures are right: as of a list, by what names each in all of its sizes."""

    def __init__(self, labels: Iterable[Label]) -> None:
        """Keep the likeliest score of each picture, and how many right ones there should be."""
        self._scores: dict[str, float] = {}
        for label in labels:
            key = picture_key(str(label.value))
            self._scores[key] = max(label.score, self._scores.get(key, 0.0))
        self.best = max(self._scores.values(), default=0.0)
        self._expected = max(sum(score for score in self._scores.values() if score >= _ENTRY), self.best)

    def rightness(self, value: object) -> float:
        """Return the expected F1 of some pictures."""
        keys = picture_keys(value)
        hits = sum(self._scores.get(key, 0.0) for key in keys)
        return min(1.0, 2 * hits / (len(keys) + self._expected)) if hits else 0.0


class AmountBeliefs:
    """Which price is right: the same amount, in whatever currency and however it is written."""

    def __init__(self, labels: Iterable[Label]) -> None:
        """Keep the likeliest score of each amount."""
        self._scores: dict[float | None, float] = {}
        for label in labels:
            key = amount_of(label.value)
            self._scores[key] = max(label.score, self._scores.get(key, 0.0))
        self.best = max(self._scores.values(), default=0.0)

    def rightness(self, value: object) -> float:
        """Return the score of the amount."""
        return self._scores.get(amount_of(value), 0.0)


def amount_of(value: object) -> float | None:
    """Return the amount of a price.

    >>> amount_of({"amount": 19.9, "currency": "EUR"}), amount_of("soon")
    (19.9, None)
    """
    return value.get("amount") if isinstance(value, Mapping) else None


_KINDS: Mapping[str, Callable[[Iterable[Label]], Beliefs]] = {
    kinds.LINE: LineBeliefs, kinds.DATE: DayBeliefs, kinds.NAMES: ListBeliefs, kinds.LIST: ListBeliefs,
    kinds.IMAGES: PictureBeliefs, kinds.PRICE: AmountBeliefs,
}  # fmt: skip


def beliefs_of(kind: str, labels: Iterable[Label]) -> Beliefs:
    """Return the beliefs of a field of this kind."""
    return _KINDS.get(kind, LineBeliefs)(labels)


def without_kicker(labels: Sequence[Label], heading: frozenset[int], exact: Collection[str]) -> list[Label]:
    """Let a stated title be likelier than a main heading that says more before it: what comes before is a kicker.

    Where a page's heading is "Kicker: headline" and its metadata states the headline alone, the headline was the title
    on 20 of 22 pages of the training folds. `heading` are the nodes of main headings, `exact` the sources that state
    nothing but the title.
    """
    scores = {entry_key(label.value): label.score for label in labels}
    stated = {entry_key(label.value) for label in labels if label.source in exact}
    changed: dict[str, float] = {}
    for whole in {entry_key(label.value) for label in labels if label.node in heading}:
        for bare in stated:
            if " " in bare and whole.endswith(f" {bare}") and scores[bare] >= _LIKELY_ENOUGH * scores[whole]:
                changed[bare] = max(scores[whole], changed.get(bare, 0.0))
                changed[whole] = scores[whole] * _WITH_KICKER
    return [replace(label, score=changed.get(entry_key(label.value), label.score)) for label in labels]
