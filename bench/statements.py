"""A field's label in, tests out: does a line of a page, or a string of its metadata, state it?

A test has two questions. `states` is for the cut: the string states the value and little else, so it may go. `remains`
is for the check afterwards: the value can still be read from the string, however long it is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cached_property, lru_cache
from typing import Any, Protocol

from sitewright.parse import parse
from sitewright.types import Page
from sitewright.values import PARSERS, Context

TOKEN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
"""Words as the scorer counts them."""
SLACK = {"title": 12, "subtitle": 12, "authors": 60, "categories": 5, "tags": 5}
"""So many words may stand beside the value in what is cut: a site's name and a date, a biography, "Filed under"."""
LEAST_SLACK = 3
"""Beside entries of lists there may be so many words, and more only where the entries are more: headlines hold tags."""
ALIKE = 0.7
"""Lines that share so much of their words with the label state it in other words (shortened headlines in teasers)."""
SPARE_GRAMS = 0.9
"""A passage belongs to the text where so many of its 4-grams are of the label: footnotes and links may differ."""
LEAST_PASSAGE = 4
LONGEST_DATE_LINE = 100
_YEAR_SURROUNDINGS = 28
_ISO = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-/._]?(1[0-2]|0?[1-9])[-/._]?(3[01]|[12]\d|0?[1-9])(?!\d(?!\d{3}))"  # a time may follow
)
_EPOCH = re.compile(r"(?<!\d)(1\d{9})(?:\d{3})?(?!\d)")


class Statement(Protocol):
    """The test of one label."""

    def states(self, text: str) -> bool:
        """Tell whether a string states the value and little else."""

    def remains(self, text: str) -> bool:
        """Tell whether the value can be read from a string."""


def words(text: str) -> list[str]:
    """Return the words of a string, folded; characters of Chinese, Japanese and Korean one by one."""
    return [word.casefold() for word in TOKEN.findall(text)]


def padded(text: str) -> str:
    """Return the words with blanks around each, so that one string of words can be looked for in another."""
    return f" {' '.join(words(text))} "


@dataclass(frozen=True)
class Phrases:
    """Values that are told by their words wherever they stand: title, subtitle, names of authors."""

    values: Sequence[str]
    slack: int
    alike: bool = True

    def states(self, text: str) -> bool:
        """Tell whether a value stands here with few other words, or most of its words do."""
        if len(text) > 20 * (self._longest + self.slack):
            return False
        line = padded(text)
        count = line.count(" ") - 1
        held = [value for value in self._padded if value in line]
        if held:
            return count - max(value.count(" ") - 1 for value in held) <= self.slack
        return self.alike and any(_dice(value, line) >= ALIKE for value in self._padded)

    def remains(self, text: str) -> bool:
        """Tell whether a value stands anywhere in it."""
        line = padded(text)
        return any(value in line for value in self._padded) or self.states(text)

    @cached_property
    def _padded(self) -> tuple[str, ...]:
        return tuple(filter(str.strip, map(padded, self.values)))

    @cached_property
    def _longest(self) -> int:
        return max((value.count(" ") for value in self._padded), default=0)


def _dice(value: str, line: str) -> float:
    """Return how much two strings of words share; short ones share by chance, so they never do."""
    one, other = set(value.split()), set(line.split())
    if min(len(one), len(other)) < 4:
        return 0.0
    return 2 * len(one & other) / (len(one) + len(other))


@dataclass(frozen=True)
class Entries:
    """Entries of lists: words such as "Sport" are told only by standing alone or among their like."""

    values: Sequence[str]
    slack: int

    def states(self, text: str) -> bool:
        """Tell whether a string is made of entries, but for a few words."""
        if len(text) > 20 * (self._size + self.slack):
            return False
        rest = padded(text)
        count = len(rest.split())
        for value in self._padded:
            rest = rest.replace(value, "  ")
        others = len(rest.split())
        return others < count and others <= min(self.slack, max(LEAST_SLACK, count - others))

    def remains(self, text: str) -> bool:
        """Tell the same: within a sentence the word is no entry."""
        return self.states(text)

    @cached_property
    def _padded(self) -> tuple[str, ...]:
        return tuple(sorted(filter(str.strip, map(padded, self.values)), key=len, reverse=True))

    @cached_property
    def _size(self) -> int:
        return sum(value.count(" ") for value in self._padded)


@dataclass(frozen=True)
class Day:
    """A calendar day, in whatever words of whatever language our own date parser reads."""

    days: frozenset[date]
    language: str = ""

    def states(self, text: str) -> bool:
        """Tell whether a short string is a date of the day, or of the one before or after (time zones)."""
        return len(text) <= LONGEST_DATE_LINE and self._read(text, self._around)

    def remains(self, text: str) -> bool:
        """Tell whether the day is named anywhere in it."""
        if len(text) <= LONGEST_DATE_LINE:
            return self._read(text, self.days)
        return any(self._read(part, self.days) for part in self._near_years(text))

    def without(self, url: str) -> str:
        """Return an address without the day (`/2024/05/06/`)."""
        return _ISO.sub(lambda found: "" if self._is_day(found, self._around) else found[0], url)

    def in_attribute(self, text: str) -> bool:
        """Tell whether an attribute holds the day: as a date, in an address or as seconds."""
        return self._exactly(text, self._around) or self.states(text)

    def _read(self, text: str, days: frozenset[date]) -> bool:
        if not any(char.isdigit() for char in text):
            return False
        if self._exactly(text, days):
            return True
        if not any(int(number) in self._numbers for number in re.findall(r"(?<!\d)\d{1,2}(?!\d)", text)):
            return False
        return _parsed_day(text, max(self.days), self.language) in days

    def _exactly(self, text: str, days: frozenset[date]) -> bool:
        if any(self._is_day(found, days) for found in _ISO.finditer(text)):
            return True
        return any(datetime.fromtimestamp(int(found[1]), UTC).date() in days for found in _EPOCH.finditer(text))

    @staticmethod
    def _is_day(found: re.Match[str], days: frozenset[date]) -> bool:
        return any((day.year, day.month, day.day) == tuple(map(int, found.groups())) for day in days)

    def _near_years(self, text: str) -> list[str]:
        years = "|".join({str(day.year) for day in self.days})
        return [
            text[max(0, found.start() - _YEAR_SURROUNDINGS) : found.end() + _YEAR_SURROUNDINGS // 2]
            for found in re.finditer(rf"(?<!\d)(?:{years})(?!\d)", text)
        ]

    @cached_property
    def _around(self) -> frozenset[date]:
        return frozenset(day + timedelta(days=step) for day in self.days for step in (-1, 0, 1))

    @cached_property
    def _numbers(self) -> frozenset[int]:
        return frozenset(day.day for day in self._around)


@lru_cache(maxsize=50_000)
def _parsed_day(text: str, about: date, language: str) -> date | None:
    """Read a date as on the day after it; dates without a year then fall into the right one."""
    now = datetime(about.year, about.month, about.day, tzinfo=UTC) + timedelta(days=2)
    parsed = PARSERS["date.v1"]([text], False, Context(document=_EMPTY, now=now, language=language))
    value = parsed.value if parsed is not None else None
    return value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None


_EMPTY = parse(Page(url="", body="<p>"))


@dataclass(frozen=True)
class Passages:
    """A text, of which a page shows passages."""

    text: str
    _size: int = field(default=4, init=False)

    def states(self, text: str) -> bool:
        """Tell whether a string is a passage of the text."""
        return self._is_passage(words(text), LEAST_PASSAGE)

    def remains(self, text: str) -> bool:
        """Tell whether a string of some length is; short ones may be of it by chance."""
        return self._is_passage(words(text), 3 * LEAST_PASSAGE)

    def _is_passage(self, found: list[str], least: int) -> bool:
        if len(found) < least:
            return False
        grams = [tuple(found[place : place + self._size]) for place in range(len(found) - self._size + 1)]
        return sum(gram in self._grams for gram in grams) >= SPARE_GRAMS * len(grams)

    @cached_property
    def _grams(self) -> frozenset[tuple[str, ...]]:
        found = words(self.text)
        return frozenset(tuple(found[place : place + self._size]) for place in range(len(found) - self._size + 1))


def statement_of(name: str, label: Any, language: str = "") -> Statement | None:
    """Return the test of a field's label; None where the label cannot be told in a page."""
    if name == "published":
        days = _days(label)
        return Day(days, language) if days else None
    if name == "text":
        return Passages(label) if len(words(label)) >= 20 else None
    values = [label] if isinstance(label, str) else [str(value) for value in label]
    if not any(map(words, values)):
        return None
    if name in {"categories", "tags"}:
        return Entries(values, SLACK[name])
    return Phrases(values, SLACK[name], alike=name != "authors")


def _days(label: Any) -> frozenset[date]:
    """Return the calendar days of a moment: of its own zone and of UTC."""
    try:
        when = datetime.fromisoformat(str(label).strip().replace("/", "-"))
    except ValueError:
        return frozenset()
    return frozenset({when.date(), when.astimezone(UTC).date()} if when.tzinfo else {when.date()})
