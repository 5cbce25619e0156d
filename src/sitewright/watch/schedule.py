"""Sources and what looks at them brought in, which source is to be looked at next, and when, out.

Hosts wait in a queue by the time at which their next source may be fetched: it is due, the pause after the last fetch
is over, and no other fetch is under way. A host that was just served goes to the end, so none keeps the others waiting,
however many sources it has. Within a host the one that is due for longest comes first. Every operation takes time in
the order of the logarithm of the number of sources.

The state is in frozen values with rows for a store. What is under way is no part of them: a source keeps its time until
the look is over, so after a restart it is taken again.
"""

import heapq
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from sitewright.parse import host_of
from sitewright.watch.periods import Look, Pace, SiteFlow, Timing, fraction, observe, period, wait_after
from sitewright.watch.rhythm import HOUR, Rhythm

SourceKind = Literal["page", "feed", "sitemap"]
Row = dict[str, Any]
"""Column to text or number."""
_LONGEST_PAUSE = HOUR
"""What robots.txt may ask for between two fetches; more would mean that nobody is to watch the site."""
_UNITS = 10**18
"""Rates are summed as whole numbers of this part of a link a second: sums do not depend on their order then, so that a
restarted schedule, which adds them up anew, goes on exactly as the old one would have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """An index page, a feed or a news sitemap that is watched."""

    url: str
    site: str
    kind: SourceKind = "page"
    weight: float = 1.0

    @property
    def host(self) -> str:
        """The host that is fetched from."""
        return host_of(self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceState:
    """A source, what is known about its news, and when it is due (seconds since 1970)."""

    source: Source
    pace: Pace
    due: float

    def to_row(self) -> Row:
        """Return it as a row of a table."""
        return {"url": self.source.url, "site": self.source.site, "kind": self.source.kind, "due": self.due} | asdict(
            self.pace
        )

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "SourceState":
        """Return what `to_row` wrote; columns of others are left alone."""
        source = Source(url=row["url"], site=row["site"], kind=row["kind"], weight=row["weight"])
        pace = Pace(**{name: row[name] for name in Pace.__dataclass_fields__})
        return cls(source=source, pace=pace, due=row["due"])


@dataclass(frozen=True, slots=True)
class SiteState:
    """A site and the hours at which it has news."""

    site: str
    rhythm: Rhythm = field(default_factory=Rhythm)

    def to_row(self) -> Row:
        """Return it as a row of a table."""
        return {"site": self.site, "rhythm": self.rhythm.to_text()}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "SiteState":
        """Return what `to_row` wrote."""
        return cls(row["site"], Rhythm.from_text(row["rhythm"]))


@dataclass(frozen=True, slots=True, kw_only=True)
class HostState:
    """A host, from when on it may be fetched from, and the pause between two fetches."""

    host: str
    free_at: float = -math.inf
    pause: float

    def to_row(self) -> Row:
        """Return it as a row of a table; a host that was never fetched from has no time."""
        return {"host": self.host, "free_at": self.free_at if self.free_at > -math.inf else None, "pause": self.pause}

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "HostState":
        """Return what `to_row` wrote."""
        free_at = -math.inf if row["free_at"] is None else row["free_at"]
        return cls(host=row["host"], free_at=free_at, pause=row["pause"])


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that a schedule knows."""

    sources: tuple[SourceState, ...] = ()
    sites: tuple[SiteState, ...] = ()
    hosts: tuple[HostState, ...] = ()


@dataclass(slots=True)
class _Host:
    """A host, its sources by the time they are due (what is no longer so is skipped), and its place in the queue."""

    state: HostState
    queue: list[tuple[float, str]] = field(default_factory=list)
    taken: str = ""
    offered: float = math.inf


@dataclass(slots=True)
class _Site:
    state: SiteState
    rates: int = 0
    roots: int = 0
    sources: int = 0

    def count(self, pace: Pace, sign: Literal[1, -1]) -> None:
        self.rates += sign * round(pace.rate * _UNITS)
        self.roots += sign * round(math.sqrt(pace.rate) * _UNITS)

    @property
    def flow(self) -> SiteFlow:
        return SiteFlow(self.rates / _UNITS, self.roots / _UNITS)


class Schedule:
    """Which source is to be looked at next; in memory, without a clock and without a thread."""

    def __init__(self, timing: Timing | None = None, snapshot: Snapshot = Snapshot()) -> None:  # noqa: B008 -- frozen
        """Begin empty, or where another schedule was when the snapshot was taken."""
        self._timing = timing or Timing()
        self._sources: dict[str, SourceState] = {}
        self._sites: dict[str, _Site] = {state.site: _Site(state) for state in snapshot.sites}
        self._hosts: dict[str, _Host] = {state.host: _Host(state) for state in snapshot.hosts}
        self._queue: list[tuple[float, str]] = []
        for state in snapshot.sources:
            self._insert(state)

    def __len__(self) -> int:
        """Return the number of sources."""
        return len(self._sources)

    def __contains__(self, url: str) -> bool:
        """Tell whether a source is there."""
        return url in self._sources

    def source_state(self, url: str) -> SourceState:
        """Return what is known of a source; KeyError where there is none."""
        return self._sources[url]

    def site_state(self, site: str) -> SiteState:
        """Return what is known of a site; KeyError where there is none."""
        return self._sites[site].state

    def host_state(self, host: str) -> HostState:
        """Return what is known of a host; KeyError where there is none."""
        return self._hosts[host].state

    def snapshot(self) -> Snapshot:
        """Return all that has to be kept to go on later."""
        return Snapshot(
            tuple(self._sources.values()),
            tuple(site.state for site in self._sites.values()),
            tuple(host.state for host in self._hosts.values()),
        )

    def add(self, source: Source, now: float) -> SourceState:
        """Add a source, due within the shortest period; one that is there keeps its time and takes the new weight."""
        known = self._sources.get(source.url)
        if known is None:
            state = SourceState(
                source=source,
                pace=Pace(weight=source.weight),
                due=now + self._timing.minimum * fraction(source.url),
            )
        else:
            self._drop(source.url)
            state = replace(known, source=source, pace=replace(known.pace, weight=source.weight))
        self._insert(state)
        return state

    def remove(self, url: str) -> None:
        """Forget a source; a look that is under way may still be reported."""
        site = self._drop(url)
        if not site.sources:
            del self._sites[site.state.site]

    def adopt(self, state: SourceState) -> None:
        """Take over what another process learned about a source, or the source itself where it is not there yet."""
        if state.source.url in self._sources:
            self._drop(state.source.url)
        self._insert(state)

    def next_time(self) -> float | None:
        """Return when `take` will give something, maybe a time in the past; None while nothing can be waited for."""
        self._prune()
        return self._queue[0][0] if self._queue else None

    def take(self, now: float) -> Source | None:
        """Return a source to look at now, or None. Its host gives no other until the look is over."""
        self._prune()
        if not self._queue or self._queue[0][0] > now:
            return None
        host = self._hosts[heapq.heappop(self._queue)[1]]
        host.taken, host.offered = heapq.heappop(host.queue)[1], math.inf
        return self._sources[host.taken].source

    def done(self, url: str, look: Look) -> SourceState | None:
        """Take note of what a look brought and return the source's new state; None where it was removed meanwhile."""
        state = self._sources.get(url)
        if state is not None:
            state = self._after(state, look)
            self._sources[url] = state
            heapq.heappush(self._hosts[state.source.host].queue, (state.due, url))
        self._release(url, look.at, look.retry_after)
        return state

    def give_back(self, url: str, now: float) -> None:
        """Undo a `take` that came to nothing: the source stays due."""
        if (state := self._sources.get(url)) is not None:
            heapq.heappush(self._hosts[state.source.host].queue, (state.due, url))
        self._release(url, now, 0.0)

    def set_pause(self, host: str, seconds: float) -> HostState:
        """Set the pause between two fetches from a host, as its robots.txt asks; never below that of the settings."""
        known = self._hosts.setdefault(host, self._new_host(host))
        pause = min(max(seconds, self._timing.pause), max(_LONGEST_PAUSE, self._timing.pause))
        longer = known.state.free_at + pause - known.state.pause
        known.state = replace(known.state, pause=pause, free_at=longer)
        self._offer(known)
        return known.state

    def _new_host(self, host: str) -> _Host:
        return _Host(HostState(host=host, pause=self._timing.pause))

    def _insert(self, state: SourceState) -> None:
        source = state.source
        site = self._sites.setdefault(source.site, _Site(SiteState(source.site)))
        site.count(state.pace, 1)
        site.sources += 1
        self._sources[source.url] = state
        host = self._hosts.setdefault(source.host, self._new_host(source.host))
        if host.taken != source.url:
            heapq.heappush(host.queue, (state.due, source.url))
            self._offer(host)

    def _drop(self, url: str) -> _Site:
        state = self._sources.pop(url)
        site = self._sites[state.source.site]
        site.count(state.pace, -1)
        site.sources -= 1
        return site

    def _after(self, state: SourceState, look: Look) -> SourceState:
        site, old = self._sites[state.source.site], state.pace
        rhythm = site.state.rhythm
        pace = observe(old, look, rhythm)
        if pace.looked_at is not None and old.looked_at is not None:
            rhythm = rhythm.after(look.first, old.rate, old.looked_at, pace.looked_at)
            site.state = SiteState(state.source.site, rhythm)
        site.count(old, -1)
        site.count(pace, 1)
        usual = period(pace, site.flow, self._timing, look.at, rhythm)
        return replace(state, pace=pace, due=look.at + wait_after(state.source.url, pace, look, usual, self._timing))

    def _release(self, url: str, now: float, retry_after: float) -> None:
        host = self._hosts.get(host_of(url))
        if host is None or host.taken not in ("", url):
            return
        pause = max(host.state.pause, min(retry_after, self._timing.longest_silence))
        host.state = replace(host.state, free_at=max(host.state.free_at, now + pause))
        host.taken = ""
        self._offer(host)

    def _offer(self, host: _Host) -> None:
        """Put a host into the queue at the time of its next source; what was in the queue before is skipped later."""
        if host.taken:
            return
        self._prune_host(host)
        ready = max(host.state.free_at, host.queue[0][0]) if host.queue else math.inf
        if ready != host.offered:
            host.offered = ready
            if ready < math.inf:
                heapq.heappush(self._queue, (ready, host.state.host))

    def _prune_host(self, host: _Host) -> None:
        while host.queue and not self._is_current(*host.queue[0]):
            heapq.heappop(host.queue)

    def _is_current(self, due: float, url: str) -> bool:
        state = self._sources.get(url)
        return state is not None and state.due == due

    def _prune(self) -> None:
        """Bring to the front of the queue a host that can be served at the time it stands there for."""
        while self._queue:
            ready, name = self._queue[0]
            host = self._hosts[name]
            if host.offered == ready:
                self._offer(host)
                if host.offered == ready:
                    return
            heapq.heappop(self._queue)


def restore(timing: Timing, rows: Mapping[str, Iterable[Mapping[str, Any]]]) -> Schedule:
    """Return the schedule whose rows a store kept under `sources`, `sites` and `hosts`."""
    return Schedule(
        timing,
        Snapshot(
            tuple(SourceState.from_row(row) for row in rows["sources"]),
            tuple(SiteState.from_row(row) for row in rows["sites"]),
            tuple(HostState.from_row(row) for row in rows["hosts"]),
        ),
    )
