import json
import math
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.watch.timing.periods import Look, Pace, Timing
from sitewright.watch.timing.rhythm import DAY, HOUR, Rhythm
from sitewright.watch.timing.schedule import SiteSchedule, pace_of

START = 1_700_000_000.0
TIMING = Timing()
brought = st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 6)), max_size=60)
"""Which of four sources was looked at, and how many links were new; -1: the look failed."""


def urls(number: int) -> list[str]:
    return [f"https://paper.example/{name}" for name in range(number)]


def filled(number: int, timing: Timing = TIMING) -> SiteSchedule:
    return SiteSchedule(timing, {url: Pace(weight=weight) for weight, url in enumerate(urls(number), start=1)})


def restarted(schedule: SiteSchedule, number: int) -> SiteSchedule:
    """Return the schedule as a store gives it back."""
    rows = json.loads(json.dumps({url: asdict(schedule.pace(url)) for url in urls(number)}, allow_nan=False))
    paces = {url: pace_of(row | {"listed": []}, row["weight"]) for url, row in rows.items()}
    return SiteSchedule(TIMING, paces, Rhythm.from_text(schedule.rhythm.to_text()))


def run(schedule: SiteSchedule, steps: list[tuple[int, int]], now: float = START) -> list[float]:
    """Look at sources one minute after the other; return when each is due again."""
    dues = []
    for step, (source, links) in enumerate(steps):
        look = Look(at=now + 60 * step, first=max(links, 0), failed=links < 0)
        dues.append(schedule.after(urls(4)[source], look))
    return dues


def watch(schedule: SiteSchedule, news: dict[str, tuple[int, int, bool]], days: float) -> dict[str, int]:
    """Look at each source when it is due, which brings (first, late, failed); return how often each was looked at."""
    due = dict.fromkeys(news, START)
    looks = dict.fromkeys(news, 0)
    while (url := min(due, key=due.__getitem__)) and due[url] < START + days * DAY:
        first, late, failed = news[url]
        looks[url] += 1
        due[url] = schedule.after(url, Look(at=due[url], first=first, late=late, failed=failed))
    return looks


def test_an_unknown_source_has_no_pace() -> None:
    with pytest.raises(KeyError):
        SiteSchedule().pace("https://paper.example/")


def test_new_sources_are_due_soon_but_not_all_at_once() -> None:
    schedule = SiteSchedule(TIMING)
    dues = [schedule.add(url, 1.0, START) for url in urls(50)]
    assert all(START <= due < START + TIMING.minimum for due in dues)
    assert len(set(dues)) == 50


def test_another_weight_leaves_what_is_known() -> None:
    schedule = filled(1)
    run(schedule, [(0, 3)] * 5)
    before = schedule.pace(urls(1)[0])
    schedule.add(urls(1)[0], 7.0, START)
    after = schedule.pace(urls(1)[0])
    assert after.weight == 7.0
    assert (after.links, after.seconds, after.looked_at) == (before.links, before.seconds, before.looked_at)


def test_what_is_handed_in_is_not_changed() -> None:
    paces = {urls(1)[0]: Pace()}
    SiteSchedule(TIMING, paces).after(urls(1)[0], Look(at=START, first=3))
    assert paces == {urls(1)[0]: Pace()}


def test_busy_sources_are_looked_at_more_often() -> None:
    busy, quiet = urls(2)
    looks = watch(filled(2), {busy: (3, 0, False), quiet: (0, 0, False)}, 3)
    assert looks[busy] > 5 * looks[quiet]


def test_a_failing_source_does_not_slow_down_its_neighbours() -> None:
    failing, well = urls(2)
    looks = watch(filled(2), {failing: (0, 0, True), well: (1, 0, False)}, 3)
    assert looks[failing] < 15
    assert looks[well] > 100


def test_failures_double_the_wait_up_to_a_ceiling() -> None:
    schedule, url = filled(1), urls(1)[0]
    waits = [schedule.after(url, Look(at=START, failed=True)) - START for _ in range(30)]
    assert waits[1] == pytest.approx(2 * waits[0])
    assert waits[-1] == TIMING.longest_silence
    assert schedule.after(url, Look(at=START + DAY)) - START - DAY <= TIMING.maximum
    assert schedule.pace(url).failures == 0


def test_a_server_that_asks_for_patience_gets_it() -> None:
    schedule, url = filled(1), urls(1)[0]
    look = Look(at=START, failed=True, retry_after=7 * HOUR)
    assert schedule.after(url, look) == START + 7 * HOUR


def test_a_feed_that_is_always_first_makes_the_section_wait() -> None:
    feed, section = urls(2)
    schedule = SiteSchedule(TIMING, {feed: Pace(weight=3), section: Pace(weight=3)})
    looks = watch(schedule, {feed: (1, 0, False), section: (0, 1, False)}, 3)
    assert looks[feed] > 5 * looks[section]
    assert schedule.pace(section).share_first == 0.0


def test_the_rhythm_of_a_site_is_learned_from_all_its_sources() -> None:
    schedule = filled(2)
    midnight = START // DAY * DAY
    for hour in range(24 * 7):
        for url in urls(2):
            is_morning = hour % 24 == 8
            schedule.after(url, Look(at=midnight + hour * HOUR, first=12 if is_morning else 0))
    assert schedule.rhythm.factor(7) > 3 * schedule.rhythm.factor(3)


@given(brought)
def test_every_source_is_due_again_within_the_bounds(steps: list[tuple[int, int]]) -> None:
    for step, due in enumerate(run(filled(4), steps)):
        now = START + 60 * step
        assert now + TIMING.minimum <= due <= now + TIMING.longest_silence + 1e-6
        assert math.isfinite(due)


@given(brought, brought)
def test_a_restart_goes_on_where_it_was(before: list[tuple[int, int]], afterwards: list[tuple[int, int]]) -> None:
    schedule = filled(4)
    run(schedule, before)
    other = restarted(schedule, 4)
    later = START + 60 * len(before)
    assert run(other, afterwards, later) == run(schedule, afterwards, later)
    assert [other.pace(url) for url in urls(4)] == [schedule.pace(url) for url in urls(4)]


@pytest.mark.parametrize("row", [{}, {"listed": ["a"]}, {"unknown": 1, "weight": 99.0}])
def test_a_row_that_lacks_something_is_as_at_the_beginning(row: dict[str, object]) -> None:
    assert pace_of(row, 3.0) == Pace(weight=3.0)
