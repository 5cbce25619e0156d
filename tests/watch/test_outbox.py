"""Events that wait on the disk: in order, across processes, and counted where there is no room."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.errors import OutputError
from sitewright.types import Failure
from sitewright.watch.events import Event, failure_event
from sitewright.watch.outbox import NAME, Outbox

NOW = datetime(2026, 5, 6, tzinfo=UTC)


def event(number: int) -> Event:
    return failure_event("example.com", Failure(f"https://example.com/{number}", "fetch", "error_page", "gone"), NOW)


def urls(outbox: Outbox) -> list[str]:
    return [json.loads(waiting.body)["url"][-1] for waiting in outbox.next()]


def test_events_outlive_the_process(tmp_path: Path) -> None:
    with Outbox(tmp_path / "pages") as outbox:
        outbox.hear([event(1), event(2)])
        outbox.hear([event(3)])
        assert outbox.begin()
        assert urls(outbox) == ["1", "2", "3"]
        first, second, _ = outbox.next()
        outbox.delivered(first.number)
        outbox.set_aside(second.number)
        assert (urls(outbox), outbox.waiting, outbox.aside) == (["3"], 1, 1)
    with Outbox(tmp_path / "pages") as again:
        assert again.begin()
        assert urls(again) == ["2", "3"]


def test_one_process_delivers_at_a_time(tmp_path: Path) -> None:
    with Outbox(tmp_path) as one, Outbox(tmp_path) as other:
        assert one.begin()
        assert one.begin()
        assert not other.begin()
        other.hear([event(1)])
        assert urls(one) == ["1"]
    with Outbox(tmp_path) as later:
        assert later.begin()


def test_what_finds_no_room_is_counted(tmp_path: Path) -> None:
    with Outbox(tmp_path, most=2) as outbox:
        outbox.hear([event(1), event(2), event(3)])
        outbox.hear([event(4)])
        assert (outbox.waiting, outbox.lost) == (2, 2)
        outbox.delivered(outbox.next()[0].number)
        outbox.hear([event(5)])
        assert (urls(outbox), outbox.lost) == (["2", "5"], 2)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"no database" * 100)
    with pytest.raises(OutputError, match=NAME):
        Outbox(tmp_path)
