"""The worst pages in one file with good ones between: the good ones come out, the bad ones have their line."""

import json
import random
import subprocess
from collections.abc import Callable, Set
from pathlib import Path

import pytest

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]

SLOW_XPATH = "//*[count(//*[count(//*) > 0]) < 0]"
"""Cubic: some seconds on a thousand elements, many minutes on the page below."""
MAP = f"""\
sitewright: 1
site: example.com
templates:
  - name: slow
    url: "/slow-xpath$"
    rules:
      title: {{select: ["{SLOW_XPATH}"]}}
  - name: regex
    url: "/slow-regex$"
    rules:
      title: {{select: [h1], match: "^(a+)+$"}}
  - name: article
    rules:
      title: {{select: [h1]}}
      text: {{select: [p], many: true}}
      rows: {{select: [td], many: true}}
"""

GOOD = "<h1>Good</h1><p>text</p>"
BAD: dict[str, tuple[str, set[str]]] = {
    "truncated": ("<html><body><h1>Cut</h1><p>text <a href='x", {""}),
    "too-large": ("<h1>Large</h1>" + "x" * 13_000_000, {"page_too_large"}),
    "too-deep": ("<div>" * 10_000 + "<h1>Deep</h1>", {"page_too_deep"}),
    "attributes": (
        "<h1>Many</h1><p " + " ".join(map("a{}=1".format, range(1_000_000))) + ">text</p>",
        {"", "page_timeout"},
    ),
    "colspan": ("<h1>Wide</h1><table><tr><td colspan=9000000000000000 rowspan=9e15>x</td></tr></table>", {""}),
    "nulls": ("<h1>Null\0s</h1>\0\0<p>te\0xt</p>", {""}),
    "slow-xpath": ("<h1>Slow</h1>" + "<div><p><b>x</b></p></div>" * 2000, {"page_timeout"}),
    "slow-regex": ("<h1>" + "a" * 60 + "!</h1>", {""}),  # expressions run in bounded time
    "surrogate": ("<h1>Half \ud800</h1><p>text</p>", {""}),
    "jsonld": ('<h1>Json</h1><script type="application/ld+json">' + "[" * 100_000 + "</script>", {""}),
    "tables": ("<h1>Tables</h1>" + "<table><tr><td>" * 150, {"", "page_too_deep"}),
}


ENDLESS = {name for name, (_, codes) in BAD.items() if codes == {"page_timeout"}}


@pytest.mark.parametrize(
    ("names", "seconds"),
    [
        (BAD.keys() - ENDLESS, 240),
        (ENDLESS, 2),
    ],  # large pages take seconds where the machine is busy; endless ones never end
    ids=["bad", "endless"],
)
def test_bad_pages_do_no_harm_to_the_others(
    sitewright: Sitewright, tmp_path: Path, names: Set[str], seconds: int
) -> None:
    lines = [json.dumps({"url": "https://example.com/good/first", "html": GOOD}).encode()]
    for name in (name for name in BAD if name in names):
        lines.append(json.dumps({"url": f"https://example.com/{name}", "html": BAD[name][0]}).encode())
        lines.append(json.dumps({"url": f"https://example.com/good/after-{name}", "html": GOOD}).encode())
    random_bytes = random.Random(5).randbytes(3000).replace(b"\n", b" ")
    lines += [random_bytes, b"{", json.dumps({"url": "https://example.com/good/last", "html": GOOD}).encode()]
    (tmp_path / "bad.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    (tmp_path / "bad.map.yaml").write_text(MAP, "utf-8")

    limits = {"SITEWRIGHT_LIMITS_PAGE_SECONDS": str(seconds), "SITEWRIGHT_LIMITS_PAGE_BYTES": "12000000"}
    done = sitewright("extract", "bad.jsonl", "--map", "bad.map.yaml", env=limits)

    assert done.returncode == 1
    assert b"Traceback" not in done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == len(lines)
    good = [row for row in rows if "/good/" in row["url"]]
    assert len(good) == len(names) + 2
    assert {row.get("title") for row in good} == {"Good"}
    codes = {
        row["url"].rpartition("/")[2]: row.get("error", {}).get("code", "")
        for row in rows
        if "/good/" not in row["url"]
    }
    assert {name: code for name, code in codes.items() if name in BAD and code not in BAD[name][1]} == {}
    assert [row["error"]["code"] for row in rows[-3:-1]] == ["bad_page_line", "bad_page_line"]


def test_bad_files_do_no_harm_to_the_others(sitewright: Sitewright, tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for name, body in {
        "a-good.html": b"<h1>Good</h1>",
        "b-random.html": random.Random(6).randbytes(5000),
        "c-pdf.html": b"%PDF-1.7 ...",
        "d-good.html": b"<h1>Good</h1>",
        "e-empty.html": b"",
        "f-charset.html": '<meta charset="utf-8"><h1>Привет</h1>'.encode("cp1251"),
        "g-utf16.html": "\ufeff<h1>Good</h1>".encode("utf-16-le"),
    }.items():
        (folder / name).write_bytes(body)
    (tmp_path / "a.map.yaml").write_text(MAP, "utf-8")
    done = sitewright("extract", "pages", "--map", "a.map.yaml")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 1
    assert [row.get("error", {}).get("code", "") for row in rows] == ["", "not_html", "not_html", "", "", "", ""]
    assert [row.get("title") for row in rows if row["url"].endswith(("good.html", "utf16.html"))] == ["Good"] * 3
