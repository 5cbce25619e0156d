"""What a collector remembers of a site in, the same out with what a visit adds to it, written when it is saved."""

from dataclasses import replace
from typing import Any

from sitewright.store.entries import StoredSite
from sitewright.store.states import SiteState
from sitewright.watch.tools import Tools


class HeldState:
    """The state of a site in the hands of its visitor."""

    def __init__(self, tools: Tools, site: StoredSite) -> None:
        self._tools = tools
        self._site = site.name
        self.now: SiteState = site.state

    def change(self, **changes: Any) -> None:
        """Replace some of what is remembered."""
        self.now = replace(self.now, **changes)

    async def save(self) -> None:
        """Write what is remembered now."""
        site, state = self._site, self.now
        await self._tools.store_thread.ask(lambda store: store.save_site_state(site, state))
