"""A site in, its repaired map out, made at once: known articles are fetched again."""

import asyncio

from sitewright.actions.hold import Hold
from sitewright.store.entries import StoredProposal, StoredSite
from sitewright.types import Failure
from sitewright.watch.collector import CollectorOptions, open_collector
from sitewright.watch.healer import propose_now
from sitewright.watch.tools import Say

_SIGN_OF_LIFE = 5.0
"""Seconds after which the hold on the site is looked after."""


async def make_proposal(options: CollectorOptions, hold: Hold, site: StoredSite, say: Say) -> StoredProposal | Failure:
    """Repair the map of a site that is held, and tell (`say`) what is done; nothing is stored where it is cancelled."""
    async with open_collector(options, say=say) as collector:
        making = asyncio.create_task(propose_now(collector.tools, site))
        try:
            while not making.done():
                await asyncio.wait([making], timeout=_SIGN_OF_LIFE)
                hold.renew()
            return making.result()
        finally:
            making.cancel()
