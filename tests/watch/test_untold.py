"""What the store holds of what was foreseen: records, failures, incidents; nothing that was there before."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.newsstand import TownClock

from sitewright.store.database import Store, open_store
from sitewright.store.entries import FoundLink, Incident, WatchedPage
from sitewright.store.story_parts import FoundPart
from sitewright.types import Failure, Page, Record, Value
from sitewright.watch.events import Foreseen
from sitewright.watch.untold import what_became

BEFORE = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
NOW = BEFORE + timedelta(hours=1)
SITE = "example.com"


@pytest.fixture
def clock() -> TownClock:
    return TownClock(BEFORE)


@pytest.fixture
def store(tmp_path: Path, clock: TownClock) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.db", clock=clock.now) as opened:
        opened.add_site(SITE, url=f"https://{SITE}/")
        yield opened


def url_of(name: str) -> str:
    return f"https://{SITE}/{name}"


def write(store: Store, name: str) -> None:
    record = Record(site=SITE, urls=(url_of(name),), fields={"title": Value(name, 0.9, "article/title#0")})
    store.commit_page(record, Page(url=url_of(name), body=b"", fetched_at=NOW))


def became(store: Store, *foreseen: Foreseen) -> list[dict[str, Any]]:
    return [event.to_row() for event in what_became(store, [replace(one, at=one.at or NOW) for one in foreseen])]


def test_records_are_new_or_updated_or_not_written_any_more(store: Store, clock: TownClock) -> None:
    write(store, "again")
    write(store, "old")
    clock.move(hours=1)
    write(store, "again")
    write(store, "new")
    told = became(store, *(Foreseen(SITE, url_of(name)) for name in ("again", "old", "new", "never")))
    assert {(row["event"], row["change"], row["url"]) for row in told} == {
        ("record", "updated", url_of("again")),
        ("record", "new", url_of("new")),
    }
    assert {row["record"]["title"] for row in told} == {"again", "new"}


def test_failures_say_whether_their_pages_are_tried_again(store: Store, clock: TownClock) -> None:
    later = NOW + timedelta(minutes=5)
    store.put_index_pages([WatchedPage(site=SITE, url=url_of("list"), next_due=later)])
    store.add_links(SITE, [FoundLink(url_of("again"))])
    store.add_failure(SITE, Failure(url_of("old"), "fetch", "error_page", "gone"))
    clock.move(hours=1)
    store.add_failure(SITE, Failure(url_of("again"), "fetch", "timeout", "slow"), again_at=later)
    store.add_failure(SITE, Failure(url_of("gone"), "fetch", "error_page", "gone"), settled=True)
    store.add_failure(SITE, Failure(url_of("list"), "fetch", "timeout", "slow"))
    told = became(store, *(Foreseen(SITE, url_of(name)) for name in ("again", "old", "gone", "list", "never")))
    assert {(row["change"], row["url"], row["again_at"]) for row in told} == {
        ("again", url_of("again"), later),
        ("final", url_of("gone"), None),
        ("again", url_of("list"), later),
    }


def test_a_page_of_a_story_tells_of_the_story(store: Store, clock: TownClock) -> None:
    part = Record(site=SITE, urls=(url_of("story-2"),), fields={})
    store.keep_part(SITE, url_of("story"), FoundPart(url_of("story-2"), 2), part)
    clock.move(hours=1)
    write(store, "story")
    (row,) = became(store, Foreseen(SITE, url_of("story-2")))
    assert row["url"] == url_of("story")


def test_incidents_that_began_or_ended_since(store: Store, clock: TownClock) -> None:
    for kind, opened, closed in (("lost", BEFORE, None), ("walled", BEFORE, NOW), ("refused", NOW, None)):
        state = "over" if closed else "open"
        store.put_incident(
            Incident(site=SITE, kind=kind, since=opened, opened_at=opened, closed_at=closed, state=state)  # type: ignore[arg-type]
        )
    told = became(store, Foreseen(SITE))
    assert {(row["event"], row["change"], row["kind"]) for row in told} == {
        ("incident", "over", "walled"),
        ("incident", "open", "refused"),
    }


def test_of_a_site_that_is_gone_nothing_is_told(store: Store) -> None:
    assert became(store, Foreseen("example.org", "https://example.org/1"), Foreseen("example.org")) == []
