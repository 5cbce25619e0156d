"""Watching simulated: how many fetches a day, and how long until a new link is seen, by how the periods are chosen.

    python -m bench.watching [--sites 100] [--days 7] [--seed 1]

Newspapers publish by a daily rhythm (few stories at night, rush hours in the morning and the late afternoon, fewer at
the weekend), in a time zone of their own, and twice a week on average news breaks: for two hours stories come ten times
as fast.
Each has ten sources: a front page (some list all stories, most only some), a feed and a news sitemap (on some sites
prompt, on others late), and seven sections that share its stories unevenly. A source lists its newest stories only.
Waiting is counted from the first moment at which any source lists a story until the first look that finds it.

Every way to choose periods sees the same stories; learning starts from nothing and its days are counted in.
"""

import argparse
import heapq
import math
import random
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, quantiles

from bench.markdown import Cell, markdown
from sitewright.watch.timing.periods import Look, Timing, initial_periods
from sitewright.watch.timing.rhythm import DAY, HOUR
from sitewright.watch.timing.schedule import SiteSchedule

SHAPE = (1, 1, 1, 1, 2, 5, 10, 12, 11, 9, 8, 8, 9, 8, 7, 8, 10, 11, 10, 8, 6, 4, 3, 2)
"""Stories by hour, local time: nights, a morning and an evening rush."""
SECTIONS = (30, 20, 15, 15, 10, 6, 4)
FRONT, FEED, SITEMAP = 0, 1, 2
CAPACITY = (60, 30, 200, *[30] * len(SECTIONS))
WEIGHTS = (10, 10, 3, 5, 5, 3, 3, 3, 1, 1)
"""What a person who makes the map would guess: front page and feed first, big sections before small ones."""
FETCH_SECONDS = 1.0


@dataclass(frozen=True)
class Listing:
    """What a source lists: stories by the time they appear there."""

    url: str
    times: list[float]
    stories: list[int]
    capacity: int


@dataclass(frozen=True)
class Paper:
    """A newspaper: its sources, and when each of its stories could first be seen."""

    site: str
    sources: tuple[Listing, ...]
    visible: tuple[float, ...]


@dataclass
class Result:
    """What one way to choose periods gave."""

    name: str
    fetches: int
    waits: list[float]
    missed: int


Looks = Iterator[tuple[int, int, float]]
Report = Callable[[int, int, float, int, int], None]


def publish(rng: random.Random, days: float) -> list[float]:
    """Return when a newspaper publishes: Poisson by hour, with breaking news; 50 stories a day, give or take."""
    a_day = math.exp(rng.gauss(math.log(50), 0.9))
    zone, total = rng.randrange(24), sum(SHAPE)
    breaking = [rng.uniform(0, days * DAY) for _ in range(round(days * 2 / 7 + rng.random() - 0.5))]
    times, now, most = [], 0.0, a_day / DAY * 24 * max(SHAPE) / total * 10
    while (now := now + rng.expovariate(most)) < days * DAY:
        rate = a_day / DAY * 24 * SHAPE[int(now // HOUR + zone) % 24] / total
        rate *= 0.6 if int(now // DAY) % 7 >= 5 else 1.0
        rate *= 10 if any(start <= now < start + 2 * HOUR for start in breaking) else 1
        if rng.random() < rate / most:
            times.append(now)
    return times


def make_paper(number: int, seed: int, days: float) -> Paper:
    """Return a newspaper with ten sources."""
    rng = random.Random(f"{seed}-{number}")  # noqa: S311 -- a simulation
    on_front, in_feed = rng.choice([0.4, 0.6, 0.8, 1.0]), rng.choice([0.0, 0.5, 0.95, 1.0])
    feed_delay, map_delay = rng.choice([1.0, 300.0, 1800.0]), rng.choice([60.0, 900.0, 3600.0])
    appearing: list[list[tuple[float, int]]] = [[] for _ in CAPACITY]
    times = publish(rng, days)
    for story, time in enumerate(times):
        section = rng.choices(range(len(SECTIONS)), SECTIONS)[0]
        appearing[FEED + 2 + section].append((time + rng.uniform(0, 120), story))
        if rng.random() < on_front:
            appearing[FRONT].append((time + rng.uniform(0, 300), story))
        if rng.random() < in_feed:
            appearing[FEED].append((time + rng.uniform(0, feed_delay), story))
        if rng.random() < 0.9:
            appearing[SITEMAP].append((time + rng.uniform(0, map_delay), story))
    visible = [math.inf] * len(times)
    listings = []
    for place, entries in enumerate(appearing):
        entries.sort()
        for time, story in entries:
            visible[story] = min(visible[story], time)
        own_times, stories = [time for time, _ in entries], [story for _, story in entries]
        listings.append(Listing(f"https://paper-{number}.example/{place}", own_times, stories, CAPACITY[place]))
    return Paper(f"paper-{number}.example", tuple(listings), tuple(visible))


def watch(name: str, papers: Sequence[Paper], looks: Looks, report: Report) -> Result:
    """Look at sources as told and tell what each look brought."""
    last = [[0] * len(paper.sources) for paper in papers]
    seen_at: list[list[float]] = [[math.inf] * len(paper.visible) for paper in papers]
    fetches = 0
    for paper, place, now in looks:
        fetches += 1
        listing, seen = papers[paper].sources[place], seen_at[paper]
        end = bisect_right(listing.times, now)
        new = listing.stories[max(last[paper][place], end - listing.capacity) : end]
        last[paper][place] = end
        first = [story for story in new if seen[story] == math.inf]
        for story in first:
            seen[story] = now
        report(paper, place, now, len(first), len(new) - len(first))
    waits = [
        at - visible
        for paper, own in zip(papers, seen_at, strict=True)
        for at, visible in zip(own, paper.visible, strict=True)
        if at < math.inf
    ]
    missed = sum(at == math.inf for own in seen_at for at in own)
    return Result(name, fetches, waits, missed)


def by_periods(name: str, papers: Sequence[Paper], periods: Sequence[float], end: float) -> Result:
    """Watch with periods that stay as they are."""
    rng = random.Random(0)  # noqa: S311 -- a simulation
    queue = [
        (rng.uniform(0, periods[place]), paper, place) for paper in range(len(papers)) for place in range(len(CAPACITY))
    ]
    heapq.heapify(queue)

    def looks() -> Looks:
        while queue[0][0] < end:
            now, paper, place = queue[0]
            heapq.heapreplace(queue, (now + periods[place], paper, place))
            yield paper, place, now

    return watch(name, papers, looks(), lambda *_: None)


def by_schedule(name: str, papers: Sequence[Paper], timing: Timing, end: float) -> Result:
    """Watch with the schedules of the package, one look after another."""
    schedules = [SiteSchedule(timing) for _ in papers]
    queue = [
        (schedules[number].add(listing.url, WEIGHTS[place], 0.0), number, place)
        for number, paper in enumerate(papers)
        for place, listing in enumerate(paper.sources)
    ]
    heapq.heapify(queue)

    def looks() -> Looks:
        while queue[0][0] < end:
            due, paper, place = heapq.heappop(queue)
            yield paper, place, due

    def report(paper: int, place: int, now: float, first: int, late: int) -> None:
        look = Look(at=now + FETCH_SECONDS, first=first, late=late)
        due = schedules[paper].after(papers[paper].sources[place].url, look)
        heapq.heappush(queue, (due, paper, place))

    return watch(name, papers, looks(), report)


def row(result: Result, days: float) -> list[Cell]:
    """Return fetches a day and minutes of waiting."""
    cuts = quantiles(result.waits, n=20)
    minutes = [f"{seconds / 60:.1f}" for seconds in (fmean(result.waits), cuts[9], cuts[18])]
    return [result.name, f"{result.fetches / days:,.0f}", *minutes, result.missed]


def run(sites: int, days: float, seed: int) -> str:
    """Return the table."""
    papers = [make_paper(number, seed, days) for number in range(sites)]
    end = days * DAY
    timing = Timing()
    results = [
        *(by_periods(f"fixed, {m} min", papers, [m * 60.0] * len(CAPACITY), end) for m in (5, 10, 20, 30)),
        by_periods("the seed's weights", papers, initial_periods(WEIGHTS, timing), end),
        *(by_schedule(f"adaptive, goal {m} min", papers, Timing(goal=m * 60.0), end) for m in (2, 4, 5, 10)),
    ]
    stories = sum(len(paper.visible) for paper in papers)
    head = ["periods", "fetches a day", "mean wait (min)", "median", "95th percentile", "never seen"]
    table = markdown(head, [row(result, days) for result in results])
    return f"{sites} sites, {sites * len(CAPACITY)} sources, {days:g} days, {stories:,} stories\n\n{table}"


def main() -> None:
    """Read the arguments and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=int, default=100)
    parser.add_argument("--days", type=float, default=7)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(run(arguments.sites, arguments.days, arguments.seed))


if __name__ == "__main__":
    main()
