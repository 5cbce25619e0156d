"""Mistakes that people make: what they are told, kept word by word in `mistakes.txt`.

Every message says what is wrong, where, and what to do. `python -m tests.cli.test_mistakes` writes the file anew.
"""

import json
import re
import socket
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path

import pytest
from tests.program import Program, clean_environment

from sitewright import demo

pytestmark = pytest.mark.slow

SNAPSHOT = Path(__file__).with_name("mistakes.txt")
ALLOWED = {"SITEWRIGHT_FETCH_ALLOW_HOSTS": "127.0.0.1", "SITEWRIGHT_FETCH_PAUSE_SECONDS": "0"}
NO_BROWSER = {**ALLOWED, "SITEWRIGHT_FETCH_BROWSER": "/nowhere/chromium"}
MAP = """sitewright: 1
site: paper.example
templates:
  - name: article
    rules:
      title: [{select: [h1]}]
"""


@dataclass(frozen=True)
class Mistake:
    """A command line, and what lies about where it is typed."""

    words: str
    files: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict)


def lines_of(*pages: tuple[str, str]) -> str:
    return "".join(json.dumps({"url": url, "html": html}) + "\n" for url, html in pages)


STORY = (
    "<html><head><title>Bees</title></head><body><h1>Bees</h1><p>"
    + "They hum all day long. " * 20
    + "</p></body></html>"
)
PAPER = demo.generate_site(seed=1, stories=10)
STORIES = [(path, PAPER.pages[path].html.decode()) for path in PAPER.truth]
PAGES = lines_of(*((f"https://lantern.example{path}", html) for path, html in STORIES[:6]))
OTHERS = PAGES + lines_of(*((f"https://mirror.example{path}", html) for path, html in STORIES[6:]))
OK_PAGES = {"pages.jsonl": PAGES}

MISTAKES = {
    "a path that is wrong": Mistake("extract pages/today.jsonl"),
    "nothing to read": Mistake("extract"),
    "an empty file": Mistake("extract pages.jsonl", {"pages.jsonl": ""}),
    "an empty folder": Mistake("extract pages", {"pages/": ""}),
    "lines that are no pages": Mistake("extract pages.jsonl", {"pages.jsonl": '{"url": "https://a.example/"}\nbees\n'}),
    "a file of another kind": Mistake("extract pages.pdf", {"pages.pdf": "%PDF-1.7 bees"}),
    "the map of another site": Mistake("extract pages.jsonl --map a.yaml -o out.jsonl", {**OK_PAGES, "a.yaml": MAP}),
    "a field that is not there": Mistake("extract pages.jsonl --fields tilte", OK_PAGES),
    "a command that is not there": Mistake("exract pages.jsonl"),
    "a command on maps that is not there": Mistake("map chekc a.yaml"),
    "an option that is not there": Mistake("extract pages.jsonl --fromat csv", OK_PAGES),
    "a format that is not there": Mistake("extract pages.jsonl --format excel", OK_PAGES),
    "a domain that is not there": Mistake("extract pages.jsonl --domain newspaper", OK_PAGES),
    "an output that is an input": Mistake("extract pages.jsonl -o pages.jsonl", OK_PAGES),
    "to resume what cannot be resumed": Mistake("extract pages.jsonl --resume", OK_PAGES),
    "a map that is no YAML": Mistake("extract pages.jsonl --map a.yaml", {**OK_PAGES, "a.yaml": "site: [a"}),
    "a map with a wrong entry": Mistake("map check a.yaml", {"a.yaml": MAP.replace("select", "selct")}),
    "a map with a wrong selector": Mistake("map check a.yaml", {"a.yaml": MAP.replace("[h1]", "['h1[']")}),
    "one page to learn from": Mistake("map a.html", {"a.html": STORY}),
    "pages of two sites to learn from": Mistake("map pages.jsonl -q -o a.yaml", {"pages.jsonl": OTHERS}),
    "an example that is on no page": Mistake("map pages.jsonl --example price=12.50", OK_PAGES),
    "an example without a value": Mistake("map pages.jsonl --example price", OK_PAGES),
    "a map that a person edited": Mistake("map pages.jsonl -o a.yaml", {**OK_PAGES, "a.yaml": MAP}),
    "a port where nobody listens": Mistake("extract http://127.0.0.1:{closed}/", {}, ALLOWED),
    "an address that is private": Mistake("extract http://127.0.0.1:{open}/"),
    "a page that is not there": Mistake("map http://127.0.0.1:{open}/gone -q", {}, NO_BROWSER),
    "articles that are all gone": Mistake("map http://127.0.0.1:{open}/ -q", {}, NO_BROWSER),
    "a site without articles": Mistake("map http://127.0.0.1:{open}/about -q", {}, NO_BROWSER),
    "no browser": Mistake("extract http://127.0.0.1:{open}/about --render", {}, NO_BROWSER),
    "an address that is none": Mistake("extract --from list.txt", {"list.txt": "example.com\nhttp//bees\nhttps://\n"}),
    "a list without an address": Mistake("extract --from list.txt", {"list.txt": "# nothing yet\n"}),
    "a variable that is no setting": Mistake("extract pages.jsonl", OK_PAGES, {"SITEWRIGHT_FETCH_PAUSE": "abc"}),
    "a variable that is no number": Mistake("extract pages.jsonl", OK_PAGES, {"SITEWRIGHT_FETCH_PAUSE_SECONDS": "abc"}),
    "a setting that is not there": Mistake("status", {"sitewright.toml": "[fetch]\npause = 2\n"}),
    "a settings file that is no TOML": Mistake("status", {"sitewright.toml": "[fetch\n"}),
    "a store that is not there": Mistake("status"),
    "a site that is none": Mistake("collect http:/lantern.example"),
}  # fmt: skip


class _Answers(BaseHTTPRequestHandler):
    """A front page whose stories are all gone."""

    def do_GET(self) -> None:
        stories = "".join(f"<h2><a href=/2024/05/{n:02}/a-long-story-about-{n}-bees>A long story about {n} bees that hum all day</a></h2>" for n in range(1, 20))  # fmt: skip
        pages = {"/": f"<title>Paper</title><main>{stories}</main>", "/about": "<p>About us. <a href=/>Home</a></p>"}
        body = pages.get(self.path, "gone").encode()
        self.send_response(200 if self.path in pages else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def ports() -> Iterator[dict[str, int]]:
    """Serve at one port, and name another where nobody listens."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answers) as server, socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield {"open": server.server_port, "closed": taken.getsockname()[1]}
        server.shutdown()


def told(program: Program, mistake: Mistake, folder: Path, served: Mapping[str, int]) -> str:
    """Make a mistake, and return what is said of it; what differs from call to call is left out."""
    for name, text in mistake.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.write_text(text, "utf-8")
    done = program.call(
        *mistake.words.format_map(served).split(), folder=folder, environment=clean_environment(mistake.environment)
    )
    said = (done.stderr or done.stdout).decode().replace(str(folder), ".")
    for name, port in served.items():
        said = said.replace(f":{port}", f":{{{name}}}")
    said = re.sub(r"\d+(\.\d+)? s\b( \([\d,]+ pages/s\))?", "… s", said)
    shown = "".join(f"    {line}\n" for line in said.rstrip().splitlines())
    return f"$ sitewright {mistake.words}\n{shown}    exit status {done.returncode}\n"


def kept() -> dict[str, str]:
    entries = (entry.partition("\n") for entry in SNAPSHOT.read_text("utf-8").split("\n# ") if entry.strip())
    return {name.removeprefix("# "): text.strip("\n") + "\n" for name, _, text in entries}


@pytest.fixture(scope="module")
def served() -> Iterator[dict[str, int]]:
    with ports() as known:
        yield known


def _cases() -> Iterator[object]:
    needs_playwright = pytest.mark.skipif(find_spec("playwright") is None, reason="playwright is not installed")
    for name, mistake in MISTAKES.items():
        yield pytest.param(name, marks=needs_playwright) if "--render" in mistake.words else name


@pytest.mark.parametrize("name", list(_cases()))
def test_what_is_said(name: str, program: Program, tmp_path: Path, served: dict[str, int]) -> None:
    assert told(program, MISTAKES[name], tmp_path, served) == kept()[name]


def test_all_that_is_kept_is_tried() -> None:
    assert list(kept()) == list(MISTAKES)
    assert len(MISTAKES) >= 25


def write() -> None:
    program = Program()
    entries = []
    with ports() as known:
        for name, mistake in MISTAKES.items():
            with tempfile.TemporaryDirectory() as folder:
                entries.append(f"# {name}\n\n{told(program, mistake, Path(folder), known)}")
    program.close()
    SNAPSHOT.write_text("\n".join(entries), "utf-8")


if __name__ == "__main__":
    write()
