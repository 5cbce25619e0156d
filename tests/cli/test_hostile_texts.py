"""What strangers write never has power over a terminal: no escape sequence of a page, a server or a map is printed."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]

EVIL = "\x1b]0;owned\x07\x1b[31mred\x9b1m\u202e"
POWERS = (b"\x1b", b"\x07", "\x9b".encode(), "\u202e".encode())
MAP = """sitewright: 1
site: paper.example
templates:
  - name: "article"
    rules:
      title: [{{select: ["{select}"]}}]
index:
  - {{url: "https://paper.example/\\x1b[31m", items: ["a"]}}
"""


def pages() -> str:
    stories = (
        (f"https://paper.example/{n}{EVIL}", f"<h1>Bees {n} {EVIL}</h1><p class=b>They hum {EVIL} " + "all day. " * 40)
        for n in range(4)
    )
    return "".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in stories)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pages.jsonl").write_text(pages(), "utf-8")
    (tmp_path / "a.yaml").write_text(MAP.format(select="h1"), "utf-8")
    (tmp_path / "b.yaml").write_text(MAP.format(select="h1:not(.\\\\1b)"), "utf-8")
    (tmp_path / "bad.yaml").write_text(MAP.format(select="h1[\\x1b"), "utf-8")
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "words",
    [
        "map diff a.yaml b.yaml --pages pages.jsonl",
        "map show a.yaml",
        "map check bad.yaml",
        "map pages.jsonl -o new.yaml",
        "extract pages.jsonl --map bad.yaml",
        "extract pages.jsonl --map a.yaml -o records.jsonl",
        f"extract nowhere{EVIL}.jsonl",
        f"extract pages.jsonl --fields {EVIL}",
        f"status --store sqlite:///{EVIL}.db",
    ],
)
def test_no_power_is_printed(sitewright: Sitewright, words: str) -> None:
    done = sitewright(*words.split(" "))
    printed = done.stdout + done.stderr
    assert printed
    assert not [power for power in POWERS if power in printed]
