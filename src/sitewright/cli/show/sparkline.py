"""Shares over time in, a picture of them in text out."""

from collections.abc import Sequence
from datetime import datetime

from sitewright.values.words import moment

_BARS = "▁▂▃▄▅▆▇█"
_WIDEST = 60
Point = tuple[datetime, float]


def picture(points: Sequence[Point], since: datetime) -> list[str]:
    """Return the lines of a picture: bars between the shares of beginning and end, and where `since` is.

    >>> from datetime import UTC
    >>> days = [(datetime(2024, 5, day, tzinfo=UTC), share) for day, share in ((1, 1.0), (2, 0.9), (3, 0.0), (4, 0.1))]
    >>> print(*picture(days, days[2][0]), sep="\\n")
    100 % █▇▁▂ 10 %
            ^ since 2024-05-03 00:00
    from 2024-05-01 00:00 to 2024-05-04 00:00
    """
    if not points:
        return []
    drawn = _drawn(sorted(points))
    first, last = (f"{share:.0%}".replace("%", " %") for share in (drawn[0][1], drawn[-1][1]))
    place = len(first) + 1 + max(sum(at <= since for at, _ in drawn) - 1, 0)
    return [
        f"{first} {''.join(_bar(share) for _, share in drawn)} {last}",
        f"{' ' * place}^ since {moment(since)}",
        f"from {moment(min(points)[0])} to {moment(max(points)[0])}",
    ]


def _drawn(points: Sequence[Point]) -> list[Point]:
    """Return as many points as there is room for; where there are more, several are one, their mean."""
    size = -(-len(points) // _WIDEST)
    parts = (points[start : start + size] for start in range(0, len(points), size))
    return [(part[0][0], sum(share for _, share in part) / len(part)) for part in parts]


def _bar(share: float) -> str:
    """Return the bar of a share; nothing at all has the lowest to itself, everything the highest.

    >>> "".join(map(_bar, (0.0, 0.01, 0.99, 1.0)))
    '▁▂▇█'
    """
    if share <= 0 or share >= 1:
        return _BARS[0] if share <= 0 else _BARS[-1]
    return _BARS[1 + int(share * (len(_BARS) - 2))]
