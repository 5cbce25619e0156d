"""What a record held and a value in, how nearly they say the same out."""

from datetime import datetime

from sitewright.heal.moments import as_stored_moment, sameness
from sitewright.induce.beliefs import days_of, entry_key
from sitewright.parse import clean_lines, fold_words
from sitewright.values.images import picture_keys


def rightness(remembered: object, value: object | None) -> float:
    """Return how nearly a value says what a record held: lists and texts by F1, all else wholly or not.

    >>> rightness(["Bees", "Honey"], ["honey"]), rightness("Why bees dance", "Why bees dance!")
    (0.6666666666666666, 1.0)
    """
    if value is None:
        return 0.0
    if pictures := picture_keys(remembered):
        same = picture_keys(value)
        return f1(len(pictures & same), len(pictures), len(same))
    if isinstance(remembered, list):
        known, given = ({entry_key(entry) for entry in entries} for entries in (remembered, value))  # type: ignore[attr-defined]
        return f1(len(known & given), len(known), len(given))
    if isinstance(value, datetime) or days_of(value):
        return sameness(as_stored_moment(remembered), value)
    if "\n" in str(remembered) or "\n" in str(value):
        return _text_f1(str(remembered), str(value))
    return float(entry_key(remembered) == entry_key(value))


def f1(both: float, one: float, other: float) -> float:
    """Return the F1 of what two sides have in common."""
    return 2 * both / (one + other) if one + other else 0.0


def _text_f1(one: str, other: str) -> float:
    """Return the F1 between two texts, by the words of the lines that both have."""
    known, given = ({line: len(fold_words(line)) for line in clean_lines(text)} for text in (one, other))
    both = sum(count for line, count in given.items() if line in known)
    return f1(both, sum(known.values()), sum(given.values()))
