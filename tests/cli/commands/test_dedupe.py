"""`sitewright dedupe` as people run it."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]
FIRE = "A fire destroyed the roof of the old town hall in Bremen on Tuesday night, said the mayor, Ulrike Vogel."
RECORDS = [
    {"url": "https://a.example/", "title": "Fire", "text": FIRE},
    {"url": "https://b.example/", "title": "It burns", "text": FIRE},
]


@pytest.fixture
def records(tmp_path: Path) -> Path:
    path = tmp_path / "records.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in RECORDS), "utf-8")
    return path


def test_records_in_stories_out(sitewright: Sitewright, records: Path) -> None:
    done = sitewright("dedupe", records)
    assert done.returncode == 0
    (row,) = map(json.loads, done.stdout.splitlines())
    assert row["also"][0]["url"] == "https://b.example/"
    assert b"2 records: 1 of them kept, 1 linked to one of them" in done.stderr


def test_pairs_in_judgements_out(sitewright: Sitewright, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text(json.dumps({"a": RECORDS[0], "b": RECORDS[1]}) + "\n", "utf-8")
    done = sitewright("dedupe", "--pairs", tmp_path / "pairs.jsonl", "-o", tmp_path / "out.jsonl")
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "out.jsonl").read_bytes())["same"] is True


@pytest.mark.parametrize("arguments", [[], ["records.jsonl", "--pairs", "records.jsonl"], ["none.jsonl"]])
def test_mistakes_are_told(sitewright: Sitewright, records: Path, arguments: list[str]) -> None:
    done = sitewright("dedupe", *(records.parent / name if name.endswith("l") else name for name in arguments))
    assert done.returncode == 2
    assert done.stderr.startswith(b"error[input_error]: ")
