"""`sitewright extract` as people run it: a process, files, exit status."""

import csv
import gzip
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import duckdb
import pytest

pytestmark = pytest.mark.slow

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]

MAP = """\
sitewright: 1
site: example.com
language: en
templates:
  - name: article
    probe: h1
    rules:
      title: {select: [h1]}
      published: {select: [time]}
      text: {select: [p], many: true}
      authors: {select: [.by]}
"""


def page(number: int) -> dict[str, str]:
    html = f"<h1>Story {number}</h1><time>6 May 2024</time><b class=by>By Ann Lee</b><p>One {number}.</p><p>Two.</p>"
    return {"url": f"https://example.com/{number}", "html": html, "time": "2024-06-15T12:00:00Z"}


def lines(*pages: object) -> bytes:
    return b"".join((entry if isinstance(entry, bytes) else json.dumps(entry).encode()) + b"\n" for entry in pages)


def rows(content: bytes) -> list[dict[str, Any]]:
    assert content == b"" or content.endswith(b"\n")
    return [json.loads(line) for line in content.splitlines()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.map.yaml").write_text(MAP, "utf-8")
    (tmp_path / "a.jsonl").write_bytes(lines(*(page(n) for n in range(100))))
    return tmp_path


RECORD = {
    "url": "https://example.com/0",
    "title": "Story 0",
    "published": "2024-05-06",
    "text": "One 0.\nTwo.",
    "authors": ["Ann Lee"],
    "language": "en",
    "template": "article",
    "map_version": 1,
}


def test_records_go_to_standard_output_in_order(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml")
    found = rows(done.stdout)
    assert done.returncode == 0
    assert [row["url"] for row in found] == [page(n)["url"] for n in range(100)]
    assert {key: value for key, value in found[0].items() if key != "confidence"} == RECORD
    assert list(found[0]["confidence"]) == ["title", "published", "text", "authors"]
    assert b"100 pages" in done.stderr


def test_the_output_does_not_depend_on_the_number_of_processes(sitewright: Sitewright, folder: Path) -> None:
    outputs = {
        sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "--jobs", jobs, "-q").stdout for jobs in ("1", "2", "5")
    }
    assert len(outputs) == 1


def test_quiet(sitewright: Sitewright, folder: Path) -> None:
    assert sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "-q").stderr == b""


@pytest.mark.parametrize(("limit", "number"), [("0", 0), ("1", 1), ("33", 33), ("1000", 100)])
def test_limit(sitewright: Sitewright, folder: Path, limit: str, number: int) -> None:
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "--limit", limit)
    assert done.returncode == 0
    assert len(rows(done.stdout)) == number


def test_fields_and_explain(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright(
        "extract", "a.jsonl", "--map", "a.map.yaml", "--fields", "text, title", "--explain", "--limit", "1"
    )
    (row,) = rows(done.stdout)
    assert "authors" not in row
    assert row["rules"] == {"title": "article/title#0", "text": "article/text#0"}
    assert len(row["id"]) == 16


def test_several_inputs_of_all_kinds(sitewright: Sitewright, folder: Path) -> None:
    (folder / "b.jsonl.gz").write_bytes(gzip.compress(lines(page(201))))
    (folder / "c.html").write_text(page(202)["html"], "utf-8")
    (folder / "d").mkdir()
    (folder / "d" / "e.htm").write_text(page(203)["html"], "utf-8")
    done = sitewright("extract", "b.jsonl.gz", "c.html", "d", "-", "--map", "a.map.yaml", stdin=lines(page(204)))
    assert done.returncode == 0
    assert [row["title"] for row in rows(done.stdout)] == [f"Story {n}" for n in (201, 202, 203, 204)]


def test_formats_follow_from_the_name(sitewright: Sitewright, folder: Path) -> None:
    for target in ("o.jsonl", "o.csv", "o.parquet", "o/"):
        assert sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "-o", target, "--limit", "3").returncode == 0
    assert len(rows((folder / "o.jsonl").read_bytes())) == 3
    with (folder / "o.csv").open(encoding="utf-8", newline="") as file:
        assert [row["authors"] for row in csv.DictReader(file)] == ["Ann Lee"] * 3
    with duckdb.connect() as connection:
        assert connection.read_parquet(str(folder / "o.parquet")).fetchall()[2][1] == "Story 2"
    assert len(list((folder / "o").glob("*.md"))) == 3


def test_format_may_be_named(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "--format", "csv", "--limit", "1")
    assert done.stdout.startswith(b"url,title,published,text,authors,")


def test_markdown_to_standard_output(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "--format", "markdown", "--limit", "3", "-q")
    text = done.stdout.decode()
    assert text.startswith("---\nurl: ")
    assert text.count("\n# Story ") == 3


def test_a_json_feed(sitewright: Sitewright, folder: Path) -> None:
    assert sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "-o", "a.feed.json", "--limit", "3").returncode == 0
    feed = json.loads((folder / "a.feed.json").read_bytes())
    assert [item["title"] for item in feed["items"]] == ["Story 0", "Story 1", "Story 2"]


def test_what_is_less_sure_is_left_out(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "--min-confidence", "0.95", "-q")
    assert all(row["confidence"] == {} and "title" not in row for row in rows(done.stdout))
    assert "range" in sitewright("extract", "a.jsonl", "--min-confidence", "2").stderr.decode()


def test_a_failed_page_has_its_line_and_the_status_is_one(sitewright: Sitewright, folder: Path) -> None:
    (folder / "b.jsonl").write_bytes(
        lines(page(1), b"nonsense", {"url": "https://example.com/x", "html": "<p>no headline"}, page(2))
    )
    done = sitewright("extract", "b.jsonl", "--map", "a.map.yaml")
    found = rows(done.stdout)
    assert done.returncode == 1
    assert [row.get("title") for row in found] == ["Story 1", None, None, "Story 2"]
    assert found[1]["url"] == "b.jsonl:2"
    assert found[1]["error"]["code"] == "bad_page_line"
    assert "error" not in found[2]
    assert b"1 failed (bad_page_line 1)" in done.stderr
    assert b"1 matched no template" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.jsonl", "--map", "a.map.yaml"], "error[input_error]"),
        (["a.jsonl", "--map", "missing.yaml"], "error[input_error]"),
        (["a.map.yaml", "--map", "a.map.yaml"], "error[unknown_format]"),
        (["a.jsonl", "--map", "a.map.yaml", "--fields", "nope"], "no field 'nope'"),
        (["a.jsonl", "--map", "a.map.yaml", "-o", "no/such/folder/a.jsonl"], "error[output_error]"),
        (["a.jsonl", "--map", "a.map.yaml", "--format", "parquet"], "error[output_error]"),
        (["a.jsonl", "--map", "a.map.yaml", "--resume"], "error[output_error]"),
        (["a.jsonl", "--map", "a.map.yaml", "--resume", "-o", "a.csv"], "error[output_error]"),
        (["--map", "a.map.yaml"], "there is nothing to read"),
        (["a.jsonl", "--map", "a.map.yaml", "--jobs", "0"], "--jobs"),
        (["a.jsonl", "--map", "a.map.yaml", "--limit", "-1"], "--limit"),
        (["a.jsonl", "--map", "a.map.yaml", "--format", "xml"], "--format"),
    ],
)
def test_what_cannot_be_done_is_status_two(
    sitewright: Sitewright, folder: Path, arguments: list[str], words: str
) -> None:
    done = sitewright("extract", *arguments)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_a_bad_map_is_told_with_file_and_line(sitewright: Sitewright, folder: Path) -> None:
    (folder / "b.map.yaml").write_text(MAP.replace("[h1]", "['h1[']"), "utf-8")
    done = sitewright("extract", "a.jsonl", "--map", "b.map.yaml")
    assert done.returncode == 2
    assert done.stderr.decode().startswith("error[map_invalid]: b.map.yaml:8: templates[0].rules.title.select[0]: ")


def test_an_input_that_breaks_off_keeps_what_was_read(sitewright: Sitewright, folder: Path) -> None:
    many = b"".join(lines({**page(n), "x": str(n * 7919)}) for n in range(5000))
    packed = gzip.compress(many)
    (folder / "b.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    done = sitewright("extract", "b.jsonl.gz", "--map", "a.map.yaml", "-o", "o.jsonl")
    found = rows((folder / "o.jsonl").read_bytes())
    assert done.returncode == 2
    assert b"error[input_error]: b.jsonl.gz cannot be read to its end" in done.stderr
    assert [row["title"] for row in found] == [f"Story {n}" for n in range(len(found))]


@pytest.mark.parametrize("share", [0.0, 0.31, 0.5, 0.999, 1.0])
def test_resume_gives_what_an_uninterrupted_run_gives(sitewright: Sitewright, folder: Path, share: float) -> None:
    sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "-o", "whole.jsonl")
    whole = (folder / "whole.jsonl").read_bytes()
    (folder / "cut.jsonl").write_bytes(whole[: int(len(whole) * share)])
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "-o", "cut.jsonl", "--resume")
    assert done.returncode == 0
    assert (folder / "cut.jsonl").read_bytes() == whole


def test_resume_of_nothing_starts(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "-o", "new.jsonl", "--resume", "--limit", "5")
    assert done.returncode == 0
    assert len(rows((folder / "new.jsonl").read_bytes())) == 5


def test_settings_by_file_and_environment(sitewright: Sitewright, folder: Path) -> None:
    (folder / "sitewright.toml").write_text("[limits]\npage_bytes = 10\n", "utf-8")
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", "--limit", "1")
    assert rows(done.stdout)[0]["error"]["code"] == "page_too_large"
    done = sitewright(
        "extract", "a.jsonl", "--map", "a.map.yaml", "--limit", "1", env={"SITEWRIGHT_LIMITS_PAGE_BYTES": "1000"}
    )
    assert done.returncode == 0
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml", env={"SITEWRIGHT_LIMITS_PAGE_BYTES": "lots"})
    assert (done.returncode, done.stderr.startswith(b"error[settings_error]: ")) == (2, True)
    (folder / "sitewright.toml").write_text("[limits]\npage_byte = 10\n", "utf-8")
    done = sitewright("extract", "a.jsonl", "--map", "a.map.yaml")
    assert (done.returncode, done.stderr.startswith(b"error[settings_error]: ")) == (2, True)


def test_an_interrupt_leaves_complete_lines_and_status_130(folder: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "sitewright", "extract", "-", "--map", "a.map.yaml", "-o", "o.jsonl"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
    )
    assert process.stdin is not None
    stop = threading.Event()

    def feed() -> None:
        try:
            number = 0
            while not stop.is_set():
                process.stdin.write(lines(page(number)))
                number += 1
        except (BrokenPipeError, ValueError):
            pass

    feeder = threading.Thread(target=feed)
    feeder.start()
    output = folder / "o.jsonl"
    waited = threading.Event()
    while not (output.exists() and output.stat().st_size > 20_000) and process.poll() is None:
        waited.wait(0.02)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(600) == 130
    stop.set()
    feeder.join(600)
    with suppress(BrokenPipeError):
        process.stdin.close()
    assert process.stderr is not None
    message = process.stderr.read()
    process.stderr.close()
    assert b"interrupted" in message
    assert b"Traceback" not in message
    found = rows(output.read_bytes())
    assert [row["title"] for row in found] == [f"Story {n}" for n in range(len(found))]
    assert len(found) > 50


def test_a_reader_that_goes_away_is_no_error(folder: Path) -> None:
    (folder / "many.jsonl").write_bytes(lines(*(page(n) for n in range(3000))))
    command = f"{sys.executable} -m sitewright extract many.jsonl --map a.map.yaml -q | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, check=False, timeout=600)
    assert len(rows(done.stdout)) == 1
    assert b"Traceback" not in done.stderr


def test_without_a_map_pages_are_read_by_themselves(sitewright: Sitewright, folder: Path) -> None:
    sentence = "The ferry came back to the harbour on Monday morning, nine years after it had left for repairs."
    story = {**page(0), "html": page(0)["html"] + f"<p>{sentence}</p>" * 3}
    (folder / "story.jsonl").write_bytes(lines(story))
    done = sitewright("extract", "story.jsonl", "-q")
    assert done.returncode == 0
    (row,) = rows(done.stdout)
    assert row["title"] == "Story 0"
    assert "template" not in row


def test_the_tagger_that_needs_no_model(sitewright: Sitewright, folder: Path) -> None:
    page = {"url": "https://example.com/a", "html": "<title>Bees</title><div><p>One hive.</p><p>Two hives.</p></div>"}
    (folder / "plain.jsonl").write_text(json.dumps(page) + "\n", encoding="utf-8")
    done = sitewright("extract", "plain.jsonl", "--tagger", "mce", "--fields", "title,text", "-q")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {
        "url": "https://example.com/a",
        "page_kind": "article",
        "title": "Bees",
        "text": "One hive.\nTwo hives.",
        "confidence": {"title": 0.8, "text": 0.7},
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--tagger", "nope"], "error[input_error]: there is no tagger 'nope'"),
        (["--tagger", "no/folder"], "error[input_error]: there is no tagger 'no/folder'"),
        (["--tagger", "."], "error[model_error]: . is no checkpoint"),
        (["--tagger", "other"], "error[model_error]: other is no MarkupLM checkpoint"),
        (["--tagger", "mce", "--map", "a.map.yaml"], "error[input_error]: with --map, --tagger is network or none"),
        (["--report", "no/such/folder/r.html"], "error[output_error]: cannot write no/such/folder/r.html"),
        (["--report", "other"], "error[output_error]: cannot write other"),
        (["--report", "-"], "error[output_error]"),
        (["--report", "a.jsonl"], "a.jsonl is an input of this run"),
        (["--report", "a.map.yaml", "--map", "a.map.yaml"], "a.map.yaml is an input of this run"),
        (["pages", "--report", "pages/one.html"], "pages/one.html would be one of the pages in pages"),
        (["pages", "--report", "pages/new.html"], "pages/new.html would be one of the pages in pages"),
        (["-o", "same.jsonl", "--report", "./same.jsonl"], "./same.jsonl is the output of this run"),
    ],
)
def test_what_taggers_and_reports_refuse(
    sitewright: Sitewright, folder: Path, arguments: list[str], message: str
) -> None:
    (folder / "other").mkdir()
    (folder / "other" / "config.json").write_text('{"model_type": "bert"}', "utf-8")
    (folder / "pages").mkdir()
    (folder / "pages" / "one.html").write_text("<h1>One</h1>", "utf-8")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    done = sitewright("extract", "a.jsonl", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("arguments", [["--map", "a.map.yaml"], ["--tagger", "mce"], []])
def test_a_report_tells_of_all_pages_and_shows_some(sitewright: Sitewright, folder: Path, arguments: list[str]) -> None:
    (folder / "b.jsonl").write_bytes(b"nonsense\n" + (folder / "a.jsonl").read_bytes())
    patient = {"SITEWRIGHT_LIMITS_PAGE_SECONDS": "240"}  # the first date in words makes a worker load all languages
    plain = sitewright("extract", "b.jsonl", *arguments, "-q", env=patient)
    done = sitewright("extract", "b.jsonl", *arguments, "-q", "--report", "r.html", env=patient)
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout == plain.stdout
    report = (folder / "r.html").read_text("utf-8")
    assert "<b>100</b> pages read" in report
    assert "Failures: bad_page_line 1" in report
    assert report.count("<article>") == 24
    again = ["--report", "again.html", "--jobs", "1"]
    assert sitewright("extract", "b.jsonl", *arguments, "-q", *again, env=patient).returncode == 1
    assert undated((folder / "again.html").read_text("utf-8")) == undated(report)


def undated(report: str) -> str:
    """Return a report without the minute it was made in."""
    without, times = re.subn(r"<time[^>]*>[^<]* UTC</time>", "", report)
    assert times == 1
    return without


def test_a_report_of_standard_input_and_of_nothing(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("extract", "-", "--map", "a.map.yaml", "--report", "r.html", stdin=lines(page(7)))
    assert done.returncode == 0
    assert "Story 7" in (folder / "r.html").read_text("utf-8")
    done = sitewright("extract", "-", "--map", "a.map.yaml", "--report", "r.html")
    assert done.returncode == 2
    assert done.stderr.decode().endswith("error[input_error]: there is no page in standard input\n")


def test_a_report_of_an_input_that_breaks_off(sitewright: Sitewright, folder: Path) -> None:
    packed = gzip.compress(b"".join(lines({**page(n), "x": str(n * 7919)}) for n in range(5000)))
    (folder / "b.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    done = sitewright("extract", "b.jsonl.gz", "--map", "a.map.yaml", "-o", "o.jsonl", "--report", "r.html")
    read = len(rows((folder / "o.jsonl").read_bytes()))
    assert done.returncode == 2
    assert f"<b>{read:,}</b> pages read" in (folder / "r.html").read_text("utf-8")
