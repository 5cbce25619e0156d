"""URLs in, Pages out, many at once: Scrapy's downloader behind one coroutine.

Scrapy follows redirects, keeps a cache, and bounds how much happens at once. Beside its parts stand ours in its chain:
for robots.txt (`robots_check`), pauses (`host_pauses`), cookies and further tries, and below it the exchange itself
(`download`).
Its scheduler and its spiders are not used: who calls `fetch` decides what comes next.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self, TypeVar

from scrapy import Request, Spider, signals
from scrapy.crawler import AsyncCrawlerRunner
from scrapy.crawler import Crawler as ScrapyCrawler
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import Response

from sitewright.errors import BadUrl, SettingsError, TooManyRedirects
from sitewright.fetch.download import ALLOWED_HOSTS, MOST_BYTES
from sitewright.fetch.guard import read_names
from sitewright.fetch.host_pauses import PAUSE, HostPauses
from sitewright.fetch.page_cache import LASTS
from sitewright.fetch.refresh import LONGEST_SECONDS
from sitewright.fetch.robots_check import RobotsCheck
from sitewright.fetch.site_access import SITES, Access
from sitewright.fetch.target import read_target
from sitewright.fetch.time_limit import TIME_LIMIT, Stopped, TimeLimit
from sitewright.fetch.unpacking import ENCODINGS
from sitewright.fetch.user_agent import user_agent_of
from sitewright.fetch.web import Validators
from sitewright.types import FetchSettings, Limits, Page

_MOST_REDIRECTS = 10
"""What RFC 9309 asks for twice over, and half of what browsers follow."""
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/feed+json;q=0.9,*/*;q=0.8"
_DOWNLOAD = "sitewright.fetch.download.GuardedDownload"
_SCRAPY = "scrapy.downloadermiddlewares"
_MOST_AT_ONCE, _MOST_A_HOST, _MOST_WITHOUT_PAUSE = 64, 4, 16
_Middleware = TypeVar("_Middleware")


class _IdleSpider(Spider):
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


class Crawler:
    """Fetches pages; open it with `async with`."""

    def __init__(self, settings: FetchSettings | None = None, limits: Limits | None = None) -> None:
        self._settings = settings or FetchSettings()
        self._limits = limits or Limits()
        self._access = Access(self._settings.sites)
        self._runner: AsyncCrawlerRunner
        self._crawler: ScrapyCrawler
        self._running: asyncio.Task[None]
        self._time_limits: set[TimeLimit] = set()
        self._own_cache: TemporaryDirectory[str] | None = None

    async def __aenter__(self) -> Self:
        """Start Scrapy's engine, and wait until it runs: one that is about to start cannot be stopped."""
        self._runner = AsyncCrawlerRunner(scrapy_settings(self._settings, self._limits, self._cache_folder()))
        self._crawler = self._runner.create_crawler(_IdleSpider)
        self._running = self._runner.crawl(self._crawler)
        while not self._running.done() and not self._runs():
            await asyncio.sleep(0)
        if self._running.done():
            await self._running  # raises what went wrong
        return self

    def _cache_folder(self) -> str:
        """Return the folder of the cache: the one that is set, or one that ends with this."""
        if not self._settings.cache:
            self._own_cache = TemporaryDirectory(prefix="sitewright-")
            return self._own_cache.name
        folder = Path(self._settings.cache).expanduser().absolute()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise SettingsError(f"fetch.cache: {folder} cannot be made: {error.strerror or error}") from error
        return str(folder)

    def _runs(self) -> bool:
        try:
            return bool(self._crawler.engine.running) and self._crawler.engine.spider is not None
        except RuntimeError:  # Scrapy has not made it yet
            return False

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop it, also what it is doing, and close all connections."""
        for limit in self._time_limits:
            limit.give_up()
        self._middleware(RobotsCheck).give_up()
        await self._runner.stop()
        await self._running
        if self._own_cache is not None:
            self._own_cache.cleanup()

    async def fetch(self, url: str, validators: Validators | None = None, *, cached: bool = False) -> Page:
        """Return the page at a URL, also one with an error status or a 304; `FetchError` where there is none."""
        limit = TimeLimit(self._settings.seconds)
        asked = Request(
            read_target(url).url,
            headers=validators.headers() if validators is not None else None,
            meta={TIME_LIMIT: limit, "dont_cache": not cached},
        )
        self._time_limits.add(limit)
        try:
            response = await self._crawler.engine.download_async(asked)
        except asyncio.CancelledError:
            limit.give_up()
            raise
        except Stopped as stopped:
            raise stopped.reason from stopped
        except IgnoreRequest as error:
            raise TooManyRedirects(
                f"{url} leads on more than {_MOST_REDIRECTS} times; it may want a login or cookies"
            ) from error
        except ValueError as error:  # Scrapy's, of where a page leads
            raise BadUrl(f"{url} leads to what is not a web address") from error
        finally:
            self._time_limits.discard(limit)
        page = _page(url, response)
        return replace(page, headers=self._access.without_cookies(read_target(response.url).host, page.headers))

    async def check(self, url: str) -> None:
        """Raise `RobotsForbid` if a URL is not to be fetched; another `FetchError` where that cannot be found out."""
        await self._middleware(RobotsCheck).check(url)

    async def turn(self, url: str) -> None:
        """Wait until the host of a URL may be visited, and take its turn: for who visits it in other ways."""
        await self._middleware(HostPauses).turn(read_target(url).host)

    def delay_of(self, url: str) -> float:
        """Return the seconds between two visits of the host of a URL: those set, or its Crawl-delay if longer."""
        return self._middleware(HostPauses).delay_of(read_target(url).host)

    def _middleware(self, kind: type[_Middleware]) -> _Middleware:
        found = self._crawler.get_downloader_middleware(kind)
        if found is None:
            raise RuntimeError(f"Scrapy runs without {kind.__name__}")
        return found


def scrapy_settings(settings: FetchSettings, limits: Limits, cache: str) -> dict[str, Any]:
    """Return how Scrapy is to behave."""
    return {
        "TWISTED_REACTOR_ENABLED": False,
        "DOWNLOAD_HANDLERS": dict.fromkeys(("file", "ftp", "s3", "data")) | dict.fromkeys(("http", "https"), _DOWNLOAD),
        "DOWNLOADER_MIDDLEWARES": {
            f"{_SCRAPY}.robotstxt.RobotsTxtMiddleware": None,
            f"{_SCRAPY}.retry.RetryMiddleware": None,
            f"{_SCRAPY}.redirect.MetaRefreshMiddleware": None,
            f"{_SCRAPY}.httpcompression.HttpCompressionMiddleware": None,  # the download unpacks
            f"{_SCRAPY}.cookies.CookiesMiddleware": None,
            f"{_SCRAPY}.httpproxy.HttpProxyMiddleware": None,  # it would send a proxy's password to the sites
            "sitewright.fetch.robots_check.RobotsCheck": 100,
            "sitewright.fetch.retry.RetryAfterPause": 550,
            "sitewright.fetch.refresh.MetaRefresh": 580,
            "sitewright.fetch.cookies.PageCookies": 700,
            "sitewright.fetch.host_pauses.HostPauses": 950,  # behind the cache, whose pages need no turn
        },
        "USER_AGENT": user_agent_of(settings),
        "DEFAULT_REQUEST_HEADERS": {"Accept": _ACCEPT, "Accept-Encoding": ENCODINGS},
        PAUSE: settings.pause_seconds,
        "CONCURRENT_REQUESTS": _MOST_AT_ONCE,
        "CONCURRENT_REQUESTS_PER_DOMAIN": _MOST_A_HOST if settings.pause_seconds > 0 else _MOST_WITHOUT_PAUSE,
        "DOWNLOAD_TIMEOUT": settings.seconds,
        MOST_BYTES: limits.page_bytes,
        "DOWNLOAD_WARNSIZE": 0,
        "REDIRECT_MAX_TIMES": _MOST_REDIRECTS,
        "METAREFRESH_MAXDELAY": LONGEST_SECONDS,
        "HTTPCACHE_ENABLED": True,
        "HTTPCACHE_DIR": cache,
        "HTTPCACHE_STORAGE": "sitewright.fetch.page_cache.PageCache",
        "HTTPCACHE_EXPIRATION_SECS": LASTS,
        "HTTPCACHE_IGNORE_HTTP_CODES": [304, *range(400, 600)],
        "TELNETCONSOLE_ENABLED": False,
        "LOG_ENABLED": False,
        SITES: Access(settings.sites),
        ALLOWED_HOSTS: sorted(read_names(settings.allow_hosts)),
    }


def _page(url: str, response: Response) -> Page:
    headers = {
        name.decode("latin-1"): b", ".join(values).decode("latin-1") for name, values in response.headers.items()
    }
    if response.status in _REDIRECTS and "Location" in headers:  # else it would have been followed
        raise BadUrl(f"{url} leads to {headers['Location']}; only http and https addresses are fetched")
    return Page(
        url=url,
        final_url=response.url,
        status=response.status,
        headers=headers,
        body=response.body,
        fetched_at=_moment(response),
        via="http",
    )


def _moment(response: Response) -> datetime:
    """Return when a page was fetched: a while ago, where the cache had it."""
    stored = response.request.meta.get("cache_timestamp") if response.request is not None else None
    return datetime.now(UTC) if stored is None else datetime.fromtimestamp(stored, UTC)


logging.getLogger("scrapy").addHandler(logging.NullHandler())
