"""A process that collects sites on a fast clock and is killed again and again; the last one may finish.

python collecting.py STORE PAGES SPEED START KILLS SEED ALLOWED

Says `mapped TIME` when all sites have a map, `killed N` after each kill, and `done TIME` when the last one was ended in peace.
All that is needed is imported once; each life is a fork, so that fifty lives take a minute.
"""

import asyncio
import os
import random
import signal
import sys
import time
from datetime import datetime

import sitewright.processes.readers  # noqa: F401 -- the workers need it
from sitewright.store.database import open_store
from sitewright.types import FetchSettings
from sitewright.watch.clock import Clock
from sitewright.watch.collector import CollectorOptions, open_collector

_KILLS_WHILE_LEARNING = 8


def live(options: CollectorOptions, clock: Clock, seconds: float) -> None:
    """Collect for some seconds, and until no link waits; then end in peace."""

    async def work() -> None:
        async with open_collector(options, clock=clock) as collector:
            task = asyncio.create_task(collector.run())
            await asyncio.wait([task], timeout=seconds)
            names = [site.name for site in collector.store.sites()]
            while not task.done() and any(collector.store.count_waiting(name) for name in names):
                await asyncio.sleep(0.1)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    asyncio.run(work())


def life_and_death(options: CollectorOptions, clock: Clock, seconds: float) -> None:
    """Begin a life and end it at once after some seconds."""
    child = os.fork()
    if child == 0:
        live(options, clock, 600.0)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def say(line: str) -> None:
    """Tell the test."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def learn(options: CollectorOptions, clock: Clock) -> None:
    """Let somebody live until all sites have a map."""
    child = os.fork()
    if child == 0:
        live(options, clock, 600.0)
        os._exit(0)
    mapped = False
    while not mapped:
        time.sleep(0.5)
        with open_store(options.store) as store:
            mapped = all(store.load_map(site.name) is not None for site in store.sites())
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def main(arguments: list[str]) -> None:
    """Live and die."""
    store, pages, allowed = arguments[0], arguments[1], arguments[6]
    speed, start, kills, seed = float(arguments[2]), arguments[3], int(arguments[4]), int(arguments[5])
    clock = Clock(speed=speed, start=datetime.fromisoformat(start))
    options = CollectorOptions(
        store=store,
        pages=pages,
        workers=1,
        lease_seconds=0.2,
        fetch=FetchSettings(allow_hosts=tuple(allowed.split(",")), pause_seconds=0.0),
    )
    chance = random.Random(seed)
    for number in range(_KILLS_WHILE_LEARNING):
        life_and_death(options, clock, chance.uniform(0.05, 2.0))
        say(f"killed {number}")
    learn(options, clock)
    say(f"mapped {clock.now().isoformat()}")
    for number in range(_KILLS_WHILE_LEARNING, kills):
        life_and_death(options, clock, chance.uniform(0.2, 3.0))
        say(f"killed {number}")
    live(options, clock, 8.0)
    say(f"done {clock.now().isoformat()}")


if __name__ == "__main__":
    main(sys.argv[1:])
