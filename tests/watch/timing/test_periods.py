import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import SettingsError
from sitewright.watch.timing.periods import (
    Look,
    Pace,
    Timing,
    flow_of,
    fraction,
    initial_periods,
    observe,
    period,
    wait_after,
)
from sitewright.watch.timing.rhythm import DAY, HOUR, Rhythm, hours_between

TIMING = Timing(goal=300.0)
URL = "https://example.com/"
START = 1_700_000_000.0

weights = st.floats(0, 1000)
times = st.floats(0, 4e9)
counts = st.integers(0, 10_000)
looks = st.lists(st.tuples(st.floats(0, 30 * DAY), counts, counts, st.booleans()), max_size=30)


def after(steps: list[tuple[float, int, int, bool]], weight: float = 1.0) -> tuple[Pace, float]:
    pace, now = Pace(weight=weight), START
    for seconds, first, late, failed in steps:
        now += seconds
        pace = observe(pace, Look(at=now, first=first, late=late, failed=failed))
    return pace, now


def steady(every: float, links: int, hours: float, *, weight: float = 1.0, late: int = 0) -> Pace:
    steps = [(every, links, late, False)] * (int(hours * HOUR / every) + 1)
    return after(steps, weight)[0]


def alone(pace: Pace, timing: Timing = TIMING) -> float:
    """Return the period of a source beside a front page that has two new links an hour."""
    return period(pace, flow_of([2 / HOUR, pace.rate]), timing, START)


@pytest.mark.parametrize(
    ("given_weights", "expected"),
    [
        ([], []),
        ([1], [600]),
        ([7], [600]),
        ([5, 5], [600, 600]),
        ([4, 1], [500, 1000]),
        ([1e9, 1], [600, 21600]),
        ([1, 0], [599, 21600]),
        ([1, -3], [599, 21600]),
    ],
)
def test_initial_periods(given_weights: list[float], expected: list[float]) -> None:
    assert [round(seconds) for seconds in initial_periods(given_weights, TIMING)] == expected


@given(st.lists(weights, min_size=1, max_size=20), st.floats(60, HOUR))
def test_initial_periods_fall_with_the_weight_and_stay_in_bounds(given_weights: list[float], goal: float) -> None:
    timing = Timing(goal=goal)
    periods = initial_periods(given_weights, timing)
    assert all(timing.minimum <= seconds <= timing.maximum for seconds in periods)
    by_weight = sorted(zip(given_weights, periods, strict=True))
    assert all(a[1] >= b[1] for a, b in pairwise(by_weight))


@given(st.lists(st.floats(0.1, 100), min_size=1, max_size=20))
def test_links_wait_for_the_goal_where_no_bound_is_in_the_way(given_weights: list[float]) -> None:
    timing = Timing(minimum=1e-3, maximum=1e9, longest_silence=1e9)
    periods = initial_periods(given_weights, timing)
    waits = sum(weight * seconds / 2 for weight, seconds in zip(given_weights, periods, strict=True))
    assert waits / sum(given_weights) == pytest.approx(timing.goal)


def test_no_other_division_of_as_many_fetches_waits_less() -> None:
    rates, periods = [9.0, 4.0, 1.0], initial_periods([9, 4, 1], Timing(minimum=1, maximum=DAY))
    fetches = sum(1 / seconds for seconds in periods)
    wait = sum(rate * seconds for rate, seconds in zip(rates, periods, strict=True))
    equal = [len(rates) / fetches] * len(rates)
    assert wait < sum(rate * seconds for rate, seconds in zip(rates, equal, strict=True))


@given(looks, weights, times, st.lists(st.floats(1e-9, 1), max_size=5))
def test_periods_stay_in_bounds(
    steps: list[tuple[float, int, int, bool]], weight: float, now: float, others: list[float]
) -> None:
    pace, _ = after(steps, weight)
    usual = period(pace, flow_of([pace.rate, *others]), TIMING, now)
    assert TIMING.minimum <= usual <= TIMING.maximum
    for retry_after in (0.0, -5.0, 1e12, math.inf, math.nan):
        waited = wait_after(URL, pace, Look(at=now, failed=True, retry_after=retry_after), usual, TIMING)
        assert TIMING.minimum <= waited <= TIMING.longest_silence


@given(looks)
def test_estimates_stay_finite(steps: list[tuple[float, int, int, bool]]) -> None:
    pace, _ = after(steps)
    assert 0 < pace.rate < math.inf
    assert 0 < pace.surprise < math.inf
    assert pace.share_first is None or 0 <= pace.share_first <= 1


def test_a_first_look_tells_nothing_about_the_rate() -> None:
    assert observe(Pace(), Look(at=START, first=200)) == Pace(looked_at=START)


@pytest.mark.parametrize(("links", "hours", "tolerance"), [(1, 12, 0.2), (2, 24, 0.15), (5, 72, 0.06)])
def test_the_rate_is_learned(links: int, hours: float, tolerance: float) -> None:
    assert steady(HOUR / 2, links, hours).rate * HOUR == pytest.approx(2 * links, rel=tolerance)


def test_one_lucky_look_does_not_rule_for_days() -> None:
    pace, now = after([(0, 0, 0, False), (600, 6, 0, False)])
    lucky = pace.rate
    for _ in range(48):
        now += HOUR
        pace = observe(pace, Look(at=now))
    assert pace.rate < lucky / 8


def test_nothing_new_makes_the_period_grow() -> None:
    busy, idle = steady(HOUR / 2, 1, 24, weight=5), steady(HOUR / 2, 0, 24, weight=5)
    assert alone(idle) > 4 * alone(busy)


def test_news_that_breaks_shortens_the_period_at_once() -> None:
    quiet = steady(HOUR, 1, 48)
    assert quiet.looked_at is not None
    hit = observe(quiet, Look(at=quiet.looked_at + 900, first=8))
    assert alone(hit) < 0.5 * alone(quiet)
    calm = observe(hit, Look(at=quiet.looked_at + 900 + 6 * HOUR, first=6))
    assert alone(calm) == pytest.approx(alone(quiet), rel=0.2)


def test_a_source_that_is_always_late_is_looked_at_less() -> None:
    prompt, late = steady(HOUR / 2, 2, 24), steady(HOUR / 2, 0, 24, late=2)
    assert prompt.share_first == 1.0
    assert late.share_first == 0.0
    assert alone(late) > 5 * alone(prompt)


def test_a_late_source_is_needed_again_when_the_prompt_one_falls_silent() -> None:
    late = steady(HOUR, 0, 72, late=4)
    assert late.looked_at is not None
    needed = observe(late, Look(at=late.looked_at + HOUR, first=4))
    assert alone(needed) < alone(late) / 2


def test_a_link_a_week_is_not_worth_a_look_every_ten_minutes() -> None:
    rare = steady(6 * HOUR, 0, 24 * 14)
    assert period(rare, flow_of([rare.rate]), TIMING, START) > HOUR


def test_304_counts_as_a_look_without_news() -> None:
    assert observe(Pace(looked_at=START), Look(at=START + HOUR)).seconds == pytest.approx(HOUR, rel=0.01)


def test_a_failed_look_tells_nothing_about_the_rate() -> None:
    pace = Pace(looked_at=START)
    failed = observe(pace, Look(at=START + HOUR, failed=True))
    assert (failed.rate, failed.failures, failed.looked_at) == (pace.rate, 1, START)
    assert observe(failed, Look(at=START + 2 * HOUR, first=2)).failures == 0


def test_failures_double_the_wait_up_to_a_ceiling() -> None:
    timing = Timing(jitter=0)
    waits = [
        wait_after(URL, Pace(failures=n), Look(at=START, failed=True), 600, timing) for n in (0, 1, 2, 7, 8, 10**6)
    ]
    assert waits == [600, 1200, 2400, 76_800, DAY, DAY]


@pytest.mark.parametrize(("asked", "waited"), [(0, 1200), (60, 1200), (3600, 3600), (10**9, DAY)])
def test_a_server_that_asks_for_patience_gets_it(asked: float, waited: float) -> None:
    look = Look(at=START, failed=True, retry_after=asked)
    assert wait_after(URL, Pace(failures=1), look, 600, Timing(jitter=0)) == waited


def test_jitter_is_spread_and_always_the_same() -> None:
    urls = [f"https://example.com/{number}" for number in range(200)]
    waits = [wait_after(url, Pace(), Look(at=START), 1000, TIMING) for url in urls]
    assert waits == [wait_after(url, Pace(), Look(at=START), 1000, TIMING) for url in urls]
    assert 950 <= min(waits) < 960
    assert 1040 < max(waits) <= 1050
    assert sum(fraction(url) for url in urls) / 200 == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize(
    "wrong",
    [
        {"minimum": 0},
        {"minimum": 100, "maximum": 50},
        {"maximum": 10 * DAY},
        {"goal": 0},
        {"goal": math.nan},
        {"jitter": 1},
        {"fetches_per_link": 0},
    ],
)
def test_bounds_that_cannot_be_kept_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(SettingsError, match="watch: "):
        Timing(**wrong)


def nightly() -> Rhythm:
    """Return the rhythm of a site that has all its news from 6 to 22."""
    rhythm = Rhythm()
    for number in range(24 * 20):
        links = 3 if 6 <= number % 24 < 22 else 0
        rhythm = rhythm.after(links, 2 / HOUR, number * HOUR, (number + 1) * HOUR)
    return rhythm


def test_the_rhythm_is_learned() -> None:
    factors = nightly().factors
    assert all(factor < 0.2 for hour, factor in enumerate(factors) if not 6 <= hour < 22)
    assert all(factor > 1.3 for hour, factor in enumerate(factors) if 6 <= hour < 22)


def test_nights_are_slept_through_and_mornings_are_not_missed() -> None:
    pace, rhythm = steady(HOUR / 2, 1, 72), nightly()
    flow = flow_of([pace.rate])
    at = {hour: period(pace, flow, TIMING, hour * HOUR, rhythm) for hour in (1, 5.75, 10)}
    assert at[1] > 2 * at[10]
    assert at[5.75] < at[1]
    assert 5.75 * HOUR + at[5.75] < 6 * HOUR + at[10]


@given(times, st.floats(0, 40 * DAY))
def test_hours_between_add_up(start: float, length: float) -> None:
    parts = list(hours_between(start, start + length))
    assert sum(seconds for _, seconds in parts) == pytest.approx(length, abs=1e-3)
    assert all(0 <= hour < 24 and seconds > 0 for hour, seconds in parts)


@given(st.lists(st.tuples(st.integers(0, 500), st.floats(1, 3 * DAY)), max_size=20))
def test_a_rhythm_survives_being_written(steps: list[tuple[int, float]]) -> None:
    rhythm, now = Rhythm(), START
    for links, seconds in steps:
        rhythm, now = rhythm.after(links, 1 / HOUR, now, now + seconds), now + seconds
    assert Rhythm.from_text(rhythm.to_text()) == rhythm
    assert all(factor > 0 for factor in rhythm.factors)
    assert rhythm.tempo > 0


def test_a_clock_that_goes_back_does_no_harm() -> None:
    pace = Pace(looked_at=START, links=3, seconds=HOUR)
    assert observe(pace, Look(at=START - 50, first=4)) == replace(pace, looked_at=START - 50)
    assert Rhythm().after(4, 1, START, START - 50) == Rhythm()
