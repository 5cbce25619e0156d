"""Settings and the options of a call in, a collector at work out: what it says shown, and ended by Ctrl-C."""

import asyncio
import signal
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from sitewright.cli.settings import Settings
from sitewright.cli.show.lines import echo
from sitewright.values.words import counted
from sitewright.watch.collector import Collector, CollectorOptions, open_collector
from sitewright.watch.tally import Tally
from sitewright.watch.timing.periods import Timing

PATIENCE = 60.0
"""Seconds for which a single pass waits for a store that is out of order."""
Result = TypeVar("Result")


def collector_options(
    settings: Settings, store: str | None, pages: str | None, *, on_event: str = "", downloads: str = ""
) -> CollectorOptions:
    """Return how a collector works, by settings and by the options of a call."""
    watched = settings.watch
    return CollectorOptions(
        store=store or settings.store.url,
        pages=pages or settings.store.pages,
        sites_at_once=watched.sites_at_once,
        workers=settings.jobs,
        sure=watched.sure,
        fetch=settings.fetch,
        limits=settings.limits,
        on_event=on_event,
        downloads=downloads,
        timing=Timing(
            minimum=watched.minimum_seconds,
            maximum=watched.maximum_seconds,
            goal=watched.goal_seconds,
            longest_silence=max(Timing().longest_silence, watched.maximum_seconds),
        ),
    )


def run_until_interrupted(work: Coroutine[Any, Any, Result]) -> Result:
    """Do work that waits for many things; `KeyboardInterrupt` where it was asked to end, which it does cleanly."""

    async def working() -> Result:
        task = asyncio.current_task()
        if task is not None:
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        return await work

    try:
        return asyncio.run(working())
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error


class Voice:
    """Tells what is done, line by line, and on a terminal how much."""

    def __init__(self, *, quiet: bool) -> None:
        """Say nothing at all where it is to be quiet."""
        self._quiet = quiet

    def say(self, site: str, line: str) -> None:
        """Say a line about a site."""
        if not self._quiet:
            self.clear()
            echo(f"{site}: {line}" if site else line, err=True)

    def status(self, line: str) -> None:
        """Show how much is done, over what was shown before."""
        if not self._quiet and sys.stderr.isatty():
            sys.stderr.write(f"\r\033[K{line}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take the status away."""
        self.status("")


def collect_sites(
    options: CollectorOptions,
    voice: Voice,
    work: Callable[[Collector], Coroutine[Any, Any, None]],
    tally: Tally | None = None,
) -> bool:
    """Let a collector work, and count what it does; False where it was interrupted."""

    async def collecting() -> None:
        async with open_collector(options, say=voice.say, tally=tally) as collector:
            showing = asyncio.create_task(_show_progress(collector, voice))
            try:
                await work(collector)
            finally:
                showing.cancel()
                voice.clear()

    try:
        run_until_interrupted(collecting())
    except KeyboardInterrupt:
        return False
    return True


async def _show_progress(collector: Collector, voice: Voice) -> None:
    while True:
        kept = collector.tools.recorder
        failed = f", {kept.failures:,} failed" if kept.failures else ""
        voice.status(f"{counted(kept.records, 'record')}{failed}; {counted(collector.visits, 'site')} at work")
        await asyncio.sleep(0.5)
