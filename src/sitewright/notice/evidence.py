"""Page after page in, evidence that something is no longer as it was out: sequential tests, each a few numbers.

All of them sum up what each page says for a change and against it, never below zero (CUSUM). A sum that reaches a limit
is an alarm. As the sums of `Share` are logarithms of likelihood ratios, one that starts at zero gets to 14 by chance
with a probability of about exp(-14), or one in a million, to 16 with one in nine millions. Pages are not independent,
though: stories come in runs, and weekends bring others. So what could be a run (a field that is just not there) counts
for little, rates are taken to be as high as they may be, and only what cannot be a run (a field that the tagger sees
and the map does not) counts for much. What is suspicious is not learned before the suspicion is gone.
"""

from dataclasses import dataclass
from math import log, sqrt

LIMIT = 16.0
_LIMIT_SELDOM = 14.0
"""For what is found on nearly all pages now and was on next to none: few pages begin a sum, so that is enough."""
_SERIOUS = LIMIT / 4
"""Chance alone gets so far once in fifty times."""
_SELDOM = 0.25
_NEARLY_ALL = 0.9
_LEAST_RATE = 0.01
"""No rate is taken to be lower: four pages in a row are an alarm, never three."""
_PRIOR_PAGES, _PRIOR_HITS = 10.0, 1.0
"""After 20 pages without one the rate is taken to be 3 %, and five pages in a row are an alarm; after 40, four."""
_CAUTION = 1.5
"""So many standard deviations the rate is taken to be higher than what was seen."""
_TESTABLE = 0.3
"""What happens more often is normal, and no test looks at it."""
_GAP_STEP = 0.85
"""What a page without a field says at most: 19 in a row are an alarm; runs of ten, say of videos, stay half below."""
_VARIES, _VARIES_FROM = 0.4, 0.2
"""A field that a fifth of the pages lack or more may be away from 40 % of the others at times, say at weekends."""
_BALANCE, _BALANCE_VARIED = 0.35, 0.5
"""Of the pages that used to have a field, how many lack it where evidence for and against balance."""
_RECENTLY = 0.02
"""How much the last page counts for how it was lately: a weekend of 50 pages is seen for the most part."""
_LEAST_DEVIATION = 0.3
"""On a logarithmic scale: lengths that differ by a third are alike, however alike they were before."""

_FURTHEST = 2.5


@dataclass(slots=True)
class Share:
    """How often something happens that should not, and the evidence that it happens more often now.

    Tested are two changes: it happens on nine of ten pages, or on `part` of those on which it did not.

    >>> share = Share(pages=100.0)
    >>> for _ in range(4):
    ...     share.hit()
    >>> share.is_alarm
    True
    """

    pages: float = 0.0
    hits: float = 0.0
    pending: float = 0.0
    most: float = 0.0
    some: float = 0.0
    part: float = _SELDOM
    watched: float = 0.0
    """How many pages there were since the first that is pending, with it."""

    def __post_init__(self) -> None:
        """Refuse what cannot be tested."""
        if not 0 < self.part < 1:
            raise ValueError(f"{self.part} is no part of the pages")

    @property
    def rate(self) -> float:
        """How often it may happen usually."""
        hits = self.hits
        return max((hits + _PRIOR_HITS + _CAUTION * sqrt(hits)) / (self.pages + _PRIOR_PAGES), _LEAST_RATE)

    @property
    def is_alarm(self) -> bool:
        """Whether there is enough evidence."""
        return self.some >= LIMIT or self.most >= (_LIMIT_SELDOM if self.part <= _SELDOM else LIMIT)

    @property
    def is_serious(self) -> bool:
        """Whether there is so much evidence that what is seen now should not be taken for usual."""
        return max(self.most, self.some) >= _SERIOUS

    def hit(self, rate: float = 0.0) -> None:
        """Count a page on which it happens; `rate` is how often it does on pages of this kind, if that is known."""
        self.pages += 1
        usual = max(rate, self.rate)
        if usual > _TESTABLE:
            self.hits += 1
            return
        self.pending += 1
        self.watched += 1
        self.most += log(_NEARLY_ALL / usual)
        self.some += log((usual + self.part * (1 - usual)) / usual)

    def miss(self) -> bool:
        """Count a page on which it does not happen; True where the last suspicion is gone with it."""
        self.pages += 1
        if not self.pending:
            return False
        self.watched += 1
        self.most = max(self.most + log((1 - _NEARLY_ALL) / max(1 - self.rate, 1 - _TESTABLE)), 0.0)
        self.some = max(self.some + log(1 - self.part), 0.0)
        if self.most or self.some:
            return False
        self.hits += self.pending
        self.pending = self.watched = 0.0
        return True

    def learn(self, *, hit: bool) -> None:
        """Count a page without a test."""
        self.pages += 1
        self.hits += hit

    def clear(self) -> None:
        """Drop the evidence, and what was suspicious with it."""
        self.most = self.some = self.pending = self.watched = 0.0

    def fade(self, factor: float) -> None:
        """Let what was learned count for less."""
        self.pages *= factor
        self.hits *= factor


@dataclass(slots=True)
class Gap:
    """How often something is just not there, and the evidence that it stays away.

    Runs are normal: a page says little, and less where there were times before in which it was away often.

    >>> gap = Gap(pages=100.0)
    >>> for _ in range(18):
    ...     gap.hit()
    >>> gap.is_alarm, gap.hit(), gap.is_alarm
    (False, None, True)
    """

    pages: float = 0.0
    hits: float = 0.0
    pending: float = 0.0
    score: float = 0.0
    lately: float = 0.0
    """How often it was not there lately."""
    peak: float = 0.0
    """The highest of that since it is under suspicion."""
    worst: float = 0.0
    """The highest that was innocent."""
    up: float = 0.0
    """What a page without it says."""
    down: float = 0.0
    """What a page with it says."""
    watched: float = 0.0
    """How many pages there were since it is under suspicion."""

    def __post_init__(self) -> None:
        self._weigh()

    @property
    def rate(self) -> float:
        """How often it may not be there usually."""
        hits = self.hits
        return min((hits + _PRIOR_HITS + _CAUTION * sqrt(hits)) / (self.pages + _PRIOR_PAGES), 1.0)

    @property
    def is_alarm(self) -> bool:
        """Whether there is enough evidence."""
        return self.score >= LIMIT

    def hit(self, rate: float = 0.0) -> None:
        """Count a page without it; `rate` is how often pages of this kind lack it."""
        self.pages += 1
        self.lately += _RECENTLY * (1 - self.lately)
        self.peak = max(self.peak, self.lately)
        self.score += min(self.up, _gap_step(rate)) if rate else self.up
        self.watched += 1
        if self.hits > _TESTABLE * self.pages:  # so often away that it cannot wait to be learned until all is clear
            self.hits += 1
        else:
            self.pending += 1

    def miss(self) -> bool:
        """Count a page that has it; True where the last suspicion is gone with it."""
        self.pages += 1
        self.lately *= 1 - _RECENTLY
        if not self.score:
            return False
        self.watched += 1
        self.score = max(self.score - self.down, 0.0)
        if self.score:
            return False
        self.hits += self.pending
        self.worst = max(self.worst, self.peak)
        self.pending = self.peak = self.watched = 0.0
        return True

    def learn(self, *, hit: bool) -> None:
        """Count a page without a test."""
        self.pages += 1
        self.hits += hit
        self.lately += _RECENTLY * (hit - self.lately)
        self.worst = max(self.worst, self.lately)

    def clear(self) -> None:
        """Drop the evidence, and what was suspicious with it."""
        self.score = self.pending = self.peak = self.watched = 0.0

    def fade(self, factor: float) -> None:
        """Let what was learned count for less."""
        self.pages *= factor
        self.hits *= factor
        self.worst *= factor
        self._weigh()

    def _weigh(self) -> None:
        """See what pages say, by how often it is away: done now and then, as that changes slowly."""
        usual = self.rate
        away = max(usual + _VARIES * min(usual / _VARIES_FROM, 1.0) * (1 - usual), self.worst)
        balance = _BALANCE + (_BALANCE_VARIED - _BALANCE) * min(usual / _VARIES_FROM, 1.0)
        middle = min(away + balance * (1 - away), 0.99)
        self.up = _gap_step(away)
        self.down = self.up * middle / (1 - middle)


@dataclass(slots=True)
class UsualLength:
    """The usual length of something, on a logarithmic scale.

    >>> usual = UsualLength()
    >>> for length in (6.0, 7.0, 6.5, 7.5) * 10:
    ...     usual.add(length)
    >>> round(usual.mean, 2), round(usual.distance(5.0), 1)
    (6.75, -3.1)
    """

    pages: float = 0.0
    mean: float = 0.0
    spread: float = 0.0
    """The sum of squared differences from the mean."""
    deviation: float = _LEAST_DEVIATION
    """How far lengths are from the mean usually."""

    def __post_init__(self) -> None:
        """Take no lengths to be more alike than they may be."""
        self.deviation = max(self.deviation, _LEAST_DEVIATION)

    def distance(self, length: float) -> float:
        """Return how far a length is from the mean, in standard deviations."""
        return (length - self.mean) / self.deviation if self.pages else 0.0

    def add(self, length: float) -> None:
        """Count a length; one that is far off counts as if it were less so, for the next may be as usual again."""
        off, furthest = length - self.mean, _FURTHEST * self.deviation
        if self.pages >= _PRIOR_PAGES and not -furthest < off < furthest:
            off = furthest if off > 0 else -furthest
        self.pages += 1
        self.mean += off / self.pages
        self.spread += off * off * (1 - 1 / self.pages)
        self.deviation = max(sqrt(self.spread / self.pages), _LEAST_DEVIATION)

    def fade(self, factor: float) -> None:
        """Let what was learned count for less."""
        self.pages *= factor
        self.spread *= factor


def _gap_step(rate: float) -> float:
    return min(_GAP_STEP, -_GAP_STEP * log(rate)) if rate > 0 else _GAP_STEP
