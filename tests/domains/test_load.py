"""Domain files: what may be left out, and how faults are told."""

import os
import time
from importlib.resources import files
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from sitewright.domains import domain_names, load_domain, parse_domain
from sitewright.domains.check import schema
from sitewright.domains.kinds import USUAL
from sitewright.errors import DomainInvalid, UnknownDomain
from sitewright.values import PARSERS

GOOD = """\
name: bikes
item: {kind: bike, called: a bike}
types: [Product]
fields:
  model: {means: heading, sources: ["jsonld:name"]}
  gears:
  story: {kind: text, means: main}
"""


@pytest.mark.parametrize("name", domain_names())
def test_the_packaged_files_have_no_faults(name: str) -> None:
    text = files("sitewright.domains").joinpath(f"{name}.yaml").read_text("utf-8")
    assert parse_domain(text, name) == load_domain(name)


def test_the_schema_is_a_schema_and_knows_all_kinds() -> None:
    Draft202012Validator.check_schema(schema())
    assert schema()["$defs"]["field"]["properties"]["kind"]["enum"] == list(USUAL)
    assert {usual.parse for usual in USUAL.values()} <= set(PARSERS)


def test_what_is_left_out_is_as_usual() -> None:
    bikes = parse_domain(GOOD, "bikes.yaml")
    assert (bikes.name, bikes.reference, bikes.item.plural) == ("bikes", "bikes.yaml", "bikes")
    assert bikes.levels == ("list", "bike")
    assert (bikes.fields["gears"].kind, bikes.fields["gears"].parse) == ("line", "line.v1")
    assert bikes.fields["story"].parse == "text.v1"
    assert bikes.parser_of("url", inner=True) == "url.v1"
    assert bikes.models == ""


def test_the_least_file_has_a_name_and_a_field() -> None:
    least = parse_domain("{name: x, fields: {a: }}", "x.yaml")
    assert (least.item.kind, least.item.called, least.item.plural) == ("item", "an item", "items")


@pytest.mark.parametrize(
    ("old", "new", "line", "entry", "message"),
    [
        ("name: bikes\n", "", 1, "domain", "missing name"),
        ("name: bikes", "name: My Bikes", 1, "name", "'My Bikes' is not of the form lower-case letters"),
        ("kind: bike,", "kind: list,", 2, "item.kind", "'list' is what other pages are"),
        (
            "kind: bike,",
            "colour: red,",
            2,
            "item.colour",
            "unknown entry 'colour'; expected one of called, kind, plural",
        ),
        ("types: [Product]", "levels: [list, page]", 3, "levels", "expected bike, found page"),
        ("types: [Product]", "types: Product", 3, "types", "expected array, found text"),
        ("fields:", "felder:", 4, "felder", "unknown entry 'felder'"),
        ("jsonld:name", "json:name", 5, "fields.model.sources[0]", "is not of the form jsonld:KEY.KEY"),
        ("means: heading", "means: price", 5, "fields.model.means", "expected heading or summary or main"),
        ("means: heading", "means: main", 5, "fields.model.means", "a field that means main is of kind text"),
        ("means: heading", "rival: brand", 5, "fields.model.rival", "no field 'brand'"),
        ("means: heading", "words: {for: '('}", 5, "fields.model.words.for", "is not a regular expression"),
        ("means: heading", "parse: bike.v9", 5, "fields.model.parse", "no such parser 'bike.v9'"),
        ("  gears:", "  url:", 6, "fields.url", "'url' is taken"),
        ("  gears:", "  3 gears:", 6, "fields.3 gears", "is not a field's name"),
        ("  gears:", "  gears: {kind: text, means: main}", 7, "fields.story.means", "gears means main already"),
        ("  gears:", "  gears: 5", 6, "fields.gears", "expected object, found a number"),
    ],
)
def test_a_fault_is_told_with_its_place(old: str, new: str, line: int, entry: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(DomainInvalid) as caught:
        parse_domain(GOOD.replace(old, new), "a/bikes.yaml")
    told = str(caught.value)
    assert f"a/bikes.yaml:{line}: {entry}: " in told
    assert message in told


@pytest.mark.parametrize("text", ["fields: [", "{" * 50, "a: *b", "\t- x: y:"])
def test_what_is_not_yaml_is_told(text: str) -> None:
    with pytest.raises(DomainInvalid, match=r"^bikes\.yaml:\d+: "):
        parse_domain(text, "bikes.yaml")


class TestFiles:
    def test_a_file_is_found_by_its_path_and_read_again_when_changed(self, tmp_path: Path) -> None:
        path = tmp_path / "bikes.yaml"
        path.write_text(GOOD, "utf-8")
        first = load_domain(str(path))
        assert load_domain(str(path)) is first
        assert first.reference == str(path)
        path.write_text(GOOD.replace("gears", "wheels"), "utf-8")
        os.utime(path, ns=(time.time_ns(), time.time_ns() + 1))
        assert list(load_domain(str(path)).fields) == ["model", "wheels", "story"]

    def test_a_file_that_is_not_there_is_unknown(self, tmp_path: Path) -> None:
        with pytest.raises(UnknownDomain, match="No such file"):
            load_domain(str(tmp_path / "bikes.yaml"))

    def test_a_folder_is_no_file(self, tmp_path: Path) -> None:
        folder = tmp_path / "bikes.yaml"
        folder.mkdir()
        with pytest.raises(UnknownDomain, match="Is a directory"):
            load_domain(str(folder))

    def test_bytes_that_are_no_text_are_told(self, tmp_path: Path) -> None:
        path = tmp_path / "bikes.yaml"
        path.write_bytes(b"name: \xff\xfe")
        with pytest.raises(DomainInvalid, match="not UTF-8 text"):
            load_domain(str(path))
