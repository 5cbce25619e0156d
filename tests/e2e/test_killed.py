"""A collector that is killed fifty times, at any moment: nothing is lost, nothing comes twice, no record is torn."""

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import IO

import pytest
from tests import needs
from tests.e2e.newsstand import PATIENCE, TownClock

from sitewright.demo import LivingPaper, ServedPaper, serve_papers
from sitewright.fetch import open_archive
from sitewright.parse.sites import site_name
from sitewright.store.database import open_store
from sitewright.store.entries import RecordQuery, WatchedPage
from sitewright.store.warc import WarcStore

ROOT = Path(__file__).parents[2]
KILLS, KILLS_WHILE_LEARNING = 50, 8
MOST_LIVES = 200
START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)


@dataclass
class Collector:
    """A process that collects, life by life."""

    process: "subprocess.Popen[str]"
    clock: TownClock
    served: ServedPaper
    store: str
    step: timedelta
    """By which a life begins later than the one before; leases of the dead are over by then."""
    lives: int = 0
    kills: int = 0

    def live(self) -> None:
        """Collect all that is due."""
        self._begin()
        assert self._said("ended") == 0

    def die(self, *, requests: int, seconds: float) -> None:
        """Collect, and be killed some moments after so many requests; a life may be over before."""
        wanted = self.served.requests.total() + requests
        life = self._begin()
        end = time.monotonic() + PATIENCE
        while self.served.requests.total() < wanted and is_alive(life):
            assert time.monotonic() < end
            time.sleep(0.005)
        time.sleep(seconds)
        with suppress(ProcessLookupError):
            os.kill(life, signal.SIGKILL)
        self.kills += self._said("ended") == -signal.SIGKILL

    def _begin(self) -> int:
        self.lives += 1
        assert self.lives < MOST_LIVES
        self.clock.move(seconds=self.step.total_seconds())
        with open_store(self.store, clock=self.clock.now) as store:
            store.hasten(site_name(self.served.base_url))
        pipe = _open(self.process.stdin)
        pipe.write(f"{self.clock.now().isoformat()}\n")
        pipe.flush()
        return self._said("began")

    def _said(self, word: str) -> int:
        line = _open(self.process.stdout).readline().split()
        assert line[0] == word
        return int(line[1])


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


def is_alive(pid: int) -> bool:
    """Tell whether a process is at work; one that has ended is there until its parent asks for it."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@contextmanager
def collecting(store: str, pages: Path, clock: TownClock, served: ServedPaper) -> Iterator[Collector]:
    program = "from tests.e2e.collecting import main; main()"
    command = [sys.executable, "-c", program, store, str(pages), site_name(served.base_url)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield Collector(process, clock, served, store, step=timedelta(seconds=2))
        _open(process.stdin).close()


KILLED_WHILE_ASKING = """
import socket
from multiprocessing import forkserver, get_context
from tests.warm import start_workers
start_workers()
for _ in range(3):
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(forkserver._forkserver._forkserver_address)
forkserver._forkserver.ensure_running = lambda: None
worker = get_context("forkserver").Process(target=print, args=["works"])
worker.start()
worker.join()
"""


@pytest.mark.slow
def test_who_is_killed_while_asking_for_a_worker_leaves_workers_to_others() -> None:
    command = [sys.executable, "-c", KILLED_WHILE_ASKING]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout == "works\n", done.stderr


@needs.thorough
def test_fifty_kills(tmp_path: Path) -> None:
    clock = TownClock(START)
    store, pages = f"sqlite:///{tmp_path}/store.db", tmp_path / "pages"
    paper_of = partial(LivingPaper, 5, kind="static", start=START, stories=240, before=40, hours=4)
    with serve_papers([paper_of], clock.now) as (served,):
        site = site_name(served.base_url)
        with open_store(store, clock=clock.now) as opened:
            opened.add_site(site, url=f"{served.base_url}/")
            opened.put_index_pages([WatchedPage(site=site, url=f"{served.base_url}/")])
        chance = random.Random(1)
        with collecting(store, pages, clock, served) as collector:
            while collector.kills < KILLS_WHILE_LEARNING:
                collector.die(requests=chance.randrange(30), seconds=chance.uniform(0.0, 0.5))
            collector.live()
            mapped = clock.now()
            collector.step = timedelta(minutes=3)
            while collector.kills < KILLS:
                collector.die(requests=chance.randrange(12), seconds=chance.uniform(0.0, 0.3))
            collector.live()

        with open_store(store) as opened, WarcStore(pages) as archive:
            found = list(opened.records(RecordQuery(site=site)))
            for stored in found:
                assert stored.location is not None
                assert archive.read(stored.location).url
            failures = opened.failures(site)
        got = Counter(stored.record.urls[0].removeprefix(served.base_url) for stored in found)
        published = served.paper.published(clock.now())
        asked_for = served.requests.keys() & published.keys()
        newest = list(published)[:8]  # they are still on the front page
        withdrawn = served.paper.withdrawn(clock.now())

    assert len(asked_for - served.paper.published(mapped).keys()) > 5
    assert got.keys() <= published.keys()
    assert max(got.values()) == 1
    assert (asked_for | set(newest)) - withdrawn <= got.keys(), [failure.failure for failure in failures]
    for path, truth in published.items():
        titles = [stored.record.fields["title"].value for stored in found if stored.record.urls[0].endswith(path)]
        assert titles in ([], [truth.title])
    for file in sorted(pages.glob("*.warc.gz")):
        archived = [place.load() for place in open_archive(str(file)).places()]
        assert archived
        assert all(page.body for page in archived)
