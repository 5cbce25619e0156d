"""What collecting stands on is gone for a while: the disk, the database, the names of hosts, a server's voice.

A failure says so, the other sites go on, and when all is well again everything is collected, nothing twice.
"""

import errno
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.newsstand import PATIENCE, Newsroom, TownClock
from tests.e2e.servers import Reply, SiteServer, serving
from tests.postgres import PostgresServer

from sitewright.fetch import download
from sitewright.fetch.time_limit import TimeLimit, time_limit_of
from sitewright.store.database import open_store
from sitewright.store.entries import FoundLink
from sitewright.store.warc import WarcStore
from sitewright.types import FetchSettings
from sitewright.watch import collector

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="each site has an address of its own")
NOW = datetime(2026, 3, 16, 6, 0, tzinfo=UTC)
HOSTS = ("127.0.3.1", "127.0.3.2")
STORIES = 24
MOST_AFTER = 2
"""How often a story is asked for after an outage, at most: one may be on its way that cannot be written yet."""


@pytest.fixture
def sites() -> Iterator[tuple[SiteServer, SiteServer]]:
    first, second = (SiteServer(host, seed=seed, stories=STORIES) for seed, host in enumerate(HOSTS))
    with serving(first, second):
        yield first, second


@pytest.fixture
def clock() -> TownClock:
    return TownClock(NOW)


@pytest.fixture
def newsroom(tmp_path: Path, clock: TownClock) -> Newsroom:
    return Newsroom(tmp_path, clock, HOSTS)


# The disk


@dataclass
class Disk:
    """A folder with little room, until more is made."""

    folder: Path
    make_room: Callable[[], None]


@pytest.fixture(params=["small disk", "patched"])
def disk(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    folder = tmp_path / "pages"
    folder.mkdir()
    if request.param == "patched":
        yield Disk(folder, full_after(40_000, monkeypatch))
        return
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None:
        pytest.skip("only root may mount a small disk")
    made = subprocess.run([mount, "-t", "tmpfs", "-o", "size=60k", "tmpfs", folder], check=False, capture_output=True)
    if made.returncode:
        pytest.skip(f"no disk can be mounted here: {made.stderr.decode()}")
    try:
        yield Disk(folder, lambda: subprocess.run([mount, "-o", "remount,size=10m", folder], check=True))
    finally:
        subprocess.run(["umount", folder], check=True)


def full_after(most: int, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let nothing be written beyond so many bytes of a file, until the function that is returned is called."""
    real, room = os.pwrite, threading.Event()

    def write(descriptor: int, content: bytes, offset: int) -> int:
        if offset + len(content) > most and not room.is_set():
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(descriptor, content, offset)

    monkeypatch.setattr(os, "pwrite", write)
    return room.set


def test_a_full_disk(newsroom: Newsroom, clock: TownClock, sites: tuple[SiteServer, SiteServer], disk: Disk) -> None:
    newsroom.add_known(*sites)
    newsroom.collect_once()
    stored = [newsroom.story_paths(site) for site in sites]
    assert 0 < sum(paths.total() for paths in stored) < 2 * STORIES
    failures = [failure for site in sites for failure in newsroom.failures(site.host)]
    assert {(failure.stage, failure.code) for failure in failures} == {("store", "store_error")}
    assert all("No space left on device" in failure.detail for failure in failures)
    with open_store(newsroom.store) as store:
        waiting = [store.count_waiting(site.host) for site in sites]
    assert waiting == [STORIES - paths.total() for paths in stored]

    for _ in range(7):  # more often than a link is tried in vain
        clock.move(days=1)
        newsroom.collect_once()
    assert not newsroom.is_complete(*sites)

    disk.make_room()
    clock.move(days=1)
    newsroom.collect_once()
    assert newsroom.is_complete(*sites)
    assert [newsroom.failures(site.host) for site in sites] == [[], []]
    for site, paths in zip(sites, stored, strict=True):
        assert all(site.asked_stories[path] == 1 for path in paths)
        with WarcStore(disk.folder) as archive:
            pages = [archive.read(record.location) for record in newsroom.records(site.host) if record.location]
        assert {page.url for page in pages} == {f"{site.url}{path[1:]}" for path in site.stories}


def path_of(url: str) -> str:
    return "/" + url.split("/", 3)[3]


# The database


def test_a_locked_database(
    newsroom: Newsroom, clock: TownClock, sites: tuple[SiteServer, SiteServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "open_store", partial(open_store, wait_seconds=0.2))
    newsroom.add_known(*sites)
    other = sqlite3.connect(newsroom.folder / "store.db", isolation_level=None, check_same_thread=False)
    outage = Outage(sites[0], begin=lambda: other.execute("BEGIN IMMEDIATE"), end=lambda: other.execute("COMMIT"))
    clock.run(60.0)  # what could not be written is fetched again some minutes later
    newsroom.collect_until(lambda: outage.is_over and newsroom.is_complete(*sites), outage.hear)
    clock.stop()
    other.close()
    outage.check("another process has been writing to it for too long")
    check_well(newsroom, sites)


def test_a_database_server_that_is_started_anew(
    newsroom: Newsroom, clock: TownClock, sites: tuple[SiteServer, SiteServer]
) -> None:
    server = PostgresServer()
    try:
        server.start()
        newsroom.address = server.url
        newsroom.add_known(*sites)
        outage = Outage(sites[0], begin=server.stop, end=server.start)
        clock.run(60.0)
        newsroom.collect_until(lambda: outage.is_over and newsroom.is_complete(*sites), outage.hear)
        clock.stop()
        outage.check("no connection to the server")
        check_well(newsroom, sites)
    finally:
        server.remove()


class Outage:
    """Begins when some stories were asked for, and ends when the collector has said so three times."""

    def __init__(self, site: SiteServer, *, begin: Callable[[], object], end: Callable[[], object]) -> None:
        self._site = site
        self._begin = begin
        self._end = end
        self._lock = threading.Lock()
        self._begun = self.is_over = False
        self.asked_before: Counter[str] = Counter()
        """The stories that were asked for until it was over."""
        self.said: list[str] = []
        site.answer = self._answer

    def _answer(self, path: str) -> Reply:
        with self._lock:
            if not self._begun and len(self._site.asked_stories) > 5:
                self._begun = True
                self._begin()
        return self._site.good(path)

    def hear(self, _: str, line: str) -> None:
        if "trying again in" in line and self._begun:
            self.said.append(line)
            if len(self.said) == 3:
                self._end()
                self.asked_before = self._site.asked_stories
                self.is_over = True

    def check(self, told: str) -> None:
        assert self.is_over
        assert any(told in line for line in self.said), self.said
        again = self._site.asked_stories - self.asked_before
        assert max(again.values(), default=0) <= MOST_AFTER


def check_well(newsroom: Newsroom, sites: tuple[SiteServer, SiteServer]) -> None:
    """All is there, and what is stored was not fetched again by another collector."""
    for site in sites:
        assert newsroom.story_paths(site) == site.stories
        assert newsroom.failures(site.host) == []
        site.log.clear()
    newsroom.look_again(site.host for site in sites)
    assert not any(site.asked_stories for site in sites)


# Names and servers


def test_names_that_cannot_be_looked_up(
    newsroom: Newsroom, clock: TownClock, sites: tuple[SiteServer, SiteServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    other, _ = sites
    known = {"paper.example": HOSTS[1]}
    real = socket.getaddrinfo

    def look_up(host: bytes | str, port: Any, *rest: Any, **options: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name.endswith(".example") and name not in known:
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return real(known.get(name, name), port, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    paper = SiteServer(HOSTS[1], seed=5, stories=STORIES, name="paper.example")
    newsroom.hosts = (*HOSTS, "paper.example")
    newsroom.add_known(paper, other)
    have_wait(newsroom, paper)
    with serving(paper):
        known.clear()
        for _ in range(7):
            newsroom.collect_once()
            clock.move(days=1)
        assert newsroom.is_complete(other)
        assert newsroom.story_paths(paper).total() == 0
        assert {failure.code for failure in newsroom.failures("paper.example")} == {"host_not_found"}
        known["paper.example"] = HOSTS[1]
        newsroom.collect_once()
    assert newsroom.is_complete(other, paper)
    assert newsroom.failures("paper.example") == []
    assert paper.asked_stories == paper.stories
    assert other.asked_stories == other.stories


def test_a_host_that_is_out_of_order_while_links_wait(
    newsroom: Newsroom, clock: TownClock, sites: tuple[SiteServer, SiteServer]
) -> None:
    """Not even its robots.txt can be read, so nothing may be fetched for now."""
    ill, other = sites
    ill.answer = lambda _: Reply("out of order", 503, {"Retry-After": "3600"})
    newsroom.add_known(*sites)
    have_wait(newsroom, ill)
    for _ in range(3):
        newsroom.collect_once()
        clock.move(hours=6)
    assert newsroom.is_complete(other)
    assert {failure.code for failure in newsroom.failures(ill.host)} == {"robots_forbid"}
    assert all("robots.txt cannot be read for now" in failure.detail for failure in newsroom.failures(ill.host))
    ill.answer = ill.good
    clock.move(days=1)
    newsroom.collect_once()
    assert newsroom.is_complete(ill, other)
    assert newsroom.failures(ill.host) == []
    assert ill.asked_stories == ill.stories


def have_wait(newsroom: Newsroom, site: SiteServer) -> None:
    """Have all stories of a site wait, as if its sources had been looked at just before the trouble began."""
    with open_store(newsroom.store, clock=newsroom.clock.now) as store:
        store.add_links(site.host, [FoundLink(url=f"{site.url}{path[1:]}") for path in site.stories])


def test_a_server_that_drips_holds_up_nobody_else(newsroom: Newsroom, sites: tuple[SiteServer, SiteServer]) -> None:
    dripping, other = sites
    dripping.answer = lambda path: Reply(b"x" * 10_000, pause=1.0) if path == "/" else dripping.good(path)
    newsroom.fetch = FetchSettings(allow_hosts=HOSTS, pause_seconds=0.0, seconds=PATIENCE)
    newsroom.add_known(*sites)
    newsroom.collect_until(lambda: newsroom.is_complete(other))
    assert dripping.asked.count("/") == 1
    assert newsroom.failures(dripping.host) == []


@pytest.mark.parametrize("what", ["source", "story"])
def test_a_server_that_drips_is_given_up_and_tried_again(
    newsroom: Newsroom,
    clock: TownClock,
    sites: tuple[SiteServer, SiteServer],
    what: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only what drips has little time: everything else may take as long as a busy machine needs."""
    dripping, other = sites
    slow = f"{dripping.url}latest/" if what == "source" else f"{dripping.url}{next(iter(dripping.stories))[1:]}"
    dripping.answer = lambda path: Reply(b"x" * 10_000, pause=1.0) if path == path_of(slow) else dripping.good(path)
    newsroom.fetch = FetchSettings(allow_hosts=HOSTS, pause_seconds=0.0, seconds=PATIENCE)
    monkeypatch.setattr(
        download, "time_limit_of", lambda request: shortened(time_limit_of(request), request.url == slow)
    )
    newsroom.add_known(*sites)
    newsroom.collect_once()
    assert newsroom.is_complete(other)
    (failure,) = newsroom.failures(dripping.host)
    assert (failure.url, failure.stage, failure.code) == (slow, "fetch", "fetch_timeout")
    assert "no whole answer within 300 s; try again later, or raise fetch.seconds" in failure.detail
    dripping.answer = dripping.good
    clock.move(days=1)
    newsroom.collect_once()
    assert newsroom.is_complete(dripping, other)
    assert newsroom.failures(dripping.host) == []
    assert dripping.asked_stories - dripping.stories == ({path_of(slow): 1} if what == "story" else {})


def shortened(limit: TimeLimit, is_slow: bool) -> TimeLimit:
    """Leave two seconds to a page that will never be whole."""
    limit._left = min(limit._left, 2.0) if is_slow else limit._left
    return limit
