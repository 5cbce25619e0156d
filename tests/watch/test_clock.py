import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest

from sitewright.watch.clock import Clock

START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)


def test_left_alone_it_is_the_clock_on_the_wall() -> None:
    before = datetime.now(UTC)
    assert before <= Clock().now() <= datetime.now(UTC)


@pytest.mark.parametrize(("speed", "passed"), [(1.0, 10), (60.0, 600), (0.5, 5)])
def test_it_runs_as_fast_as_it_is_told(monkeypatch: pytest.MonkeyPatch, speed: float, passed: float) -> None:
    seconds = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: seconds)
    clock = Clock(speed=speed, start=START)
    assert clock.now() == START
    seconds += 10
    assert clock.now() == START + timedelta(seconds=passed)


def test_a_fast_clock_is_not_moved_by_the_one_on_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock(speed=2.0)
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert clock.now() > START


@pytest.mark.parametrize("seconds", [86_400.0, 0.0, -5.0])
def test_waiting_takes_the_time_of_the_clock(seconds: float) -> None:
    asyncio.run(asyncio.wait_for(Clock(speed=1e7, start=START).sleep(seconds), 60))
