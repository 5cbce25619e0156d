"""Three processes that watch the sites of one PostgreSQL store together, of which one is killed."""

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from tests.e2e.newsstand import PATIENCE, Newsroom
from tests.e2e.servers import SiteServer, serving
from tests.postgres import PostgresServer

from sitewright.store.database import Store, open_store
from sitewright.store.warc import WarcStore
from sitewright.watch.clock import Clock

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="each site has an address of its own")
HOSTS = [f"127.0.4.{number}" for number in range(1, 31)]
STORIES = 10
LEASE = 6.0
PAUSE = 1.0
NAMES = ("Alpha", "Beta", "Gamma")


@contextmanager
def watching(newsroom: Newsroom, name: str) -> Iterator["subprocess.Popen[bytes]"]:
    arguments = [newsroom.store, f"{newsroom.folder}/pages", name, str(LEASE), str(PAUSE), ",".join(HOSTS)]
    program = [sys.executable, str(Path(__file__).with_name("watching.py")), *arguments]
    with (newsroom.folder / f"{name}.log").open("wb") as log, subprocess.Popen(program, stderr=log) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(PATIENCE)


def wait_until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.1)


def held_by(store: Store, process: "subprocess.Popen[bytes]") -> dict[str, datetime]:
    """Return the sites that a process holds, and until when."""
    held = {site.name: site.lease_until for site in store.sites() if f":{process.pid}:" in (site.lease_owner or "")}
    return {name: until for name, until in held.items() if until is not None}


def turns_of(folder: Path, host: str) -> Iterator[float]:
    """Yield when any of the processes took a host's turn."""
    for name in NAMES:
        for line in (folder / f"{name}.log").read_text("utf-8").splitlines():
            if line.startswith(f"turn {host} "):
                yield float(line.split()[2])


@dataclass(frozen=True)
class Watched:
    """What was asked of the sites, by whom, and which of them the process held that was killed."""

    newsroom: Newsroom
    sites: Sequence[SiteServer]
    held: Mapping[str, datetime]
    killed_at: datetime
    exits: Sequence[int]


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    server = PostgresServer()
    try:
        server.start()
        yield watch(Newsroom(tmp_path_factory.mktemp("several"), Clock(), tuple(HOSTS), address=server.url))
    finally:
        server.remove()


def watch(newsroom: Newsroom) -> Watched:
    sites = [SiteServer(host, seed=seed, stories=STORIES) for seed, host in enumerate(HOSTS)]
    newsroom.add_known(*sites)
    with serving(*sites), open_store(newsroom.store) as store, ExitStack() as stack:
        victim, *others = [stack.enter_context(watching(newsroom, name)) for name in NAMES]
        wait_until(lambda: sum(site.asked_stories.total() for site in sites) > 60 and bool(held_by(store, victim)))
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        killed_at, held = datetime.now(UTC), held_by(store, victim)
        wait_until(lambda: newsroom.is_complete(*sites) and not held_by(store, victim))
        wait_until(lambda: all({one.agent for one in site.log} & {*NAMES[1:]} for site in sites))
        for process in others:
            process.terminate()
            process.wait(PATIENCE)
        return Watched(newsroom, sites, held, killed_at, [process.returncode for process in (victim, *others)])


def test_every_site_is_served_and_all_take_part(watched: Watched) -> None:
    assert watched.newsroom.is_complete(*watched.sites)
    assert [failure for site in watched.sites for failure in watched.newsroom.failures(site.host)] == []
    assert {one.agent for site in watched.sites for one in site.log} == set(NAMES)


def test_no_page_is_fetched_twice(watched: Watched) -> None:
    """Except for what was on its way to the process that was killed."""
    for site in watched.sites:
        if site.host in watched.held:
            assert max(site.asked_stories.values()) <= 2
        else:
            assert site.asked_stories == site.stories


def test_hosts_have_their_pause_whoever_comes(watched: Watched) -> None:
    """By when requests were sent: on a busy machine they may arrive at any time after that.

    There a process may also lose a site that it is still at work on, as it is late to renew its lease.
    """
    for site in watched.sites:
        turns = sorted(turns_of(watched.newsroom.folder, site.host))
        assert len(turns) >= STORIES
        gaps = sorted(later - earlier for earlier, later in pairwise(turns))
        assert sum(gap <= PAUSE / 4 for gap in gaps) <= 1  # the site was lost while a request was on its way
        assert gaps[len(gaps) // 10] >= 0.99 * PAUSE


def test_sites_of_a_killed_process_go_on_within_the_lease(watched: Watched) -> None:
    assert watched.held
    assert max(watched.held.values()) <= watched.killed_at + timedelta(seconds=LEASE)
    for site in watched.sites:
        if site.host in watched.held:
            assert {one.agent for one in site.log} & set(NAMES[1:])


def test_who_is_asked_to_end_gives_all_sites_back(watched: Watched) -> None:
    assert watched.exits == [-signal.SIGKILL, 0, 0]
    with open_store(watched.newsroom.store) as store:
        assert [site.lease_owner for site in store.sites()] == [None] * len(watched.sites)


def test_all_pages_are_in_one_archive(watched: Watched) -> None:
    with WarcStore(watched.newsroom.folder / "pages") as archive:
        for site in watched.sites:
            for record in watched.newsroom.records(site.host):
                assert record.location is not None
                assert archive.read(record.location).url == record.record.urls[0]
