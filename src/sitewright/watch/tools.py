"""What a collector works with, in one place."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from sitewright.fetch import Validators, Web
from sitewright.processes.readers import Readers
from sitewright.types import Page, Render
from sitewright.watch.clock import Clock
from sitewright.watch.recorder import Recorder
from sitewright.watch.store_thread import StoreThread
from sitewright.watch.timing.periods import Timing

Say = Callable[[str, str], None]
"""Hears the name of a site and what is being done there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebTools:
    """The web, those who read its pages, and the clock."""

    web: Web
    readers: Readers
    clock: Clock
    say: Say

    async def fetch(
        self, url: str, render: Render = "static", validators: Validators | None = None, *, cached: bool = False
    ) -> Page:
        """Return the page at a URL, fetched now by our clock; `FetchError` or `PageError` where there is none."""
        page = await self.web.fetch(url, render, validators, cached=cached)
        return replace(page, fetched_at=self.clock.now())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools(WebTools):
    """Beside them the store, and all that is set for collecting."""

    store_thread: StoreThread
    recorder: Recorder
    timing: Timing
    pages: str
    """The folder of the web archive."""
    sure: float
    """From this confidence on a repaired rule is adopted by itself."""
    owner: str
    """Under which name this process holds sites."""
