import json
import subprocess
from collections.abc import Callable
from pathlib import Path

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]


def test_the_demo_runs_and_what_it_leaves_can_be_read_again(sitewright: Sitewright, tmp_path: Path) -> None:
    done = sitewright("demo", "--stories", "12", "--language", "ru", "--seed", "3", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert b"12 stories" in done.stdout
    folder = tmp_path / "out"
    assert sorted(path.name for path in folder.iterdir()) == ["pages.jsonl", "records.jsonl", "site.map.yaml"]
    records = [json.loads(line) for line in (folder / "records.jsonl").read_bytes().splitlines()]
    assert len(records) == 12
    again = sitewright("extract", "out/pages.jsonl", "--map", "out/site.map.yaml", "-q")
    assert again.returncode == 0
    assert [json.loads(line) for line in again.stdout.splitlines()] == records


def test_a_demo_that_cannot_write_says_so(sitewright: Sitewright, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", "utf-8")
    done = sitewright("demo", "--stories", "12", "-o", "file/out")
    assert done.returncode == 2
    assert b"error[output_error]" in done.stderr
