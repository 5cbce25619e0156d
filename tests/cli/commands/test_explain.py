"""`sitewright explain`: where each value of a record is from, and whether the map still reads it so."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitewright.parse import parse, url_id
from sitewright.store.database import Store
from sitewright.store.entries import StoredRecord
from sitewright.store.warc import read_page
from sitewright.types import Page, Value

Call = Callable[..., Any]
pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("folder")]
NOTES, NOTE = "notes.example", "https://notes.example/1"


def stored_note(store: Store) -> StoredRecord:
    found = store.find_record(NOTES, NOTE)
    assert found is not None
    assert found.location is not None
    return found


def change(store: Store, **fields: Value | None) -> None:
    """Store a note with other values; None: without."""
    stored = stored_note(store)
    values = {name: value for name, value in {**stored.record.fields, **fields}.items() if value is not None}
    page = Page(url=NOTE, body=b"")
    store.commit_page(replace(stored.record, fields=values), page, stored.location)


def told(call: Call, *arguments: str | Path, status: int = 0) -> Any:
    done = call("explain", *arguments, "--json")
    assert (done.status, done.err) == (status, "")
    [line] = done.out.splitlines()
    return json.loads(line)


def test_a_record_in_text(call: Call, store: Store) -> None:
    stored = stored_note(store)
    assert stored.location is not None
    done = call("explain", NOTE)
    assert (done.status, done.err) == (0, "")
    lines = done.out.decode().splitlines()
    made_at = store.map_versions(NOTES)[0].made_at
    assert lines == [
        NOTE,
        f"    id         {url_id(NOTE)}",
        f"    site       {NOTES}",
        f"    page       {stored.location.file}, from byte {stored.location.offset:,}",
        "    fetched    2025-05-19 08:00 UTC, status 200, via http",
        "    template   note",
        f"    map        version 1, person, {made_at:%Y-%m-%d %H:%M} UTC",
        "    via        map",
        "",
        "title  0.90, same",
        '    value      ["Note 1","Below"]',
        "    rule       note/title#0: h1, h2; many; parse line.v1",
        "    from       html > body > h1",
        '               "Note 1"',
        "    from       html > body > h2",
        '               "Below"',
        "",
        "published  0.85, same",
        "    value      2024-05-01",
        "    rule       note/published#0: time; parse date.v1",
        "    from       html > body > time",
        '               "1 May 2024"',
        "",
        "rating  0.90, same",
        "    value      1 stars",
        "    rule       note/rating#0: b; parse line.v1",
        "    from       html > body > b",
        '               "1 stars"',
        "",
        "map version 1 gives the same today (3 fields)",
    ]


def test_every_record_of_a_paper_is_the_same_and_its_paths_lead_to_elements(
    call: Call, store: Store, newspaper: Any
) -> None:
    templates = set()
    for url in newspaper.stored:
        row = told(call, url)
        record = store.find_record(newspaper.name, url)
        assert record is not None
        assert record.location is not None
        tree = parse(read_page("sitewright-pages", record.location)).tree
        assert row["same"] is True
        assert {name: field["value"] for name, field in row["fields"].items()} == {
            name: value.value for name, value in record.record.fields.items()
        }
        for field in row["fields"].values():
            assert field["from"]
            for source in field["from"]:
                assert source["take"].startswith("jsonld:") or len(tree.select(source["path"])) == 1
        templates.add(row["template"])
    assert len(templates) > 2


def test_everything_as_json(call: Call, store: Store) -> None:
    stored = stored_note(store)
    assert stored.location is not None
    row = told(call, NOTE, "--field", "rating")
    assert (row["id"], row["urls"], row["site"], row["via"]) == (stored.id, [NOTE], NOTES, "")
    assert row["page"] == {
        "file": stored.location.file,
        "offset": stored.location.offset,
        "length": stored.location.length,
        "url": NOTE,
        "final_url": NOTE,
        "status": 200,
        "fetched_at": "2025-05-19T08:00:00+00:00",
        "fetched_via": "http",
    }
    assert (row["map"]["version"], row["map"]["made_by"], row["failure"], row["also"]) == (1, "person", None, {})
    assert row["fields"] == {
        "rating": {
            "value": "1 stars",
            "confidence": 0.9,
            "read_by": "map",
            "rule": "note/rating#0",
            "definition": {"select": ["b"]},
            "from": [{"path": "html > body > b", "tag": "<b>", "take": "text", "raw": "1 stars", "parser": "line.v1"}],
            "state": "same",
            "now": {"value": "1 stars", "confidence": 0.9, "rule": "note/rating#0"},
        }
    }


def test_long_values_are_short_in_text_and_whole_in_json(call: Call, newspaper: Any) -> None:
    url = newspaper.stored[0]
    text = call("explain", url, "--field", "text").out.decode()
    assert max(map(len, text.splitlines())) < 200
    assert "…" in text
    [field] = told(call, url, "--field", "text")["fields"].values()
    assert len(field["value"]) > 500
    assert field["from"][0]["raw"] == " ".join(field["value"].split())


def test_the_version_that_made_the_record_reads(call: Call, store: Store) -> None:
    newer = store.load_map(NOTES)
    assert newer is not None
    store.save_map(newer.text.replace("[b]", "[h1]"), "person")
    row = told(call, NOTE)
    assert (row["map"]["version"], row["same"]) == (1, True)
    assert row["fields"]["rating"]["definition"] == {"select": ["b"]}


def test_only_some_fields(call: Call) -> None:
    lines = call("explain", NOTE, "--field", "rating", "--field", "title").out.decode().splitlines()
    assert [line.split()[0] for line in lines if "same" in line] == ["title", "rating", "map"]


class TestWhatDiffersToday:
    def test_another_value(self, call: Call, store: Store) -> None:
        change(store, rating=Value("9 stars", 0.9, "note/rating#0"))
        done = call("explain", NOTE)
        assert done.status == 1
        text = done.out.decode()
        assert "rating  0.90, differs now\n    value      9 stars\n" in text
        assert "    now        9 stars → 1 stars\n" in text
        assert text.endswith("map version 1 gives something else today: 1 of 3 fields\n")
        assert call("explain", NOTE, "--field", "title").status == 0

    def test_a_field_that_is_gone(self, call: Call, store: Store) -> None:
        change(store, place=Value("Corwick", 0.9, "note/place#0"))
        done = call("explain", NOTE, "--field", "place")
        assert done.status == 1
        assert [line.strip() for line in done.out.decode().splitlines()[9:14]] == [
            "place  0.90, differs now",
            "value      Corwick",
            "rule       note/place#0, which is not in this version of the map",
            "from       nothing: the rule finds nothing on the page today",
            "now        nothing",
        ]

    def test_a_field_that_was_not_there(self, call: Call, store: Store) -> None:
        change(store, rating=None)
        done = call("explain", NOTE)
        assert done.status == 1
        assert "read today and not in the record: rating\n" in done.out.decode()
        assert told(call, NOTE, status=1)["also"] == {"rating": "1 stars"}

    def test_another_rule_for_the_same_value(self, call: Call, store: Store) -> None:
        change(store, rating=Value("1 stars", 0.9, "note/title#0"))
        done = call("explain", NOTE, "--field", "rating")
        assert done.status == 0
        assert "    now        read by note/rating#0\n" in done.out.decode()

    def test_a_page_that_gives_no_record(self, call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SITEWRIGHT_LIMITS_PAGE_BYTES", "10")
        done = call("explain", NOTE)
        assert done.status == 1
        assert "map version 1 gives no record of this page today: page_too_large: " in done.out.decode()
        assert told(call, NOTE, status=1)["failure"]["code"] == "page_too_large"


def test_what_the_tagger_read(call: Call, store: Store) -> None:
    change(store, rating=Value("1 stars", 0.7, "tagger/rating: b.stars; agrees: meta:rating"))
    done = call("explain", NOTE, "--field", "rating")
    assert "    rule       none, the tagger read it: b.stars; agrees: meta:rating\n" in done.out.decode()
    assert "    from       not known\n" in done.out.decode()


def test_control_characters_of_a_page_do_not_reach_the_terminal(call: Call, store: Store) -> None:
    change(store, rating=Value("1\x1b[2J\n\u202estars", 0.9, "note/rating#0"))
    out = call("explain", NOTE).out
    assert b"\x1b" not in out
    assert "\u202e" not in out.decode()
    assert told(call, NOTE, status=1)["fields"]["rating"]["value"] == "1\x1b[2J\n\u202estars"


class TestErrors:
    def error(self, call: Call, *arguments: str) -> str:
        done = call("explain", *arguments)
        assert (done.status, done.out) == (2, b"")
        assert done.err.count("\n") == 1
        return str(done.err)

    def test_an_unknown_field(self, call: Call) -> None:
        told = self.error(call, NOTE, "--field", "price")
        assert told == (
            f"error[input_error]: the record of {NOTE} has no field price; there are title, published, rating\n"
        )

    def test_a_damaged_page(self, call: Call, store: Store) -> None:
        location = stored_note(store).location
        assert location is not None
        with Path("sitewright-pages", location.file).open("rb+") as file:
            file.seek(location.offset + location.length // 2)
            file.write(b"\0" * 8)
        told = self.error(call, NOTE)
        assert told.startswith("error[store_error]: sitewright-pages/")
        assert f"the record at byte {location.offset:,} is damaged" in told

    def test_a_page_file_that_is_gone(self, call: Call, store: Store) -> None:
        location = stored_note(store).location
        assert location is not None
        Path("sitewright-pages", location.file).unlink()
        assert "error[store_error]: " in self.error(call, NOTE)

    def test_a_page_that_was_not_kept(self, call: Call, store: Store) -> None:
        record = replace(stored_note(store).record, urls=("https://notes.example/3",))
        store.commit_page(record, Page(url=record.urls[0], body=b""))
        told = self.error(call, record.urls[0])
        assert told.startswith("error[store_error]: the page of https://notes.example/3 was not kept")

    def test_a_map_version_that_is_not_there(self, call: Call, store: Store) -> None:
        stored = stored_note(store)
        store.commit_page(replace(stored.record, map_version=7), Page(url=NOTE, body=b""), stored.location)
        assert self.error(call, NOTE) == f"error[input_error]: {NOTES} has no map of version 7; there are 1\n"

    def test_a_record_without_a_map(self, call: Call, store: Store) -> None:
        stored = stored_note(store)
        store.commit_page(replace(stored.record, map_version=None), Page(url=NOTE, body=b""), stored.location)
        assert "does not say which version of the map made it" in self.error(call, NOTE)

    def test_a_folder_that_is_not_there(self, call: Call) -> None:
        assert "there is no folder elsewhere with the pages" in self.error(call, NOTE, "--pages", "elsewhere")

    def test_an_unknown_record(self, call: Call) -> None:
        assert "there is no record of https://a.example/1 in the store\n" in self.error(call, "https://a.example/1")


def test_nothing_is_changed(call: Call, store: Store) -> None:
    before = [list(store.records()), store.map_versions(NOTES), store.sites()]
    files = {file.name: file.read_bytes() for file in Path("sitewright-pages").iterdir()}
    call("explain", NOTE)
    assert [list(store.records()), store.map_versions(NOTES), store.sites()] == before
    assert {file.name: file.read_bytes() for file in Path("sitewright-pages").iterdir()} == files
