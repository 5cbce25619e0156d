"""`sitewright map check|show|diff|convert`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sitewright.maps import load_map, parse_map

pytestmark = pytest.mark.slow

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]

MAP = """\
sitewright: 1
site: example.com
templates:
  - name: article
    url: "[0-9]+"
    rules:
      title: {select: ["h1[itemprop=headline]"]}
      text: {select: [p], many: true, support: {found: 3, sampled: 4}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.map.yaml").write_text(MAP, "utf-8")
    (tmp_path / "b.map.yaml").write_text(MAP.replace("[p]", "[p, h2]"), "utf-8")
    (tmp_path / "bad.map.yaml").write_text(MAP.replace("[p]", "p"), "utf-8")
    (tmp_path / "broken.map.yaml").write_text("a: [", "utf-8")
    return tmp_path


def test_check_of_a_good_map(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "check", "a.map.yaml")
    assert (done.returncode, done.stdout.decode()) == (0, "a.map.yaml: fine (1 template, 2 rules)\n")


def test_check_tells_of_all_files(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "check", "bad.map.yaml", "a.map.yaml", "broken.map.yaml")
    out = done.stdout.decode()
    assert done.returncode == 1
    assert "bad.map.yaml:8: templates[0].rules.text.select: expected array, found text" in out
    assert "a.map.yaml: fine" in out
    assert "broken.map.yaml:" in out


def test_check_of_a_missing_file(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "check", "missing.map.yaml")
    assert (done.returncode, done.stderr[:19]) == (2, b"error[input_error]:")


def test_check_goes_on_after_a_missing_file(sitewright: Sitewright, folder: Path) -> None:
    (folder / "latin.map.yaml").write_bytes(b"site: \xff")
    done = sitewright("map", "check", "missing.map.yaml", "latin.map.yaml", "a.map.yaml")
    assert (done.returncode, done.stdout.decode()) == (1, "a.map.yaml: fine (1 template, 2 rules)\n")
    missing, latin = done.stderr.decode().splitlines()
    assert missing == "error[input_error]: cannot read missing.map.yaml: No such file or directory"
    assert latin.startswith("error[input_error]: latin.map.yaml is not UTF-8")
    nothing = sitewright("map", "check", "missing.map.yaml", "nope.map.yaml")
    assert (nothing.returncode, nothing.stderr.count(b"\n")) == (2, 2)


def test_check_reads_standard_input(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "check", "-", stdin=MAP.encode())
    assert (done.returncode, done.stdout.decode()) == (0, "standard input: fine (1 template, 2 rules)\n")
    bad = sitewright("map", "check", "-", "a.map.yaml", stdin=b"sitewright: 2\n")
    assert bad.returncode == 1
    assert "standard input:1: sitewright: expected 1, found 2\n" in bad.stdout.decode()
    latin = sitewright("map", "check", "-", stdin=b"\xff")
    assert (latin.returncode, latin.stderr[:34]) == (2, b"error[input_error]: standard input")


def test_show(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "show", "a.map.yaml")
    out = done.stdout.decode()
    assert done.returncode == 0
    for word in ("example.com", "article", "[0-9]+", "h1[itemprop=headline]", "text (many)", "3/4"):
        assert word in out


def test_show_takes_nothing_for_markup(sitewright: Sitewright, folder: Path) -> None:
    texts = {
        "site": "[/x].com",
        "url": r"https://a.com/[/\d]+",
        "probe": "h1[class=x]",
        "select": "p[red]",
        "match": "[/a]",
        "remove": "b[bold]",
        "index": "https://a.com/[red]:smile:",
        "next": "a[next]",
    }
    plain = {
        "sitewright": 1,
        "site": texts["site"],
        "templates": [
            {
                "name": "a",
                "url": texts["url"],
                "probe": texts["probe"],
                "rules": {"x": {"select": [texts["select"]], "match": texts["match"], "remove": [texts["remove"]]}},
            }
        ],
        "index": [{"url": texts["index"], "next": [texts["next"]]}],
    }
    (folder / "odd.map.yaml").write_text(json.dumps(plain), "utf-8")
    done = sitewright("map", "show", "odd.map.yaml")
    out = done.stdout.decode()
    assert (done.returncode, done.stderr) == (0, b"")
    assert [text for text in texts.values() if text not in out] == []


def test_diff(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "diff", "a.map.yaml", "b.map.yaml")
    out = done.stdout.decode()
    assert done.returncode == 1
    assert out.splitlines()[0] == "~ article/text#0"
    assert "h2" in out
    same = sitewright("map", "diff", "a.map.yaml", "a.map.yaml")
    assert (same.returncode, same.stdout) == (0, b"no difference\n")


@pytest.mark.parametrize("target", ["webscraper", "ftr", "crawl4ai", "scrapy", "webpoet"])
def test_convert_out(sitewright: Sitewright, folder: Path, target: str) -> None:
    done = sitewright("map", "convert", "a.map.yaml", "--to", target, "-o", f"out.{target}")
    assert done.returncode == 0
    assert "h1" in (folder / f"out.{target}").read_text("utf-8")


def test_convert_in(sitewright: Sitewright, folder: Path) -> None:
    (folder / "example.com.txt").write_text("title: //h1\nbody: //article\nstrip: //aside\n", "utf-8")
    done = sitewright("map", "convert", "example.com.txt", "--site", "example.com")
    assert done.returncode == 0
    found = parse_map(done.stdout.decode())
    assert found.site == "example.com"
    assert {"title", "text"} <= {rule.field for template in found.templates for rule in template.rules}


def test_convert_reads_standard_input(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "convert", "-", "--from", "sitewright", "-o", "out.map.yaml", stdin=MAP.encode())
    assert done.returncode == 0
    assert load_map(folder / "out.map.yaml") == load_map(folder / "a.map.yaml")


def test_convert_sees_a_map_on_standard_input(sitewright: Sitewright, folder: Path) -> None:
    done = sitewright("map", "convert", "-", stdin=MAP.encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert parse_map(done.stdout.decode()) == load_map(folder / "a.map.yaml")


@pytest.mark.parametrize("before", [b"a: [", b"\xff\xfe", b"&a [*a]", b""])
def test_convert_writes_over_what_is_no_map_when_told(sitewright: Sitewright, folder: Path, before: bytes) -> None:
    (folder / "out.yaml").write_bytes(before)
    done = sitewright("map", "convert", "a.map.yaml", "-o", "out.yaml", "--force")
    assert (done.returncode, done.stderr) == (0, b"")
    assert load_map(folder / "out.yaml") == load_map(folder / "a.map.yaml")


def test_convert_keeps_the_comments_of_a_map_it_writes_over(sitewright: Sitewright, folder: Path) -> None:
    (folder / "b.map.yaml").write_text(f"# by hand\n{MAP}", "utf-8")
    assert sitewright("map", "convert", "a.map.yaml", "-o", "b.map.yaml", "--force").returncode == 0
    assert (folder / "b.map.yaml").read_text("utf-8").startswith("# by hand\n")


def test_convert_writes_over_a_file_only_when_told(sitewright: Sitewright, folder: Path) -> None:
    before = (folder / "b.map.yaml").read_bytes()
    done = sitewright("map", "convert", "a.map.yaml", "-o", "b.map.yaml")
    assert (done.returncode, done.stderr[:18]) == (2, b"error[map_exists]:")
    assert (folder / "b.map.yaml").read_bytes() == before
    assert sitewright("map", "convert", "a.map.yaml", "-o", "b.map.yaml", "--force").returncode == 0
    assert load_map(folder / "b.map.yaml") == load_map(folder / "a.map.yaml")


@pytest.mark.parametrize(("name", "content"), [("x.bin", b"\xff\xfe"), ("x.json", b"{}"), ("missing.json", None)])
def test_convert_of_what_it_does_not_know(
    sitewright: Sitewright, folder: Path, name: str, content: bytes | None
) -> None:
    if content is not None:
        (folder / name).write_bytes(content)
    done = sitewright("map", "convert", name)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error[")
