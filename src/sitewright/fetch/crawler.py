"""URLs in, Pages out, many at once: Scrapy's downloader behind one coroutine.

Scrapy keeps the manners: robots.txt and its Crawl-delay, pauses that follow how fast a host answers, redirects,
cookies, compression. Its scheduler and its spiders are not used: who calls `fetch` decides what comes next.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.crawler import Crawler as ScrapyCrawler
from scrapy.downloadermiddlewares.retry import get_retry_request
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import Response
from scrapy.robotstxt import RobotParser

from sitewright.errors import (
    BadUrl,
    ConnectionFailed,
    FetchError,
    FetchTimeout,
    PageError,
    PageTooLarge,
    RobotsForbid,
    TooManyRedirects,
)
from sitewright.fetch.handler import ALLOWED_HOSTS, MOST_BYTES
from sitewright.fetch.web import MOST_REDIRECTS, default_user_agent
from sitewright.types import FetchSettings, Limits, Page

_HANDLER = "sitewright.fetch.handler.GuardedHandler"
_MOST_AT_ONCE, _MOST_A_HOST = 64, 4
_RETRIES = 2
_PASSING = frozenset({408, 429, 500, 502, 503, 504, 522, 524})
"""Answers that may be others a little later."""
_FIRST_PAUSE, _LONGEST_PAUSE = 1.0, 30.0
"""Seconds before a request is tried again; the second try waits twice as long. Who asks for more is tried later."""
_LONGEST_DELAY = 30.0


@dataclass(frozen=True, slots=True)
class Validators:
    """What a host said of a page when it was fetched last: sent along, an unchanged page costs a 304."""

    etag: str = ""
    last_modified: str = ""

    @classmethod
    def of(cls, page: Page) -> "Validators":
        """Return those of a page."""
        lower = {name.lower(): value for name, value in page.headers.items()}
        return cls(lower.get("etag", ""), lower.get("last-modified", ""))

    def headers(self) -> dict[str, str]:
        """Return the headers that ask whether a page has changed."""
        stated = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in stated.items() if value}


class _Standing(Spider):
    """Stays open and asks for nothing."""

    name = "sitewright"

    async def start(self) -> AsyncIterator[Request]:
        nothing: tuple[Request, ...] = ()
        for request in nothing:
            yield request

    @classmethod
    def from_crawler(cls, crawler: ScrapyCrawler, *args: Any, **kwargs: Any) -> Self:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.stay, signal=signals.spider_idle)
        return spider

    def stay(self) -> None:
        raise DontCloseSpider


class PatientRetry:
    """Tries again after a pause, which a host may name; not where it asks for more patience than one fetch has."""

    def __init__(self, crawler: ScrapyCrawler) -> None:
        """Count what is tried again in the crawler's figures."""
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: ScrapyCrawler) -> Self:
        """Make it, as Scrapy does."""
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Request | Response:
        """Return the answer, or the request to send once more."""
        pause = _pause(request, response)
        if response.status not in _PASSING or pause > _LONGEST_PAUSE:
            return response
        return await self._again(request, f"status {response.status}", pause) or response

    async def process_exception(self, request: Request, exception: Exception) -> Request | None:
        """Return the request to send once more; nothing where the failure will not pass."""
        if not isinstance(exception, ConnectionFailed | FetchTimeout):
            return None
        return await self._again(request, exception.code, _own_pause(request))

    async def _again(self, request: Request, reason: str, pause: float) -> Request | None:
        spider = self._crawler.spider
        if spider is None:
            return None
        again = get_retry_request(request, spider=spider, reason=reason, max_retry_times=_RETRIES)
        if again is not None:
            await asyncio.sleep(pause)
        return again


def _pause(request: Request, response: Response) -> float:
    """Return how many seconds to wait before the next try; a date is later than that."""
    named = (response.headers.get("Retry-After") or b"").decode("latin-1").strip()
    if not named:
        return _own_pause(request)
    return float(named) if named.isdigit() else _LONGEST_PAUSE + 1


def _own_pause(request: Request) -> float:
    return float(_FIRST_PAUSE * 2 ** int(request.meta.get("retry_times", 0)))


class Crawler:
    """Fetches pages; open it with `async with`."""

    def __init__(self, settings: FetchSettings | None = None, limits: Limits | None = None) -> None:
        """Connect to nothing yet."""
        self._settings = settings or FetchSettings()
        self._limits = limits or Limits()
        self._runner = AsyncCrawlerRunner(scrapy_settings(self._settings, self._limits))
        self._crawler = self._runner.create_crawler(_Standing)
        self._running: asyncio.Task[None] | None = None
        self._delays: dict[str, float] = {}

    async def __aenter__(self) -> Self:
        """Start Scrapy's engine, and wait until it runs: one that is about to start cannot be stopped."""
        self._crawler.signals.connect(self._obey, signal=signals.robots_parsed)
        self._crawler.signals.connect(self._slow_down, signal=signals.response_downloaded)
        self._running = self._runner.crawl(self._crawler)
        while not self._running.done() and not self._runs():
            await asyncio.sleep(0)
        if self._running.done():
            await self._running  # raises what went wrong
        return self

    def _runs(self) -> bool:
        try:
            return bool(self._crawler.engine.running)
        except RuntimeError:  # Scrapy has not made it yet
            return False

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it, and close all connections."""
        await self._runner.stop()
        if self._running is not None:
            await self._running

    async def fetch(self, url: str, validators: Validators | None = None) -> Page:
        """Return the page at a URL, also one with an error status or a 304; `FetchError` where there is none."""
        if urlsplit(url).scheme not in {"http", "https"}:
            raise BadUrl(f"{url} is not an address that pages are fetched from")
        asked = Request(url, headers=validators.headers() if validators is not None else None, dont_filter=True)
        try:
            response = await self._crawler.engine.download_async(asked)
        except IgnoreRequest as error:
            raise _ignored(url, error) from error
        except (ValueError, UnicodeError) as error:
            raise BadUrl(f"{url} is not an address: {error}") from error
        return _page(url, response)

    def _obey(self, robotparser: RobotParser, request: Request) -> None:
        """Note the Crawl-delay of a host."""
        rules = getattr(robotparser, "rp", None)
        delay = rules.crawl_delay(self._crawler.settings["USER_AGENT"]) if rules is not None else None
        if delay:
            self._delays[urlsplit(request.url).hostname or ""] = min(float(delay), _LONGEST_DELAY)

    def _slow_down(self, response: Response, request: Request) -> None:  # noqa: ARG002 -- the signal's
        """Keep a host's pauses at least as long as its Crawl-delay."""
        slot = self._crawler.engine.downloader.slots.get(str(request.meta.get("download_slot")))
        if slot is not None:
            slot.delay = max(slot.delay, self._delays.get(urlsplit(request.url).hostname or "", 0.0))


def scrapy_settings(settings: FetchSettings, limits: Limits) -> dict[str, Any]:
    """Return how Scrapy is to behave."""
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "DOWNLOAD_HANDLERS": {"http": _HANDLER, "https": _HANDLER, "file": None, "ftp": None, "s3": None, "data": None},
        "DOWNLOADER_MIDDLEWARES": {
            "scrapy.downloadermiddlewares.retry.RetryMiddleware": None,
            "sitewright.fetch.crawler.PatientRetry": 550,
        },
        "USER_AGENT": " ".join(settings.user_agent.split()) or default_user_agent(),
        "ROBOTSTXT_OBEY": True,
        "AUTOTHROTTLE_ENABLED": settings.pause_seconds > 0,
        "AUTOTHROTTLE_START_DELAY": settings.pause_seconds,
        "DOWNLOAD_DELAY": settings.pause_seconds,
        "CONCURRENT_REQUESTS": _MOST_AT_ONCE,
        "CONCURRENT_REQUESTS_PER_DOMAIN": _MOST_A_HOST if settings.pause_seconds > 0 else _MOST_AT_ONCE,
        "DOWNLOAD_TIMEOUT": settings.seconds,
        MOST_BYTES: limits.page_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "REDIRECT_MAX_TIMES": MOST_REDIRECTS,
        "METAREFRESH_ENABLED": True,
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        ALLOWED_HOSTS: [host.strip().lower() for host in settings.allow_hosts],
    }


def _ignored(url: str, error: IgnoreRequest) -> FetchError | PageError:
    """Return why Scrapy did not give a page; it says so in words only."""
    said = str(error).lower()
    if "robots.txt" in said:
        return RobotsForbid(f"{url}: the site's robots.txt asks not to fetch it")
    if "redirect" in said:
        return TooManyRedirects(f"{url} leads on and on, or back to itself")
    if "maxsize" in said or "bytes" in said:
        return PageTooLarge(f"{url}: more bytes than are read, once unpacked (limits.page_bytes)")
    return ConnectionFailed(f"{url}: {error}")


def _page(url: str, response: Response) -> Page:
    headers = {
        name.decode("latin-1"): b", ".join(values).decode("latin-1") for name, values in response.headers.items()
    }
    return Page(
        url=url,
        final_url=response.url,
        status=response.status,
        headers=headers,
        body=response.body,
        fetched_at=datetime.now(UTC),
        via="http",
    )


logging.getLogger("scrapy").addHandler(logging.NullHandler())
