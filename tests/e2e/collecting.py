"""A process that collects sites, life by life; whoever started it may kill each.

python -c 'from tests.e2e.collecting import main; main()' STORE PAGES ALLOWED

Reads moments, one a line: at each it begins a life, which collects what is due at that moment, and says `began PID`;
then `ended STATUS`. All that is needed is imported once: each life is a fork, and so are the workers of all lives.
"""

import asyncio
import os
import sys
from datetime import datetime

from tests.e2e.newsstand import TownClock
from tests.warm import share_workers, start_workers

from sitewright.types import FetchSettings, Limits
from sitewright.watch.collector import CollectorOptions, open_collector


def live(options: CollectorOptions, moment: datetime) -> None:
    """Collect until nothing is due."""

    async def work() -> None:
        async with open_collector(options, clock=TownClock(moment)) as collector:
            await collector.run(once=True)

    asyncio.run(work())


def say(line: str) -> None:
    """Tell the test."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Live as often as it is wanted; were this module the main one, every worker would import it."""
    store, pages, allowed = sys.argv[1:]
    options = CollectorOptions(
        store=store,
        pages=pages,
        workers=1,
        lease_seconds=1.0,
        fetch=FetchSettings(allow_hosts=(allowed,), pause_seconds=0.0),
        limits=Limits(page_seconds=300.0),
    )
    start_workers()
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if child == 0:
            share_workers()
            live(options, datetime.fromisoformat(line.strip()))
            os._exit(0)
        say(f"began {child}")
        say(f"ended {os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}")
