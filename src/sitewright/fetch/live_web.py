"""A URL in, its Page out, as it is served or as a browser shows it: the one way to the web."""

from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING, Self

from sitewright.errors import BrowserMissing
from sitewright.fetch.browser import BrowserFetcher, BrowserOptions
from sitewright.fetch.chromium import find_chromium
from sitewright.fetch.picture_fetcher import Picture, PictureFetcher
from sitewright.fetch.turning import Turning
from sitewright.fetch.web import Rendering, Validators
from sitewright.parse.picture_head import PictureHead
from sitewright.types import FetchSettings, Limits, Page, Render

if TYPE_CHECKING:
    from sitewright.fetch.crawler import Crawler


class LiveWeb:
    """The `Web` out there, with one memory of robots.txt and pauses; open it with `async with`.

    It connects to nothing before it is asked for a page; a browser starts with the first page that is rendered.
    """

    def __init__(
        self,
        settings: FetchSettings | None = None,
        limits: Limits | None = None,
        *,
        browser: BrowserOptions | None = None,
    ) -> None:
        self._settings = settings or FetchSettings()
        self._limits = limits
        self._pictures = PictureFetcher(self._settings)
        self._browser = BrowserFetcher(self._settings, limits, browser)
        self._crawler: Crawler
        self._open = AsyncExitStack()

    async def __aenter__(self) -> Self:
        from sitewright.fetch.crawler import Crawler  # noqa: PLC0415 -- Scrapy: only who fetches pays for it

        async with AsyncExitStack() as stack:
            self._crawler = await stack.enter_async_context(Crawler(self._settings, self._limits))
            await stack.enter_async_context(self._browser)
            stack.push_async_callback(self._pictures.close)
            self._open = stack.pop_all()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def fetch(
        self, url: str, render: Render = "static", validators: Validators | None = None, *, cached: bool = False
    ) -> Page:
        if render == "browser":
            return (await self.render(url)).page
        return await self._crawler.fetch(url, validators, cached=cached)

    async def render(self, url: str, turning: Turning | None = None) -> Rendering:
        find_chromium(self._settings.browser)
        await self._crawler.check(url)
        await self._crawler.turn(url)
        rendering = await self._browser.render(url, turning)
        await self._crawler.check(rendering.page.location)  # it may have led elsewhere
        return rendering

    async def picture(self, url: str) -> Picture:
        await self._may_ask(url)
        return await self._pictures.fetch(url)

    async def picture_head(self, url: str) -> PictureHead:
        await self._may_ask(url)
        return await self._pictures.head(url)

    async def _may_ask(self, url: str) -> None:
        """Wait for a turn at a host whose robots.txt has nothing against it."""
        await self._crawler.check(url)
        await self._crawler.turn(url)

    @cached_property
    def can_render(self) -> bool:
        """Whether Playwright and Chromium are there."""
        try:
            find_chromium(self._settings.browser)
        except BrowserMissing:
            return False
        return True

    def delay_of(self, url: str) -> float:
        return self._crawler.delay_of(url)
