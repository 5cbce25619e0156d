"""Sites in the store in, their news in the store out, for as long as wanted; any number of processes share the work.

Each process leases whole sites: while it holds one, it alone fetches from it, so the pauses of hosts are held across
machines. A process that dies loses its leases after some time, and another goes on from what is in the store.
"""

import asyncio
import math
import time
from collections.abc import AsyncIterator, Collection, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from sitewright.errors import SitewrightError, StoreError
from sitewright.fetch import LiveWeb
from sitewright.heal.sure import SURE
from sitewright.processes.readers import Readers
from sitewright.store.agreement import lacking
from sitewright.store.database import Store, open_store
from sitewright.store.engine import sqlite_file
from sitewright.store.entries import StoredSite
from sitewright.store.warc import WarcStore
from sitewright.types import Failure, FetchSettings, Limits
from sitewright.watch.clock import Clock
from sitewright.watch.courier import open_courier
from sitewright.watch.events import Ears
from sitewright.watch.outbox import Outbox
from sitewright.watch.owners import is_gone, own_name
from sitewright.watch.recorder import Recorder
from sitewright.watch.retries import LONGEST_WAIT
from sitewright.watch.store_thread import StoreThread
from sitewright.watch.tally import Tally
from sitewright.watch.timing.periods import Timing
from sitewright.watch.tools import Say, Tools
from sitewright.watch.visit import Visit

_TURN = timedelta(minutes=2)
"""How long a site is worked on before others that wait have their turn."""
_POLL_SECONDS = 5.0
"""How often a process looks for sites that others added."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 60.0
"""Between two tries to reach a store that is out of order."""
_BROKEN = timedelta(hours=1)
"""How long a site is left alone whose visit ended in an error of our own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectorOptions:
    """Where collected things go, and how much is done at once."""

    store: str
    pages: str
    """The folder of the web archive."""
    sites_at_once: int = 32
    workers: int = 0
    """Processes that read pages; 0: one a core."""
    lease_seconds: float = 60.0
    """How long a process may be silent before others take over its sites; it speaks up three times as often."""
    sure: float = SURE
    """From this confidence on a repaired rule is adopted by itself; above 1: never."""
    fetch: FetchSettings = field(default_factory=FetchSettings)
    limits: Limits = field(default_factory=Limits)
    timing: Timing = field(default_factory=Timing)
    downloads: str = ""
    """A folder that keeps the files of pictures; empty: none are kept."""
    on_event: str = field(default="", repr=False)
    """A command, or the address of a webhook, that is told of records, failures and incidents; empty: none."""


def say_nothing(_site: str, _line: str) -> None:
    """Keep it to oneself."""


@asynccontextmanager
async def open_collector(
    options: CollectorOptions, *, clock: Clock | None = None, say: Say = say_nothing, tally: Tally | None = None
) -> AsyncIterator["Collector"]:
    """Open the store, the archive and the web, and close them in the end; what happens is counted in the tally."""
    own_clock, own_tally = clock or Clock(), tally or Tally()
    async with AsyncExitStack() as stack:
        store = stack.enter_context(open_store(options.store, clock=own_clock.now))
        store_thread = stack.enter_context(StoreThread(store))
        ends = store.archive_files()
        archive = stack.enter_context(WarcStore(Path(options.pages), ends=ends))
        is_alone = sqlite_file(options.store) is not None
        _tell_damage(archive, lacking(ends, Path(options.pages), alone=is_alone), say)
        readers = await stack.enter_async_context(Readers(options.limits, options.workers))
        web = await stack.enter_async_context(LiveWeb(options.fetch, options.limits))
        owner, ears = own_name(), Ears(own_tally.hear)
        if options.on_event:
            outbox = stack.enter_context(Outbox(Path(options.pages), owner=owner, now=own_clock.now))
            await stack.enter_async_context(open_courier(options.on_event, outbox, store_thread, say))
            ears = Ears(own_tally.hear, outbox)
        recorder = await stack.enter_async_context(Recorder(store_thread, archive, ears))
        tools = Tools(
            web=web,
            readers=readers,
            store_thread=store_thread,
            recorder=recorder,
            clock=own_clock,
            timing=options.timing,
            pages=options.pages,
            sure=options.sure,
            owner=owner,
            downloads=options.downloads,
            say=say,
            ears=ears,
            tally=own_tally,
        )
        yield Collector(tools, store, options)


def _tell_damage(archive: WarcStore, lacks: Sequence[str], say: Say) -> None:
    """Say what a quick look finds wrong with the archive; what is left of it is used as ever."""
    gaps = [f"{gap.file}: {gap.length:,} bytes from byte {gap.offset:,} on are damaged" for gap in archive.gaps]
    for line in (*gaps, *lacks):
        say("", f"{line}; run: sitewright store check")


class Collector:
    """Works on sites that are due, many at once."""

    def __init__(self, tools: Tools, store: Store, options: CollectorOptions) -> None:
        self.tools = tools
        self.store = store
        self._most = options.sites_at_once
        self._lease_seconds = options.lease_seconds
        self._visits: dict[str, asyncio.Task[None]] = {}
        self._unfinished: dict[str, datetime] = {}
        """Sites whose turn was over before their work was, and when they may be visited again."""
        self._spent: set[str] = set()
        """Sites of which this run has had all the pages it may have."""
        self._store_error: BaseException | None = None
        self._pauses: dict[str, float] = {}
        """Sites whose last visit ended with an error of the store, though it leases them; how long each waits now."""
        self._latest = tools.clock.now()

    @property
    def visits(self) -> int:
        """How many sites are being worked on."""
        return len(self._visits)

    async def run(self, only: Collection[str] = (), *, once: bool = False, patience: float | None = None) -> None:
        """Collect until cancelled, or, if `once`, until nothing is due; `only` names the sites that count.

        Where the tally allows so many pages of a site only, name the sites: it ends when all have had theirs.
        A store that is out of order is waited for; beyond `patience` seconds its error is raised.
        """
        renewing = asyncio.create_task(self._renew())
        try:
            await self._take_over()
            await self._bring_back()
            await self._work(frozenset(only), once=once, patience=patience)
        finally:
            renewing.cancel()
            await self._stop()

    async def _take_over(self) -> None:
        """Give back the sites of processes of this machine that have ended without a word; others are waited for."""
        with suppress(StoreError):  # the work itself waits for the store, and says so
            for site in await self.tools.store_thread.ask(Store.leased_sites):
                if site.lease_owner is not None and is_gone(site.lease_owner):
                    self.tools.say(site.name, "whoever worked on it has ended without a word; it is taken over")
                    await self.tools.store_thread.ask(partial(Store.release_sites, owner=site.lease_owner))

    async def _bring_back(self) -> None:
        """Have nothing wait for a time that was only right by a clock that has been set back since."""
        self._latest = self.tools.clock.now()
        longest = max(self.tools.timing.longest_silence, LONGEST_WAIT.total_seconds())
        lease = self._lease_seconds * self.tools.clock.speed
        with suppress(StoreError):  # the work itself waits for the store, and says so
            for site in await self.tools.store_thread.ask(lambda store: store.bring_back(longest, lease)):
                self.tools.say(site, "it was due at a time that the clock, set back, is far from; it is due now")

    async def _tell_held(self, only: Collection[str]) -> None:
        """Say which sites are left to others that work on them."""
        now = self.tools.clock.now()
        for site in await self.tools.store_thread.ask(Store.leased_sites):
            is_due = site.next_due is not None and site.next_due <= now
            if is_due and site.lease_owner != self.tools.owner and (not only or site.name in only):
                until = f"{site.lease_until:%H:%M:%S}" if site.lease_until is not None else "later"
                self.tools.say(site.name, f"it is left to {site.lease_owner}, who holds it until {until} UTC at least")

    async def _work(self, only: frozenset[str], *, once: bool, patience: float | None) -> None:
        pause, waited = _FIRST_PAUSE, 0.0
        while True:
            if self.tools.clock.now() < self._latest:
                await self._bring_back()
            self._latest = self.tools.clock.now()
            if self._store_error is not None and max(self._pauses.values(), default=0.0) >= (patience or math.inf):
                raise self._store_error
            try:
                due = await self._start_visits(only)
                pause, waited = _FIRST_PAUSE, 0.0
            except StoreError as error:
                if patience is not None and waited >= patience:
                    raise
                self.tools.say("", f"{error}; trying again in {pause:.0f} s")
                await asyncio.sleep(pause)
                pause, waited = min(2 * pause, _LONGEST_PAUSE), waited + pause
                continue
            is_over = bool(only) and only <= self._spent
            if not self._visits and (is_over or (once and not (due or self._unfinished))):
                await self._tell_held(only)
                return
            await self._wait(only - self._spent)

    async def _start_visits(self, only: frozenset[str]) -> int:
        """Lease sites that are due and begin to work on them; return how many."""
        owner, store_thread = self.tools.owner, self.tools.store_thread
        if self._store_error is not None:  # it is back: what was dropped meanwhile is taken anew
            await self._hold()
            self._store_error = None
        now = self.tools.clock.now()
        free = self._most - len(self._visits)
        wanted = only - self._spent
        if free <= 0 or (only and not wanted):
            return 0
        seconds = self._lease_seconds * self.tools.clock.speed
        sites = await store_thread.ask(lambda store: store.lease_sites(owner, seconds=seconds, limit=free, only=wanted))
        for site in sites:
            self._visits[site.name] = asyncio.create_task(self._visit(site))
        self._unfinished = {name: moment for name, moment in self._unfinished.items() if moment > now}
        return len(sites)

    async def _visit(self, site: StoredSite) -> None:
        until, began = self.tools.clock.now() + _TURN, time.monotonic()
        try:
            left_until = await Visit(self.tools, site).run(until)
            self._pauses.pop(site.name, None)
            if self.tools.tally.room(site.name) == 0:
                self._spent.add(site.name)
                self.tools.say(site.name, "it has had the pages of this run; the rest waits")
            elif left_until is not None:
                self._unfinished[site.name] = left_until
        except* StoreError as errors:
            await self._put_off(site, next(_leaves(errors)))
        except* Exception as errors:  # noqa: BLE001 -- one site's trouble is not the others'
            await self._broken(site, next(_leaves(errors)))
        finally:
            self.tools.tally.spend(site.name, time.monotonic() - began)
            del self._visits[site.name]

    async def _put_off(self, site: StoredSite, error: BaseException) -> None:
        """Wait before a site is visited again for which the store is out of order, each time longer, and say so."""
        self._store_error = error
        pause = min(2 * self._pauses.get(site.name, _FIRST_PAUSE / 2), _LONGEST_PAUSE)
        later = self.tools.clock.now() + timedelta(seconds=pause * self.tools.clock.speed)
        self._unfinished[site.name] = later
        try:
            await self.tools.store_thread.ask(
                lambda store: store.release_site(self.tools.owner, site.name, not_before=later)
            )
        except StoreError:
            return  # it does not even lease sites: that is waited for, and told, for all of them
        self._pauses[site.name] = pause
        self.tools.say(site.name, f"{error}; trying again in {pause:.0f} s")

    async def _broken(self, site: StoredSite, error: BaseException) -> None:
        """Leave a site alone for some time whose visit ended in an error of our own, or of its map, and say so."""
        if isinstance(error, SitewrightError):
            what, code, told = "cannot be visited", error.code, str(error)
        else:
            what, code, told = "internal error", "internal_error", f"{type(error).__name__}: {error}"
        self.tools.say(site.name, f"{what}, left alone for an hour: {told}")
        later = self.tools.clock.now() + _BROKEN
        failure = Failure(site.url, "collect", code, told)
        try:
            await self.tools.add_failure(site.name, failure)
            await self.tools.store_thread.ask(
                lambda store: store.release_site(self.tools.owner, site.name, not_before=later)
            )
        except StoreError as gone:
            self._store_error = gone

    async def _wait(self, only: frozenset[str]) -> None:
        """Wait until a visit ends, something is due, or it is time to look again."""
        visits = list(self._visits.values())  # one may end while the store is asked
        seconds = await self._seconds_to_next(only) if len(visits) < self._most else _POLL_SECONDS
        if visits:
            await asyncio.wait(visits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        else:
            await asyncio.sleep(seconds)

    async def _seconds_to_next(self, only: frozenset[str]) -> float:
        """Return how long to wait, in seconds outside."""
        try:
            due = await self.tools.store_thread.ask(lambda store: store.next_site_due(only))
        except StoreError:
            return _FIRST_PAUSE
        left = (due - self.tools.clock.now()).total_seconds() if due is not None else _POLL_SECONDS
        return min(max(left / self.tools.clock.speed, 0.01), _POLL_SECONDS)

    async def _renew(self) -> None:
        """Hold the leases for as long as there is work."""
        while True:
            await asyncio.sleep(self._lease_seconds / 3)
            try:
                await self._hold()
            except StoreError as error:
                self._store_error = error

    async def _hold(self) -> None:
        """Renew leases; let go of sites that another took over, and give back those that nobody here works on."""
        owner, store_thread, seconds = (
            self.tools.owner,
            self.tools.store_thread,
            self._lease_seconds * self.tools.clock.speed,
        )
        held = await store_thread.ask(lambda store: store.renew_sites(owner, seconds=seconds))
        dropped = held - self._visits.keys()  # the store failed while they were leased or released
        for name in self._visits.keys() - held:
            self._visits[name].cancel()
        for name in dropped:
            later = self._unfinished.get(name)
            await store_thread.ask(partial(Store.release_site, owner=owner, site=name, not_before=later))

    async def _stop(self) -> None:
        """End all visits and give the sites back; what is on its way is still waiting in the store."""
        visits = list(self._visits.values())
        for visit in visits:
            visit.cancel()
        await asyncio.gather(*visits, return_exceptions=True)
        try:
            await self.tools.store_thread.ask(lambda store: store.release_sites(self.tools.owner))
        except StoreError as error:
            self.tools.say("", str(error))


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors that a group holds."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error
