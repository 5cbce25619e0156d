"""Weights of a site's sources and what looks at them brought in, how long to wait until the next look out.

Index pages, feeds and news sitemaps of a site are its sources. If new links come at a rate λ and a source is looked at
every T seconds, a link waits T / 2 on average. Of all ways to divide fetches among sources so that the site's links
wait no longer than a goal G on average, the cheapest has T ∝ 1 / √λ:

    minimise Σ 1/Tᵢ  with  Σ λᵢ Tᵢ / 2 = G Σ λᵢ   ⇒   Tᵢ = 2 G · Σ λⱼ / (√λᵢ · Σ √λⱼ)

The same holds over the hours of a day. So the period follows the root of the rate that is expected next, made of

    what the weight says   until there is evidence (a Gamma prior worth half a link)
    the average            new links a second over some days, old ones fading (Gamma-Poisson)
    the rhythm             which hours of the day bring more (see rhythm.py); shared by a site's sources
    the surprise           how many links came lately beside how many were expected: breaking news, or silence

Only links that no other source of the site had listed before count. What one source always lists after another thereby
has a rate near zero, and its period grows until it is needed again.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sitewright.errors import SettingsError
from sitewright.watch.timing.rhythm import DAY, HOUR, Rhythm

PRIOR_RATE = 0.2 / HOUR
"""New links a second that weight 1 stands for until there is evidence. A front page of weight 10 has two an hour."""
_PRIOR_LINKS = 0.5
"""What the prior weighs. In `bench/watching.py` (14 sites) half a link takes 7 % fewer fetches than a whole one, at the
same waits. It hardly feels the constants below: a memory of one or seven days, recent times of half an hour or two,
surprises of two or four links change its fetches by 8 % at most."""
MEMORY = 3 * DAY
"""How long the average remembers: some days, so that no hour of the day weighs more than another."""
_RECENT = 1 * HOUR
_SURPRISE_LINKS = 1.0
"""What the surprise needs to move: with one expected link beside it, five in a row make it 3."""
_SMALLEST_WEIGHT = 1e-6
_MOST_DOUBLINGS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Between which bounds, and to which end, sources are looked at; all in seconds."""

    minimum: float = 120.0
    maximum: float = 6 * HOUR
    goal: float = 240.0
    """How long a new link may wait on average until it is seen."""
    fetches_per_link: float = 50.0
    """Beyond so many fetches for one new link, the goal is given up: a source that has a story a week may wait."""
    longest_silence: float = DAY
    """How long a failing source, or a server that asks for patience (Retry-After), is left alone at most."""
    jitter: float = 0.05
    """The share of a period by which sources differ, so that those found together are not fetched together for ever."""

    def __post_init__(self) -> None:
        """Refuse bounds that cannot be kept."""
        if not 0 < self.minimum <= self.maximum <= self.longest_silence < math.inf:
            raise SettingsError("watch: 0 < minimum <= maximum <= longest_silence must hold")
        if not (0 < self.goal < math.inf and self.fetches_per_link > 0 and 0 <= self.jitter < 1):
            raise SettingsError("watch: goal and fetches_per_link must be above 0, jitter within 0..1")

    def clamp(self, seconds: float) -> float:
        """Return a period within the bounds."""
        return min(max(seconds, self.minimum), self.maximum)


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What one look at a source brought. An answer of 304 is a look without news."""

    at: float
    first: int = 0
    """New links that no source of the site had listed before."""
    late: int = 0
    """Links that this source lists for the first time, but another one had before."""
    failed: bool = False
    retry_after: float = 0.0
    """How many seconds the server asks to wait."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """What is known about how often a source has news."""

    weight: float = 1.0
    links: float = 0.0
    """New links seen here first; old ones fade, as do the seconds in which they came."""
    seconds: float = 0.0
    late: float = 0.0
    recent: float = 0.0
    """New links of the last hour or so, and how many were expected."""
    expected: float = 0.0
    looked_at: float | None = None
    failures: int = 0
    """How many looks in a row failed."""

    @property
    def rate(self) -> float:
        """New links a second, averaged over some days.

        >>> round(Pace(weight=5).rate * HOUR, 9), round(Pace(weight=5, links=99.5, seconds=9.5 * HOUR).rate * HOUR, 9)
        (1.0, 10.0)
        """
        prior = PRIOR_RATE * max(self.weight, _SMALLEST_WEIGHT)
        return (self.links + _PRIOR_LINKS) / (self.seconds + _PRIOR_LINKS / prior)

    @property
    def surprise(self) -> float:
        """How many times the expected number of links came lately."""
        return (self.recent + _SURPRISE_LINKS) / (self.expected + _SURPRISE_LINKS)

    @property
    def share_first(self) -> float | None:
        """Of the links that were new here, the share that no other source had before; None where none was new."""
        return self.links / new if (new := self.links + self.late) > 0 else None


def observe(pace: Pace, look: Look, rhythm: Rhythm = Rhythm()) -> Pace:  # noqa: B008 -- frozen
    """Return what is known after a look.

    The first look finds links of any age, which tell nothing about the rate. A failed look tells nothing either; the
    next one then stands for the whole time.
    """
    if look.failed:
        return replace(pace, failures=pace.failures + 1)
    if pace.looked_at is None:
        return replace(pace, looked_at=look.at, failures=0)
    elapsed = look.at - pace.looked_at
    if elapsed <= 0:  # the clock was set back: it is counted from here
        return replace(pace, looked_at=look.at, failures=0)
    expected = pace.rate * rhythm.steady_seconds(pace.looked_at, look.at)
    return replace(
        pace,
        links=_faded(pace.links, look.first, elapsed, MEMORY),
        seconds=_faded(pace.seconds, elapsed, elapsed, MEMORY),
        late=_faded(pace.late, look.late, elapsed, MEMORY),
        recent=_faded(pace.recent, look.first, elapsed, _RECENT),
        expected=_faded(pace.expected, expected, elapsed, _RECENT),
        looked_at=look.at,
        failures=0,
    )


def _faded(total: float, added: float, elapsed: float, memory: float) -> float:
    """Return a sum in which the past fades by e in a memory's length; what is added came evenly in the time elapsed.

    >>> round(_faded(0, 5, 100, 1e9), 6), round(_faded(3, 5, 1e9, 10), 6)
    (5.0, 0.0)
    """
    lost = -math.expm1(-elapsed / memory)
    return total * (1 - lost) + added * lost * memory / elapsed


@dataclass(frozen=True, slots=True)
class SiteFlow:
    """The new links of all sources of a site: the sum of their rates, and that of the roots of their rates."""

    rates: float
    roots: float

    def scale(self, timing: Timing, rhythm: Rhythm) -> float:
        """Return what a source's period is in proportion to one over the root of its rate (see the module)."""
        return 2 * timing.goal * self.rates / self.roots * rhythm.tempo


def flow_of(rates: Sequence[float]) -> SiteFlow:
    """Return the flow of a site whose sources have these rates."""
    return SiteFlow(math.fsum(rates), math.fsum(math.sqrt(rate) for rate in rates))


def initial_periods(weights: Sequence[float], timing: Timing) -> list[float]:
    """Return the periods that the weights of a site's sources stand for.

    Higher weight, shorter period, within the bounds: that is all the seed asks for. The formula is that of the module,
    with weights in the place of rates: were they right, new links would wait for the goal on average, at least cost.

    >>> [round(period) for period in initial_periods([10, 1, 1, 1], Timing(goal=300))]
    [400, 1266, 1266, 1266]
    """
    known = [max(weight, _SMALLEST_WEIGHT) for weight in weights]
    scale = flow_of(known).scale(timing, Rhythm()) if known else 0.0
    return [timing.clamp(scale / math.sqrt(weight)) for weight in known]


def period(pace: Pace, flow: SiteFlow, timing: Timing, now: float, rhythm: Rhythm = Rhythm()) -> float:  # noqa: B008 -- frozen
    """Return how long to wait until the next look, within the bounds.

    Hours differ, so it is walked: a look is due when the shares of its period that passed in each hour add up to one.
    """
    rate, scale = pace.rate * pace.surprise, flow.scale(timing, rhythm)
    left, at = 1.0, now
    while left > 0 and at - now < timing.maximum:
        hour_rate = rate * rhythm.factor(int(at // HOUR) % 24)
        length = max(scale / math.sqrt(hour_rate), 1 / (timing.fetches_per_link * hour_rate))
        step = min(left * length, (at // HOUR + 1) * HOUR - at)
        left, at = left - step / length if step < left * length else 0.0, at + step
    return timing.clamp(at - now)


def wait_after(url: str, pace: Pace, look: Look, usual: float, timing: Timing) -> float:
    """Return how long to wait after a look, given the source's usual period.

    Failures in a row double it up to a ceiling; a server that asks for more gets it, up to the same ceiling.
    """
    own = timing.clamp(usual * (1 + timing.jitter * (2 * fraction(url) - 1)))
    doubled = min(own * 2.0 ** min(pace.failures, _MOST_DOUBLINGS), timing.longest_silence)
    asked = min(max(look.retry_after, 0.0), timing.longest_silence)
    return max(doubled, asked)


def fraction(url: str) -> float:
    """Return a number from 0 up to 1 that is always the same for a URL.

    >>> fraction("https://example.com/") == fraction("https://example.com/")
    True
    """
    digest = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=6).digest()
    return int.from_bytes(digest) / 2**48
