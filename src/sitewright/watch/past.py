"""A day in, a site's articles since then among its waiting links out: by sitemaps, and by turning pages of its lists.

It is done in small steps between other work. What is left to do is part of the site's state, so it goes on after a
restart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urljoin

from sitewright.domains import load_domain
from sitewright.errors import ErrorPage, FetchError, PageError, RobotsForbid, SitewrightError
from sitewright.links import sitemaps_of_robots, usual_places
from sitewright.parse import days_in, signature
from sitewright.reading.feeds import SitemapRead
from sitewright.reading.index import IndexRead
from sitewright.store.database import Store
from sitewright.store.entries import FoundLink, RecordQuery
from sitewright.types import ExtractionMap, Failure, IndexPage, Link, Page, Render
from sitewright.values.moments import moment_of
from sitewright.watch.inheritance import rules_of
from sitewright.watch.links import LinkRules
from sitewright.watch.retries import speaks_of_host
from sitewright.watch.tools import Tools

MOST_SITEMAPS, MOST_PAGES = 2_000, 1_000
"""So many sitemaps, and pages of lists, are read for one site."""
_KNOWN = 500
"""Articles whose addresses tell which entries of a sitemap are articles."""
_EMPTY_PAGES = 3
"""A list is left when so many of its pages in a row had nothing new: it may begin with what is known."""
_MOST_LISTED = 100
_TRIES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A page of a list that is to be read next."""

    url: str
    number: int = 1
    empty: int = 0
    """How many pages in a row had nothing new."""
    before: tuple[str, ...] = ()
    """Articles of the page before; when all of them turn out to be too old, this page is not read."""


@dataclass(slots=True, kw_only=True)
class Backfill:
    """What is left to do to fill in a site's past."""

    since: datetime
    sitemaps: list[str] = field(default_factory=list)
    lists: list[Turned] = field(default_factory=list)
    met: set[str] = field(default_factory=set)
    """Signatures of the sitemaps and pages that are done, or will be."""
    pages: int = 0
    undated: int = 0
    tries: int = 0
    """How often the next step was tried in vain."""
    begun: bool = False
    """Whether it was found out where to look."""

    @property
    def is_done(self) -> bool:
        """Whether nothing is left."""
        return self.begun and not self.sitemaps and not self.lists

    def to_row(self) -> dict[str, Any]:
        """Return it as JSON."""
        lists = [
            {"url": page.url, "number": page.number, "empty": page.empty, "before": list(page.before)}
            for page in self.lists
        ]
        counts = {"pages": self.pages, "undated": self.undated, "tries": self.tries, "begun": self.begun}
        return {
            "since": self.since.isoformat(),
            "sitemaps": self.sitemaps,
            "lists": lists,
            "met": sorted(self.met),
        } | counts

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> "Backfill":
        """Return what `to_row` wrote."""
        lists = [Turned(**(page | {"before": tuple(page["before"])})) for page in row.get("lists", ())]
        return cls(
            since=datetime.fromisoformat(row["since"]),
            sitemaps=list(row.get("sitemaps", ())),
            lists=lists,
            met=set(row.get("met", ())),
            pages=row.get("pages", 0),
            undated=row.get("undated", 0),
            tries=row.get("tries", 0),
            begun=row.get("begun", False),
        )

    def add_sitemaps(self, urls: Sequence[str]) -> None:
        """Read these, too, if they were not met and there are not too many."""
        for url in urls:
            if signature(url) not in self.met and len(self.met) < MOST_SITEMAPS:
                self.met.add(signature(url))
                self.sitemaps.append(url)

    def add_list(self, page: Turned) -> None:
        """Read this page, too, if it was not met and there are not too many."""
        if page.url and signature(page.url) not in self.met and self.pages < MOST_PAGES:
            self.met.add(signature(page.url))
            self.lists.append(page)


class _HostTrouble(Exception):
    """The host does not answer as it should."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.detail)
        self.failure = failure


def begin(since: datetime) -> Mapping[str, Any]:
    """Return the state of a site whose past since a day is wanted; where to look is found out by the first step."""
    return {"since": since.astimezone(UTC).isoformat()}


class PastFinder:
    """Does the steps for one site."""

    def __init__(
        self, tools: Tools, site: str, extraction_map: ExtractionMap, rules: LinkRules, state: Mapping[str, Any]
    ) -> None:
        self._tools = tools
        self._site = site
        self._map = extraction_map
        self._rules = rules
        self.left = Backfill.from_row(state)

    async def step(self) -> Failure | None:
        """Read one sitemap, or one page of a list; where the host is in trouble, say so and leave all as it was."""
        try:
            await self._step()
        except _HostTrouble as trouble:
            return trouble.failure
        return None

    async def _step(self) -> None:
        if not self.left.begun:
            await self._begin()
        elif self.left.sitemaps:
            await self._read_sitemap(self.left.sitemaps[0])
            del self.left.sitemaps[0]
        elif self.left.lists:
            await self._turn(self.left.lists[0])
            del self.left.lists[0]
        self.left.tries = 0
        if self.left.is_done:
            undated = f"; {self.left.undated:,} entries of sitemaps without a date are left out"
            self._say(f"the past since {self.left.since:%Y-%m-%d} is looked through{undated * bool(self.left.undated)}")

    def _say(self, line: str) -> None:
        self._tools.say(self._site, line)

    async def _begin(self) -> None:
        """Find the sitemaps, and begin with all lists."""
        fronts = [entry.url for entry in self._map.index]
        for url in fronts[:1]:
            place = urljoin(url, "/robots.txt")
            robots = await self._fetch(place, "static")
            text = robots.body.decode("utf-8", "replace") if robots and isinstance(robots.body, bytes) else ""
            named = sitemaps_of_robots(text, place)
            places = [place for place in usual_places(url) if "sitemap" in place]
            self.left.add_sitemaps(named or places)
        for url in fronts:
            self.left.add_list(Turned(url=url))
        self.left.begun = True

    async def _fetch(self, url: str, render: Render) -> Page | None:
        """Return a page; None where there is none. A host in trouble is tried again later, some times."""
        page: Page | None = None
        error: SitewrightError
        try:
            page = await self._tools.fetch(url, render)
            error = ErrorPage(f"the server answered {page.status}")
        except (FetchError, PageError) as failed:
            error = failed
        status = page.status if page is not None else 0
        if page is not None and status < 400:
            return page
        failure = Failure(url, "fetch", error.code, str(error))
        is_trouble = speaks_of_host(failure, status) or await self._has_no_rules(url, error)
        if is_trouble and self.left.tries < _TRIES:
            raise _HostTrouble(failure)
        return None

    async def _has_no_rules(self, url: str, error: SitewrightError) -> bool:
        """Tell whether all is forbidden only as the host's robots.txt, which may always be fetched, is out of order."""
        if not isinstance(error, RobotsForbid):
            return False
        try:
            await self._tools.fetch(urljoin(url, "/robots.txt"))
        except (FetchError, PageError):
            return True
        return False

    async def _read_sitemap(self, url: str) -> None:
        page = await self._fetch(url, "static")
        if page is None:
            return
        known = await self._tools.store_thread.ask(lambda store: _article_addresses(store, self._site))
        read = await self._tools.readers.read_sitemap(page, known, self.left.since)
        if isinstance(read, SitemapRead):
            self.left.add_sitemaps(read.sitemaps)
            self.left.undated += read.undated
            await self._add(url, read.links)

    async def _turn(self, turned: Turned) -> None:
        """Read a page of a list and go on to the next, unless all is too old or known."""
        if await self._is_too_old(turned.before):
            return
        entry = next((entry for entry in self._map.index if signature(entry.url) == signature(turned.url)), None)
        page = await self._fetch(turned.url, (entry.render if entry is not None else None) or self._map.render)
        read = (
            await self._tools.readers.read_index(page, entry or self._likest(), self._map.domain)
            if page is not None
            else None
        )
        if not isinstance(read, IndexRead):
            return
        self.left.pages += 1
        articles = [link for link in read.links.links if link.is_item]
        new = await self._add(turned.url, articles)
        empty = 0 if new else turned.empty + 1
        if read.next and empty < _EMPTY_PAGES and not self._are_old(articles):
            listed = tuple(link.url for link in articles[:_MOST_LISTED])
            self.left.add_list(Turned(url=read.next, number=turned.number + 1, empty=empty, before=listed))

    def _likest(self) -> IndexPage | None:
        return next((entry for entry in self._map.index if entry.items), None)

    async def _add(self, source: str, links: Sequence[Link]) -> int:
        """Put links among those that wait; return how many are new."""
        rules = rules_of(source, self._map.index, self._rules)
        found = [
            FoundLink(url=link.url, source=source, published=link.published)
            for link in links
            if not rules.refusal(link.url) and not self._are_old([link])
        ]
        added = await self._tools.store_thread.ask(lambda store: store.add_links(self._site, found))
        if added:
            self._say(f"{source}: {len(added):,} articles of the past")
        return len(added)

    def _are_old(self, links: Sequence[Link]) -> bool:
        """Tell whether links say themselves, all of them, that they are older than what is wanted."""
        days = [link.published or next(days_in(link.url), None) for link in links]
        return bool(days) and all(day is not None and day.date() < self.left.since.date() for day in days)

    async def _is_too_old(self, urls: Sequence[str]) -> bool:
        """Tell whether the articles of a page were all published before the day that is wanted."""
        dates = await self._tools.store_thread.ask(lambda store: _dates(store, self._site, urls))
        return bool(dates) and max(dates) < self.left.since


def _article_addresses(store: Store, site: str) -> list[str]:
    query = RecordQuery(site=site, newest_first=True, limit=_KNOWN)
    return [stored.record.urls[0] for stored in store.records(query)]


def _dates(store: Store, site: str, urls: Sequence[str]) -> list[datetime]:
    """Return when the articles at these addresses were published, as far as it is known."""
    found = (store.find_record(site, url) for url in urls)
    records = (stored.record for stored in found if stored is not None)
    values = (record.fields.get(load_domain(record.domain).published) for record in records)
    moments = (moment_of(value.value) for value in values if value is not None)
    return [moment for moment in moments if moment is not None]
