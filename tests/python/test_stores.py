"""What was collected, asked for by a program."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import sitewright
from sitewright.demo import Site
from sitewright.errors import InputError, UsageError
from sitewright.store.database import open_store
from sitewright.types import Failure, Page, Photo, Record, Value

HUM = "They hum.\nQuietly."


def record(site: str, name: str, day: int | None, text: str = HUM) -> Record:
    fields = {
        "title": Value(f"Story {name}", 0.9, "article/title#0"),
        "text": Value(text, 0.8, "article/text#0"),
        "images": Value([Photo(url="https://example.com/bees.jpg", caption="A hive")], 0.5, "tagger/images"),
    }
    if day is not None:
        fields["published"] = Value(datetime(2024, 5, day, 10, tzinfo=UTC), 0.9, "article/published#0")
    return Record(site=site, urls=(f"https://{site}/{name}",), fields=fields, template="article", map_version=1)


STORED = [
    record("a.example", "one", 1),
    record("a.example", "two", 2, "Honey in the STREETS"),
    record("a.example", "three", 3),
    record("b.example", "four", 4, "honey"),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory, paper: Site) -> Path:
    path = tmp_path_factory.mktemp("store") / "news.db"
    with open_store(f"sqlite:///{path}") as store:
        for name in ("a.example", "b.example", "empty.example"):
            store.add_site(name, url=f"https://{name}/")
        store.save_map(paper.map_text.replace(f"site: {paper.host}", "site: a.example"), "person")
        for one in STORED:
            store.commit_page(one, Page(url=one.urls[0], body="", fetched_at=datetime(2024, 6, 1, tzinfo=UTC)))
        store.add_failure("a.example", Failure("https://a.example/five", "fetch", "fetch_timeout", "took too long"))
    return path


@pytest.fixture
def store(file: Path) -> Iterator[sitewright.RecordStore]:
    with sitewright.open_store(file) as opened:
        yield opened


def titles(records: Iterator[sitewright.Record]) -> list[str]:
    return [one["title"].removeprefix("Story ") for one in records]


def test_records_come_newest_first(store: sitewright.RecordStore) -> None:
    assert titles(store.records()) == ["four", "three", "two", "one"]
    assert titles(store.records(limit=2)) == ["four", "three"]
    assert titles(store.records("a.example")) == ["three", "two", "one"]
    assert titles(store.records(["a.example", "b.example"])) == ["four", "three", "two", "one"]
    assert titles(store.records("empty.example")) == []


def test_records_of_a_time(store: sitewright.RecordStore) -> None:
    assert titles(store.records(since="2024-05-02", until=date(2024, 5, 4))) == ["three", "two"]
    assert store.count(since=datetime(2024, 5, 3, tzinfo=UTC)) == 2
    assert store.count("a.example") == 3


def test_records_with_words(store: sitewright.RecordStore) -> None:
    assert titles(store.records(search="honey")) == ["four", "two"]
    assert titles(store.records(search="streets honey")) == ["two"]
    assert titles(store.records(search="hive", limit=1)) == ["four"]
    assert titles(store.records(search="wasps")) == []


def test_a_record_is_as_it_was_read(store: sitewright.RecordStore) -> None:
    found = store.record("HTTPS://a.example/one?utm_source=mail")
    assert found is not None
    assert found == sitewright.Record.of(STORED[0])
    assert isinstance(found["images"][0], Photo)
    assert found.to_dict() == sitewright.Record.of(STORED[0]).to_dict()
    assert store.record("https://a.example/none") is None
    assert store.record("https://elsewhere.example/one") is None


def test_records_are_read_as_they_are_asked_for(store: sitewright.RecordStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sitewright.store.database._CHUNK", 1)
    first = next(store.records())
    assert first["title"] == "Story four"
    assert len(list(store.records())) == 4


def test_sites_maps_and_failures(store: sitewright.RecordStore) -> None:
    assert {summary.site.name: summary.records for summary in store.sites()} == {
        "a.example": 3,
        "b.example": 1,
        "empty.example": 0,
    }
    assert store.map("a.example").site == "a.example"
    assert store.map("a.example", version=1) == store.map("a.example")
    assert [stored.failure.code for stored in store.failures("a.example")] == ["fetch_timeout"]


def test_what_is_not_there_is_told(store: sitewright.RecordStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no site c\.example in the store; there are a\.example, b\.example"):
        store.records("c.example")
    with pytest.raises(InputError, match="no map yet"):
        store.map("b.example")
    with pytest.raises(UsageError, match="since is a date"):
        store.records(since="last week")
    with pytest.raises(InputError, match="there is no store"):
        sitewright.open_store(tmp_path / "nowhere.db")
    assert not (tmp_path / "nowhere.db").exists()
