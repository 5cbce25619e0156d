"""Clicks are stored once, by pseudonym; what is left out is counted; a reader who is forgotten leaves nothing."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sitewright.store import clicks
from sitewright.store.clicks import ReaderEvent
from sitewright.store.database import Store
from sitewright.types import Page, Record, Value

pytestmark = pytest.mark.slow
THEN = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
Clock = Callable[..., datetime]


@pytest.fixture
def numbers(store: Store) -> list[int]:
    for name in ("bees", "bears", "bats"):
        fields = {"title": Value(name, 1.0, "a/title#0")}
        url = f"https://example.com/{name}"
        store.commit_page(Record(site="example.com", urls=(url,), fields=fields), Page(url=url, body=b"", via="http"))
    return [stored.number for stored in store.records()]


@pytest.fixture
def ann(store: Store) -> str:
    return store.clicks.pseudonyms("account", ["ann"])["ann"]


def an_event(event: str, reader: str, record: int, **other: Any) -> ReaderEvent:
    return ReaderEvent(**{"event": event, "reader": reader, "what": "clicked", "record": record, "at": THEN, **other})


def test_a_reader_is_a_pseudonym_that_says_nothing_of_them(store: Store, ann: str) -> None:
    assert store.clicks.pseudonyms("account", ["ann", "ben"])["ann"] == ann
    assert "ann" not in ann
    assert store.clicks.pseudonyms("sent", ["ann"])["ann"] != ann
    assert sorted(store.clicks.readers_called("ann")) == sorted([ann, store.clicks.pseudonym("sent", "ann")])
    assert store.clicks.readers_called(ann) == [ann]
    assert store.clicks.pseudonym("account", "eve") is None


def test_events_count_once_and_what_does_not_count_is_counted(store: Store, numbers: list[int], ann: str) -> None:
    events = [an_event("a", ann, numbers[0]), an_event("b", ann, numbers[1]), an_event("c", ann, 999)]
    assert store.clicks.take_in(events) == {"taken": 2, "unknown_item": 1}
    assert store.clicks.take_in([*events, an_event("d", ann, numbers[0])], {"too_old": 3}) == {
        "taken": 1, "repeated": 2, "unknown_item": 1, "too_old": 3,
    }  # fmt: skip
    assert store.clicks.left_out() == {"repeated": 2, "unknown_item": 2, "too_old": 3}
    [day] = store.clicks.days()
    assert (day.day, day.count) == (THEN.date(), 3)


def test_the_same_name_of_two_readers_is_two_events(store: Store, numbers: list[int], ann: str) -> None:
    ben = store.clicks.pseudonyms("account", ["ben"])["ben"]
    assert store.clicks.take_in([an_event("a", ann, numbers[0]), an_event("a", ben, numbers[0])])["taken"] == 2


def test_a_robot_is_bounded(
    store: Store, numbers: list[int], ann: str, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clicks, "MOST_AN_HOUR", {"shown": 9, "clicked": 3, "viewed": 9})
    many = [an_event(f"e{n}", ann, numbers[0], at=clock()) for n in range(5)]
    assert store.clicks.take_in(many) == {"taken": 3, "too_many": 2}
    assert store.clicks.take_in([an_event("f", ann, numbers[0], at=clock())]) == {"too_many": 1}
    later = clock(hours=2)
    assert store.clicks.take_in([an_event("g", ann, numbers[0], at=later)]) == {"taken": 1}


def test_clicks_follow_one_another(store: Store, numbers: list[int], ann: str) -> None:
    moments = [THEN + timedelta(minutes=minute) for minute in (2, 0, 1)]
    pairs = enumerate(zip(numbers, moments, strict=True))
    store.clicks.take_in([an_event(f"e{n}", ann, number, at=at) for n, (number, at) in pairs])
    store.clicks.take_in([an_event("s", ann, numbers[0], what="shown")])
    first = store.clicks.after(0, since=THEN, limit=2)
    rest = store.clicks.after(first[-1].number, since=THEN, limit=9)
    assert [one.record for one in (*first, *rest)] == numbers
    assert [one.record for one in store.clicks.newest(ann, limit=2)] == [numbers[0], numbers[2]]
    assert [row["id"] is not None for row in store.clicks.of_day(THEN.date())] == [True] * 4
    assert store.clicks.prune(THEN.date() + timedelta(days=1)) == 4


def test_who_is_forgotten_leaves_nothing(store: Store, numbers: list[int], ann: str) -> None:
    ben = store.clicks.pseudonyms("account", ["ben"])["ben"]
    store.clicks.take_in(
        [an_event("a", ann, numbers[0]), an_event("b", ann, numbers[1]), an_event("c", ben, numbers[0])]
    )
    assert store.clicks.forget(ann) == 2
    assert store.clicks.newest(ann, limit=9) == []
    assert len(store.clicks.newest(ben, limit=9)) == 1
    assert store.clicks.readers_called("ann") == []
    assert store.clicks.left_out() == {"forgotten": 2}
    assert store.clicks.pseudonyms("account", ["ann"])["ann"] != ann
