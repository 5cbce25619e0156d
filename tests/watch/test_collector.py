"""Several sites and one collector: who is visited when, and what happens where something else does."""

import asyncio
import sqlite3
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import groupby
from pathlib import Path

import pytest
from tests.e2e.newsstand import PATIENCE, Newsroom, TownClock, until
from tests.e2e.servers import Reply, SiteServer, serving

from sitewright.errors import StoreError
from sitewright.processes.readers import ReadersHere
from sitewright.store.database import Store, open_store
from sitewright.watch import collector as collecting
from sitewright.watch.collector import Collector, open_collector
from sitewright.watch.health import Health

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="each site has an address of its own"),
]
NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
HOSTS = tuple(f"127.0.7.{number}" for number in range(1, 4))


@pytest.fixture
def sites() -> Iterator[list[SiteServer]]:
    servers = [SiteServer(host, seed=seed, stories=10) for seed, host in enumerate(HOSTS)]
    with serving(*servers):
        yield servers


@pytest.fixture
def clock() -> TownClock:
    return TownClock(NOW)


@pytest.fixture
def newsroom(tmp_path: Path, clock: TownClock, sites: list[SiteServer]) -> Newsroom:
    room = Newsroom(tmp_path, clock, HOSTS, workers=1)
    room.add_known(*sites)
    return room


@pytest.fixture
def store(newsroom: Newsroom) -> Iterator[Store]:
    with open_store(newsroom.store, clock=newsroom.clock.now) as opened:
        yield opened


@pytest.fixture
def reading_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have pages read in this process: no other has to begin for it."""
    monkeypatch.setattr(collecting, "Readers", ReadersHere)


class Gate:
    """Lets a site answer for its front page only when it is opened."""

    def __init__(self, site: SiteServer) -> None:
        self._site = site
        self._open = threading.Event()
        site.answer = self._answer

    def _answer(self, path: str) -> Reply:
        if path == "/":
            self._open.wait(PATIENCE)
        return self._site.good(path)

    def open(self) -> None:
        self._open.set()


def run(
    newsroom: Newsroom,
    work: Callable[[Collector, "asyncio.Task[None]"], Awaitable[None]],
    said: list[str] | None = None,
) -> None:
    """Do something while a collector runs; what it says is added to `said`."""
    heard = said if said is not None else []

    async def running() -> None:
        async with open_collector(
            newsroom.options, clock=newsroom.clock, say=lambda _, line: heard.append(line)
        ) as collector:
            task = asyncio.create_task(collector.run())
            try:
                await work(collector, task)
            finally:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    asyncio.run(running())


def test_nothing_due_ends_a_single_pass_at_once(newsroom: Newsroom, sites: list[SiteServer]) -> None:
    newsroom.collect_once()
    assert newsroom.is_complete(*sites)
    asked = [len(site.log) for site in sites]
    newsroom.collect_once()
    assert [len(site.log) for site in sites] == asked


def test_only_the_sites_that_count_are_visited(newsroom: Newsroom, sites: list[SiteServer]) -> None:
    async def work() -> None:
        async with open_collector(newsroom.options, clock=newsroom.clock) as collector:
            await asyncio.wait_for(collector.run([HOSTS[1]], once=True), PATIENCE)

    asyncio.run(work())
    assert newsroom.is_complete(sites[1])
    assert sites[0].log == sites[2].log == []


def test_no_more_sites_at_once_than_allowed(newsroom: Newsroom, sites: list[SiteServer]) -> None:
    newsroom.sites_at_once = 1
    newsroom.collect_once()
    assert newsroom.is_complete(*sites)
    asked = sorted((one.at, site.host) for site in sites for one in site.log)
    assert len([host for host, _ in groupby(host for _, host in asked)]) == 3


def test_a_site_that_hangs_holds_up_no_other(newsroom: Newsroom, sites: list[SiteServer]) -> None:
    gate = Gate(sites[0])

    async def work(_: Collector, task: "asyncio.Task[None]") -> None:
        await until(lambda: newsroom.is_complete(*sites[1:]), task)
        assert newsroom.story_paths(sites[0]).total() == 0
        gate.open()
        await until(lambda: newsroom.is_complete(*sites), task)

    run(newsroom, work)


def test_an_error_of_our_own_is_one_sites_trouble(
    newsroom: Newsroom, sites: list[SiteServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = sites[0].host
    asked = Health.load

    async def load(self: Health) -> None:
        await asked(self)
        if self._site == broken:
            raise ZeroDivisionError("nothing by nothing")

    monkeypatch.setattr(Health, "load", load)
    said = newsroom.collect_once()
    assert newsroom.is_complete(*sites[1:])
    (failure,) = newsroom.failures(broken)
    assert (failure.stage, failure.code) == ("collect", "internal_error")
    assert "internal error, left alone for an hour: ZeroDivisionError: nothing by nothing" in said


def test_a_map_that_cannot_be_read_is_one_sites_trouble(
    newsroom: Newsroom, clock: TownClock, sites: list[SiteServer], store: Store
) -> None:
    broken = sites[0].host
    with sqlite3.connect(newsroom.folder / "store.db") as connection:
        (text,) = connection.execute("SELECT text FROM maps WHERE text LIKE ?", (f"%{broken}%",)).fetchone()
        connection.execute("UPDATE maps SET text = 'not: a map' WHERE text = ?", (text,))
    said = newsroom.collect_once()
    assert newsroom.is_complete(*sites[1:])
    (failure,) = newsroom.failures(broken)
    assert (failure.stage, failure.code) == ("collect", "map_invalid")
    assert failure.detail.startswith(f"{broken} (version 1):1: map: missing sitewright, site, templates")
    assert any(line.startswith("cannot be visited, left alone for an hour: ") for line in said)
    assert sites[0].log == []
    known = store.site(broken)
    assert known is not None
    assert (known.lease_owner, known.next_due) == (None, clock.now() + timedelta(hours=1))

    with sqlite3.connect(newsroom.folder / "store.db") as connection:
        connection.execute("UPDATE maps SET text = ? WHERE text = 'not: a map'", (text,))
    clock.move(hours=1)
    newsroom.collect_once()
    assert newsroom.is_complete(*sites)


def test_a_store_that_comes_back_does_not_begin_a_second_visit(
    newsroom: Newsroom, clock: TownClock, sites: list[SiteServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One visit lasts while the store is out of order, the others end with its error and are begun anew."""
    monkeypatch.setattr(collecting, "open_store", partial(open_store, wait_seconds=0.1))
    other = sqlite3.connect(newsroom.folder / "store.db", isolation_level=None, check_same_thread=False)
    lasting, ending = Gate(sites[0]), Gate(sites[1])
    said: list[str] = []

    async def work(collector: Collector, task: "asyncio.Task[None]") -> None:
        await until(lambda: "/" in sites[0].asked and "/" in sites[1].asked, task)
        other.execute("BEGIN IMMEDIATE")
        ending.open()
        await until(lambda: collector.visits == 1 and any("trying again in" in line for line in said), task)
        other.execute("COMMIT")
        clock.run(60.0)  # what could not be written is fetched again some minutes later
        await until(lambda: newsroom.is_complete(*sites[1:]), task)
        assert sorted(sites[0].asked) == ["/", "/latest/", "/robots.txt"]  # once each
        lasting.open()
        await until(lambda: newsroom.is_complete(*sites), task)

    run(newsroom, work, said)
    other.close()
    assert sites[0].asked_stories == sites[0].stories


def test_patience_with_a_store_has_an_end(newsroom: Newsroom, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "open_store", partial(open_store, wait_seconds=0.1))
    other = sqlite3.connect(newsroom.folder / "store.db", isolation_level=None)

    async def work() -> None:
        async with open_collector(newsroom.options, clock=newsroom.clock) as collector:
            other.execute("BEGIN IMMEDIATE")
            await asyncio.wait_for(collector.run(once=True, patience=0.5), PATIENCE)

    with pytest.raises(StoreError, match="another process has been writing to it for too long"):
        asyncio.run(work())
    other.close()


def test_a_site_that_another_took_over_is_let_go(newsroom: Newsroom, sites: list[SiteServer], clock: TownClock) -> None:
    newsroom.lease_seconds = 0.3
    gate = Gate(sites[0])

    async def work(collector: Collector, task: "asyncio.Task[None]") -> None:
        await until(lambda: "/" in sites[0].asked, task)
        with open_store(newsroom.store, clock=lambda: clock.now() + timedelta(days=1)) as theirs:
            assert theirs.lease_site("another", HOSTS[0], seconds=1e6)
        await until(lambda: collector.visits == 0, task)

    run(newsroom, work)
    gate.open()
    assert newsroom.is_complete(*sites[1:])
    assert sites[0].asked_stories.total() == 0
    with open_store(newsroom.store) as store:
        held = store.site(HOSTS[0])
    assert held is not None
    assert held.lease_owner == "another"


def test_a_site_that_is_held_for_nothing_is_given_back_and_visited(
    newsroom: Newsroom, sites: list[SiteServer], store: Store
) -> None:
    """As when the store broke off after it leased a site: nobody knows, and the lease would be held for ever."""
    newsroom.lease_seconds = 0.3

    async def work(collector: Collector, task: "asyncio.Task[None]") -> None:
        await until(lambda: newsroom.is_complete(*sites), task)
        assert store.lease_site(collector.tools.owner, HOSTS[0], seconds=1e6)
        store.hasten(HOSTS[0])
        before = len(sites[0].log)
        await until(lambda: len(sites[0].log) > before, task)

    run(newsroom, work)


def test_whoever_ends_gives_all_sites_back(newsroom: Newsroom, sites: list[SiteServer], store: Store) -> None:
    gates = [Gate(site) for site in sites]

    async def work(collector: Collector, task: "asyncio.Task[None]") -> None:
        await until(lambda: all("/" in site.asked for site in sites), task)
        assert {site.lease_owner for site in store.sites()} == {collector.tools.owner}

    run(newsroom, work)
    for gate in gates:
        gate.open()
    assert {site.lease_owner for site in store.sites()} == {None}
    newsroom.collect_once()
    assert newsroom.is_complete(*sites)


def test_a_store_that_fails_for_a_visit_is_not_asked_again_and_again(
    newsroom: Newsroom, clock: TownClock, sites: list[SiteServer]
) -> None:
    """A table is gone, so that sites can be leased but not visited: each try waits longer, which is told."""
    with sqlite3.connect(newsroom.folder / "store.db") as connection:
        connection.execute("ALTER TABLE baselines RENAME TO elsewhere")
    clock.run(5.0)
    said: list[str] = []

    async def work(_: Collector, task: "asyncio.Task[None]") -> None:
        await until(lambda: sum("trying again in 4 s" in line for line in said) == len(sites), task)
        pauses = Counter(line.rpartition(" in ")[2] for line in said)
        assert [pauses[f"{seconds} s"] for seconds in (1, 2, 4)] == [len(sites)] * 3
        assert all("no such table: baselines" in line for line in said)
        with sqlite3.connect(newsroom.folder / "store.db") as connection:
            connection.execute("ALTER TABLE elsewhere RENAME TO baselines")
        await until(lambda: newsroom.is_complete(*sites), task)

    run(newsroom, work, said)


def test_patience_with_a_store_that_fails_for_visits_has_an_end(newsroom: Newsroom) -> None:
    with sqlite3.connect(newsroom.folder / "store.db") as connection:
        connection.execute("DROP TABLE baselines")

    async def work() -> None:
        async with open_collector(newsroom.options, clock=newsroom.clock) as collector:
            await asyncio.wait_for(collector.run(once=True, patience=0.5), PATIENCE)

    with pytest.raises(StoreError, match="no such table: baselines"):
        asyncio.run(work())


def test_sites_of_a_process_that_was_killed_are_taken_over_at_once(
    newsroom: Newsroom, sites: list[SiteServer], store: Store
) -> None:
    """Nobody waits for the end of a lease whose owner, on this machine, is dead; of others it is told who holds it."""
    script = "from sitewright.watch.owners import own_name; print(own_name(), flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        name = owner.stdout.readline().decode().strip()
        assert store.lease_site(name, HOSTS[0], seconds=60)
        assert store.lease_site(name, HOSTS[1], seconds=60)
        assert store.lease_site("elsewhere:1:2:3", HOSTS[2], seconds=60)
        said = newsroom.collect_once()
        assert sum(f"it is left to {name}, who holds it until 06:01:00 UTC" in line for line in said) == 2
        assert [len(site.log) for site in sites] == [0, 0, 0]
        owner.kill()
    said = newsroom.collect_once()
    assert "whoever worked on it has ended without a word; it is taken over" in said
    assert any("it is left to elsewhere:1:2:3" in line for line in said)
    assert newsroom.is_complete(*sites[:2])
    assert sites[2].log == []


@pytest.mark.usefixtures("reading_here")
def test_a_clock_that_is_set_back(newsroom: Newsroom, clock: TownClock, sites: list[SiteServer], store: Store) -> None:
    newsroom.collect_once()
    asked = [len(site.log) for site in sites]
    clock.move(days=-400)
    said = newsroom.collect_once()
    assert sum("it is due now" in line for line in said) == len(sites)
    assert all(len(site.log) > before for site, before in zip(sites, asked, strict=True))
    latest = clock.now() + timedelta(days=1)
    assert all(site.next_due is not None and site.next_due <= latest for site in store.sites())
    assert newsroom.collect_once() == []


@pytest.mark.usefixtures("reading_here")
def test_a_clock_that_is_set_back_while_it_is_watched(
    newsroom: Newsroom, clock: TownClock, sites: list[SiteServer]
) -> None:
    async def work(_: Collector, task: "asyncio.Task[None]") -> None:
        await until(lambda: newsroom.is_complete(*sites), task)
        asked = [site.asked.count("/") for site in sites]
        clock.move(hours=-5)
        await until(lambda: all(site.asked.count("/") > one for site, one in zip(sites, asked, strict=True)), task)

    run(newsroom, work)
