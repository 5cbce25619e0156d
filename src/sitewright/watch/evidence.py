"""Page after page in, evidence that something is no longer as it was out: sequential tests, each a few numbers.

All of them sum up what each page says for a change and against it, never below zero (CUSUM). A sum that reaches
`LIMIT` is an alarm. As the sums of `Share` and `Level` are logarithms of likelihood ratios, one that starts at zero
gets there by chance with a probability of about exp(-16), or one in nine million; with ten fields, six tests each and
10,000 pages that is one false alarm in fifteen such years. Pages are not independent, though: stories come in runs. So
what could be a run (a field that is just not there) counts for little, and what cannot (a field that the tagger
sees and the map does not) for much.
"""

from dataclasses import dataclass
from math import log, sqrt

LIMIT = 16.0
_NEARLY_ALL, _A_QUARTER = 0.9, 0.25
"""The two changes that are tested for: nine of ten pages are affected, or a quarter more than before."""
_LEAST_RATE = 0.01
"""No rate is taken to be lower: four pages in a row are an alarm, never three."""
_PRIOR_PAGES, _PRIOR_HITS = 20.0, 0.2
_GAP_STEP = 0.85
"""What a page without a field says at most: 19 in a row are an alarm; runs of ten, say of videos, stay half below."""
_GAP_MIDDLE = 0.35
"""Where a third of the pages that used to have a field lack it, evidence for and against balance."""
_SHIFT = 1.5
"""The shift of the mean, in standard deviations, that is tested for; weekends shift it by a third of that."""
_FURTHEST = 3.0
_LEAST_DEVIATION = 0.3
"""On a logarithmic scale: lengths that differ by a third are alike, however alike they were before."""
_SUSPICIOUS = LIMIT / 4


@dataclass(slots=True)
class Share:
    """How often something happens that should not, and the evidence that it happens more often now.

    What is suspicious is not learned before the suspicion is gone.

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

    @property
    def rate(self) -> float:
        """How often it happens usually."""
        return max((self.hits + _PRIOR_HITS) / (self.pages + _PRIOR_PAGES), _LEAST_RATE)

    @property
    def is_alarm(self) -> bool:
        """Whether there is enough evidence."""
        return self.most >= LIMIT or self.some >= LIMIT

    @property
    def is_suspicious(self) -> bool:
        """Whether there is any evidence."""
        return self.most > 0 or self.some > 0

    def hit(self, rate: float | None = None) -> None:
        """Count a page on which it happens; `rate` is how often it does on pages of this kind, if that is known."""
        usual = min(max(rate, _LEAST_RATE), 0.99) if rate is not None else self.rate
        self.pages += 1
        self.pending += 1
        self.most = max(self.most + log(_NEARLY_ALL / usual), 0.0)
        self.some = max(self.some + log(usual + _A_QUARTER * (1 - usual)) - log(usual), 0.0)
        if not self.is_suspicious:
            self._learn()

    def miss(self) -> bool:
        """Count a page on which it does not happen; True where the last suspicion is gone with it."""
        self.pages += 1
        if self.most == 0 and self.some == 0:
            return False
        self.most = max(self.most + log((1 - _NEARLY_ALL) / (1 - self.rate)), 0.0)
        self.some = max(self.some + log(1 - _A_QUARTER), 0.0)
        if self.is_suspicious:
            return False
        self._learn()
        return True

    def learn(self, *, hit: bool) -> None:
        """Count a page without a test."""
        self.pages += 1
        self.hits += hit

    def clear(self) -> None:
        """Drop the evidence, and what was suspicious with it."""
        self.most = self.some = self.pending = 0.0

    def fade(self, factor: float) -> None:
        """Let what was learned count for less."""
        self.pages *= factor
        self.hits *= factor

    def _learn(self) -> None:
        self.hits += self.pending
        self.pending = 0.0


@dataclass(slots=True)
class Gap:
    """How often something is just not there, and the evidence that it stays away.

    Runs are normal: a page says little, and less where longer runs were seen before.

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
    streak: int = 0
    longest: float = 0.0

    @property
    def rate(self) -> float:
        """How often it is not there usually."""
        return (self.hits + _PRIOR_HITS) / (self.pages + _PRIOR_PAGES)

    @property
    def is_alarm(self) -> bool:
        """Whether there is enough evidence."""
        return self.score >= LIMIT

    def hit(self, rate: float = 0.0) -> None:
        """Count a page without it; `rate` is how often pages of this kind lack it."""
        self.pages += 1
        self.pending += 1
        self.streak += 1
        self.score += self._step(max(self.rate, rate))

    def miss(self) -> bool:
        """Count a page that has it; True where the last suspicion is gone with it."""
        self.pages += 1
        if self.streak:
            self.longest = max(self.longest, self.streak)
            self.streak = 0
        if self.pending == 0:
            return False
        middle = self.rate + _GAP_MIDDLE * (1 - self.rate)
        self.score = max(self.score - self._step(self.rate) * middle / (1 - middle), 0.0)
        if self.score > 0:
            return False
        self.hits += self.pending
        self.pending = 0.0
        return True

    def learn(self, *, hit: bool) -> None:
        """Count a page without a test."""
        self.pages += 1
        self.hits += hit

    def clear(self) -> None:
        """Drop the evidence, and what was suspicious with it."""
        self.score, self.pending, self.streak = 0.0, 0.0, 0

    def fade(self, factor: float) -> None:
        """Let what was learned count for less."""
        self.pages *= factor
        self.hits *= factor
        self.longest *= factor

    def _step(self, rate: float) -> float:
        seen_before = LIMIT / (2 * self.longest) if self.longest else _GAP_STEP
        return min(_GAP_STEP, -_GAP_STEP * log(min(rate, 1.0)) if rate > 0 else _GAP_STEP, seen_before)


@dataclass(slots=True)
class Level:
    """The usual length of something on a logarithmic scale, and the evidence that it is shorter or longer now.

    >>> level = Level()
    >>> _ = [level.add(length) for length in (6.0, 7.0, 6.5, 7.5) * 10]
    >>> [level.add(3.0) for _ in range(5)]
    [-3.0, -3.0, -3.0, -3.0, -3.0]
    >>> level.shorter >= LIMIT, level.longer, round(level.mean, 1)
    (True, 0.0, 6.7)
    """

    pages: float = 0.0
    mean: float = 0.0
    spread: float = 0.0
    """The sum of squared differences from the mean."""
    shorter: float = 0.0
    longer: float = 0.0

    @property
    def deviation(self) -> float:
        """How far lengths are from the mean usually."""
        return max(sqrt(self.spread / self.pages), _LEAST_DEVIATION) if self.pages else 1.0

    def distance(self, length: float) -> float:
        """Return how far a length is from the mean, in standard deviations; none is further than three."""
        return max(-_FURTHEST, min((length - self.mean) / self.deviation, _FURTHEST))

    def add(self, length: float) -> float:
        """Count a length; return its distance."""
        distance = self.distance(length) if self.pages >= _PRIOR_PAGES else 0.0
        self.shorter = max(self.shorter + _SHIFT * (-distance - _SHIFT / 2), 0.0)
        self.longer = max(self.longer + _SHIFT * (distance - _SHIFT / 2), 0.0)
        if self.shorter < _SUSPICIOUS and self.longer < _SUSPICIOUS:
            self.pages += 1
            off = length - self.mean
            self.mean += off / self.pages
            self.spread += off * (length - self.mean)
        return distance

    def clear(self) -> None:
        """Drop the evidence."""
        self.shorter = self.longer = 0.0

    def fade(self, factor: float) -> None:
        """Let what was learned count for less."""
        self.pages *= factor
        self.spread *= factor
