"""What looks at the sources of a site brought in, when to look at each of them again out; no I/O, no clock."""

from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from sitewright.watch.timing.periods import Look, Pace, Timing, flow_of, fraction, observe, period, wait_after
from sitewright.watch.timing.rhythm import Rhythm


class SiteSchedule:
    """The sources of one site: how often each has news, and at which hours the site has any.

    Sources are index pages, feeds and news sitemaps, by their addresses. Times are seconds since 1970.
    """

    def __init__(
        self, timing: Timing | None = None, paces: Mapping[str, Pace] | None = None, rhythm: Rhythm | None = None
    ) -> None:
        self._timing = timing or Timing()
        self._paces = dict(paces or {})
        self.rhythm = rhythm or Rhythm()

    def pace(self, url: str) -> Pace:
        """Return what is known of a source; KeyError where there is none."""
        return self._paces[url]

    @property
    def urls(self) -> Collection[str]:
        """The addresses of the sources."""
        return self._paces.keys()

    @property
    def is_down(self) -> bool:
        """Whether the last looks at all sources failed."""
        return all(pace.failures for pace in self._paces.values())

    def add(self, url: str, weight: float, now: float) -> float:
        """Add a source, or give it another weight; return when a new one is due, within the shortest period."""
        known = self._paces.get(url, Pace())
        self._paces[url] = Pace(**(asdict(known) | {"weight": weight}))
        return now + self._timing.minimum * fraction(url)

    def after(self, url: str, look: Look) -> float:
        """Take note of what a look brought, and return when the source is due again."""
        before = self._paces[url]
        pace = self._paces[url] = observe(before, look, self.rhythm)
        if pace.looked_at is not None and before.looked_at is not None:
            self.rhythm = self.rhythm.after(look.first, before.rate, before.looked_at, pace.looked_at)
        flow = flow_of([known.rate for known in self._paces.values()])
        usual = period(pace, flow, self._timing, look.at, self.rhythm)
        return look.at + wait_after(url, pace, look, usual, self._timing)


def pace_of(row: Mapping[str, Any], weight: float) -> Pace:
    """Return the pace that a store kept as `asdict` wrote it; what is not there is as at the beginning.

    >>> pace_of({"links": 2.0, "of others": 1}, 3.0).links
    2.0
    """
    known = {name: row[name] for name in Pace.__dataclass_fields__ if name in row}
    return Pace(**(known | {"weight": weight}))
