"""Snapshots of index pages in, how long each link stood there out."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Lifetime:
    """How long a link stood on an index page, as far as snapshots tell."""

    seen_hours: float
    """From the first snapshot that has it to the last."""
    came: bool
    """An earlier snapshot does not have it."""
    gone: bool
    """A later snapshot does not have it."""
    snapshots: int
    """How many have it."""

    @property
    def is_ephemeral(self) -> bool:
        """Whether it was seen to come and to go."""
        return self.came and self.gone


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An index page at a time, and the links that it has."""

    url: str
    time: datetime | None
    links: frozenset[str]


def lifetimes(snapshots: Iterable[Snapshot]) -> dict[str, Lifetime]:
    """Return the lifetime of each link; of one that stands on several index pages, the longest.

    Snapshots may come in any order; those of the same page and time count as one, those without a time tell nothing,
    and neither does a page of which there is one snapshot only.
    """
    series: dict[str, dict[float, set[str]]] = defaultdict(lambda: defaultdict(set))
    for snapshot in snapshots:
        if snapshot.time is not None:
            series[snapshot.url][snapshot.time.timestamp() / HOUR] |= snapshot.links
    longest: dict[str, Lifetime] = {}
    for moments in series.values():
        if len(moments) > 1:
            for link, lifetime in _of_one_page(moments):
                if link not in longest or lifetime.seen_hours > longest[link].seen_hours:
                    longest[link] = lifetime
    return longest


def _of_one_page(moments: Mapping[float, set[str]]) -> Iterable[tuple[str, Lifetime]]:
    times = sorted(moments)
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    counts: dict[str, int] = defaultdict(int)
    for number, time in enumerate(times):
        for link in moments[time]:
            first.setdefault(link, number)
            last[link] = number
            counts[link] += 1
    for link, start in first.items():
        end = last[link]
        hours = times[end] - times[start]
        yield link, Lifetime(hours, start > 0, end < len(times) - 1, counts[link])
