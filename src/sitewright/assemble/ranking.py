"""What is known of a story in, how high it stands among others out, with the reasons."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from math import log2, log10
from typing import Literal

HALF_LIFE = timedelta(hours=15)
"""After so long a story is read half as often: of 1.5 million clicks of a Brazilian paper, 44,000 fell on stories in
their fifth hour, 10,000 in their 38th."""
_TOGETHER = timedelta(hours=6)
"""A site that follows so much later says half as much as one that comes at once. By judgement, as all below."""
_MANY_PICTURES = 31
_LARGE = 1000
_HEAVY = 10
"""The weight of a front page."""
_PART = Literal["sites", "pictures", "source"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What counts for a story."""

    age: timedelta
    """Since its first account appeared."""
    pictures: int = 0
    longest: int = 0
    """Pixels of the longer side of its pictures, as they usually are; 0: not known."""
    weight: int = 1
    """Of the heaviest source that lists it now."""
    followed: Sequence[timedelta] = ()
    """How long after the first account each other site had it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """How high a story stands: `score` is `fresh` times one and the sum of the other parts."""

    fresh: float
    """From 1 (now) down to 0."""
    pictures: float
    """0 to 1, by how many and how large they are."""
    source: float
    """0 to 1, by the weight of its source."""
    sites: float
    """By how many other sites carry it, and how fast they came."""

    @property
    def score(self) -> float:
        """How high it stands."""
        return self.fresh * (1 + self.pictures + self.source + self.sites)

    @property
    def why(self) -> _PART | Literal["fresh"]:
        """What speaks for it most."""
        parts: list[tuple[float, _PART]] = [
            (self.sites, "sites"), (self.pictures, "pictures"), (self.source, "source"),
        ]  # fmt: skip
        best, name = max(parts, key=lambda part: part[0])
        return name if best >= self.fresh / 2 else "fresh"


def rank(standing: Standing) -> Ranked:
    """Return how high a story stands.

    >>> new, carried = Standing(age=timedelta(0)), Standing(age=timedelta(hours=15), followed=[timedelta(0)] * 7)
    >>> rank(new).score, rank(carried).score, rank(carried).why
    (1.0, 2.0, 'sites')
    """
    large = min(standing.longest, _LARGE) / _LARGE if standing.longest else 1.0
    return Ranked(
        fresh=_halved(max(standing.age, timedelta(0)), HALF_LIFE),
        pictures=large * log2(1 + min(standing.pictures, _MANY_PICTURES)) / log2(1 + _MANY_PICTURES),
        source=min(1.0, log10(max(standing.weight, 1)) / log10(_HEAVY)),
        sites=log2(1 + sum(_halved(max(gap, timedelta(0)), _TOGETHER) for gap in standing.followed)),
    )


def reasons(standing: Standing) -> list[str]:
    """Say what counts for a story, in words.

    >>> reasons(Standing(age=timedelta(hours=2), pictures=14, weight=10, followed=[timedelta(hours=1)]))
    ['2 hours old', '2 sites carry it', '14 pictures', 'its source has weight 10']
    """
    hours = round(max(standing.age, timedelta(0)) / timedelta(hours=1))
    said = [f"{hours} hour{'s' * (hours != 1)} old" if hours else "new"]
    if standing.followed:
        soon = sum(gap <= _TOGETHER for gap in standing.followed)
        fast = f", {soon} of them within six hours of the first" if soon > 1 else ""
        said.append(f"{len(standing.followed) + 1} sites carry it{fast}")
    if standing.pictures:
        size = f", {standing.longest} pixels long" if standing.longest else ""
        said.append(f"{standing.pictures} picture{'s' * (standing.pictures > 1)}{size}")
    if standing.weight > 1:
        said.append(f"its source has weight {standing.weight}")
    return said


def _halved(span: timedelta, half: timedelta) -> float:
    return float(2 ** -(span / half))
