"""Lists are made of the clicks of a store, as they come, by one process at a time, and of nobody who was forgotten."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.recommend.made_up import HOUR, START, two_tastes

from sitewright.actions import refresh_lists
from sitewright.actions.refresh_lists import ListMaker, ListUpkeep
from sitewright.store.clicks import ReaderEvent
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.store.next_reads import EVERYBODY
from sitewright.types import Page, Record, Value

pytestmark = pytest.mark.slow
CLICKS = two_tastes()
PATIENCE = 120.0
NOW = datetime.fromtimestamp(START + 24 * HOUR, UTC)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.db", clock=lambda: NOW) as opened:
        opened.add_site("example.com", url="https://example.com/")
        names = dict.fromkeys(click["item"] for click in CLICKS)
        opened.commit_pages([stored(name) for name in names])
        yield opened


def stored(name: str) -> Collected:
    url = f"https://example.com/{name}"
    record = Record(site="example.com", urls=(url,), fields={"title": Value(name, 1.0, "a/title#0")})
    return Collected(record=record, page=Page(url=url, body=b"", via="http"))


@pytest.fixture
def numbers(store: Store) -> dict[str, int]:
    return {one.record.urls[0].rpartition("/")[2]: one.number for one in store.records()}


@pytest.fixture
def click(store: Store, numbers: dict[str, int]) -> Callable[..., dict[str, str]]:
    def put(clicks: list[dict[str, object]]) -> dict[str, str]:
        called = store.clicks.pseudonyms("sent", [str(one["user"]) for one in clicks])
        events = [
            ReaderEvent(
                event=f"{one['user']} {one['item']} {one['time']}",
                reader=called[str(one["user"])],
                what="clicked",
                record=numbers[str(one["item"])],
                at=datetime.fromtimestamp(int(str(one["time"])), UTC),
            )
            for one in clicks
        ]
        store.clicks.take_in(events)
        return called

    return put


@pytest.fixture
def maker(store: Store) -> Iterator[ListMaker]:
    made = ListMaker(store)
    yield made
    made.close()


def test_without_clicks_there_is_nothing_to_do(store: Store, maker: ListMaker) -> None:
    assert maker.refresh(NOW) is None
    assert store.next_reads.made_at() is None


def test_who_was_there_lately_has_a_list(
    store: Store, maker: ListMaker, click: Callable[..., dict[str, str]], numbers: dict[str, int]
) -> None:
    called = click(CLICKS)
    told = maker.refresh(NOW)
    assert told is not None
    assert told.clicks == len({(c["user"], c["item"], c["time"]) for c in CLICKS})
    assert store.next_reads.made_at() == NOW
    lately = {c["user"] for c in CLICKS if c["time"] >= NOW.timestamp() - 2 * HOUR}
    lists = store.next_reads.lists([EVERYBODY, *called.values()])
    assert lists.keys() == {EVERYBODY, *(called[user] for user in lately)}
    sporty = next(user for user in sorted(lately) if int(user.rpartition("-")[2]) % 2)
    read = {numbers[c["item"]] for c in CLICKS if c["user"] == sporty}
    assert not read & {one.record for one in lists[called[sporty]].items}


def test_what_was_opened_speaks_for_its_like(
    store: Store, maker: ListMaker, click: Callable[..., dict[str, str]], numbers: dict[str, int]
) -> None:
    click(CLICKS)
    maker.refresh(NOW)
    found = store.next_reads.follow_ups()[numbers["sport-20"]]
    tastes = {number: name.partition("-")[0] for name, number in numbers.items()}
    of_sport = [evidence for item, evidence in found.items() if tastes[item] == "sport"]
    of_film = [evidence for item, evidence in found.items() if tastes[item] == "film"]
    assert sum(of_sport) / len(of_sport) > 0 > sum(of_film) / len(of_film)


def test_clicks_that_come_later_count_in_the_next_turn(
    store: Store, maker: ListMaker, click: Callable[..., dict[str, str]], numbers: dict[str, int]
) -> None:
    click(CLICKS)
    first = maker.refresh(NOW)
    late = NOW + timedelta(minutes=5)
    called = click([{"user": "new", "item": "film-23", "time": int(late.timestamp()) - 60}])
    second = maker.refresh(late)
    assert first is not None
    assert second is not None
    assert second.clicks == first.clicks + 1
    [made] = store.next_reads.lists(called.values()).values()
    assert made.made_at == late
    assert numbers["film-23"] not in {one.record for one in made.items}


def test_whoever_was_forgotten_is_gone_from_memory(
    store: Store, maker: ListMaker, click: Callable[..., dict[str, str]]
) -> None:
    called = click(CLICKS)
    first = maker.refresh(NOW)
    store.clicks.forget(called["reader-1"])
    second = maker.refresh(NOW)
    assert first is not None
    assert second is not None
    assert second.clicks == first.clicks - sum(c["user"] == "reader-1" for c in CLICKS)
    assert called["reader-1"] not in store.next_reads.lists(called.values())


def test_one_process_makes_them(store: Store, maker: ListMaker, click: Callable[..., dict[str, str]]) -> None:
    click(CLICKS)
    assert store.next_reads.take_turn("another", seconds=60)
    assert maker.refresh(NOW) is None
    store.next_reads.finish_turn("another")
    store.next_reads.take_turn("another", seconds=-1)
    assert maker.refresh(NOW) is not None


def test_the_turn_of_one_that_died_is_taken_up(store: Store, click: Callable[..., dict[str, str]]) -> None:
    click(CLICKS)
    assert store.next_reads.take_turn("one", seconds=60)
    assert ListMaker(store, "other").refresh(NOW) is None
    again = ListMaker(store, "one")
    assert again.refresh(NOW) is not None
    again.close()


def awaited(found: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not found():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_process_makes_them_as_clicks_come_also_after_it_was_killed(
    store: Store,
    click: Callable[..., dict[str, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(refresh_lists, "_EVERY_SECONDS", 0.05)
    monkeypatch.setattr(refresh_lists, "_SHARE", 0)
    told: list[str] = []
    shift = int(time.time()) - START - 24 * HOUR
    lately = [click | {"time": int(str(click["time"])) + shift} for click in CLICKS]
    keeper = ListUpkeep(store, f"sqlite:///{tmp_path}/store.db", told.append)
    keeper.start()
    try:
        click(lately)
        awaited(store.next_reads.made_at)
        first = store.next_reads.made_at()
        assert keeper._process is not None
        assert keeper._process.pid is not None
        os.kill(keeper._process.pid, signal.SIGKILL)
        called = click([{"user": "new", "item": "film-23", "time": int(time.time()) - 60}])
        awaited(lambda: store.next_reads.made_at() != first and store.next_reads.lists(called.values()))
    finally:
        keeper.stop()
    assert told == ["the process that makes lists died (exit code -9)"]
    assert keeper._process is None
