"""Spark writes the records that one machine writes, a file a piece; what is there is not read again, nothing comes twice."""

import gzip
import json
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from tests import needs
from tests.spark import cluster, executors

from sitewright.actions.extract import ExtractOptions, extract_pages
from sitewright.actions.extract_on_spark import SparkExtraction
from sitewright.actions.inputs import Inputs
from sitewright.demo import generate_site
from sitewright.errors import InputError, OutputError
from sitewright.fetch import pieces
from sitewright.maps import parse_map
from sitewright.types import ExtractionMap

pytestmark = [needs.spark, pytest.mark.slow, pytest.mark.filterwarnings("ignore")]
PATIENCE = 300.0


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return files of pages: lines (one of them bad, one page broken), packed lines, Parquet."""
    folder = tmp_path_factory.mktemp("pages")
    site = generate_site(stories=24)
    rows = [
        {"url": f"{site.base_url}{path}", "html": page.html.decode()}
        for path, page in site.pages.items()
        if path in site.truth
    ]  # fmt: skip
    half = len(rows) // 2
    lines = [json.dumps(row) for row in rows[:half]]
    lines[3:3] = ["{not json", json.dumps({"url": "https://empty.example/", "html": ""})]
    (folder / "a.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "b.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows[half:]), "utf-8")
    duckdb.read_json(str(folder / "b.jsonl")).write_parquet(str(folder / "c.parquet"))
    return [str(folder / name) for name in ("a.jsonl", "b.jsonl", "c.parquet")]


@pytest.fixture(scope="module")
def site_map() -> ExtractionMap:
    return parse_map(generate_site(stories=24).map_text)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pieces, "PIECE_BYTES", 20_000)


def by_one_machine(pages: list[str], options: ExtractOptions, output: Path) -> list[bytes]:
    extract_pages(Inputs(pages), replace(options, output=str(output), jobs=1))
    return output.read_bytes().splitlines()


def written(folder: Path) -> list[bytes]:
    return [line for part in sorted(folder.glob("part-*.jsonl")) for line in part.read_bytes().splitlines()]


def test_records_are_those_of_one_machine(
    pages: list[str], site_map: ExtractionMap, small_pieces: None, tmp_path: Path
) -> None:
    options = ExtractOptions(output=str(tmp_path / "out"), extraction_map=site_map)
    told: list[str] = []
    done = SparkExtraction(pages, options).run(told.append)
    expected = by_one_machine(pages, options, tmp_path / "plain.jsonl")
    assert written(tmp_path / "out") == expected
    assert done.pages == len(expected)
    assert done.failures["bad_page_line"] == 1
    assert len(list((tmp_path / "out").glob("part-*"))) > 5

    kept = sorted((tmp_path / "out").glob("part-*"))
    kept[2].unlink()
    before = {part: part.stat().st_mtime_ns for part in kept if part.exists()}
    again = SparkExtraction(pages, replace(options, resume=True)).run(told.append)
    assert 0 < again.pages < done.pages
    assert written(tmp_path / "out") == expected
    assert before == {part: part.stat().st_mtime_ns for part in before}
    assert any("there already" in line for line in told)
    assert SparkExtraction(pages, replace(options, resume=True)).run().pages == 0


def test_the_tagger_reads_on_spark_too_and_a_torn_file_is_told(pages: list[str], tmp_path: Path) -> None:
    torn = tmp_path / "torn.jsonl.gz"
    torn.write_bytes(gzip.compress(Path(pages[0]).read_bytes())[:-2000])
    options = ExtractOptions(output=str(tmp_path / "out"), tagger="mce")
    told: list[str] = []
    with pytest.raises(InputError, match="1 piece could not be read to the end"):
        SparkExtraction([str(torn), pages[1]], options).run(told.append)
    assert any("part-00000.jsonl ends early" in line for line in told)
    expected = by_one_machine(pages[1:2], replace(options, output=""), tmp_path / "plain.jsonl")
    assert (tmp_path / "out" / "part-00001.jsonl").read_bytes().splitlines() == expected


def test_what_cannot_be_is_refused(pages: list[str], site_map: ExtractionMap, tmp_path: Path) -> None:
    options = ExtractOptions(output=str(tmp_path / "out"), extraction_map=site_map)
    bad = [
        (pages, {"output": "-"}, OutputError),
        (pages, {"format": "markdown"}, OutputError),
        (pages, {"limit": 3}, InputError),
        (["https://a.example/"], {}, InputError),
        (["-"], {}, InputError),
        ([], {}, InputError),
        ([str(tmp_path / "none.jsonl")], {}, InputError),
    ]
    for sources, other, kind in bad:
        with pytest.raises(kind):
            SparkExtraction(sources, replace(options, **other))
    assert not (tmp_path / "out").exists()
    SparkExtraction(pages, options)
    with pytest.raises(OutputError, match="not empty"):
        SparkExtraction(pages, options)
    with pytest.raises(InputError, match="other pages or options"):
        SparkExtraction(pages, replace(options, resume=True, explain=True))
    (tmp_path / "out" / "_plan.json").write_text("{}", "utf-8")
    with pytest.raises(InputError, match="damaged"):
        SparkExtraction(pages, replace(options, resume=True))


@needs.thorough
def test_an_executor_that_is_killed_loses_and_doubles_nothing(
    pages: list[str], small_pieces: None, tmp_path: Path
) -> None:
    options = ExtractOptions(output=str(tmp_path / "out"))
    errors: list[BaseException] = []
    with cluster(tmp_path / "spark") as master:
        extraction = SparkExtraction(pages, options, master)

        def run() -> None:
            try:
                extraction.run()
            except BaseException as error:  # noqa: BLE001 -- told in the test's own thread
                errors.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        while thread.is_alive() and not list((tmp_path / "out").glob("part-*")):
            thread.join(0.1)
        os.kill(executors(tmp_path / "spark")[0], signal.SIGKILL)
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert errors == []
    assert written(tmp_path / "out") == by_one_machine(pages, options, tmp_path / "plain.jsonl")
