"""One page's way through Scrapy's chain: how much time it has left, and whether anybody still waits for it.

Scrapy carries a request to its end, whoever asked for it. An errand travels in the `meta` of a page's requests, through
redirects and further tries, and lets them end early.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from sitewright.errors import ConnectionFailed, FetchError, PageError

ERRAND = "sitewright_errand"
"""The entry of `meta`."""


class Stopped(IgnoreRequest):
    """A request that is not sent, which Scrapy does not try again; and why."""

    def __init__(self, reason: FetchError | PageError) -> None:
        """Hold the reason."""
        super().__init__(str(reason))
        self.reason = reason


class Errand:
    """The time of one page; pauses do not count."""

    def __init__(self, seconds: float) -> None:
        """Begin with all of it."""
        self._left = seconds
        self._given_up = asyncio.Event()
        self._timeout: asyncio.Timeout | None = None

    def give_up(self) -> None:
        """Let all that happens for the page end."""
        self._given_up.set()
        if self._timeout is not None and not self._timeout.expired():
            self._timeout.reschedule(asyncio.get_running_loop().time())

    async def sleep(self, seconds: float) -> None:
        """Pause; `Stopped` as soon as nobody waits any more."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._given_up.wait()
        self._refuse_given_up()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Count the time of an exchange; `TimeoutError` when there is none left."""
        self._refuse_given_up()
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            async with asyncio.timeout(max(0.0, self._left)) as self._timeout:
                yield
        except TimeoutError:
            self._refuse_given_up()
            raise
        finally:
            self._timeout = None
            self._left -= loop.time() - started

    def _refuse_given_up(self) -> None:
        if self._given_up.is_set():
            raise Stopped(ConnectionFailed("given up, since nobody waits for the page any more"))


def errand_of(request: Request) -> Errand:
    """Return the errand that a request belongs to."""
    errand: Errand = request.meta[ERRAND]
    return errand
