"""Two elements in, how alike they are out: by what is inside of them, in doubt by tree edit distance."""

from collections import Counter
from collections.abc import Sequence

from turbohtml import Element

from sitewright.repeats.steps import Steps, Way

ALIKE, UNLIKE = 0.6, 0.25
"""Shares of ways that two parts have in common: alike from the first on, unlike below the second. Chosen by
eye on lists of a few shops, not measured."""
FARTHEST = 0.6
"""In between, parts are alike whose trees differ by at most so much of their nodes."""
_DEEPEST = 4
_MOST_NODES = 60


def ways_inside(steps: Steps, element: Element) -> Counter[Way]:
    """Return the ways to what is inside of an element, down to some depth."""
    return Counter(way for way, _ in steps.down(element, _DEEPEST))


def overlap(one: Counter[Way], other: Counter[Way]) -> float:
    """Return the share of ways that two parts have in common.

    >>> overlap(Counter({("a",): 1}), Counter({("a",): 1, ("b",): 1}))
    0.5
    """
    if not one and not other:
        return 1.0
    return sum((one & other).values()) / sum((one | other).values())


def is_alike(one: Element, other: Element, share: float) -> bool:
    """Tell whether two parts are alike, given the share of ways that they have in common."""
    if share >= ALIKE or share < UNLIKE:
        return share >= ALIKE
    sizes = _size(one), _size(other)
    limit = FARTHEST * max(sizes)
    return max(sizes) <= _MOST_NODES and edit_distance(one, other, limit) <= limit


def edit_distance(one: Element, other: Element, limit: float) -> float:
    """Return how many nodes must be put in, taken out or renamed, from the root down; more than `limit` is not counted.

    >>> from turbohtml import parse
    >>> page = parse("<ul><li><a>1</a></li><li><a>2</a><b>3</b></li></ul>")
    >>> edit_distance(*page.select("li"), limit=9)
    1.0
    """
    cost = float(one.tag != other.tag)
    if cost > limit:
        return cost
    rows, columns = _children(one), _children(other)
    sizes = [_size(child) for child in columns]
    line = [0.0]
    for size in sizes:
        line.append(line[-1] + size)
    for row in rows:
        gone = _size(row)
        following = [line[0] + gone]
        for number, column in enumerate(columns):
            cheapest = min(line[number + 1] + gone, following[number] + sizes[number])
            if line[number] < cheapest:
                cheapest = min(cheapest, line[number] + edit_distance(row, column, min(limit, cheapest - line[number])))
            following.append(cheapest)
        line = following
    return cost + line[-1]


def _children(element: Element) -> Sequence[Element]:
    return [child for child in element if isinstance(child, Element)]


def _size(element: Element) -> int:
    return 1 + sum(1 for _ in element.select("*"))
