"""Records, feeds and pages of a store are written, and counted."""

import csv
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions.export import Count, PageWork, WantedRecords, export_feed, export_pages, export_records
from sitewright.errors import InputError, OutputError
from sitewright.output.feed import FEED_FORMATS, FeedFormat
from sitewright.store.database import Store

NOTES = "notes.example"
PAGES = Path("sitewright-pages")


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet", "markdown", "jsonfeed"])
def test_every_format_has_all_records(store: Store, tmp_path: Path, kind: str) -> None:
    assert export_records(store, WantedRecords(), str(tmp_path / "out"), kind) == Count(written=13)
    assert (tmp_path / "out").exists()


def test_some_fields_of_a_site(store: Store, tmp_path: Path) -> None:
    wanted = WantedRecords(sites=[NOTES], fields=["rating", "title"])
    export_records(store, wanted, str(tmp_path / "a.csv"), "csv", explain=True)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["title"], first["rating"]) == ("Note 1; Below", "1 stars")
    assert json.loads(second["rules"])["rating"] == "note/rating#0"
    assert "published" not in first
    with pytest.raises(InputError, match="no field 'colour'"):
        export_records(store, WantedRecords(fields=["colour"]), str(tmp_path / "a"), "jsonl")


def test_a_table_of_no_json_is_as_one_of_json(store: Store, tmp_path: Path) -> None:
    """Dates, pictures and lists stand in a table as they stand in JSON lines, though none are written for it."""
    for kind in ("jsonl", "csv"):
        export_records(store, WantedRecords(), str(tmp_path / kind), kind)
    rows = [json.loads(line) for line in (tmp_path / "jsonl").read_bytes().splitlines()]
    with (tmp_path / "csv").open(encoding="utf-8", newline="") as file:
        cells = list(csv.DictReader(file))
    assert [cell["published"] for cell in cells] == [row["published"] for row in rows]
    assert [json.loads(cell["images"] or "null") for cell in cells] == [row.get("images") for row in rows]


def test_a_feed_has_the_newest_first(store: Store) -> None:
    feed = export_feed(store, WantedRecords(sites=[NOTES], limit=1), "rss")
    assert feed.records == 1
    assert b"https://notes.example/2" in feed.content
    assert b"https://notes.example/1" not in feed.content


def test_texts_have_the_structure_of_their_pages(store: Store, newspaper: Any, tmp_path: Path) -> None:
    wanted = WantedRecords(sites=[newspaper.name], page_work=PageWork(folder=PAGES, jobs=1))
    export_records(store, wanted, str(tmp_path / "a.md"), "markdown")
    structured = (tmp_path / "a.md").read_text("utf-8")
    export_records(store, replace(wanted, page_work=PageWork()), str(tmp_path / "b.md"), "markdown")
    plain = (tmp_path / "b.md").read_text("utf-8")
    assert structured.count("\n# ") == plain.count("\n# ") == 11
    assert structured.count("\n## ") > 0 == plain.count("\n## ")
    for line in newspaper.site.truth[newspaper.paths[0]].text.split("\n"):
        assert line[:12] in structured


@pytest.mark.parametrize("kind", FEED_FORMATS)
def test_feeds_are_named_as_their_sites_and_hold_whole_texts(store: Store, newspaper: Any, kind: FeedFormat) -> None:
    wanted = WantedRecords(sites=[newspaper.name], page_work=PageWork(folder=PAGES, jobs=1))
    feed = export_feed(store, wanted, kind)
    assert feed == export_feed(store, wanted, kind)
    name = newspaper.site.name
    assert f"<title>{name}</title>" in feed.content.decode() or f'"title":"{name}"' in feed.content.decode()
    assert b"/h2" in feed.content
    assert newspaper.name in export_feed(store, WantedRecords(sites=[newspaper.name]), kind).content.decode()


def test_what_is_less_sure_is_left_out(store: Store, tmp_path: Path) -> None:
    export_records(store, WantedRecords(min_confidence=0.95), str(tmp_path / "a.jsonl"), "jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_bytes().splitlines()]
    assert len(rows) == 13
    assert all("title" not in row and not row["confidence"] for row in rows)


def test_pages_that_are_damaged_are_left_out(store: Store, tmp_path: Path) -> None:
    told: list[str] = []
    (broken, _) = store.pages(NOTES)
    with (PAGES / broken.location.file).open("rb+") as file:
        file.seek(broken.location.offset)
        file.write(b"torn")
    count = export_pages(
        store,
        WantedRecords(sites=[NOTES]),
        PAGES,
        tmp_path / "a.warc.gz",
        leave_out=lambda error: told.append(str(error)),
    )
    assert (count.written, count.left_out, len(told)) == (1, 1, 1)
    with pytest.raises(OutputError, match="no such folder"):
        export_pages(store, WantedRecords(), PAGES, tmp_path / "none" / "a.warc.gz")


def test_chosen_records_choose_pages(store: Store, newspaper: Any, tmp_path: Path) -> None:
    wanted = WantedRecords(sites=[newspaper.name], since=datetime(2000, 1, 1, tzinfo=UTC), limit=3)
    assert wanted.chooses
    assert export_pages(store, wanted, PAGES, tmp_path / "a.warc.gz").written == 3
    assert not WantedRecords(sites=[newspaper.name]).chooses


def test_who_interrupts_knows_how_much_is_written(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    several = store.records

    def interrupted(query: Any) -> Any:
        for number, stored in enumerate(several(query)):
            if number == 5:
                raise KeyboardInterrupt
            yield stored

    monkeypatch.setattr(store, "records", interrupted)
    count = Count()
    with pytest.raises(KeyboardInterrupt):
        export_records(store, WantedRecords(), str(tmp_path / "a.jsonl"), "jsonl", count=count)
    assert count.written == len((tmp_path / "a.jsonl").read_bytes().splitlines()) == 5
