"""A URL in, the Page that is there out: politely, and only from the web."""

import time
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Protocol

from sitewright.errors import BadUrl, PageTooLarge, RobotsForbid, TooManyRedirects
from sitewright.fetch.exchange import Answer, Deadline, Request, Target, exchange, read_target
from sitewright.fetch.guard import find_endpoints
from sitewright.fetch.robots import FORBID_ALL, Robots, parse_robots
from sitewright.types import FetchSettings, Limits, Page

MOST_REDIRECTS = 10
"""What RFC 9309 asks for twice over, and half of what browsers follow."""
_ROBOTS_BYTES = 2_000_000
_ROBOTS_SECONDS = 24 * 3600
"""How long the rules of a site are remembered (RFC 9309: not longer than a day)."""
_FAILED_ROBOTS_SECONDS = 600
_LONGEST_DELAY = 30.0
"""Sites that want to be read more slowly than this want not to be read."""


class Fetcher(Protocol):
    """Whatever fetches pages."""

    def fetch(self, url: str) -> Page:
        """Return the page at a URL; `FetchError` where there is none to be had."""


class WebFetcher:
    """Fetches pages one at a time; not to be shared between threads."""

    def __init__(self, settings: FetchSettings | None = None, limits: Limits | None = None) -> None:
        """Remember nothing yet."""
        self._settings = settings or FetchSettings()
        self._limits = limits or Limits()
        self._user_agent = " ".join(self._settings.user_agent.split()) or default_user_agent()
        self._allowed = frozenset(host.strip().lower() for host in self._settings.allow_hosts)
        self._robots: dict[str, tuple[float, Robots]] = {}
        self._visited: dict[str, float] = {}

    def fetch(self, url: str) -> Page:
        """Return the page at a URL, also one with an error status, once robots.txt and the pause allow it."""
        first = read_target(url)
        robots = self._robots_of(first, Deadline(self._settings.seconds))
        _refuse_forbidden(first, robots)
        self._pause(first.host, max(self._settings.pause_seconds, min(robots.delay, _LONGEST_DELAY)))
        try:
            target, answer = self._follow(first, self._limits.page_bytes, Deadline(self._settings.seconds), obey=True)
        finally:
            self._visited[first.host] = time.monotonic()
        self._visited[target.host] = time.monotonic()
        return Page(
            url=url,
            final_url=target.url,
            status=answer.status,
            headers=answer.headers,
            body=answer.body,
            fetched_at=datetime.now(UTC),
            via="http",
        )

    def _follow(self, target: Target, most_bytes: int, deadline: Deadline, *, obey: bool) -> tuple[Target, Answer]:
        """Follow redirects to their end; every step is checked like the first."""
        seen: list[str] = []
        while True:
            if obey:
                _refuse_forbidden(target, self._robots_of(target, deadline))
            answer = self._ask(Request(target, self._user_agent, deadline, most_bytes))
            if not answer.location:
                return target, answer
            seen.append(target.url)
            target = target.leads_to(answer.location)
            if target.url in seen:
                raise TooManyRedirects(f"{seen[0]} leads back to {target.url}")
            if len(seen) > MOST_REDIRECTS:
                raise TooManyRedirects(f"{seen[0]} leads on more than {MOST_REDIRECTS} times")

    def _ask(self, request: Request) -> Answer:
        target = request.target
        allowed = not self._allowed.isdisjoint(target.names)
        endpoints = find_endpoints(target.host, target.port, request.deadline.left(), allowed=allowed)
        return exchange(request, endpoints)

    def _robots_of(self, target: Target, deadline: Deadline) -> Robots:
        """Return the rules of a site, asked for once a day."""
        until, robots = self._robots.get(target.origin, (0.0, Robots()))
        if time.monotonic() >= until:
            robots = self._read_robots(target, deadline)
            lasts = _FAILED_ROBOTS_SECONDS if robots is FORBID_ALL else _ROBOTS_SECONDS
            self._robots[target.origin] = (time.monotonic() + lasts, robots)
        return robots

    def _read_robots(self, target: Target, deadline: Deadline) -> Robots:
        """Ask for robots.txt: a site that has none allows all, one that is out of order allows nothing for now."""
        place = read_target(f"{target.origin}/robots.txt")
        try:
            _, answer = self._follow(place, _ROBOTS_BYTES, deadline, obey=False)
        except (BadUrl, TooManyRedirects, PageTooLarge):  # something else is there
            return Robots()
        if answer.status >= 500 or answer.status == 429:
            return FORBID_ALL
        if answer.status >= 300:
            return Robots()
        return parse_robots(answer.body.decode("utf-8", "replace"), self._user_agent)

    def _pause(self, host: str, seconds: float) -> None:
        """Wait until the last visit to a host is long enough ago."""
        ready = self._visited.get(host, 0.0) + seconds
        if host in self._visited and (left := ready - time.monotonic()) > 0:
            time.sleep(left)


def default_user_agent() -> str:
    """Return what we call ourselves."""
    return f"Sitewright/{version('sitewright')} (collects news pages)"


def _refuse_forbidden(target: Target, robots: Robots) -> None:
    if robots is FORBID_ALL:
        raise RobotsForbid(f"{target.origin}/robots.txt cannot be read for now, so nothing of the site is fetched")
    if not robots.allows(target.path):
        raise RobotsForbid(f"{target.url}: the site's robots.txt asks not to fetch it")
