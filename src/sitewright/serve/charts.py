"""Figures in, what an SVG draws of them out: bars and lines, in a box of a fixed size."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 480.0, 64.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar: where it stands, how wide and high it is, and how much it says."""

    x: float
    y: float
    width: float
    height: float
    count: int


def bars(counts: Sequence[int]) -> list[Bar]:
    """Return a bar for each count; the highest fills the box.

    >>> [(bar.height, bar.count) for bar in bars([0, 2, 4])]
    [(0.0, 0), (32.0, 2), (64.0, 4)]
    """
    most, step = max(counts, default=0) or 1, WIDTH / max(len(counts), 1)
    heights = [HEIGHT * count / most for count in counts]
    return [
        Bar(round(place * step, 1), round(HEIGHT - high, 1), round(step * 0.8, 1), round(high, 1), count)
        for place, (high, count) in enumerate(zip(heights, counts, strict=True))
    ]


def stacked(counts: Sequence[Sequence[int]]) -> list[tuple[int, Bar]]:
    """Return bars that stand one on the other, with the row of each: a row of counts for each thing that is counted.

    >>> [(row, bar.y, bar.height) for row, bar in stacked([[1], [3]])]
    [(0, 48.0, 16.0), (1, 0.0, 48.0)]
    """
    totals = [sum(column) for column in zip(*counts, strict=True)]
    most, step = max(totals, default=0) or 1, WIDTH / max(len(totals), 1)
    below, found = [0.0] * len(totals), []
    for row, own in enumerate(counts):
        for place, count in enumerate(own):
            high = HEIGHT * count / most
            below[place] += high
            y = round(HEIGHT - below[place], 1)
            found.append((row, Bar(round(place * step, 1), y, round(step * 0.8, 1), round(high, 1), count)))
    return found


def line(shares: Sequence[float | None], height: float = 28.0, width: float = 160.0) -> str:
    """Return the points of a line through shares; where there is none it is not interrupted.

    >>> line([1.0, None, 0.0], height=10, width=20)
    '0,0 20,10'
    """
    step = width / max(len(shares) - 1, 1)
    points = [(place * step, height * (1 - share)) for place, share in enumerate(shares) if share is not None]
    if len(points) == 1:  # a line needs two ends; round ones make a dot of it
        points += [(points[0][0] + 0.1, points[0][1])]
    return " ".join(f"{x:g},{y:g}" for x, y in points)


def steps(
    points: Sequence[tuple[float, float, float | None]], height: float = HEIGHT, width: float = WIDTH
) -> list[str]:
    """Return the lines of a step chart of values that held from one time until another; where there is none, a gap.

    >>> steps([(0, 4, 10.0), (6, 8, 5.0), (8, 9, None), (9, 10, 5.0)], height=10, width=10)
    ['0,0 6,0 6,10 8,10', '9,10 10,10']
    """
    known = [value for _, _, value in points if value is not None]
    if not known:
        return []
    first, last = points[0][0], max(points[-1][1], points[0][0] + 1)
    low, span = min(known), (max(known) - min(known)) or 1.0
    until = [*(start for start, _, _ in points[1:]), last]
    lines: list[list[str]] = [[]]
    for (start, _, value), end in zip(points, until, strict=True):
        if value is None:
            lines.append([])
            continue
        high = height * (1 - (value - low) / span)
        lines[-1] += [f"{width * (at - first) / (last - first):g},{high:g}" for at in (start, end)]
    return [" ".join(line) for line in lines if line]
