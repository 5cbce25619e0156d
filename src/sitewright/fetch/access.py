"""A URL in, its Page out, as it is served or as a browser shows it: the one way to the web for all that collects."""

from contextlib import AsyncExitStack
from functools import cached_property
from typing import Self

from sitewright.errors import BrowserMissing
from sitewright.fetch.browser import BrowserFetcher, BrowserOptions, Rendering
from sitewright.fetch.chromium import find_chromium
from sitewright.fetch.crawler import Crawler, Validators
from sitewright.fetch.patience import retry_after_of
from sitewright.types import FetchSettings, Limits, Page, Render

__all__ = ["BrowserOptions", "Rendering", "Validators", "Web", "retry_after_of"]


class Web:
    """Fetches and renders pages, many at once, with one memory of robots.txt and pauses; open it with `async with`."""

    def __init__(
        self,
        settings: FetchSettings | None = None,
        limits: Limits | None = None,
        *,
        browser: BrowserOptions | None = None,
    ) -> None:
        """Connect to nothing yet; a browser starts with the first page that is rendered."""
        self._settings = settings or FetchSettings()
        self._crawler = Crawler(self._settings, limits)
        self._browser = BrowserFetcher(self._settings, limits, browser)
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Be ready."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._crawler)
            await stack.enter_async_context(self._browser)
            self._open = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close all connections and browsers."""
        await self._open.aclose()

    async def fetch(
        self, url: str, render: Render = "static", validators: Validators | None = None, *, cached: bool = False
    ) -> Page:
        """Return the page at a URL, also with an error status or a 304; `FetchError` or `PageError` if there is none.

        With `cached`, a page that was fetched so within the last hour is not fetched again; rendered pages always are.
        """
        if render == "browser":
            return (await self.render(url)).page
        return await self._crawler.fetch(url, validators, cached=cached)

    async def render(self, url: str) -> Rendering:
        """Return the page that a browser shows at a URL, with the JSON that its scripts fetched."""
        find_chromium(self._settings.browser)
        await self._crawler.check(url)
        await self._crawler.turn(url)
        rendering = await self._browser.render(url)
        await self._crawler.check(rendering.page.location)  # it may have led elsewhere
        return rendering

    @cached_property
    def can_render(self) -> bool:
        """Whether Playwright and Chromium are there."""
        try:
            find_chromium(self._settings.browser)
        except BrowserMissing:
            return False
        return True

    def delay_of(self, url: str) -> float:
        """Return the pause between two fetches that a host is given now: the one set, or its Crawl-delay if longer."""
        return self._crawler.delay_of(url)
