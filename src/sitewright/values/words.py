"""Numbers, moments, values and texts of strangers in, words for people out: one line, with no power over a terminal."""

import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import Any

import orjson

_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What turns the order of the letters that follow, also those that are ours."""
_KEPT = "\n\t"
_LONG = 120
_TELLING = 3
"""A word this short says nothing of how another one goes on."""
_COMMON, _SHOWN = 20, 70
"""Of two long values so much is shown of what they have in common before they differ, and so much in all."""
_LAST_WORD = re.compile(r"\s+\S+\s*\Z")


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "rule"), counted(2000, "rule")
    ('1 rule', '2,000 rules')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return a question that names the most similar of some words; empty where none is similar.

    >>> did_you_mean("tilte", ["title", "text"]), did_you_mean("bees", ["title", "text"])
    ('; did you mean title?', '')
    """
    words = list(known)
    longer = [name for name in words if len(word) > _TELLING and name.startswith(word)]
    near = longer[:1] or get_close_matches(word, words, 1)
    return f"; did you mean {near[0]}?" if near else ""


def moment(at: datetime | None) -> str:
    """Return a moment to the minute, in UTC.

    >>> moment(datetime(2024, 5, 6, 10, 30, tzinfo=UTC)), moment(None)
    ('2024-05-06 10:30', '-')
    """
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}" if at is not None else "-"


def one_line(text: str) -> str:
    r"""Return a text as one line; what a terminal would obey is spelled out.

    >>> one_line("a\n  b \x1b[31m[red]c")
    'a b \\x1b[31m[red]c'
    """
    return "".join(map(_shown, " ".join(text.split())))


def harmless(text: str) -> str:
    r"""Return a text in which all is spelled out that a terminal would obey; lines stay lines.

    >>> harmless("a\n\tb \x1b]0;c\x07 \x9b1m")
    'a\n\tb \\x1b]0;c\\x07 \\x9b1m'
    """
    return "".join(char if char in _KEPT else _shown(char) for char in text)


def _shown(char: str) -> str:
    is_power = unicodedata.category(char) in {"Cc", "Cs"} or char in _DIRECTIONS
    return char.encode("unicode_escape").decode("ascii") if is_power else char


def value_line(value: Any) -> str:
    """Return a value (as JSON has it) as one line; what is no text, as JSON.

    >>> value_line(["Ann", "Bo"]), value_line("They\\nhum"), value_line(None)
    ('["Ann","Bo"]', 'They hum', '')
    """
    if value is None:
        return ""
    return one_line(value if isinstance(value, str) else orjson.dumps(value).decode("utf-8"))


def short(text: str, longest: int = _LONG) -> str:
    """Return the beginning of a text, as one line.

    >>> short("They hum. Quietly.", 9)
    'They hum.…'
    """
    line = one_line(text)
    return line if len(line) <= longest else f"{line[:longest].rstrip()}…"


def short_at_word(text: str, longest: int) -> str:
    """Return the beginning of a text, cut where a word ends if one does nearby.

    >>> short_at_word("one two three", 9), short_at_word("one", 9), short_at_word("Donaudampfschiff", 9)
    ('one two …', 'one', 'Donaudamp …')
    """
    if len(text) <= longest:
        return text
    cut = text[:longest]
    start = _LAST_WORD.sub("", cut)
    return f"{start if len(start) > longest // 2 else cut} …"


def short_pair(before: str, after: str) -> tuple[str, str]:
    """Return two lines from shortly before where they differ, and not for long.

    >>> short_pair("A" * 50 + "b", "A" * 50 + "c")
    ('…AAAAAAAAAAAAAAAAAAAAb', '…AAAAAAAAAAAAAAAAAAAAc')
    """
    pairs = zip(before, after, strict=False)
    common = next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(before), len(after)))
    start = max(0, common - _COMMON)
    return _part(before, start), _part(after, start)


def _part(line: str, start: int) -> str:
    part = line[start : start + _SHOWN]
    return f"{'…' if start and part else ''}{part}{'…' if start + _SHOWN < len(line) else ''}"
