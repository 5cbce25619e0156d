"""A failing text or body in, a smaller one that fails the same way out."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

Cut = TypeVar("Cut", str, bytes)

AT_ONCE = 32


def shrink(body: Cut, first_failing: Callable[[Sequence[Cut]], int | None], seconds: float = 10.0) -> Cut:
    """Leave out ever smaller pieces as long as it goes on failing; `first_failing` tells which of some bodies does.

    >>> shrink("some text with a bug in it", lambda bodies: next((n for n, b in enumerate(bodies) if "bug" in b), None))
    'bug'
    """
    end = time.monotonic() + seconds
    size = len(body) // 2
    while size and time.monotonic() < end:
        smaller = _try_without(body, size, first_failing, end)
        if smaller is None:
            size //= 2
        else:
            body = smaller
            size = min(size, len(body) // 2) or (1 if len(body) == 1 else 0)
    return body


def _try_without(body: Cut, size: int, first_failing: Callable[[Sequence[Cut]], int | None], end: float) -> Cut | None:
    """Return the body without one piece of this size, or None where every piece is needed."""
    all_starts = range(0, len(body), size)
    for starts in (all_starts[first : first + AT_ONCE] for first in range(0, len(all_starts), AT_ONCE)):
        if time.monotonic() >= end:
            return None
        candidates = [body[:start] + body[start + size :] for start in starts]
        found = first_failing(candidates)
        if found is not None:
            return candidates[found]
    return None
