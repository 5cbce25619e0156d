"""A regular expression that a person wrote in, whether it fits out, in bounded time: some expressions take for ever."""

from functools import lru_cache

import regex

from sitewright.errors import SelectorError

_SECONDS = 0.05
"""For one address; an honest expression takes microseconds."""
_TEXT_SECONDS = 1.0
"""For one text of a page, which may be long."""


class PatternTooSlow(SelectorError):
    """An expression took longer than it may."""


class BoundedPattern:
    """A compiled expression that says after some time that it cannot tell."""

    def __init__(self, pattern: str, seconds: float = _TEXT_SECONDS) -> None:
        """Compile; `SelectorError` where it is none."""
        self._seconds = seconds
        try:
            self._compiled = _compiled(pattern)
        except regex.error as error:
            raise SelectorError(f"{pattern!r} is not a regular expression: {error}") from error

    def search(self, text: str) -> "regex.Match[str] | None":
        """Return the first place where it is found; `PatternTooSlow` where that takes too long."""
        try:
            return self._compiled.search(text, timeout=self._seconds)
        except TimeoutError as error:
            pattern, seconds = self._compiled.pattern, self._seconds
            raise PatternTooSlow(f"the expression {pattern!r} takes longer than {seconds:g} s on a text") from error

    def part(self, text: str) -> str | None:
        r"""Return the first group of what is found, or all of it.

        >>> BoundedPattern(r"by (\w+)").part("Bees, by Ann"), BoundedPattern("b.").part("Ann")
        ('Ann', None)
        """
        found = self.search(text)
        return found[1 if self._compiled.groups else 0] if found else None


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    return regex.compile(pattern)


def fits(pattern: str, text: str) -> bool:
    """Tell whether an expression is found in an address or name; `PatternTooSlow` where that cannot be told in time.

    >>> fits("/news/", "https://example.com/news/bees"), fits("^/news/", "https://example.com/news/bees")
    (True, False)
    """
    return BoundedPattern(pattern, _SECONDS).search(text) is not None


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
