"""A URL in, its Page out, one at a time: a `Web` for whoever does not use coroutines."""

import asyncio
import weakref
from collections.abc import Coroutine
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from threading import Thread
from typing import Any, Protocol, Self, TypeVar

from sitewright.fetch.live_web import LiveWeb
from sitewright.fetch.web import Web
from sitewright.types import FetchSettings, Limits, Page

_Result = TypeVar("_Result")


class Fetcher(Protocol):
    """Whatever fetches pages."""

    def fetch(self, url: str) -> Page:
        """Return the page at a URL; `FetchError` where there is none to be had."""


class PageFetcher:
    """Fetches pages of a `Web`, which it opens with the first of them; `close` or `with` ends it."""

    def __init__(self, web: AbstractAsyncContextManager[Web]) -> None:
        self._unopened = web
        self._opened: _OpenedWeb | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def fetch(self, url: str) -> Page:
        """Return the page at a URL, also one with an error status; `FetchError` or `PageError` if there is none."""
        if self._opened is None:
            self._opened = _OpenedWeb(self._unopened)
            weakref.finalize(self, self._opened.end)  # where nobody closes it
        return self._opened.fetch(url)

    def close(self) -> None:
        """Give up what is under way, and close all connections."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None


class WebFetcher(PageFetcher):
    """Fetches pages of the live web."""

    def __init__(self, settings: FetchSettings | None = None, limits: Limits | None = None) -> None:
        super().__init__(LiveWeb(settings, limits))


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

    def fetch(self, url: str) -> Page:
        if self._web is None:
            self._web = self._wait_for(self._exits.enter_async_context(self._unopened))
        return self._wait_for(self._web.fetch(url))

    def _wait_for(self, work: Coroutine[Any, Any, _Result]) -> _Result:
        doing = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return doing.result()
        finally:
            doing.cancel()  # where the wait was interrupted, nobody wants it any more

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
