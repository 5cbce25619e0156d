"""A regular expression that a person wrote in, whether it fits out, in bounded time: some expressions take for ever."""

from functools import lru_cache

import regex

_SECONDS = 0.05
"""For one address; an honest expression takes microseconds."""


class PatternTooSlow(Exception):
    """An expression took longer than it may."""


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    return regex.compile(pattern)


def fits(pattern: str, text: str) -> bool:
    """Tell whether an expression is found in a text; `PatternTooSlow` where that cannot be told in bounded time.

    >>> fits("/news/", "https://example.com/news/bees"), fits("^/news/", "https://example.com/news/bees")
    (True, False)
    """
    try:
        return _compiled(pattern).search(text, timeout=_SECONDS) is not None
    except TimeoutError as error:
        raise PatternTooSlow(pattern) from error


def check_pattern(pattern: str) -> str:
    """Return what is wrong with an expression; empty where nothing is.

    >>> check_pattern("a+"), bool(check_pattern("(a"))
    ('', True)
    """
    try:
        _compiled(pattern)
    except regex.error as error:
        return str(error)
    return ""
