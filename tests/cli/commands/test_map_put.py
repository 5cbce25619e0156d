"""`sitewright map get|put|versions`: maps leave the store and come back as new versions."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sitewright.maps import load_map
from sitewright.store.database import Store

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


@pytest.fixture
def got(call: Call, folder: Path, newspaper: Any) -> Path:
    """Return the newspaper's map as a file."""
    assert call("map", "get", newspaper.name, "-o", "site.map.yaml").status == 0
    return folder / "site.map.yaml"


def change(file: Path, before: str, after: str) -> None:
    text = file.read_text("utf-8")
    assert before in text
    file.write_text(text.replace(before, after), "utf-8")


def edited(store: Store, site: str) -> list[str]:
    stored = store.load_map(site)
    assert stored is not None
    templates = stored.parsed().templates
    return [f"{template.name}/{rule.field}" for template in templates for rule in template.rules if rule.edited]


def test_a_map_comes_out_as_it_was_stored(call: Call, newspaper: Any, got: Path) -> None:
    assert got.read_text("utf-8") == newspaper.site.map_text
    assert call("map", "get", newspaper.name).out.decode() == newspaper.site.map_text


def test_an_older_version(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    store.save_map(newspaper.site.map_text.replace("h1.story__title", "h1"), "person")
    assert b"h1.story__title" not in call("map", "get", newspaper.name).out
    assert call("map", "get", newspaper.name, "--version", "1").out.decode() == newspaper.site.map_text


def test_a_file_is_not_written_over(call: Call, newspaper: Any, got: Path) -> None:
    got.write_text("mine", "utf-8")
    done = call("map", "get", newspaper.name, "-o", got)
    assert (done.status, got.read_text("utf-8")) == (2, "mine")
    assert call("map", "get", newspaper.name, "-o", got, "--force").status == 0
    assert got.read_text("utf-8") == newspaper.site.map_text


def test_what_a_person_changed_is_marked(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    change(got, "h1.story__title", "h1")
    done = call("map", "put", got)
    assert (done.status, done.out.decode()) == (0, f"{newspaper.name}: stored as version 2 (1 changed)\n")
    stored = store.load_map(newspaper.name)
    assert stored is not None
    assert (stored.version, stored.made_by, stored.parsed().version) == (2, "person", 2)
    assert edited(store, newspaper.name) == ["article/title"]
    assert "# not every story has one" in stored.text


def test_marks_stay_when_the_file_does_not_have_them(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    change(got, "h1.story__title", "h1")
    call("map", "put", got)
    change(got, ".clip__deck", "p.clip__deck")
    call("map", "put", got)
    assert edited(store, newspaper.name) == ["article/title", "video/subtitle"]


def test_the_same_map_is_not_stored_again(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    assert call("map", "put", got).out.decode() == (f"{newspaper.name}: version 1 is the same; nothing was stored\n")
    change(got, "h1.story__title", "h1")
    call("map", "put", got)
    assert b"version 2 is the same" in call("map", "put", got).out
    assert len(store.map_versions(newspaper.name)) == 2


def test_a_comment_alone_is_stored(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    change(got, "# not every story has one", "# seldom missing")
    assert b"stored as version 2 (no rule changed)" in call("map", "put", got).out
    stored = store.load_map(newspaper.name)
    assert stored is not None
    assert "# seldom missing" in stored.text


def test_index_pages_follow_the_map(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    front, latest = (page.url for page in store.index_pages(newspaper.name))
    change(got, f'"{latest}"', f'"{front}sport/"')
    change(got, "weight: 10", "weight: 7")
    assert call("map", "put", got).status == 0
    assert {page.url: page.weight for page in store.index_pages(newspaper.name)} == {front: 7, f"{front}sport/": 5}


def test_a_map_that_is_not_sound_is_not_stored(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    change(got, 'select: ["h1.story__title"]', 'selekt: ["h1"]')
    done = call("map", "put", got)
    assert done.status == 2
    assert "error[map_invalid]: " in done.err
    assert "selekt" in done.err
    assert len(store.map_versions(newspaper.name)) == 1


def test_a_map_of_a_site_that_is_not_there(call: Call, got: Path) -> None:
    change(got, "the-daily-lantern.example\ndomain", "other.example\ndomain")
    done = call("map", "put", got)
    assert done.status == 2
    assert "there is no site other.example in the store; there are notes.example, " in done.err


def test_the_first_map_of_a_site(call: Call, store: Store, folder: Path) -> None:
    store.add_site("new.example")
    file = folder / "new.map.yaml"
    rules = "{title: {select: [h1]}, text: {select: [p], support: {found: 3, sampled: 3}}}"
    file.write_text(
        f"sitewright: 1\nsite: new.example\nversion: 9\ntemplates:\n  - {{name: a, rules: {rules}}}\n", "utf-8"
    )
    assert call("map", "put", file).out == b"new.example: stored as version 1\n"
    assert edited(store, "new.example") == ["a/title"]


def test_versions(call: Call, store: Store, newspaper: Any, got: Path) -> None:
    change(got, "h1.story__title", "h1")
    change(got, '      subtitle: {select: [".story__standfirst"]}   # not every story has one\n', "")
    store.save_map(got.read_text("utf-8"), "healed")
    lines = [line.split() for line in call("map", "versions", newspaper.name).out.decode().splitlines()]
    assert lines[0] == ["version", "since", "(UTC)", "made", "by", "rules", "changes"]
    assert [(line[0], *line[3:]) for line in lines[1:]] == [
        ("1", "learned", "39"),
        ("2", "healed", "38", "1", "changed,", "1", "removed"),
    ]


@pytest.mark.parametrize("command", ["get", "versions"])
def test_what_is_not_there_is_told(call: Call, store: Store, command: str) -> None:
    store.add_site("new.example")
    assert "there is no site x.example in the store; there are new.example, " in call("map", command, "x.example").err
    done = call("map", command, "new.example")
    assert (done.status, done.err) == (2, "error[input_error]: new.example has no map yet\n")


def test_a_version_that_is_not_there(call: Call, newspaper: Any, folder: Path) -> None:
    done = call("map", "get", newspaper.name, "--version", "5")
    assert done.err == f"error[input_error]: {newspaper.name} has no map of version 5; there are 1\n"


def test_what_was_got_is_a_map_file(got: Path, newspaper: Any) -> None:
    assert load_map(got).site == newspaper.name


@pytest.mark.parametrize("command", ["extract", "links", "map_learn", "maps", "map_diff"])
def test_commands_without_a_store_do_not_pay_for_it(command: str) -> None:
    script = f"import sys, sitewright.cli.commands.{command}; print('sqlalchemy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout == "False\n"
