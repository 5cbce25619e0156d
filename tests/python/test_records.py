"""Records as a program uses them: values by name, and the same row as in output files."""

import copy
import json
import pickle
from datetime import UTC, date, datetime

import orjson
import pytest

import sitewright
from sitewright import types
from sitewright.output.rows import row_of
from sitewright.python.records import Record, restored
from sitewright.types import Photo, Value
from sitewright.values.as_json import json_of

PHOTO = Photo(url="https://example.com/bees.jpg", caption="Bees", width=600)
PLAIN = types.Record(
    site="example.com",
    urls=("https://example.com/bees",),
    language="en",
    map_version=3,
    fields={
        "title": Value("Bees are back", 0.9, "article/title#0"),
        "published": Value(datetime(2024, 5, 6, 10, 30, tzinfo=UTC), 0.8, "article/published#0"),
        "modified": Value(date(2024, 5, 7), 0.8, "article/modified#0"),
        "text": Value("They hum.\nQuietly.", 0.7, "article/text#0"),
        "images": Value([PHOTO], 0.5, "tagger/images"),
        "beekeeper": Value("Ann", 1.0, "article/beekeeper#0"),
    },
)
RECORD = Record.of(PLAIN)


def test_values_by_name() -> None:
    assert RECORD["title"] == RECORD.get("title") == "Bees are back"
    assert RECORD["images"] == [PHOTO]
    assert (RECORD.get("authors"), RECORD.get("authors", [])) == (None, [])
    assert "title" in RECORD
    assert "authors" not in RECORD
    assert list(RECORD) == list(PLAIN.fields)
    assert dict(RECORD)["beekeeper"] == "Ann"
    assert RECORD.url == "https://example.com/bees"
    assert RECORD.fields["title"].confidence == 0.9


def test_a_field_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(KeyError, match="no authors; it has title, published"):
        _ = RECORD["authors"]


def test_it_is_the_row_of_the_output() -> None:
    assert RECORD.to_json().encode() == json_of(row_of(PLAIN))
    assert RECORD.to_dict() == orjson.loads(json_of(row_of(PLAIN)))
    assert json.loads(RECORD.to_json(explain=True)) == RECORD.to_dict(explain=True)
    assert RECORD.to_dict(explain=True)["rules"]["title"] == "article/title#0"


def test_of_a_page_it_is_markdown_with_its_structure() -> None:
    words = "The bees of the town hum all day long, and nobody minds. " * 6
    html = f"<h1>Bees</h1><p>{words} See <a href=/hive>the hive</a>.</p><h2>What they eat</h2><p>{words}</p>"
    text = sitewright.read(
        f"<html><body><article>{html}</article></body></html>", "https://example.com/a"
    ).to_markdown()
    assert "[the hive](https://example.com/hive)" in text
    assert "\n## What they eat\n" in text


def test_it_is_markdown() -> None:
    text = RECORD.to_markdown()
    assert text.startswith('---\nurl: "https://example.com/bees"')
    assert "\n# Bees are back\n\nThey hum.\n\nQuietly.\n" in text
    assert "![Bees](https://example.com/bees.jpg)" in text


def test_it_shows_little_of_itself() -> None:
    assert repr(RECORD) == (
        "<Record https://example.com/bees: title='Bees are back', published='2024-05-06T10:30:00+00:00', "
        "modified='2024-05-07', 3 more>"
    )
    assert repr(Record(site="", urls=("",), fields={})) == "<Record without address: nothing found>"


def test_it_travels() -> None:
    assert pickle.loads(pickle.dumps(RECORD)) == RECORD  # noqa: S301 -- our own
    assert copy.deepcopy(RECORD) == RECORD
    assert isinstance(RECORD, types.Record)


def test_a_stored_record_has_its_values_again() -> None:
    stored = {
        name: Value(orjson.loads(json_of({"": value.value}))[""], value.confidence, value.rule)
        for name, value in PLAIN.fields.items()
    }
    back = types.Record(site=PLAIN.site, urls=PLAIN.urls, fields=stored, language="en", map_version=3)
    assert restored(back) == RECORD


@pytest.mark.parametrize("domain", ["news", "gone.yaml"])
def test_what_cannot_be_restored_stays(domain: str) -> None:
    stored = {"published": Value("soon", 0.5, ""), "images": Value([{"src": "a.jpg"}, "b.jpg"], 0.5, "")}
    back = restored(types.Record(site="", urls=("",), fields=stored, domain=domain))
    assert (back["published"], back["images"]) == ("soon", [{"src": "a.jpg"}, "b.jpg"])
