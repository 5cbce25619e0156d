"""Records that are photo sets are exported as their sets have them."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.actions.export import WantedRecords, export_feed, export_records
from sitewright.assemble import RECURS
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.types import Page, Photo, Record, Value
from sitewright.watch.photo_sets import keep_photo_sets

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
SITE = "example.com"
LOGO = "https://example.com/brand-2024.png"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.db", clock=lambda: NOW) as opened:
        opened.add_site(SITE, url=f"https://{SITE}/")
        for number in range(RECURS):
            keep(opened, number, 3)
        keep(opened, 9, 1)
        yield opened


def keep(store: Store, number: int, pictures: int) -> None:
    photos = [
        Photo(url=f"https://example.com/sea-{number}-{n}x.jpg", caption=f"The sea, day {n} of {number}.")
        for n in range(pictures)
    ]
    url = f"https://example.com/{number}"
    values = {
        "title": f"Sea {number}",
        "text": f"At sea for {number} days.\nThe sea, day 1 of {number}.",
        "images": [*photos, Photo(url=LOGO)],
        "published": NOW,
    }
    fields = {name: Value(value, 0.9, f"article/{name}#0") for name, value in values.items()}
    record = Record(site=SITE, urls=(url, f"{url}?page=2"), fields=fields)
    store.commit_pages([Collected(record=record, page=Page(url=url, body=b"", fetched_at=NOW))])
    keep_photo_sets(store, [record])


def test_sets_have_the_pictures_that_are_their_own(store: Store, tmp_path: Path) -> None:
    output = tmp_path / "sets.jsonl"
    count = export_records(store, WantedRecords(photo_sets=True), str(output), "jsonl")
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert (count.written, len(rows)) == (RECURS, RECURS)
    assert [image["caption"] for image in rows[0]["images"]] == [f"The sea, day {n} of 0." for n in range(3)]
    assert rows[0]["text"] == "At sea for 0 days."
    assert rows[0]["parts"] == ["https://example.com/0?page=2"]
    assert rows[0]["photo_set"] == {"version": 2, "left_out": [{"url": LOGO, "code": "picture_recurs"}]}


def test_without_it_records_have_all_that_their_pages_show(store: Store, tmp_path: Path) -> None:
    output = tmp_path / "records.jsonl"
    export_records(store, WantedRecords(), str(output), "jsonl")
    rows = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert [len(row["images"]) for row in rows] == [4] * RECURS + [2]
    assert "photo_set" not in rows[0]


@pytest.mark.parametrize("kind", ["csv", "parquet", "markdown", "jsonfeed"])
def test_all_formats_have_them(store: Store, tmp_path: Path, kind: str) -> None:
    count = export_records(store, WantedRecords(photo_sets=True), str(tmp_path / "sets"), kind)
    assert count.written == RECURS


@pytest.mark.parametrize("kind", ["rss", "atom"])
def test_feeds_have_them(store: Store, kind: str) -> None:
    feed = export_feed(store, WantedRecords(photo_sets=True), kind)  # type: ignore[arg-type]
    assert feed.records == RECURS
    assert feed.content.count(b"sea-1-") >= 3
    assert LOGO.encode() not in feed.content
