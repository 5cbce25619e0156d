"""A value in, what it looks like out: one of a few shapes, told at a glance.

Moments are what they are in stored records: text.
"""

import re
from datetime import date, datetime
from functools import lru_cache
from typing import Literal

Shape = Literal["empty", "date", "number", "url", "name", "line", "text", "code", "object"]
_GLANCE = 320
"""Characters that are looked at: a line is shorter, and what comes after the first paragraph of a text is text."""
_LONG = 300
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?|\d{1,4}([./])\d{1,2}\1\d{1,4}")
_DIGITS, _LETTERS = re.compile(r"\d+"), re.compile(r"[^\W\d_]")
_DATE_LETTERS = 16
"""Beside its numbers a date has a weekday, a month and a word like "at"."""
_NUMBER = re.compile(r"[-+]?[^\w\s]?\s?\d[\d.,\s]*(?:%|[^\W\d_]{1,3}|[^\w\s])?")
_URL = re.compile(r"(?:https?:)?//\S+|/[^\s/]+/\S*|mailto:\S+")
_CODE = re.compile(r"</\w|\{\s*[\"'\w]|function\s*\(|=>|;\s*\}")
_NO_NAME = frozenset('?!:|/{}<>"')
_NAME_WORDS, _NAME_LENGTH, _UNCASED_NAME = 5, 40, 6


def shape_of(value: object) -> Shape:
    """Tell what a value looks like; of a list, what its first entry does.

    >>> [shape_of(one) for one in ("2024-05-06T10:30:00+01:00", "6 May 2024, 10:30", "4.50", "https://example.com/a")]
    ['date', 'date', 'number', 'url']
    >>> [shape_of(one) for one in ("Ann Lee", ["Ludwig van Beethoven"], "王小明", "Bees are out early", "", {"a": 1})]
    ['name', 'name', 'name', 'line', 'empty', 'object']
    >>> shape_of("They hum.\\nQuietly."), shape_of('{"@type": "Thing"}')
    ('text', 'code')
    """
    if isinstance(value, str):
        return _shape_of_short(value) if len(value) <= _NAME_LENGTH else _shape_of_text(value)
    if isinstance(value, list | tuple):
        return shape_of(value[0]) if value else "empty"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, date):
        return "date"
    return "empty" if value is None or value == {} else "object"


def size_of(value: object) -> int:
    """Return how much a value holds: characters of texts; entries of lists that hold no texts count ten each.

    >>> size_of("bees"), size_of(["Ann", "Bo"]), size_of([{"url": "a"}, {"url": "b"}])
    (4, 5, 20)
    """
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list | tuple):
        return sum(map(size_of, value))
    if isinstance(value, date):
        return (19 if value.tzinfo is None else 25) if isinstance(value, datetime) else 10
    return 0 if value is None else 10


def glance_of(value: object, most: int) -> str:
    """Return the beginning of a value as text.

    >>> glance_of(["Ann Lee", "Bo Ek"], 10), glance_of({"url": "https://example.com/a"}, 99)
    ('Ann Lee; B', 'https://example.com/a')
    """
    if isinstance(value, str):
        return value[:most]
    if isinstance(value, list | tuple):
        return "; ".join([glance_of(one, most) for one in value[:5]])[:most]
    if isinstance(value, date):
        return value.isoformat()[:most]
    if isinstance(value, dict):
        return str(value.get("url") or value.get("amount") or value)[:most]
    return str(getattr(value, "url", value))[:most]


@lru_cache(maxsize=4096)
def _shape_of_short(value: str) -> Shape:
    """Tell the shape of what may well come again: names, sections, topics."""
    return _shape_of_text(value)


def _shape_of_text(value: str) -> Shape:
    seen = value[:_GLANCE].strip()
    if not seen:
        return "empty"
    if len(seen) <= _LONG and "\n" not in seen:
        special = _with_digits(seen) if _DIGITS.search(seen) else _without_digits(seen)
        return special or ("code" if _could_be_code(seen) else "line")
    return "code" if _could_be_code(seen) else "text"


def _with_digits(text: str) -> Shape | None:
    if _ISO_DATE.fullmatch(text):
        return "date"
    if _NUMBER.fullmatch(text):
        return "number"
    if _could_be_url(text):
        return "url"
    return "date" if _could_be_date(text) else None


def _without_digits(text: str) -> Shape | None:
    if len(text) <= _NAME_LENGTH and _could_be_name(text):
        return "name"
    return "url" if _could_be_url(text) else None


def _could_be_url(text: str) -> bool:
    return text.startswith(("http", "/", "mailto:")) and _URL.fullmatch(text) is not None


def _could_be_code(text: str) -> bool:
    """Tell whether it looks like code; the characters are looked for first, as that is faster."""
    return ("{" in text or "}" in text or "<" in text or "(" in text or "=>" in text) and bool(_CODE.search(text))


def _could_be_date(text: str) -> bool:
    if len(text) > _NAME_LENGTH:
        return False
    groups = len(_DIGITS.findall(text))
    return groups in range(2, 7) and 0 < len(_LETTERS.findall(text)) <= _DATE_LETTERS


def _could_be_name(text: str) -> bool:
    words = text.split(maxsplit=_NAME_WORDS)
    if len(words) > _NAME_WORDS or not (words[0][0].isalpha() and words[-1][0].isalpha()):
        return False
    if not text.isascii() and not (words[0][0].isupper() or words[0][0].islower()):  # a script without capitals
        return len(text) <= _UNCASED_NAME * len(words) and text.isprintable() and all(map(str.isalpha, words))
    return words[0][0].isupper() and words[-1][0].isupper() and _NO_NAME.isdisjoint(text)
