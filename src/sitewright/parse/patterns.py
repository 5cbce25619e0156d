"""A regular expression that a person wrote in, whether it fits out, in bounded time: some expressions take for ever."""

from dataclasses import dataclass
from functools import lru_cache
from time import thread_time

import regex

from sitewright.checking import MOST_EXPANDED, TOO_MUCH, expanded_size
from sitewright.errors import SelectorError

_SECONDS = 0.05
"""For one address; an honest expression takes microseconds."""
_FREE_SECONDS, _HONEST_SECONDS = 0.25, 0.001
"""For all addresses together, of the processor's time, and for each from there on: there may be thousands."""
_KNOWN = 512
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


@lru_cache(maxsize=_KNOWN)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    if expanded_size(pattern) > MOST_EXPANDED:
        raise regex.error(TOO_MUCH)
    try:
        return regex.compile(pattern)
    except RecursionError as error:
        raise regex.error("nested too deep") from error


@dataclass(slots=True)
class _Cost:
    """What an expression has cost so far."""

    addresses: int = 0
    seconds: float = 0.0

    @property
    def is_too_much(self) -> bool:
        return self.seconds > max(_FREE_SECONDS, _HONEST_SECONDS * self.addresses)


@lru_cache(maxsize=_KNOWN)
def _cost_of(_pattern: str) -> _Cost:
    return _Cost()


def fits(pattern: str, text: str) -> bool:
    """Tell whether an expression is found in an address or name; `PatternTooSlow` where that cannot be told in time.

    One that has been slow on many is not tried on others.

    >>> fits("/news/", "https://example.com/news/bees"), fits("^/news/", "https://example.com/news/bees")
    (True, False)
    """
    bounded, cost = BoundedPattern(pattern, _SECONDS), _cost_of(pattern)
    if cost.is_too_much:
        raise PatternTooSlow(f"the expression {pattern!r} takes too long on addresses")
    began = thread_time()
    try:
        return bounded.search(text) is not None
    finally:
        cost.addresses += 1
        cost.seconds += thread_time() - began


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
