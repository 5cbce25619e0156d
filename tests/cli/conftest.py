"""A store as a collector leaves it: a newspaper with its pages, some of which gave no record, and a small site."""

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from sitewright.cli.main import main
from sitewright.demo import Site, generate_site
from sitewright.maps import parse_map
from sitewright.reading.item import read_page
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected, WatchedPage
from sitewright.store.warc import WarcStore
from sitewright.types import Failure, Limits, Page

FETCHED = datetime(2025, 5, 19, 8, tzinfo=UTC)
NOTES_MAP = """\
sitewright: 1
site: notes.example
templates:
  - name: note
    rules:
      title: {select: [h1, h2], many: true}
      published: {select: [time]}
      rating: {select: [b]}
"""


class Done(NamedTuple):
    """What came of a call."""

    status: int
    out: bytes
    err: str


Call = Callable[..., Done]


@dataclass(frozen=True)
class Newspaper:
    """The newspaper in the store: 11 of its 12 stories have a record, the last one is thought to be no article."""

    site: Site
    paths: list[str]
    """Of the stories, in the order of fetching."""

    @property
    def name(self) -> str:
        return self.site.host

    def url(self, path: str) -> str:
        return f"{self.site.base_url}{path}"

    @property
    def stored(self) -> list[str]:
        """The addresses of the stories that have a record."""
        return [self.url(path) for path in self.paths[:-1]]

    @property
    def unread(self) -> str:
        """The address of the story that has none."""
        return self.url(self.paths[-1])

    def page(self, path: str, minutes: int) -> Page:
        found = self.site.pages[path]
        headers = {"Content-Type": found.content_type}
        at = FETCHED + timedelta(minutes=minutes)
        return Page(url=self.url(path), body=found.html, headers=headers, fetched_at=at, via="http")


@pytest.fixture(scope="session")
def newspaper() -> Newspaper:
    site = generate_site(stories=12)
    return Newspaper(site, list(site.truth))


@pytest.fixture(scope="session")
def filled(newspaper: Newspaper, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store and its pages under the names that commands expect."""
    folder = tmp_path_factory.mktemp("store")
    with open_store(f"sqlite:///{folder}/sitewright.db") as store, WarcStore(folder / "sitewright-pages") as archive:
        fill_newspaper(newspaper, store, archive)
        fill_notes(store, archive)
    return folder


def fill_newspaper(newspaper: Newspaper, store: Store, archive: WarcStore) -> None:
    site, name = newspaper.site, newspaper.name
    store.add_site(name, url=f"{site.base_url}/")
    store.save_map(site.map_text, "learned")
    extraction_map = parse_map(site.map_text)
    store.put_index_pages([WatchedPage(site=name, url=page.url, weight=page.weight) for page in extraction_map.index])
    early = Page(url=newspaper.stored[0] + "?utm_source=x", body=b"<p>Try again later", fetched_at=FETCHED, via="http")
    store.add_page(name, early, archive.append(early))
    pages = [newspaper.page(path, minutes) for minutes, path in enumerate(newspaper.paths, 1)]
    places = archive.append_all(pages)
    store.commit_pages(
        [
            Collected(record=read_page(Limits(), page, extraction_map).record, page=page, location=place)
            for page, place in zip(pages[:-1], places[:-1], strict=True)
        ]
    )
    store.add_page(name, pages[-1], places[-1])
    store.add_failure(name, Failure(pages[-1].url, "extract", "not_item", "the page is no article"), settled=True)
    gone = Page(url=newspaper.url("/gone.html"), body=b"<h1>Gone", status=410, fetched_at=FETCHED, via="http")
    store.add_page(name, gone, archive.append(gone))
    store.add_failure(name, Failure(gone.url, "extract", "error_page", "the server answered 410"), settled=True)


def fill_notes(store: Store, archive: WarcStore) -> None:
    store.add_site("notes.example", url="https://notes.example/")
    store.save_map(NOTES_MAP, "person")
    for number in (1, 2):
        html = f"<h1>Note {number}</h1><h2>Below</h2><time>{number} May 2024</time><b>{number} stars</b>"
        page = Page(url=f"https://notes.example/{number}", body=html.encode(), fetched_at=FETCHED, via="http")
        store.commit_page(read_page(Limits(), page, parse_map(NOTES_MAP)).record, page, archive.append(page))


@pytest.fixture
def folder(filled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the store, in the current folder."""
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def store(folder: Path) -> Iterator[Store]:
    """Open the copy."""
    with open_store(f"sqlite:///{folder}/sitewright.db") as opened:
        yield opened


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Iterator[Call]:
    """Run the command line in this process, which is faster than to begin one for each call."""
    for name in [name for name in os.environ if name.startswith("SITEWRIGHT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "160")
    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: str | Path) -> Done:
        monkeypatch.setattr(sys, "argv", ["sitewright", *map(str, arguments)])
        capfdbinary.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        sys.stdout.flush()
        captured = capfdbinary.readouterr()
        return Done(int(ended.value.code or 0), captured.out, captured.err.decode("utf-8"))

    yield run
    signal.signal(signal.SIGTERM, before)
