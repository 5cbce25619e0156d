"""What a report says of a page: which lines gave which field, by a tagger and by a map."""

import json
import os
import pickle
import signal
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.errors import InputError, ModelError, PageCrashed
from sitewright.fetch import Place, open_archive
from sitewright.fetch.archive import TextPlace
from sitewright.output.report import ReportPage
from sitewright.processes.extract import ExtractJob
from sitewright.processes.pool import Pool
from sitewright.processes.report import SAMPLE, PlaceSample, ReportJob
from sitewright.processes.taggers import check_tagger
from sitewright.types import ExtractionMap, Limits, Rule, Template

NOW = datetime(2024, 6, 15, tzinfo=UTC)
PAGE = """
<html lang=en><title>Bees return | The Lantern</title><meta property="og:title" content="Bees return">
<nav><a href=/>Home</a> <a href=/sport>Sport</a></nav>
<article><h1>Bees return</h1><p class=by>By <a href=/ann>Ann Lee</a></p><time>6 May 2024</time>
<p>The bees came back to the old hives on Monday, and nobody knows where they spent the winter months.</p>
<p>Ann Lee has watched them for twenty years, and says that this spring is unlike any that she remembers.</p>
<figure><img src=/b.jpg width=900 height=600><figcaption>A hive in the sun.</figcaption></figure></article>
<footer>Imprint</footer>
"""
MAP = ExtractionMap(
    site="example.com",
    templates=(
        Template(
            name="story",
            rules=(
                Rule(field="title", select=("h1",)),
                Rule(field="published", select=("time",)),
                Rule(field="text", select=("article > p:not(.by)",), many=True),
                Rule(field="authors", select=(".by a",), many=True),
                Rule(field="images", select=("img",), many=True),
            ),
        ),
    ),
)


def places(tmp_path: Path, *pages: object) -> list[Place]:
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(page if isinstance(page, str) else json.dumps(page) for page in pages), "utf-8")
    return list(open_archive(str(path)).places())


def read(tmp_path: Path, job: ExtractJob, html: str = PAGE) -> ReportPage:
    (place,) = places(tmp_path, {"url": "https://example.com/a", "html": html})
    return ReportJob(job).start()(place)


def taken(page: ReportPage) -> dict[str, tuple[str, ...]]:
    return {line.text[:12]: line.fields for line in page.lines}


def test_a_map_marks_the_lines_that_stand_in_values(tmp_path: Path) -> None:
    page = read(tmp_path, ExtractJob(extraction_map=MAP, now=NOW))
    assert (page.url, page.kind, page.failure) == ("https://example.com/a", "story", None)
    assert [(found.name, found.where) for found in page.fields] == [
        (name, f"story/{name}#0") for name in ("title", "published", "text", "authors", "images")
    ]
    assert taken(page) == {
        "Home Sport": (),
        "Bees return": ("title",),
        "By Ann Lee": ("authors",),
        "6 May 2024": ("published",),
        "The bees cam": ("text",),
        "Ann Lee has ": ("text",),
        "A hive in th": ("images",),
        "Imprint": (),
    }


@pytest.mark.parametrize("tagger", ["network", "mce"])
def test_a_tagger_knows_the_lines_that_it_took(tmp_path: Path, tagger: str) -> None:
    page = read(tmp_path, ExtractJob(now=NOW, tagger=tagger))
    assert page.kind == "article"
    found = {entry.name: entry for entry in page.fields}
    assert found["title"].value == "Bees return"
    assert found["title"].where.startswith("tagger/title: ")
    assert "agrees" not in found["title"].where
    assert "meta:og:title" in found["title"].agrees
    assert "text" in taken(page)["The bees cam"]
    assert taken(page)["Imprint"] == ()
    assert [line.text for line in page.lines][:2] == ["Home Sport", "Bees return"]


def test_only_fields_asked_for_are_marked(tmp_path: Path) -> None:
    page = read(tmp_path, ExtractJob(now=NOW, fields=frozenset({"text"})))
    assert [found.name for found in page.fields] == ["text"]
    assert {name for line in page.lines for name in line.fields} == {"text"}


def test_a_page_that_no_template_knows_has_its_lines(tmp_path: Path) -> None:
    nothing = ExtractionMap(site="example.com", templates=(Template(name="x", probe="main"),))
    page = read(tmp_path, ExtractJob(extraction_map=nothing, now=NOW))
    assert (page.kind, page.fields) == ("", ())
    assert set(taken(page).values()) == {()}


@pytest.mark.parametrize(
    ("page", "code"),
    [
        ("nonsense", "bad_page_line"),
        ({"url": "https://example.com/a", "html": "x" * 2000}, "page_too_large"),
        ({"url": "https://example.com/a", "html": "<div>" * 50}, "page_too_deep"),
    ],
)
def test_a_page_that_fails_says_so(tmp_path: Path, page: object, code: str) -> None:
    job = ExtractJob(extraction_map=MAP, limits=Limits(page_bytes=1000, depth=20), now=NOW)
    (place,) = places(tmp_path, page)
    failure = ReportJob(job).start()(place).failure
    assert failure is not None
    assert failure.code == code
    assert failure.detail


def test_pages_travel_between_processes(tmp_path: Path) -> None:
    found = places(tmp_path, *({"url": f"https://example.com/{n}", "html": PAGE} for n in range(3)), "nonsense")
    pages = list(Pool(ReportJob(ExtractJob(extraction_map=MAP, now=NOW)), 2).run(found))
    assert [page.url for page in pages[:3]] == [f"https://example.com/{n}" for n in range(3)]
    assert [page.failure is None for page in pages] == [True, True, True, False]
    assert pickle.loads(pickle.dumps(pages)) == pages  # noqa: S301 -- our own


class Deadly(TextPlace):
    """A page that kills who loads it, except the process that made it."""

    def load(self):  # type: ignore[no-untyped-def]
        if os.getpid() != int(self.source):
            os.kill(os.getpid(), signal.SIGKILL)
        return super().load()


def test_a_page_that_kills_its_process_fails_alone(tmp_path: Path) -> None:
    (sound,) = places(tmp_path, {"url": "https://example.com/a", "html": PAGE})
    deadly = Deadly(str(os.getpid()), 1, b'{"url": "https://example.com/b", "html": "x"}')
    pages = list(Pool(ReportJob(ExtractJob(extraction_map=MAP, now=NOW)), 1).run([deadly, sound]))
    assert pages[0].failure is not None
    assert (pages[0].url, pages[0].failure.code) == ("https://example.com/b", PageCrashed.code)
    assert pages[1].failure is None


@pytest.mark.parametrize("number", [0, 1, SAMPLE, SAMPLE + 1, 1000])
def test_a_sample_is_spread_ordered_and_always_the_same(number: int) -> None:
    stream: list[Place] = [TextPlace("x", n, b"") for n in range(number)]
    first, second = PlaceSample(), PlaceSample()
    assert list(first.through(stream)) == list(second.through(iter(stream))) == stream
    assert first.places == second.places
    assert len(first.places) == min(number, SAMPLE)
    assert [place.name for place in first.places] == sorted(
        {place.name for place in first.places}, key=lambda name: int(name.partition(":")[2])
    )
    if number == 1000:
        quarters = {int(place.name.partition(":")[2]) // 250 for place in first.places}
        assert quarters == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("prepare", "name", "error"),
    [
        (lambda _: None, "nope", InputError),
        (lambda _: None, "", InputError),
        (lambda folder: folder.mkdir(), "model", ModelError),
        (lambda folder: folder.write_text("x"), "model", InputError),
    ],
)
def test_a_tagger_that_is_none_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    prepare: Callable[[Path], object],
    name: str,
    error: type[Exception],
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path / "model")
    with pytest.raises(error):
        check_tagger(name)


@pytest.mark.parametrize("name", ["network", "mce"])
def test_a_tagger_that_is_there_is_fine(name: str) -> None:
    check_tagger(name)
    assert ExtractJob(tagger=name).page_seconds == Limits().page_seconds


def test_a_checkpoint_has_time_to_load_and_its_pages_are_handed_out_one_by_one() -> None:
    job, mapped = ExtractJob(tagger="folder"), ExtractJob(tagger="folder", extraction_map=MAP)
    place = TextPlace("x", 1, b"123")
    assert job.page_seconds > Limits().page_seconds == mapped.page_seconds
    assert job.weigh(place) > mapped.weigh(place) == 3
