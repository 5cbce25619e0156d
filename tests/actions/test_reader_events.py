"""Events are stored at a time that can be right, whatever the clock of their sender."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions.reader_events import SentEvent, forget_reader, left_out_in_words, take_events
from sitewright.store.database import Store, open_store
from sitewright.types import Page, Record, Value

CLOCKS = [
    ("as it was", -60, None, -60),
    ("a clock that is ahead, which says so", 3600 - 60, 3600, -60),
    ("a clock that is behind, which says so", -7200 - 60, -7200, -60),
    ("a clock that is ahead, which does not say so", 3600, None, 0),
    ("happened after it was sent", 60, 0, 0),
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.db") as opened:
        opened.add_site("example.com", url="https://example.com/")
        fields = {"title": Value("bees", 1.0, "a/title#0")}
        url = "https://example.com/bees"
        opened.commit_page(Record(site="example.com", urls=(url,), fields=fields), Page(url=url, body=b"", via="http"))
        yield opened


def clicked(store: Store, **other: Any) -> SentEvent:
    [record] = store.records()
    return SentEvent(**{"event": "a", "what": "clicked", "record": record.number, **other})


@pytest.mark.parametrize(("at", "sent", "expected"), [row[1:] for row in CLOCKS], ids=[row[0] for row in CLOCKS])
def test_clocks_are_corrected(store: Store, at: int, sent: int | None, expected: int) -> None:
    now = datetime.now(UTC)
    sent_at = now + timedelta(seconds=sent) if sent is not None else None
    told = take_events(store, "ann", [clicked(store, at=now + timedelta(seconds=at))], sent_at)
    assert told["taken"] == 1
    [stored] = store.clicks.newest(str(store.clicks.pseudonym("account", "ann")), limit=9)
    after = datetime.now(UTC)
    assert now + timedelta(seconds=expected) <= stored.at <= after + timedelta(seconds=expected)


def test_what_is_too_old_is_left_out_and_told(store: Store) -> None:
    old, ahead = datetime.now(UTC) - timedelta(days=31), datetime.now(UTC) + timedelta(days=1)
    events = [
        clicked(store, at=old), clicked(store, event="b", at=ahead), clicked(store, event="b", at=ahead),
        clicked(store, event="c", record=99),
    ]  # fmt: skip
    told = take_events(store, "ann", events)
    assert told == {"taken": 1, "too_old": 1, "clock_ahead": 2, "repeated": 1, "unknown_item": 1}
    assert len(left_out_in_words(store.clicks.left_out())) == 4


def test_programs_send_what_their_readers_did(store: Store) -> None:
    take_events(store, "portal", [clicked(store, reader="r1"), clicked(store, reader="r2")])
    assert store.clicks.pseudonym("account", "portal") is None
    assert len(store.clicks.newest(str(store.clicks.pseudonym("sent", "r1")), limit=9)) == 1


def test_no_more_pictures_are_viewed_than_there_are(store: Store) -> None:
    take_events(store, "ann", [clicked(store, what="viewed", viewed=9, total=5)])
    [row] = store.clicks.of_day(datetime.now(UTC).date())
    assert (row["viewed"], row["total"]) == (5, 5)


def test_an_account_is_forgotten(store: Store) -> None:
    take_events(store, "ann", [clicked(store)])
    assert (forget_reader(store, "ann"), forget_reader(store, "ann")) == (1, 0)
