"""A site in, its repaired map out, made at once: known articles are fetched again."""

import asyncio
import signal

from sitewright.actions.hold import Hold
from sitewright.cli.commands.collect import Voice, collector_options
from sitewright.cli.settings import load_settings
from sitewright.store.entries import StoredProposal, StoredSite
from sitewright.types import Failure
from sitewright.watch.collector import CollectorOptions, open_collector
from sitewright.watch.healer import propose_now

_SIGN_OF_LIFE = 5.0
"""Seconds after which the hold on the site is looked after."""


def make_proposal(hold: Hold, site: StoredSite, store: str | None, pages: str | None) -> StoredProposal | Failure:
    """Repair the map of a site that is held; `KeyboardInterrupt` where that is interrupted."""
    options = collector_options(load_settings(), store, pages)
    try:
        return asyncio.run(_propose(options, hold, site))
    except asyncio.CancelledError as error:
        raise KeyboardInterrupt from error


async def _propose(options: CollectorOptions, hold: Hold, site: StoredSite) -> StoredProposal | Failure:
    task = asyncio.current_task()
    if task is not None:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    async with open_collector(options, say=Voice(quiet=False).say) as collector:
        making = asyncio.create_task(propose_now(collector.tools, site))
        try:
            while not making.done():
                await asyncio.wait([making], timeout=_SIGN_OF_LIFE)
                hold.renew()
            return making.result()
        finally:
            making.cancel()
