"""When new links were seen in, how much of a day's news each hour brings out."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

HOUR = 3600.0
DAY = 24 * HOUR
_PSEUDO_LINKS = 3.0
"""How much an hour must show before it counts: a single story at night does not make it a rush hour."""
_MOST_LINKS = 60.0
"""What an hour remembers. Older evidence fades as new comes, so that a changed rhythm is learned anew within days."""
_NONE = (0.0,) * 24


@dataclass(frozen=True)
class Rhythm:
    """New links of a site by the hour of the day (UTC): those seen, and those that a steady flow would have brought.

    >>> Rhythm().factor(3)
    1.0
    """

    seen: tuple[float, ...] = _NONE
    expected: tuple[float, ...] = _NONE

    def factor(self, hour: int) -> float:
        """Return how many times the average an hour brings; 1 where little is known."""
        return self.factors[hour]

    @cached_property
    def factors(self) -> tuple[float, ...]:
        """The factor of each of the 24 hours."""
        pairs = zip(self.seen, self.expected, strict=True)
        return tuple((seen + _PSEUDO_LINKS) / (expected + _PSEUDO_LINKS) for seen, expected in pairs)

    @cached_property
    def tempo(self) -> float:
        """The mean of the factors over the mean of their roots.

        By so much longer are periods that follow the root of the flow, where links wait as long as at a steady pace.
        """
        return sum(self.factors) / sum(math.sqrt(factor) for factor in self.factors)

    def steady_seconds(self, start: float, end: float) -> float:
        """Return how long a time is, in seconds of average flow."""
        return sum(self.factors[hour] * seconds for hour, seconds in hours_between(start, end))

    def after(self, links: float, rate: float, start: float, end: float) -> "Rhythm":
        """Return the rhythm after a look: how many links came in the time since the last one, and the source's rate."""
        if end <= start:
            return self
        seen, expected = list(self.seen), list(self.expected)
        for hour, seconds in hours_between(start, end):
            seen[hour] += links * seconds / (end - start)
            expected[hour] += rate * seconds
            fading = min(1.0, _MOST_LINKS / max(seen[hour], expected[hour], _MOST_LINKS))
            seen[hour] *= fading
            expected[hour] *= fading
        return replace(self, seen=tuple(seen), expected=tuple(expected))

    def to_text(self) -> str:
        """Return it as a line that a table can hold."""
        return json.dumps([self.seen, self.expected])

    @classmethod
    def from_text(cls, text: str) -> "Rhythm":
        """Return what `to_text` wrote.

        >>> Rhythm.from_text(Rhythm().to_text()) == Rhythm()
        True
        """
        seen, expected = json.loads(text)
        return cls(tuple(seen), tuple(expected))


def hours_between(start: float, end: float) -> Iterator[tuple[int, float]]:
    """Yield the hours of the day that lie between two times, and how many seconds of each.

    >>> list(hours_between(3000, 7500))
    [(0, 600.0), (1, 3600.0), (2, 300.0)]
    >>> sum(seconds for _, seconds in hours_between(0, 30 * DAY)) == 30 * DAY
    True
    """
    days, left = divmod(end - start, DAY)
    if days:
        yield from ((hour, days * HOUR) for hour in range(24))
    begin = end - left
    while begin < end:
        number = begin // HOUR
        boundary = min((number + 1) * HOUR, end)
        yield int(number) % 24, boundary - begin
        begin = boundary
