"""An answer or a failure that may pass in, the same request once more out, after a pause."""

import logging
from typing import TYPE_CHECKING, Self

import aiohttp
from scrapy import Request
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.http import Response

from sitewright.errors import ConnectionFailed
from sitewright.fetch.retry_after import seconds_named
from sitewright.fetch.time_limit import time_limit_of

if TYPE_CHECKING:
    from scrapy.crawler import Crawler as ScrapyCrawler

_RETRIES = 2
_PASSING = frozenset({408, 429, 500, 502, 503, 504, 522, 524})
"""Answers that may be others a little later."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
"""Seconds before a request is tried again; the second try waits twice as long. Who asks for more is tried later."""


class RetryAfterPause:
    """Tries again after a pause, which a host may name; not where it names more than one fetch can wait."""

    def __init__(self, crawler: "ScrapyCrawler") -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: "ScrapyCrawler") -> Self:
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        pause = _pause(request, response)
        if response.status not in _PASSING or pause > _LONGEST_PAUSE:
            return response
        return await self._again(request, f"status {response.status}", pause) or response

    async def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request to send once more; nothing where the failure will not pass, or took all the time."""
        if not isinstance(exception, ConnectionFailed) or not _may_pass(exception.__cause__):
            return None
        return await self._again(request, exception.code, _own_pause(request))

    async def _again(self, request: Request, reason: str, pause: float) -> Request | None:
        spider = self._crawler.spider
        if spider is None:
            return None
        again = get_retry_request(
            request, spider=spider, reason=reason, max_retry_times=_RETRIES, give_up_log_level=logging.DEBUG
        )
        if again is not None:
            await time_limit_of(request).sleep(pause)
        return again


def _may_pass(reason: BaseException | None) -> bool:
    """Tell whether a connection may succeed a little later; a wrong certificate stays wrong."""
    broken_off = (OSError, aiohttp.ServerDisconnectedError, aiohttp.ClientPayloadError)
    return isinstance(reason, broken_off) and not isinstance(reason, aiohttp.ClientSSLError)


def _pause(request: Request, response: Response) -> float:
    """Return how many seconds to wait before the next try."""
    named = seconds_named((response.headers.get("Retry-After") or b"").decode("latin-1"))
    return _own_pause(request) if named is None else named


def _own_pause(request: Request) -> float:
    return float(_FIRST_PAUSE * 2 ** int(request.meta.get("retry_times", 0)))
