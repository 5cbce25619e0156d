"""Pairs that were judged in, stories out: records that belong together."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sitewright.stories.model import Kind


class Link(NamedTuple):
    """Two records that are taken for the same story, by their numbers."""

    one: int
    other: int
    kind: Kind
    score: float


def stories_of(links: Iterable[Link], differing: Iterable[tuple[int, int]] = ()) -> list[list[int]]:
    """Return the records of each story that more than one tells, in order.

    The surest pairs are joined first. Two groups are joined by a pair only if no more of their records were judged to
    differ than to be the same: one odd report must not make two stories one.
    """
    links = sorted(links, key=lambda link: -link.score)
    agreeing = {frozenset(link[:2]) for link in links}
    against = {frozenset(pair) for pair in differing}
    group: dict[int, list[int]] = {}
    for link in links:
        mine, theirs = (group.setdefault(number, [number]) for number in link[:2])
        if mine is not theirs and _agree(mine, theirs, agreeing, against):
            mine += theirs
            group.update(dict.fromkeys(theirs, mine))
    return sorted({id(own): sorted(own) for own in group.values() if len(own) > 1}.values())


def _agree(
    mine: Sequence[int], theirs: Sequence[int], agreeing: set[frozenset[int]], against: set[frozenset[int]]
) -> bool:
    if len(mine) * len(theirs) > _MOST_ASKED:
        return True
    across = [frozenset((one, other)) for one in mine for other in theirs]
    return sum(pair in agreeing for pair in across) >= sum(pair in against for pair in across)


_MOST_ASKED = 2500
"""Groups so large are of copies; asking for every pair would take more than judging them."""
