"""Whether a map is as it was learned: its heading, the seal in it, and how a map makes way."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import MapExists
from sitewright.maps import dump_map, load_map, parse_map
from sitewright.maps.file import HEADING, is_untouched, save_map, set_aside, write_atomically
from sitewright.types import ExtractionMap, Rule, Support, Template

MAP = ExtractionMap(
    site="example.com",
    templates=(
        Template(
            name="article",
            rules=(
                Rule(field="title", select=("h1",), support=Support(9, 10, 0.97)),
                Rule(field="text", select=("div.story",), many=True, support=Support(10, 10, 0.99, 1500)),
            ),
        ),
    ),
)
TEXT = dump_map(MAP, heading="Learned from 10 pages.\nFragile: none.")
BODY = TEXT[TEXT.index("sitewright:") :]


def test_a_heading_stands_above_and_changes_nothing() -> None:
    assert TEXT.startswith(f"{HEADING}Learned from 10 pages.\n{HEADING}Fragile: none.\n{HEADING}")
    assert dump_map(MAP) == BODY
    assert parse_map(TEXT) == MAP
    assert is_untouched(TEXT)


def test_the_same_map_has_the_same_seal() -> None:
    assert dump_map(MAP, heading="a").splitlines()[1:] == dump_map(MAP, heading="b").splitlines()[1:]


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (TEXT.replace("[h1]", "[h2]"), "another selector"),
        (TEXT.replace("agreement: 0.97}}", "agreement: 0.97}, edited: true}"), "a rule marked as edited"),
        (TEXT.replace("[h1]", "[h1]  "), "nothing but a space"),
        (TEXT + "# checked by Ann\n", "a comment at the end"),
        ("# checked by Ann\n" + TEXT, "a comment at the top"),
        (TEXT.replace("sitewright: 1", "sitewright: 1 # mine"), "a comment in a line"),
        (TEXT.replace("domain: news\n", ""), "a line less"),
        (TEXT.rstrip("\n"), "no line break at the end"),
        (BODY, "no heading"),
        (TEXT.replace(f"{HEADING}As it", f"{HEADING}As it never"), "another seal"),
        (TEXT.replace(TEXT.splitlines()[2] + "\n", ""), "no seal"),
        ("", "nothing at all"),
        ("a: [", "no map"),
    ],
)
def test_what_a_person_changes_breaks_the_seal(changed: str, why: str) -> None:
    assert changed != TEXT
    assert not is_untouched(changed), why


@given(st.integers(0, len(BODY) - 1), st.characters(exclude_categories=("Cs",)))
def test_no_character_can_be_changed_unnoticed(place: int, character: str) -> None:
    changed = BODY[:place] + character + BODY[place + 1 :]
    assert is_untouched(TEXT.replace(BODY, changed)) == (changed == BODY)


def test_a_new_heading_takes_the_place_of_the_old_one_and_comments_stay() -> None:
    again = dump_map(MAP, like=f"# by hand\n{TEXT}", heading="Learned from 12 pages.")
    told, seal = [line for line in again.splitlines() if line.startswith(HEADING)]
    assert told == f"{HEADING}Learned from 12 pages."
    assert seal != TEXT.splitlines()[2], "the comment is under the seal"
    assert "# by hand\n" in again
    assert is_untouched(again)
    assert parse_map(again) == MAP


def test_a_map_is_saved_with_its_heading_and_over_another_only_when_told(tmp_path: Path) -> None:
    path = tmp_path / "a.map.yaml"
    save_map(MAP, path, heading="One.")
    before = path.read_text("utf-8")
    assert is_untouched(before)
    with pytest.raises(MapExists):
        save_map(replace(MAP, version=2), path, heading="Two.")
    assert path.read_text("utf-8") == before
    save_map(replace(MAP, version=2), path, overwrite=True, heading="Two.")
    assert load_map(path).version == 2
    assert path.read_text("utf-8").startswith(f"{HEADING}Two.\n{HEADING}As it was learned: ")
    assert [entry.name for entry in tmp_path.iterdir()] == ["a.map.yaml"]


def test_files_make_way_under_the_first_free_name(tmp_path: Path) -> None:
    path = tmp_path / "a.map.yaml"
    for number in (1, 2, 3):
        path.write_text(f"map {number}", "utf-8")
        aside = set_aside(path)
        assert (aside.name, aside.read_text("utf-8")) == (f"a.map.yaml.~{number}~", f"map {number}")
        assert path.exists(), "there is no moment without the map"
        write_atomically(path, "new")
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [
        "a.map.yaml",
        "a.map.yaml.~1~",
        "a.map.yaml.~2~",
        "a.map.yaml.~3~",
    ]
    assert [(tmp_path / f"a.map.yaml.~{n}~").read_text("utf-8") for n in (1, 2, 3)] == ["map 1", "map 2", "map 3"]


def test_files_make_way_where_there_are_no_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.map.yaml"
    path.write_text("map", "utf-8")
    assert set_aside(path).read_text("utf-8") == path.read_text("utf-8") == "map"
