"""A URL in, the Page that is there out: politely, and only from the web."""

import time
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Protocol

from sitewright.errors import BadUrl, PageTooLarge, TooManyRedirects
from sitewright.fetch.exchange import Answer, Deadline, Request, Target, exchange, read_target
from sitewright.fetch.guard import find_endpoints, read_names
from sitewright.fetch.robots import LONGEST_DELAY, MOST_CHARACTERS, Robots, refuse_forbidden, robots_of_answer
from sitewright.types import FetchSettings, Limits, Page

MOST_REDIRECTS = 10
"""What RFC 9309 asks for twice over, and half of what browsers follow."""


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
        self._user_agent = user_agent_of(self._settings)
        self._allowed = read_names(self._settings.allow_hosts)
        self._robots: dict[str, tuple[float, Robots]] = {}
        self._visited: dict[str, float] = {}

    def fetch(self, url: str) -> Page:
        """Return the page at a URL, also one with an error status, once robots.txt and the pause allow it."""
        first = read_target(url)
        robots = self._robots_of(first, Deadline(self._settings.seconds))
        refuse_forbidden(first, robots)
        self._pause(first.host, max(self._settings.pause_seconds, min(robots.delay, LONGEST_DELAY)))
        try:
            deadline = Deadline(self._settings.seconds)
            target, answer = self._follow(Request(first, self._user_agent, deadline, self._limits.page_bytes))
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

    def _follow(self, request: Request) -> tuple[Target, Answer]:
        """Follow redirects to their end; every step is checked like the first."""
        target, seen = request.target, [request.target.url]
        while True:
            if not request.cut:  # robots.txt itself may always be asked for
                refuse_forbidden(target, self._robots_of(target, request.deadline))
            answer = self._ask(replace(request, target=target))
            if not answer.location:
                return target, answer
            target = target.leads_to(answer.location)
            if target.url in seen:
                raise TooManyRedirects(f"{seen[0]} leads back to {target.url}; it may want a login or cookies")
            if len(seen) > MOST_REDIRECTS:
                raise TooManyRedirects(
                    f"{seen[0]} leads on more than {MOST_REDIRECTS} times; it may want a login or cookies"
                )
            seen.append(target.url)

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
            self._robots[target.origin] = (time.monotonic() + robots.lasts, robots)
        return robots

    def _read_robots(self, target: Target, deadline: Deadline) -> Robots:
        """Ask for robots.txt; its beginning is enough."""
        place = read_target(f"{target.origin}/robots.txt")
        try:
            _, answer = self._follow(Request(place, self._user_agent, deadline, MOST_CHARACTERS, cut=True))
        except (BadUrl, TooManyRedirects, PageTooLarge):  # something else is there
            return Robots()
        return robots_of_answer(answer.status, answer.body, self._user_agent)

    def _pause(self, host: str, seconds: float) -> None:
        """Wait until the last visit to a host is long enough ago."""
        ready = self._visited.get(host, 0.0) + seconds
        if host in self._visited and (left := ready - time.monotonic()) > 0:
            time.sleep(left)


def user_agent_of(settings: FetchSettings) -> str:
    """Return what we call ourselves."""
    return " ".join(settings.user_agent.split()) or f"Sitewright/{version('sitewright')} (collects news pages)"
