"""Requests in, the same requests out, one after the other for each host, with the pause between them it is given."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from sitewright.fetch.robots import LONGEST_DELAY
from sitewright.fetch.time_limit import time_limit_of

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.crawler import Crawler as ScrapyCrawler
    from scrapy.http import Response

PAUSE = "SITEWRIGHT_PAUSE_SECONDS"
WITHOUT_PAUSE = "sitewright_without_pause"
"""An entry of a request's `meta`: it belongs to a page whose turn it is already."""


class HostPauses:
    """Lets requests pass when it is their host's turn; a part of Scrapy's chain, next to the network.

    Every host has the same pause until it asks for more.
    """

    def __init__(self, pause: float) -> None:
        self._pause = pause
        self._asked: dict[str, float] = {}
        self._latency: dict[str, float] = {}
        self._visited: dict[str, float] = {}
        self._queues: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @classmethod
    def from_crawler(cls, crawler: "ScrapyCrawler") -> Self:
        return cls(crawler.settings.getfloat(PAUSE))

    async def process_request(self, request: "Request") -> None:
        """Wait for the turn of the request's host; the steps of a redirect within a host are one visit."""
        host = _host(request.url)
        before: list[str] = request.meta.get("redirect_urls", [])
        if not request.meta.get(WITHOUT_PAUSE) and (not before or _host(before[-1]) != host):
            await self.turn(host, time_limit_of(request).sleep)

    def process_response(self, request: "Request", response: "Response") -> "Response":
        """Note how long a host takes to answer: who takes longer than the pause is asked less often."""
        seconds: float | None = request.meta.get("download_latency")
        if seconds is not None:  # else it comes from the cache
            host = _host(request.url)
            self._latency[host] = max(seconds, (self._latency.get(host, 0.0) + seconds) / 2)
        return response

    async def turn(self, host: str, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Wait until a host may be visited, and take its turn."""
        async with self._queues[host]:
            pause = max(self.delay_of(host), min(self._latency.get(host, 0.0), LONGEST_DELAY) if self._pause else 0.0)
            await sleep(max(0.0, self._visited.get(host, -pause) + pause - time.monotonic()))
            self._visited[host] = time.monotonic()

    def ask_for(self, host: str, seconds: float) -> None:
        """Note the Crawl-delay of a host."""
        self._asked[host] = min(seconds, LONGEST_DELAY)

    def delay_of(self, host: str) -> float:
        """Return the seconds between two visits of a host."""
        return max(self._pause, self._asked.get(host, 0.0))


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""
