"""A kind of site that the program has never heard of: a file describes it, nothing else is written."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sitewright.cli.main import main

BIKES = """\
name: bikes
item: {kind: bike}
types: [Product]
fields:
  model: {means: heading, required: true, distinct: true, sources: ["jsonld:name"], words: {for: name|model}}
  gears: {sources: ["jsonld:gears"]}
  story: {kind: text, means: main, sources: ["jsonld:description"]}
  price: {kind: price, sources: ["jsonld:offers.price"]}
"""
MODELS = ["Blue Heron", "Sand Martin", "Grey Wagtail", "Great Bustard", "Little Owl", "Night Jar"]


class Bike(NamedTuple):
    """What a page is about."""

    model: str
    gears: str
    story: str
    price: float

    @classmethod
    def number(cls, number: int) -> "Bike":
        story = (
            f"The {MODELS[number]} was first welded in {1950 + number} and has carried bread and letters ever since."
        )
        return cls(MODELS[number], str(3 + 2 * number), story, 310.5 + 100 * number)


def page(bike: Bike, *, metadata: bool) -> str:
    stated = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": bike.model,
        "gears": bike.gears,
        "description": bike.story,
        "offers": {"@type": "Offer", "price": f"{bike.price:.2f}", "priceCurrency": "EUR"},
    }
    script = f'<script type="application/ld+json">{json.dumps(stated)}</script>' if metadata else ""
    return f"""<!doctype html><html lang=en><head><title>{bike.model} | Spokes</title>{script}</head><body>
<nav><a href=/>Spokes</a> <a href=/all>All bikes</a></nav>
<main class=bike><h1 class=bike-model>{bike.model}</h1>
<dl class=facts><dt>Gears</dt><dd class=gears>{bike.gears}</dd></dl>
<p class=price>€{bike.price:.2f}</p>
<div class=story><p>{bike.story}</p></div></main>
<footer><p>Spokes, Mill Lane 4. All prices with tax.</p></footer></body></html>"""


class Done(NamedTuple):
    """What came of a call."""

    status: int
    out: str
    err: str


class Folder:
    """A temporary folder with a domain file, and the program, run in this process."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch, captured: pytest.CaptureFixture[str]) -> None:
        self.path, self._monkeypatch, self._captured = path, monkeypatch, captured
        monkeypatch.chdir(path)
        monkeypatch.setenv("NO_COLOR", "1")

    def run(self, *arguments: str) -> Done:
        self._monkeypatch.setattr(sys, "argv", ["sitewright", *arguments])
        self._captured.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        sys.stdout.flush()
        captured = self._captured.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err)

    def well(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.status == 0, done.err
        return done.out

    def write_pages(self, name: str, *, metadata: bool) -> None:
        rows = [
            {"url": f"https://spokes.example/bike/{n}", "html": page(Bike.number(n), metadata=metadata)}
            for n in range(len(MODELS))
        ]
        (self.path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")

    def read(self, *arguments: str) -> list[Mapping[str, Any]]:
        return [json.loads(line) for line in self.well("extract", *arguments, "--jobs", "1", "-q").splitlines()]

    def learn(self, *arguments: str) -> Done:
        return self.run("map", *arguments, "--domain", "./bikes.yaml", "-o", "bikes.map.yaml", "--jobs", "1", "-q")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Folder:
    folder = Folder(tmp_path, monkeypatch, capfd)
    (tmp_path / "bikes.yaml").write_text(BIKES, "utf-8")
    folder.write_pages("stating.jsonl", metadata=True)
    folder.write_pages("plain.jsonl", metadata=False)
    return folder


def test_a_map_is_learned_from_metadata(folder: Folder) -> None:
    assert folder.learn("stating.jsonl").status == 0
    text = (folder.path / "bikes.map.yaml").read_text("utf-8")
    assert "domain: ./bikes.yaml" in text
    assert "- name: bike\n" in text
    assert "text:" not in text
    for number, row in enumerate(folder.read("stating.jsonl", "--map", "bikes.map.yaml")):
        bike = Bike.number(number)
        assert (row["model"], row["gears"], row["story"]) == (bike.model, bike.gears, bike.story)
        assert row["price"]["amount"] == bike.price


def test_a_map_learned_from_metadata_reads_pages_without_any(folder: Folder) -> None:
    assert folder.learn("stating.jsonl").status == 0
    rows = folder.read("plain.jsonl", "--map", "bikes.map.yaml")
    assert [row["model"] for row in rows] == MODELS


def test_a_map_is_learned_by_example(folder: Folder) -> None:
    bike = Bike.number(1)
    values = {"model": bike.model, "gears": bike.gears, "story": bike.story, "price": f"€{bike.price:.2f}"}
    examples = [part for field, value in values.items() for part in ("--example", f"{field}={value}")]
    assert folder.learn("plain.jsonl", *examples).status == 0
    for number, row in enumerate(folder.read("plain.jsonl", "--map", "bikes.map.yaml")):
        bike = Bike.number(number)
        assert (row["model"], row["gears"], row["story"]) == (bike.model, bike.gears, bike.story)
        assert row["price"] == {"amount": bike.price, "currency": "EUR"}


def test_pages_are_read_without_a_map_by_what_they_state(folder: Folder) -> None:
    rows = folder.read("stating.jsonl", "--domain", "./bikes.yaml")
    assert [row["model"] for row in rows] == MODELS
    assert [row["story"] for row in rows] == [Bike.number(n).story for n in range(len(MODELS))]
    assert {row["page_kind"] for row in rows} == {"bike"}


def test_pages_that_state_nothing_give_nothing(folder: Folder) -> None:
    rows = folder.read("plain.jsonl", "--domain", "./bikes.yaml")
    assert {row["page_kind"] for row in rows} == {"other"}
    assert not any(row.get("model") or row.get("story") for row in rows)


def test_without_metadata_and_examples_no_map_is_learned(folder: Folder) -> None:
    done = folder.learn("plain.jsonl")
    assert done.status == 2
    assert "no_articles" in done.err or "no_stable_rule" in done.err
    assert "bike" in done.err or "model" in done.err


def test_a_file_with_faults_is_refused_with_their_places(folder: Folder) -> None:
    (folder.path / "bad.yaml").write_text("name: bikes\nfields:\n  model: {kind: sentence}\n", "utf-8")
    done = folder.run("map", "plain.jsonl", "--domain", "bad.yaml")
    assert done.status == 2
    assert "error[domain_invalid]: bad.yaml:3: fields.model.kind: expected line or text" in done.err


def test_a_file_that_is_not_there_is_a_wrong_option(folder: Folder) -> None:
    done = folder.run("map", "plain.jsonl", "--domain", "./cars.yaml")
    assert done.status == 2
    assert "./cars.yaml" in done.err
    assert "jobs, news, recipe, shop" in done.err


def test_a_map_of_the_domain_is_checked(folder: Folder) -> None:
    assert folder.learn("stating.jsonl").status == 0
    assert "fine" in folder.well("map", "check", "bikes.map.yaml")
    (folder.path / "bikes.yaml").unlink()
    done = folder.run("map", "check", "bikes.map.yaml")
    assert done.status != 0
    assert "domain: cannot read './bikes.yaml'" in done.err + done.out
