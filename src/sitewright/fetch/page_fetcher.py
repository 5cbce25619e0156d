"""URLs in, their Pages out: a `Web` for whoever does not use coroutines."""

import asyncio
import weakref
from collections import deque
from collections.abc import Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from itertools import islice
from threading import Thread
from typing import Any, Protocol, Self, TypeVar

from sitewright.errors import FetchError, PageError
from sitewright.fetch.live_web import LiveWeb
from sitewright.fetch.web import Web
from sitewright.types import FetchSettings, Limits, Page, Render

_Result = TypeVar("_Result")
_AT_ONCE = 16
"""Pages that are asked for at the same time; those of one host wait for one another all the same."""


class Fetcher(Protocol):
    """Whatever fetches pages."""

    def fetch(self, url: str) -> Page:
        """Return the page at a URL; `FetchError` where there is none to be had."""

    def fetch_each(self, urls: Iterable[str]) -> Iterator[Page | FetchError | PageError]:
        """Yield the pages at some URLs, in their order, or why there is none."""


RenderOf = Callable[[str], Render]
"""Tells how the page at an address is fetched."""


def as_served(_: str) -> Render:
    """Have every page fetched as it is served."""
    return "static"


class PageFetcher:
    """Fetches pages of a `Web`, which it opens with the first of them; `close` or `with` ends it."""

    def __init__(
        self, web: AbstractAsyncContextManager[Web], *, render_of: RenderOf = as_served, cached: bool = False
    ) -> None:
        """Fetch nothing yet; with `cached`, pages of the last hour are not fetched again."""
        self._unopened = web
        self._render_of = render_of
        self._cached = cached
        self._opened: _OpenedWeb | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fetch(self, url: str) -> Page:
        """Return the page at a URL, also one with an error status; `FetchError` or `PageError` if there is none."""
        return self._begin(url)()

    def fetch_each(self, urls: Iterable[str]) -> Iterator[Page | FetchError | PageError]:
        """Yield the pages at some URLs, in their order, or why there is none; several are fetched at the same time."""
        waiting = iter(urls)
        begun = deque(map(self._begin, islice(waiting, _AT_ONCE)))
        while begun:
            try:
                yield begun.popleft()()
            except (FetchError, PageError) as error:
                yield error
            begun.extend(map(self._begin, islice(waiting, 1)))

    def _begin(self, url: str) -> Callable[[], Page]:
        """Ask for a page, and return what waits for it."""
        if self._opened is None:
            self._opened = _OpenedWeb(self._unopened)
            weakref.finalize(self, self._opened.end)  # where nobody closes it
        return self._opened.fetch(url, self._render_of(url), cached=self._cached)

    def close(self) -> None:
        """Give up what is under way, and close all connections."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None


class WebFetcher(PageFetcher):
    """Fetches pages of the live web."""

    def __init__(
        self,
        settings: FetchSettings | None = None,
        limits: Limits | None = None,
        *,
        render_of: RenderOf = as_served,
        cached: bool = False,
    ) -> None:
        super().__init__(LiveWeb(settings, limits), render_of=render_of, cached=cached)


class _OpenedWeb:
    """A web and its event loop in a thread of their own: an interrupt breaks off who waits, and nothing within.

    So it also works for whoever has an event loop already, as notebooks have.
    """

    def __init__(self, unopened: AbstractAsyncContextManager[Web]) -> None:
        self._unopened = unopened
        self._web: Web | None = None
        self._exits = AsyncExitStack()
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=_serve, args=(self._loop,), name="sitewright-fetch", daemon=True)
        self._thread.start()

    def fetch(self, url: str, render: Render, *, cached: bool) -> Callable[[], Page]:
        """Begin to fetch a page, and return what waits for it."""
        if self._web is None:
            self._web = self._begin(self._exits.enter_async_context(self._unopened))()
        return self._begin(self._web.fetch(url, render, cached=cached))

    def _begin(self, work: Coroutine[Any, Any, _Result]) -> Callable[[], _Result]:
        doing = asyncio.run_coroutine_threadsafe(work, self._loop)

        def wait() -> _Result:
            try:
                return doing.result()
            finally:
                doing.cancel()  # where the wait was interrupted, nobody wants it any more

        return wait

    def end(self) -> Future[None] | None:
        """Begin to close it, once: this may be called by whoever collects garbage, which may be its own thread."""
        if self._loop.is_closed():
            return None
        closing = asyncio.run_coroutine_threadsafe(self._exits.aclose(), self._loop)
        closing.add_done_callback(lambda _: self._loop.call_soon_threadsafe(self._loop.stop))
        return closing

    def close(self) -> None:
        closing = self.end()
        if closing is not None:
            closing.result()
        self._thread.join()


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:  # which cancels what is left, and closes the loop
        runner.get_loop().run_forever()
