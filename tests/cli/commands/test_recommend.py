"""`sitewright recommend`: a line for each reader, and what was left out."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.recommend.made_up import START, two_tastes, written

Call = Callable[..., Any]


def test_a_line_for_each_reader(call: Call, tmp_path: Path) -> None:
    done = call("recommend", written(tmp_path / "c.csv", two_tastes()), "-k", "3")
    lines = [json.loads(line) for line in done.out.decode().splitlines()]
    assert done.status == 0
    assert lines[0]["user"] is None
    assert len(lines) == 61
    assert {len(line["items"]) for line in lines} == {3}
    assert lines[1]["items"][0].keys() == {"item", "score", "reason"}
    assert "clicks left out: of something that the reader had clicked before" in done.err


def test_only_what_was_known_at_a_moment_counts(call: Call, tmp_path: Path) -> None:
    (tmp_path / "users.txt").write_text("reader-1\nnobody\n")
    options = ("--at", START + 4 * 3600, "--users", tmp_path / "users.txt", "-o", tmp_path / "out.jsonl", "-q")
    done = call("recommend", written(tmp_path / "c.csv", two_tastes()), *options)
    assert (done.status, done.err) == (0, "")
    lines = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert {line["user"] for line in lines} == {"reader-1", "nobody"}
    assert {int(item["item"].split("-")[1]) for line in lines for item in line["items"]} <= {0, 1, 2, 3}


def test_what_is_known_of_items_is_said(call: Call, tmp_path: Path) -> None:
    items = written(tmp_path / "items.csv", [{"item": f"film-{n}", "section": "film"} for n in range(24)])
    done = call("recommend", written(tmp_path / "c.csv", two_tastes()), "--items", items)
    assert "in film" in done.out.decode()


def test_mistakes_are_told(call: Call, tmp_path: Path) -> None:
    clicks = written(tmp_path / "c.csv", two_tastes())
    (tmp_path / "bad.csv").write_text("a,b\n1,2\n")
    for arguments, said in [
        ([tmp_path / "none.csv"], "there is no such file"),
        ([tmp_path / "bad.csv"], "no column user, item, time"),
        ([clicks, "--at", "5"], "no click before the moment"),
        ([clicks, "--items", tmp_path / "bad.csv"], "needs the column item"),
        ([clicks, "-o", clicks], "is an input of this run"),
    ]:
        done = call("recommend", *arguments)
        assert done.status == 2
        assert said in done.err


def test_methods_are_judged_and_drawn(call: Call, tmp_path: Path) -> None:
    clicks = written(tmp_path / "c.csv", two_tastes())
    done = call("recommend", clicks, "--evaluate", "--charts", tmp_path / "charts")
    rows = [json.loads(line) for line in done.out.decode().splitlines()]
    assert done.status == 0
    assert len({row["at"] for row in rows}) == 3
    methods = {row["method"] for row in rows}
    assert {"sitewright", "the paper's", "nearest sessions"} <= methods
    assert len(rows) == 3 * len(methods)
    assert all(0 <= row["precision"] <= 1 and row["readers"] > 0 for row in rows)
    assert sorted(file.name for file in (tmp_path / "charts").iterdir()) == ["clicks.svg", "precision.svg"]
    refused = call("recommend", clicks, "--charts", tmp_path / "charts")
    assert (refused.status, "--evaluate" in refused.err) == (2, True)
