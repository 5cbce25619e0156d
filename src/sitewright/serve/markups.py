"""A piece of a page in, its markup out: made once, as lists show the same cards again and again."""

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any

_MOST = 8_000
"""Pieces; a card has some 1.5 kB."""


class Markups:
    """The pieces that were made last; asked from many threads."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._made: dict[Hashable, Any] = {}
        self._lock = Lock()

    def kept(self, macro: Callable[[Any], Any], subject: object, *about: Hashable) -> Any:
        """Return what a macro makes of its subject; `about` is all that this depends on."""
        made = self._made.get(about)
        if made is None:
            made = macro(subject)
            with self._lock:  # the oldest cannot be looked for while others add theirs
                self._made[about] = made
                while len(self._made) > self._most:
                    del self._made[next(iter(self._made))]
        return made
