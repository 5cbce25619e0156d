"""Texts of strangers and moments in, out what a person may read of them: one line, with no power over the terminal."""

import unicodedata
from datetime import UTC, datetime

_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""What turns the order of the letters that follow, also those that are ours."""
_LONG = 120


def one_line(text: str) -> str:
    r"""Return a text as one line; what a terminal would obey is spelled out.

    >>> one_line("a\n  b \x1b[31m[red]c")
    'a b \\x1b[31m[red]c'
    """
    return "".join(map(_shown, " ".join(text.split())))


def _shown(char: str) -> str:
    is_power = unicodedata.category(char) in {"Cc", "Cs"} or char in _DIRECTIONS
    return char.encode("unicode_escape").decode("ascii") if is_power else char


def short(text: str, longest: int = _LONG) -> str:
    """Return the beginning of a text, as one line.

    >>> short("They hum. Quietly.", 9)
    'They hum.…'
    """
    line = one_line(text)
    return line if len(line) <= longest else f"{line[:longest].rstrip()}…"


def moment(at: datetime | None) -> str:
    """Return a moment to the minute, in UTC.

    >>> moment(datetime(2024, 5, 6, 10, 30, tzinfo=UTC)), moment(None)
    ('2024-05-06 10:30', '-')
    """
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}" if at is not None else "-"
