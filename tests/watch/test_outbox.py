"""Events that wait on the disk: in order, across processes, and counted where there is no room."""

import json
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sitewright.errors import OutputError
from sitewright.types import Failure
from sitewright.watch.events import Event, Foreseen, failure_event
from sitewright.watch.outbox import NAME, Outbox
from sitewright.watch.owners import own_name

NOW = datetime(2026, 5, 6, tzinfo=UTC)


def event(number: int) -> Event:
    return failure_event("example.com", Failure(f"https://example.com/{number}", "fetch", "error_page", "gone"), NOW)


def name_of_the_dead() -> str:
    """Return the name of a process of this machine that is gone."""
    machine, number, beginning, *others = own_name().split(":")
    return ":".join((machine, number, f"{int(beginning) - 1}", *others))


def urls(outbox: Outbox) -> list[str]:
    return [json.loads(waiting.body)["url"][-1] for waiting in outbox.next()]


def test_events_outlive_the_process(tmp_path: Path) -> None:
    with Outbox(tmp_path / "pages") as outbox:
        outbox.keep([event(1), event(2)])
        outbox.keep([event(3)])
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
        other.keep([event(1)])
        assert urls(one) == ["1"]
    with Outbox(tmp_path) as later:
        assert later.begin()


def test_what_finds_no_room_is_counted(tmp_path: Path) -> None:
    with Outbox(tmp_path, most=2) as outbox:
        outbox.keep([event(1), event(2), event(3)])
        outbox.keep([event(4)])
        assert (outbox.waiting, outbox.lost) == (2, 2)
        outbox.delivered(outbox.next()[0].number)
        outbox.keep([event(5)])
        assert (urls(outbox), outbox.lost) == (["2", "5"], 2)


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(b"no database" * 100)
    with pytest.raises(OutputError, match=NAME):
        Outbox(tmp_path)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other machines do not tell who is gone")
def test_what_a_dead_process_foresaw_is_found(tmp_path: Path) -> None:
    story, incidents = Foreseen("example.com", "https://example.com/1"), Foreseen("example.com", at=NOW)
    with (
        Outbox(tmp_path, owner=name_of_the_dead(), now=lambda: NOW) as dead,
        Outbox(tmp_path, owner=own_name(), now=lambda: NOW) as alive,
        Outbox(tmp_path, now=lambda: NOW) as next_one,
    ):
        told = dead.foresee([Foreseen("example.com", "https://example.com/told")])
        first, again = (dead.foresee(about) for about in ([story], [story, incidents]))
        dead.keep([event(1)], told)
        alive.foresee([story])
        notes, foreseen = next_one.untold()
        assert (notes, foreseen) == ([first, again], [replace(story, at=NOW), incidents])
        next_one.keep([event(2)], *notes)
        assert next_one.untold() == ([], [])
        assert urls(next_one) == ["1", "2"]


def test_what_a_process_elsewhere_foresaw_long_ago_is_found(tmp_path: Path) -> None:
    """A container that was made anew goes by another name, and a machine that began anew knows no process of before."""
    story = Foreseen("example.com", "https://example.com/1")
    with Outbox(tmp_path, owner="elsewhere:1:2:3:4", now=lambda: NOW) as gone:
        note = gone.foresee([story])
    with Outbox(tmp_path, now=lambda: NOW + timedelta(minutes=5)) as soon:
        assert soon.untold() == ([], [])
    with Outbox(tmp_path, now=lambda: NOW + timedelta(hours=2)) as later:
        assert later.untold() == ([note], [replace(story, at=NOW)])


def test_nothing_is_noted_where_nothing_is_foreseen(tmp_path: Path) -> None:
    with Outbox(tmp_path, owner=name_of_the_dead()) as outbox, Outbox(tmp_path) as other:
        assert outbox.foresee([]) == 0
        assert other.untold() == ([], [])
