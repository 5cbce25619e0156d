"""Stored pages are read into a file, with a map and without, and what cannot end well is refused at once."""

import csv
import json
from pathlib import Path

import pytest

from sitewright.actions.extract import Extraction, ExtractOptions, extract_pages
from sitewright.actions.inputs import Inputs
from sitewright.errors import BadPageLine, InputError, OutputError, SitewrightError
from sitewright.maps import parse_map
from sitewright.processes.extract import Line

MAP = parse_map("sitewright: 1\nsite: a.example\ntemplates:\n  - {name: a, rules: {title: {select: [h1]}}}\n")


@pytest.fixture
def pages(tmp_path: Path) -> Inputs:
    return inputs(tmp_path, *(f"<h1>Title {number}</h1>" for number in range(5)), "")


def inputs(folder: Path, *pages: str) -> Inputs:
    file = folder / "pages.jsonl"
    lines = (json.dumps({"url": f"https://a.example/{number}", "html": html}) for number, html in enumerate(pages))
    file.write_text("\n".join(lines) + "\n", "utf-8")
    return Inputs([str(file)])


def options(folder: Path, name: str = "out.jsonl", **others: object) -> ExtractOptions:
    return ExtractOptions(output=str(folder / name), extraction_map=MAP, map_name="m", jobs=1, **others)  # type: ignore[arg-type]


def test_every_page_is_noted_and_counted(tmp_path: Path, pages: Inputs) -> None:
    noted: list[Line] = []
    done = extract_pages(pages, options(tmp_path), noted.append)
    assert done.pages == len(noted) == 6
    assert done.failures.total() == sum(bool(line.failure) for line in noted)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [row["title"] for row in rows[:5]] == [f"Title {number}" for number in range(5)]


def test_workers_send_what_the_format_needs(tmp_path: Path, pages: Inputs) -> None:
    noted: list[Line] = []
    extract_pages(pages, options(tmp_path, "out.csv", format="csv"), noted.append)
    assert b"\nhttps://a.example/0,Title 0," in noted[0].content
    assert noted[0].counted is None
    with (tmp_path / "out.csv").open(encoding="utf-8", newline="") as file:
        assert [row["title"] for row in csv.DictReader(file)][:2] == ["Title 0", "Title 1"]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "markdown"])
def test_a_report_counts_pages_in_any_format(tmp_path: Path, pages: Inputs, kind: str) -> None:
    report = tmp_path / "report.html"
    extract_pages(pages, options(tmp_path, "out", format=kind, report=str(report)))
    assert "<b>6</b> pages read" in report.read_text("utf-8")


@pytest.mark.parametrize(
    ("others", "told"),
    [
        ({"fields": ["colour"]}, "there is no field 'colour'; there are title"),
        ({"tagger": "mce"}, "--tagger is network or none"),
        ({"resume": True, "format": "csv"}, "--resume goes with a JSONL file"),
        ({"report": "-"}, "a report cannot be written to standard output"),
    ],
)
def test_what_cannot_end_well_is_refused_before_anything_is_written(
    tmp_path: Path, pages: Inputs, others: dict[str, object], told: str
) -> None:
    with pytest.raises(SitewrightError, match=told):
        Extraction(pages, options(tmp_path, **others))
    assert not (tmp_path / "out.jsonl").exists()


def test_an_interrupted_run_goes_on(tmp_path: Path, pages: Inputs) -> None:
    def interrupt(line: Line) -> None:
        if b"Title 2" in line.content:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        extract_pages(pages, options(tmp_path), interrupt)
    file = tmp_path / "out.jsonl"
    assert len(file.read_bytes().splitlines()) == 3
    file.write_bytes(file.read_bytes() + b'{"half')
    again = inputs(tmp_path, *(f"<h1>Title {number}</h1>" for number in range(5)))
    assert extract_pages(again, options(tmp_path, resume=True)).pages == 2
    titles = [json.loads(line)["title"] for line in file.read_bytes().splitlines()]
    assert titles == [f"Title {number}" for number in range(5)]


def test_a_full_disk_is_told(pages: Inputs) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full here")
    with pytest.raises(OutputError, match="cannot write the output"):
        extract_pages(pages, ExtractOptions(output="/dev/full", extraction_map=MAP, jobs=1))


def test_an_input_that_breaks_off_is_reported_as_far_as_it_went(tmp_path: Path) -> None:
    import gzip  # noqa: PLC0415

    file = tmp_path / "pages.jsonl.gz"
    lines = "".join(json.dumps({"url": f"u{n}", "html": f"<h1>{n}{'x' * 999}</h1>"}) + "\n" for n in range(300))
    file.write_bytes(gzip.compress(lines.encode())[:-20])
    with pytest.raises(InputError) as caught:
        extract_pages(Inputs([str(file)]), options(tmp_path, report=str(tmp_path / "r.html")))
    assert not isinstance(caught.value, BadPageLine)
    assert (tmp_path / "r.html").exists()
    assert (tmp_path / "out.jsonl").read_bytes().count(b"\n") > 0
