"""What was read of stories, and what their paper meant, in; how right each field is out."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal, NamedTuple

import orjson

from sitewright.demo import Truth
from sitewright.parse import fold_words
from sitewright.types import Record
from sitewright.values.as_json import json_of

Verdict = Literal["right", "wrong", "missing", "invented"]
VERDICTS: tuple[Verdict, ...] = ("right", "wrong", "missing", "invented")
"""Invented is a value where the paper has none. Where neither has one, nothing is counted."""
FIELDS = tuple(spec.name for spec in fields(Truth))
"""All that the generator knows of a story."""
ENOUGH = 0.9
"""A text is right that shares so many words with the story: maps that are learned leave out a heading or a table."""


class Mistake(NamedTuple):
    """A value that is not what the paper meant."""

    field: str
    verdict: Verdict
    path: str
    read: Any
    meant: Any
    rule: str
    """The name of the rule that read it; empty where none did."""


class ReadStory(NamedTuple):
    """What was read of a story (values as JSON has them, and the rules they are from), and what the paper meant."""

    path: str
    values: Mapping[str, Any]
    truth: Truth
    rules: Mapping[str, str] = {}


@dataclass(slots=True)
class Score:
    """How many values of each field are right, and which are not."""

    counts: dict[str, Counter[Verdict]] = field(default_factory=lambda: {name: Counter() for name in FIELDS})
    mistakes: list[Mistake] = field(default_factory=list)

    def add(self, story: ReadStory) -> None:
        """Count all fields of a story."""
        for name in FIELDS:
            read, meant = story.values.get(name), getattr(story.truth, name)
            verdict = verdict_of(name, read, story.truth)
            if verdict is None:
                continue
            self.counts[name][verdict] += 1
            if verdict != "right":
                self.mistakes.append(Mistake(name, verdict, story.path, read, meant, story.rules.get(name, "")))

    @property
    def total(self) -> Counter[Verdict]:
        """All fields together."""
        return sum(self.counts.values(), Counter[Verdict]())

    def first_mistakes(self) -> list[Mistake]:
        """Return of each field the first value that is not right."""
        return list({mistake.field: mistake for mistake in reversed(self.mistakes)}.values())[::-1]


def score_of(stories: Iterable[ReadStory]) -> Score:
    """Score all stories."""
    score = Score()
    for story in stories:
        score.add(story)
    return score


def story_of(path: str, record: Record, truth: Truth) -> ReadStory:
    """Return what a record holds of a story."""
    rules = {name: value.rule for name, value in record.fields.items()}
    return ReadStory(path, values_of(record), truth, rules)


def values_of(record: Record) -> dict[str, Any]:
    """Return the values of a record as JSON has them."""
    plain: dict[str, Any] = orjson.loads(json_of({name: value.value for name, value in record.fields.items()}))
    return plain


def verdict_of(name: str, read: Any, truth: Truth) -> Verdict | None:
    """Judge a value; None where the paper has none and none was read."""
    meant = getattr(truth, name)
    if not meant:
        return "invented" if read else None
    if not read:
        return "missing"
    return "right" if _is_same(name, read, meant) else "wrong"


def _is_same(name: str, read: Any, meant: Any) -> bool:
    if isinstance(meant, datetime):
        return _is_moment(read, meant)
    if name == "text":
        return shared_words(str(read), meant) >= ENOUGH
    if name == "images":
        return _addresses(read) == {address for address, _, _ in meant}
    return bool(read == (list(meant) if isinstance(meant, tuple) else meant))


def _addresses(pictures: Sequence[Any]) -> set[str]:
    return {str(picture.get("url")) for picture in pictures if isinstance(picture, dict)}


def _is_moment(read: object, meant: datetime) -> bool:
    """Tell whether a text is this moment, to the minute; one without a time zone is the paper's own.

    >>> from datetime import UTC
    >>> meant = datetime(2024, 5, 6, 7, 8, tzinfo=UTC)
    >>> [_is_moment(text, meant) for text in ("2024-05-06T07:08:09", "2024-05-06", None)]
    [True, False, False]
    """
    try:
        moment = datetime.fromisoformat(str(read))
    except ValueError:
        return False
    whole = moment if moment.tzinfo is not None else moment.replace(tzinfo=meant.tzinfo)
    return abs((whole - meant).total_seconds()) < 60


def shared_words(first: str, second: str) -> float:
    """Return how much of two texts is the same, by their words, 0..1.

    >>> shared_words("a b c d", "b, c, d, e"), shared_words("漢字、仮名", "漢字")
    (0.75, 0.6666666666666666)
    """
    one, other = Counter(fold_words(first)), Counter(fold_words(second))
    return 2 * (one & other).total() / max(one.total() + other.total(), 1)
