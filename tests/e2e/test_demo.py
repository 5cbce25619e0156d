"""`sitewright demo`: a paper is learned from its address; what is told of it is what its files hold."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from tests.e2e.newsstand import PATIENCE
from tests.program import clean_environment

from sitewright.cli.demo.paper import PaperOptions, run
from sitewright.cli.demo.score import FIELDS, VERDICTS, verdict_of
from sitewright.demo import generate_site
from sitewright.maps import load_map

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]
EDITED = "sitewright: 1\nsite: mine.example\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the demo once; return where it left its files, and what it printed."""
    folder = tmp_path_factory.mktemp("demo")
    (folder / "learned.map.yaml").write_text(EDITED, "utf-8")
    options = PaperOptions(seed=3, language="ru", stories=12, output=str(folder), keep=False, port=0)
    with (folder / "printed.txt").open("w", encoding="utf-8") as file:
        run(Console(file=file, width=80), options)
    return folder


def test_what_the_demo_leaves_can_be_read_again(made: Path, sitewright: Sitewright) -> None:
    names = {"learned.map.yaml", "pages.jsonl", "records.jsonl", "report.html", "site.map.yaml"}
    assert names <= {path.name for path in made.iterdir()}
    records = [json.loads(line) for line in (made / "records.jsonl").read_bytes().splitlines()]
    assert len(records) == 12
    again = sitewright("extract", made / "pages.jsonl", "--map", made / "learned.map.yaml", "-q")
    assert again.returncode == 0
    assert [json.loads(line) for line in again.stdout.splitlines()] == records
    assert load_map(made / "learned.map.yaml").learned_at is not None


def test_the_score_is_that_of_the_records_field_by_field(made: Path) -> None:
    lines = (made / "printed.txt").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in (made / "records.jsonl").read_bytes().splitlines()]
    base_url = re.match(r"http://[^/]+", records[0]["url"])
    assert base_url is not None
    truth = generate_site(3, language="ru", stories=12, base_url=base_url[0]).truth
    start = next(number for number, line in enumerate(lines) if line.startswith("field "))
    assert lines[start].split()[:5] == ["field", *VERDICTS]
    for field, line in zip(FIELDS, lines[start + 1 :], strict=False):
        told = [0 if cell == "·" else int(cell) for cell in line.split()[1:5]]
        judged = [verdict_of(field, one.get(field), truth[one["url"].removeprefix(base_url[0])]) for one in records]
        assert line.split()[0] == field
        assert told == [judged.count(verdict) for verdict in VERDICTS]
    title = [line for line in lines if line.startswith("title ")]
    assert title[0].split()[1] == "12"


def test_what_is_printed_fits_and_names_the_report(made: Path) -> None:
    text = (made / "printed.txt").read_text("utf-8")
    told, _, commands = text.partition("Try next")
    paths = [line for line in told.splitlines() if str(made) in line]
    assert any(line.endswith("report.html") for line in paths)
    assert all(len(line) <= 80 for line in told.splitlines() if line not in paths)
    assert "\x1b" not in text
    assert f"map show {made}/learned.map.yaml" in commands


def test_a_map_that_somebody_edited_is_put_aside(made: Path) -> None:
    assert (made / "learned.map.yaml.before").read_text("utf-8") == EDITED


def test_a_demo_that_cannot_write_says_so(sitewright: Sitewright, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    done = sitewright("demo", "--stories", "12", "-o", "file/out")
    assert done.returncode == 2
    assert b"error[output_error]" in done.stderr


def test_ctrl_c_ends_it_and_is_told(tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "sitewright", "demo"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, env=clean_environment(), stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if b"front page" in line:
                    break
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 130
    assert errors.decode().splitlines() == ["interrupted"]
