"""A process that watches the sites of a store until it is ended, and writes down when it took the turn of a host.

python watching.py STORE PAGES NAME LEASE_SECONDS PAUSE_SECONDS ALLOWED
"""

import asyncio
import signal
import sys
from typing import Any

from sitewright.fetch.host_pauses import HostPauses
from sitewright.types import FetchSettings, Limits
from sitewright.watch.collector import CollectorOptions, open_collector
from sitewright.watch.timing.periods import Timing


def note_turns() -> None:
    """Write `turn HOST SECONDS` for each, by the clock that all processes share: when a request is sent, not when it arrives."""
    take = HostPauses.turn

    async def noted(pauses: HostPauses, host: str, *rest: Any) -> None:
        await take(pauses, host, *rest)
        sys.stderr.write(f"turn {host} {pauses._visited[host]}\n")

    HostPauses.turn = noted  # type: ignore[method-assign]


async def watch(options: CollectorOptions) -> None:
    """Collect until SIGTERM, and end in peace."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    async with open_collector(options, say=lambda site, line: sys.stderr.write(f"{site}: {line}\n")) as collector:
        await collector.run()


def main(store: str, pages: str, name: str, *others: str) -> None:
    lease, pause, allowed = others
    options = CollectorOptions(
        store=store,
        pages=pages,
        workers=1,
        sites_at_once=8,
        lease_seconds=float(lease),
        fetch=FetchSettings(allow_hosts=tuple(allowed.split(",")), pause_seconds=float(pause), user_agent=name),
        limits=Limits(page_seconds=300.0),
        timing=Timing(minimum=3.0, maximum=6.0, goal=3.0),
    )
    note_turns()
    try:
        asyncio.run(watch(options))
    except asyncio.CancelledError:
        sys.exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
