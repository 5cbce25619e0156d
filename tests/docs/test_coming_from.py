"""Every "here" of docs/coming-from.md is run, in the order of the page, on a newspaper that is served on loopback."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.program import Program, clean_environment

import sitewright
from sitewright.demo import Site, generate_site, serve
from sitewright.types import FetchSettings

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "coming-from.md"
TOOLS = ("trafilatura", "newspaper4k", "news-please", "Scrapy", "Web Scraper", "FreshRSS")
ROW = re.compile(r"^\| (?P<wish>[^|]+) \|[^|]*\| `(?P<here>[^|`]+)` \|$", re.MULTILINE)
STORY = "https://example.com/story"
SITE = "127.0.0.1"
SHOWN = {
    "list what a sitemap names": "ask-wenfield-to-plant-fewer-roses",
    "crawl a site": "10 records",
    "fetch what is new since": "10 records",
    "keep the pages as they were fetched": "",  # compressed
    "find the selectors of a site": "h1",
    "see them": "h1",
    "stop after some pages": "10 records",
    "tell it a site": "h1",
    "bring one's subscriptions": "1 there already",
    "take them elsewhere": SITE,
    "go on after an interruption": "10 records",
    "have a spider after all": "class ",
    "export a sitemap": "SelectorText",
    "import one": "h1",
    "add a column by pointing at it": "reporter:",
    "see whether feeds still work": "ok",
    "unsubscribe": SITE,
}
"""What is to be seen of each wish; where it is not said, the title of a story."""


def rows() -> list[tuple[str, str]]:
    return [(found["wish"], found["here"]) for found in ROW.finditer(PAGE.read_text("utf-8"))]


@dataclass
class Desk:
    """A folder with saved pages, a paper that is served, and what Python knows of them."""

    folder: Path
    site: Site
    program: Program
    names: dict[str, Any] = field(default_factory=dict)

    def run(self, words: list[str]) -> bytes:
        """Run a command and return what it wrote: to the file that it names, else to the terminal."""
        settings = {"FETCH_ALLOW_HOSTS": SITE, "FETCH_PAUSE_SECONDS": "0", "FETCH_BROWSER": "/nowhere", "JOBS": "1"}
        environment = clean_environment({f"SITEWRIGHT_{name}": value for name, value in settings.items()})
        done = self.program.call(*words, folder=self.folder, environment=environment)
        assert done.returncode == 0, done.stderr.decode()
        if "-o" not in words:
            return done.stdout + done.stderr
        target = self.folder / words[words.index("-o") + 1]
        return b"".join(file.read_bytes() for file in ([target] if target.is_file() else sorted(target.iterdir())))


@pytest.fixture(scope="module")
def desk(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    folder = tmp_path_factory.mktemp("desk")
    with serve(lambda base_url: generate_site(stories=10, base_url=base_url)) as base_url:
        site = generate_site(stories=10, base_url=base_url)
        pages = {path: site.pages[path].html for path in list(site.truth)[:5]}
        (folder / "pages").mkdir()
        for number, html in enumerate(pages.values()):
            (folder / "pages" / f"{number}.html").write_bytes(html)
        (folder / "list.txt").write_text("".join(f"{base_url}{path}\n" for path in pages), "utf-8")
        feed = (
            f'<opml version="2.0"><body><outline type="rss" text="Paper" xmlUrl="{base_url}/feed.xml"/></body></opml>'
        )
        (folder / "feeds.opml").write_text(feed, "utf-8")
        path, html = next(iter(pages.items()))
        (folder / "page.html").write_bytes(html)
        record = sitewright.read(html, f"{base_url}{path}")
        names = {"sitewright": sitewright, "html": html, "url": f"{base_url}{path}", "record": record}
        yield Desk(folder, site, program, names)


@pytest.mark.parametrize(("wish", "here"), rows(), ids=[wish for wish, _ in rows()])
def test_what_stands_there_works(desk: Desk, monkeypatch: pytest.MonkeyPatch, wish: str, here: str) -> None:
    story = next(iter(desk.site.truth))
    code = here.replace(STORY, f"{desk.site.base_url}{story}").replace("https://example.com", desk.site.base_url)
    if code.startswith("sitewright "):
        made = desk.run([SITE if word == "example.com" else word for word in shlex.split(code)[1:]])
        assert SHOWN.get(wish, desk.site.truth[story].title).encode() in made
    else:
        fetch = FetchSettings(allow_hosts=(SITE,), pause_seconds=0.0)
        monkeypatch.setattr("sitewright.python.fetch_page.FetchSettings", lambda: fetch)
        monkeypatch.chdir(desk.folder)
        assert eval(code, desk.names), wish  # noqa: S307 -- our own page


def test_there_are_twenty_things_and_more_of_all_tools() -> None:
    text = PAGE.read_text("utf-8")
    assert len(rows()) >= 20
    assert text.count("| `") >= len(rows())
    assert [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")] == list(TOOLS)
    assert sum(line.startswith("| ") and "| there |" not in line for line in text.splitlines()) == len(rows())
