import json
import math
import time
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.watch import Look, Schedule, SiteState, Source, SourceState, Timing, restore
from sitewright.watch.rhythm import DAY, HOUR
from sitewright.watch.schedule import HostState

START = 1_700_000_000.0
TIMING = Timing()


def source(host: str, name: int | str = "", *, weight: float = 1.0) -> Source:
    return Source(url=f"https://{host}/{name}", site=host, weight=weight)


def filled(hosts: int, pages: int, timing: Timing = TIMING) -> Schedule:
    schedule = Schedule(timing)
    for host in range(hosts):
        for page in range(pages):
            schedule.add(source(f"paper-{host}.example", page, weight=page + 1), START)
    return schedule


def take(schedule: Schedule, now: float) -> str | None:
    taken = schedule.take(now)
    return taken.url if taken is not None else None


def as_rows(schedule: Schedule) -> dict[str, Any]:
    snapshot = schedule.snapshot()
    rows = {
        "sources": [state.to_row() for state in snapshot.sources],
        "sites": [state.to_row() for state in snapshot.sites],
        "hosts": [state.to_row() for state in snapshot.hosts],
    }
    return json.loads(json.dumps(rows, allow_nan=False))


def run(schedule: Schedule, brought: list[int], now: float) -> tuple[list[tuple[float, str]], float]:
    """Take one source after another, each when it is due; a look that brought -1 failed."""
    taken = []
    for links in brought:
        due = schedule.next_time()
        assert due is not None
        now = max(now, due)
        url = take(schedule, now)
        assert url is not None
        taken.append((now, url))
        schedule.done(url, Look(at=now + 0.5, first=max(links, 0), failed=links < 0))
    return taken, now


def test_an_empty_schedule_has_nothing_to_do() -> None:
    schedule = Schedule()
    assert (len(schedule), schedule.next_time(), schedule.take(START)) == (0, None, None)


def test_new_sources_are_due_soon_but_not_all_at_once() -> None:
    schedule = filled(50, 1)
    dues = [state.due for state in schedule.snapshot().sources]
    assert all(START <= due < START + TIMING.minimum for due in dues)
    assert len(set(dues)) == 50


def test_nothing_is_given_before_its_time() -> None:
    schedule = filled(1, 1)
    due = schedule.next_time()
    assert due is not None
    assert take(schedule, due - 0.001) is None
    assert take(schedule, due) == "https://paper-0.example/0"


def test_one_fetch_a_host_at_a_time_and_a_pause_between() -> None:
    schedule = filled(1, 3)
    now = START + HOUR
    first = take(schedule, now)
    assert first is not None
    assert take(schedule, now + 100) is None
    assert schedule.next_time() is None
    schedule.done(first, Look(at=now + 100))
    assert take(schedule, now + 100.9) is None
    second = take(schedule, now + 101)
    assert second not in (None, first)


def test_a_crawl_delay_is_kept() -> None:
    schedule = filled(1, 3)
    now = START + HOUR
    first = take(schedule, now)
    assert first is not None
    schedule.done(first, Look(at=now))
    assert schedule.set_pause("paper-0.example", 30).pause == 30
    assert schedule.next_time() == now + 30
    assert schedule.set_pause("paper-0.example", 10**9).pause == HOUR
    assert schedule.set_pause("paper-0.example", 0).pause == TIMING.pause


def test_a_host_that_asks_for_patience_is_left_alone_with_all_its_sources() -> None:
    schedule = filled(1, 3)
    now = START + HOUR
    first = take(schedule, now)
    assert first is not None
    schedule.done(first, Look(at=now, failed=True, retry_after=900))
    assert schedule.next_time() == now + 900


def test_a_host_with_many_sources_does_not_keep_the_others_waiting() -> None:
    schedule = filled(1, 500, Timing(pause=0))
    for host in range(5):
        schedule.add(source(f"small-{host}.example"), START + 200)
    now = START + 400
    served = []
    for _ in range(10):
        url = take(schedule, now)
        assert url is not None
        served.append(url)
        schedule.done(url, Look(at=now))
        now += 1
    assert sum("small" in url for url in served) == 5


def test_the_longest_due_comes_first_within_a_host() -> None:
    schedule = filled(1, 20)
    wanted = [state.source.url for state in sorted(schedule.snapshot().sources, key=lambda state: state.due)]
    now, served = START + HOUR, []
    for _ in wanted:
        url = take(schedule, now)
        assert url is not None
        served.append(url)
        schedule.done(url, Look(at=now))
        now += 2
    assert served == wanted


def test_adding_again_keeps_the_time_and_takes_the_weight() -> None:
    schedule = filled(1, 2)
    before = schedule.source_state("https://paper-0.example/0")
    after = schedule.add(source("paper-0.example", 0, weight=9), START + 50)
    assert (after.due, after.source.weight, after.pace.weight, len(schedule)) == (before.due, 9, 9, 2)
    taken = [take(schedule, START + HOUR)]
    assert taken[0] is not None
    schedule.done(taken[0], Look(at=START + HOUR))
    taken.append(take(schedule, START + HOUR + 5))
    assert len(set(taken)) == 2


def test_a_source_that_is_added_again_while_it_is_looked_at_is_not_given_twice() -> None:
    schedule = filled(1, 1)
    url = take(schedule, START + HOUR)
    assert url is not None
    schedule.add(source("paper-0.example", 0, weight=4), START + HOUR)
    assert take(schedule, START + 2 * HOUR) is None
    state = schedule.done(url, Look(at=START + 2 * HOUR))
    assert state is not None
    assert schedule.next_time() == state.due


def test_what_was_learned_about_a_site_survives_a_new_weight() -> None:
    schedule = filled(1, 1)
    run(schedule, [3] * 30, START)
    rhythm = schedule.site_state("paper-0.example").rhythm
    schedule.add(source("paper-0.example", 0, weight=7), START)
    assert schedule.site_state("paper-0.example").rhythm == rhythm
    assert schedule.host_state("paper-0.example").pause == TIMING.pause


def test_what_another_process_learned_is_taken_over() -> None:
    schedule, other = filled(1, 2), filled(1, 2)
    run(other, [0, 0, 5, 5, 5], START)
    for state in other.snapshot().sources:
        schedule.adopt(state)
    schedule.adopt(filled(2, 1).source_state("https://paper-1.example/0"))
    assert schedule.snapshot().sources[:2] == other.snapshot().sources
    assert len(schedule) == 3
    assert take(schedule, START + 100 * DAY) == "https://paper-1.example/0"
    assert take(schedule, START + 100 * DAY) == min(other.snapshot().sources, key=lambda state: state.due).source.url


def test_a_removed_source_is_not_given() -> None:
    schedule = filled(2, 1)
    schedule.remove("https://paper-0.example/0")
    assert "https://paper-0.example/0" not in schedule
    assert take(schedule, START + HOUR) == "https://paper-1.example/0"
    assert take(schedule, START + HOUR) is None


def test_a_source_removed_while_it_is_looked_at_frees_its_host() -> None:
    schedule = filled(1, 2)
    first = take(schedule, START + HOUR)
    assert first is not None
    schedule.remove(first)
    assert schedule.done(first, Look(at=START + HOUR, first=3)) is None
    assert take(schedule, START + HOUR + 5) not in (None, first)


def test_what_is_given_back_stays_due() -> None:
    schedule = filled(1, 1)
    url = take(schedule, START + HOUR)
    assert url is not None
    schedule.give_back(url, START + HOUR)
    assert take(schedule, START + HOUR + 1) == url


def test_a_failing_source_does_not_slow_down_its_neighbours() -> None:
    schedule = filled(1, 2)
    now, looks = START, {"https://paper-0.example/0": 0, "https://paper-0.example/1": 0}
    while (due := schedule.next_time()) is not None and due < START + 3 * DAY:
        now = max(now, due)
        url = take(schedule, now)
        assert url is not None
        looks[url] += 1
        schedule.done(url, Look(at=now, failed=url.endswith("/0"), first=1))
    assert looks["https://paper-0.example/0"] < 15
    assert looks["https://paper-0.example/1"] > 100


def test_feed_that_is_always_first_makes_the_section_wait() -> None:
    schedule = Schedule()
    feed, section = source("a.example", "feed", weight=3), source("a.example", "section", weight=3)
    schedule.add(feed, START)
    schedule.add(section, START)
    looks = {feed.url: 0, section.url: 0}
    now = START
    while (due := schedule.next_time()) is not None and due < START + 3 * DAY:
        now = max(now, due)
        url = take(schedule, now)
        assert url is not None
        looks[url] += 1
        is_feed = url == feed.url
        schedule.done(url, Look(at=now, first=is_feed, late=not is_feed))
    assert looks[feed.url] > 5 * looks[section.url]
    assert schedule.source_state(section.url).pace.share_first == 0.0


@given(st.integers(1, 4), st.integers(1, 5), st.lists(st.integers(-1, 6), max_size=60))
def test_times_never_go_back_and_hosts_get_their_pause(hosts: int, pages: int, brought: list[int]) -> None:
    schedule = filled(hosts, pages)
    taken, _ = run(schedule, brought, START)
    times = [now for now, _ in taken]
    assert times == sorted(times)
    for host in range(hosts):
        own = [now for now, url in taken if f"paper-{host}." in url]
        assert all(later - earlier >= 0.5 + TIMING.pause - 1e-6 for earlier, later in pairwise(own))
    dues = [state.due for state in schedule.snapshot().sources]
    assert all(START <= due < math.inf for due in dues)


@given(
    st.integers(1, 4),
    st.integers(1, 5),
    st.lists(st.integers(-1, 6), max_size=40),
    st.lists(st.integers(-1, 6), max_size=40),
)
def test_a_restart_goes_on_where_it_was(hosts: int, pages: int, before: list[int], afterwards: list[int]) -> None:
    schedule = filled(hosts, pages)
    _, now = run(schedule, before, START)
    restarted = restore(TIMING, as_rows(schedule))
    assert run(restarted, afterwards, now) == run(schedule, afterwards, now)
    assert as_rows(restarted) == as_rows(schedule)


def test_what_was_under_way_is_taken_again_after_a_restart() -> None:
    schedule = filled(1, 1)
    url = take(schedule, START + HOUR)
    assert take(restore(TIMING, as_rows(schedule)), START + HOUR) == url


@pytest.mark.parametrize(
    "state",
    [
        filled(1, 1).snapshot().sources[0],
        SiteState("a.example"),
        HostState(host="a.example", pause=2.0),
        HostState(host="a.example", pause=2.0, free_at=START),
    ],
)
def test_rows_give_back_what_they_hold(state: SourceState | SiteState | HostState) -> None:
    row = json.loads(json.dumps(state.to_row(), allow_nan=False))
    assert type(state).from_row({**row, "column_of_the_store": 1}) == state


def test_twenty_thousand_sources_are_no_burden() -> None:
    begin = time.perf_counter()
    schedule = filled(2_000, 10)
    taken, _ = run(schedule, [1] * 20_000, START)
    assert len({url for _, url in taken}) > 15_000
    assert time.perf_counter() - begin < 30
