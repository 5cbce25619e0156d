"""The seconds that a page may take in, an end to all that is done for it out: when they are over, or nobody waits.

Scrapy carries a request to its end, whoever asked for it. A time limit travels in the `meta` of a page's requests,
through redirects and further tries, and lets them end early.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from sitewright.errors import ConnectionFailed, FetchError, PageError

TIME_LIMIT = "sitewright_time_limit"
"""The entry of `meta`."""


class Stopped(IgnoreRequest):
    """A request that is not sent, which Scrapy does not try again; and why."""

    def __init__(self, reason: FetchError | PageError) -> None:
        super().__init__(str(reason))
        self.reason = reason


class TimeLimit:
    """The time of one page; pauses do not count."""

    def __init__(self, seconds: float) -> None:
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


def time_limit_of(request: Request) -> TimeLimit:
    """Return the time limit of the page that a request belongs to."""
    limit: TimeLimit = request.meta[TIME_LIMIT]
    return limit
