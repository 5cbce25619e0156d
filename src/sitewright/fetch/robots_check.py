"""Requests in, those out that the robots.txt of their site allows; it is asked for once a day, by Scrapy's downloader.

Scrapy's own middleware for this remembers a robots.txt for ever, and takes an error page for one that allows all.
"""

import asyncio
import time
from functools import partial
from typing import TYPE_CHECKING, Self

from scrapy import Request
from scrapy.exceptions import IgnoreRequest

from sitewright.errors import BadUrl, FetchError, PageError, PageTooLarge, TooManyRedirects
from sitewright.fetch.download import CUT_BYTES
from sitewright.fetch.host_pauses import WITHOUT_PAUSE, HostPauses
from sitewright.fetch.robots import MOST_CHARACTERS, Robots, refuse_forbidden, robots_of_answer
from sitewright.fetch.target import Target, read_target
from sitewright.fetch.time_limit import TIME_LIMIT, Stopped, TimeLimit

if TYPE_CHECKING:
    from scrapy.crawler import Crawler as ScrapyCrawler

_IS_ROBOTS = "sitewright_is_robots"


class RobotsCheck:
    """Asks robots.txt before every request, also of the steps of a redirect; a part of Scrapy's chain."""

    def __init__(self, crawler: "ScrapyCrawler") -> None:
        self._crawler = crawler
        self._user_agent = str(crawler.settings["USER_AGENT"])
        self._known: dict[str, tuple[float, Robots]] = {}
        self._asking: dict[str, asyncio.Task[Robots]] = {}
        self._time_limits: set[TimeLimit] = set()

    @classmethod
    def from_crawler(cls, crawler: "ScrapyCrawler") -> Self:
        return cls(crawler)

    async def process_request(self, request: Request) -> None:
        if request.meta.get(_IS_ROBOTS):
            return
        try:
            await self.check(request.url)
        except (FetchError, PageError) as error:
            raise Stopped(error) from error

    async def check(self, url: str) -> None:
        """Raise `RobotsForbid` if a URL is not to be fetched; another `FetchError` where that cannot be found out."""
        target = read_target(url)
        refuse_forbidden(target, await self._rules_of(target))

    def give_up(self) -> None:
        for limit in self._time_limits:
            limit.give_up()

    async def _rules_of(self, target: Target) -> Robots:
        until, robots = self._known.get(target.origin, (0.0, Robots()))
        if time.monotonic() < until:
            return robots
        asking = self._asking.get(target.origin)
        if asking is None:
            asking = self._asking[target.origin] = asyncio.get_running_loop().create_task(self._ask(target))
            asking.add_done_callback(partial(self._end, target.origin))
        return await asyncio.shield(asking)  # others may wait for it, too

    def _end(self, origin: str, asked: "asyncio.Task[Robots]") -> None:
        del self._asking[origin]
        if not asked.cancelled():
            asked.exception()  # looked at, also where nobody waits any more

    async def _ask(self, target: Target) -> Robots:
        robots = await self._read(target)
        self._known[target.origin] = (time.monotonic() + robots.lasts, robots)
        pauses = self._crawler.get_downloader_middleware(HostPauses)
        if pauses is not None:
            pauses.ask_for(target.host, robots.delay)
        return robots

    async def _read(self, target: Target) -> Robots:
        limit = TimeLimit(self._crawler.settings.getfloat("DOWNLOAD_TIMEOUT"))
        meta = {
            TIME_LIMIT: limit,
            _IS_ROBOTS: True,
            WITHOUT_PAUSE: True,
            CUT_BYTES: MOST_CHARACTERS,
            "dont_cache": True,
        }
        asked = Request(f"{target.origin}/robots.txt", headers={"Accept-Encoding": "identity"}, meta=meta)
        self._time_limits.add(limit)
        try:
            answer = await self._crawler.engine.download_async(asked)
        except (BadUrl, PageTooLarge, ValueError):  # it leads nowhere, so there is none
            return Robots()
        except IgnoreRequest as ignored:
            if isinstance(ignored, Stopped) and not isinstance(ignored.reason, TooManyRedirects):
                raise ignored.reason from ignored
            return Robots()
        finally:
            self._time_limits.discard(limit)
        return robots_of_answer(answer.status, answer.body, self._user_agent)
