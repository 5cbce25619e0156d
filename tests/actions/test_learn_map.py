"""A map is learned from pages, refined, written and reported on."""

from pathlib import Path

import pytest

from sitewright.actions.inputs import Inputs
from sitewright.actions.learn_map import (
    LearnedMap,
    LearnOptions,
    examples_of,
    learn_map,
    refuse_edited,
    report_learned,
    save_learned,
)
from sitewright.demo import generate_site
from sitewright.errors import InputError, MapExists
from sitewright.extract import Extractor
from sitewright.maps import load_map
from sitewright.output.rows import row_of
from sitewright.reading.learn import Tagged
from sitewright.values.as_json import json_of

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    site = generate_site(stories=10)
    file = tmp_path_factory.mktemp("learn") / "pages.jsonl"
    lines = [json_of({"url": f"{site.base_url}{path}", "html": site.pages[path].html.decode()}) for path in site.truth]
    file.write_bytes(b"\n".join([*lines[:6], b"no json"]))
    return file


@pytest.fixture(scope="module")
def learned(pages: Path) -> LearnedMap:
    return learn_map(Inputs([str(pages)]).places(), LearnOptions(jobs=1))


def test_what_is_learned(pages: Path, learned: LearnedMap) -> None:
    assert {"title", "text", "published"} <= set(learned.extraction_map.fields)
    assert len(learned.records) == 6
    assert [failure.code for failure in learned.failures] == ["bad_page_line"]
    assert learned.text.startswith("#: Learned from 6 pages")


def test_examples() -> None:
    assert examples_of(["tags=a", "tags=b"])["tags"].values == ("a", "b")


@pytest.mark.parametrize("text", ["title", "=x", "title=", "a b=c"])
def test_what_is_no_example(text: str) -> None:
    with pytest.raises(InputError, match="is not FIELD=VALUE"):
        examples_of([text])


def test_a_map_that_is_there_is_safe(tmp_path: Path, learned: LearnedMap) -> None:
    path = tmp_path / "a.map.yaml"
    with pytest.raises(InputError, match="--merge refines a map that is there"):
        refuse_edited(path, "merge")
    assert save_learned(learned, path, "keep") is None
    with pytest.raises(MapExists, match="and the same"):
        save_learned(learned, path, "keep")
    path.write_text(path.read_text("utf-8").replace("version: 1", "version: 7"), "utf-8")
    with pytest.raises(MapExists, match="a person's work"):
        refuse_edited(path, "keep")
    refuse_edited(path, "replace")
    save_learned(learned, path, "replace")
    assert load_map(path).version == learned.extraction_map.version


def test_a_map_is_refined_and_every_page_noted(pages: Path, learned: LearnedMap) -> None:
    noted: list[Tagged] = []
    options = LearnOptions(jobs=1, earlier=learned.extraction_map)
    again = learn_map(Inputs([str(pages)]).places(), options, noted.append)
    assert [page.failure is None for page in noted] == [True] * 6 + [False]
    assert again.extraction_map.fields == learned.extraction_map.fields


def test_a_report_reads_no_page_again(tmp_path: Path, learned: LearnedMap, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Extractor, "extract", None)
    report_learned(learned, str(tmp_path / "r.html"), "a.map.yaml")
    text = (tmp_path / "r.html").read_text("utf-8")
    assert "the map a.map.yaml, learned from these pages." in text
    assert f"<h1>{learned.extraction_map.site}: what was found</h1>" in text
    assert "<iframe srcdoc=" in text
    assert str(row_of(learned.records[0])["title"]).split(":")[0][:20] in text
