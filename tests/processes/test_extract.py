import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.fetch import Place, open_archive
from sitewright.processes.extract import ExtractJob
from sitewright.processes.pool import Pool
from sitewright.types import ExtractionMap, Limits, Rule, Template

MAP = ExtractionMap(
    site="example.com",
    version=3,
    templates=(
        Template(name="article", rules=(Rule(field="title", select=("h1",)), Rule(field="text", select=("p",)))),
    ),
)
NOW = datetime(2024, 6, 15, tzinfo=UTC)


def places(tmp_path: Path, *pages: object) -> list[Place]:
    path = tmp_path / "a.jsonl"
    lines = [page if isinstance(page, str) else json.dumps(page) for page in pages]
    path.write_text("\n".join(lines), "utf-8")
    return list(open_archive(str(path)).places())


def test_one_line_a_page(tmp_path: Path) -> None:
    read = ExtractJob(extraction_map=MAP, now=NOW).start()
    (place,) = places(tmp_path, {"url": "https://example.com/a", "html": "<html lang=en><h1>One</h1><p>Two"})
    line = read(place)
    assert json.loads(line.content) == {
        "url": "https://example.com/a",
        "title": "One",
        "text": "Two",
        "language": "en",
        "confidence": {"title": 0.9, "text": 0.9},
        "template": "article",
        "map_version": 3,
    }
    assert (line.failure, line.template) == ("", "article")
    assert b"\n" not in line.content


def test_other_pages_of_the_story(tmp_path: Path) -> None:
    html = "<h1>One</h1><p>Two</p><b>1</b> <a href='?page=2'>2</a>"
    (place,) = places(tmp_path, {"url": "https://example.com/a", "html": html})
    row = json.loads(ExtractJob(extraction_map=MAP, now=NOW, parts=True).start()(place).content)
    assert row["parts"] == ["https://example.com/a?page=2"]
    assert "parts" not in json.loads(ExtractJob(extraction_map=MAP, now=NOW).start()(place).content)


def test_explained_and_limited(tmp_path: Path) -> None:
    read = ExtractJob(extraction_map=MAP, now=NOW, fields=frozenset({"title"}), explain=True).start()
    (place,) = places(tmp_path, {"url": "https://example.com/a", "html": "<h1>One</h1><p>Two"})
    row = json.loads(read(place).content)
    assert "text" not in row
    assert row["rules"] == {"title": "article/title#0"}
    assert len(row["id"]) == 16


@pytest.mark.parametrize(
    ("page", "stage", "code"),
    [
        ("nonsense", "fetch", "bad_page_line"),
        ({"url": "https://example.com/a", "html": "x" * 2000}, "parse", "page_too_large"),
        ({"url": "https://example.com/a", "html": "<div>" * 50}, "parse", "page_too_deep"),
        ({"url": "https://example.com/a", "html": "x", "headers": {"content-type": "image/png"}}, "parse", "not_html"),
    ],
)
def test_an_error_is_a_line_with_stage_and_code(tmp_path: Path, page: object, stage: str, code: str) -> None:
    read = ExtractJob(extraction_map=MAP, limits=Limits(page_bytes=1000, depth=20), now=NOW).start()
    (place,) = places(tmp_path, page)
    line = read(place)
    row = json.loads(line.content)
    assert (line.failure, row["error"]["stage"], row["error"]["code"]) == (code, stage, code)
    assert row["error"]["detail"]
    assert row["url"] == ("https://example.com/a" if isinstance(page, dict) else f"{tmp_path / 'a.jsonl'}:1")


def test_a_pool_of_pages(tmp_path: Path) -> None:
    pages = [{"url": f"https://example.com/{n}", "html": f"<h1>{n}</h1>"} for n in range(100)]
    lines = list(Pool(ExtractJob(extraction_map=MAP, now=NOW), 2).run(places(tmp_path, *pages)))
    assert [json.loads(line.content)["title"] for line in lines] == [str(n) for n in range(100)]
