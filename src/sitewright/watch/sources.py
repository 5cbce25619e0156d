"""A source of a site that is due in, its new links and its next date in the store out."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from sitewright.domains import load_domain
from sitewright.errors import FetchError, PageError
from sitewright.fetch import Validators, retry_after_of
from sitewright.links import entry_for
from sitewright.notice.observation import observe_failure
from sitewright.notice.signals import Occurrence, Signal
from sitewright.parse import clean_url, signature
from sitewright.reading.index import IndexRead
from sitewright.store.database import Store
from sitewright.store.entries import FoundLink, StoredSite, WatchedPage
from sitewright.store.states import SourceState
from sitewright.types import ExtractionMap, Failure, IndexPage, Page
from sitewright.values.words import counted
from sitewright.watch.ages import oldest
from sitewright.watch.health import Health
from sitewright.watch.held_state import HeldState
from sitewright.watch.inheritance import rules_of
from sitewright.watch.links import LinkRules, find_news
from sitewright.watch.shelves import Shelves
from sitewright.watch.timing.periods import Look
from sitewright.watch.timing.rhythm import Rhythm
from sitewright.watch.timing.schedule import SiteSchedule, pace_of
from sitewright.watch.tools import Tools
from sitewright.watch.traps import Traps
from sitewright.watch.trouble import HostTrouble

_GONE = (404, 410)
_UNLISTED, _FEW = 3, 2
"""So many looks in a row without what was listed before are an incident; one or two links may have moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """What a look at a source brought: the page (None: it was not fetched), what was read of it, or why nothing was."""

    source: WatchedPage
    page: Page | None = None
    read: IndexRead | None = None
    failure: Failure | None = None
    unlisted: tuple[float, ...] = ()
    """The looks in a row, up to this one, at which its selectors did not find what it lists."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """The links of a source that are new, the signatures of all that it lists, and how many of them came here late."""

    links: Sequence[FoundLink] = ()
    signatures: frozenset[str] = frozenset()
    late: int = 0


class Sources:
    """The index pages, feeds and sitemaps of one site through a visit."""

    def __init__(
        self, tools: Tools, site: StoredSite, held: HeldState, health: Health, trouble: HostTrouble, rules: LinkRules
    ) -> None:
        self._tools = tools
        self._site = site
        self._held = held
        self._health = health
        self._trouble = trouble
        self._rules = rules
        self._traps = Traps.from_rows(site.state.traps)
        self._known: SiteSchedule | None = None
        self._shelves: Shelves | None = None

    async def schedule(self, source: str = "") -> SiteSchedule:
        """Return when each source is due; the store is asked once, and again for a source that came meanwhile."""
        if self._known is None or (source and source not in self._known.urls):
            name, rhythm = self._site.name, self._held.now.rhythm
            sources = await self._tools.store_thread.ask(lambda store: store.index_pages(name))
            paces = {source.url: pace_of(source.state.pace, source.weight) for source in sources}
            if load_domain(self._site.domain).is_walked:
                self._shelves = Shelves(name, self._rules, sources, self._site.state.within)
            self._known = SiteSchedule(self._tools.timing, paces, Rhythm.from_text(rhythm) if rhythm else None)
        return self._known

    def forget(self) -> None:
        """Ask the store again: there are other sources now."""
        self._known = None

    async def look(self, sources: Sequence[WatchedPage], extraction_map: ExtractionMap) -> None:
        """Look at sources at once; put the new links of each into the store, together with when it is due again."""
        async with asyncio.TaskGroup() as group:
            looks = [group.create_task(self._see(source, extraction_map)) for source in sources]
        for seen in (look.result() for look in looks):
            if not await self._gone(seen):
                await self._finish(seen, rules_of(seen.source.url, extraction_map.index, self._rules))
                self._note_listing(seen.source, seen.unlisted)

    async def _see(self, source: WatchedPage, extraction_map: ExtractionMap) -> _Seen:
        """Fetch a source and read it."""
        entry = _entry_of(source.url, extraction_map)
        page, failure = await self._fetch(source, entry, extraction_map)
        read: IndexRead | None = None
        if page is not None and page.status != 304:
            outcome = await self._tools.readers.read_index(page, entry, self._site.domain)
            read, failure = (None, outcome) if isinstance(outcome, Failure) else (outcome, None)
        unlisted = _unlisted(source, read, entry, self._tools.clock.now())
        return _Seen(source=source, page=page, read=read, failure=failure, unlisted=tuple(unlisted))

    async def _fetch(
        self, source: WatchedPage, entry: IndexPage | None, extraction_map: ExtractionMap
    ) -> tuple[Page | None, Failure | None]:
        render = (entry.render if entry is not None else None) or extraction_map.render
        asked = Validators(source.etag, source.last_modified) if render == "static" else None
        try:
            return await self._tools.fetch(source.url, render, asked), None
        except (FetchError, PageError) as error:
            return None, Failure(source.url, "fetch", error.code, str(error))

    async def _finish(self, seen: _Seen, rules: LinkRules) -> None:
        """Write what a look brought: new links, when to look again, and the site's state, in one transaction."""
        now, source, failure = self._tools.clock.now(), seen.source, seen.failure
        listed = await self._news(source, seen.read, now, rules)
        schedule = await self.schedule(source.url)
        if seen.read is not None and self._shelves is not None:
            await self._go_down(self._shelves, source, seen.read, listed, schedule)
        look = Look(
            at=now.timestamp(),
            first=len(listed.links),
            late=listed.late,
            failed=failure is not None,
            retry_after=retry_after_of(seen.page) if seen.page is not None else 0.0,
        )
        kept = _looked_at(seen, listed, schedule, look, now)
        if failure is not None and schedule.is_down:
            self._health.note(observe_failure(failure, look.at))
        self._held.change(rhythm=schedule.rhythm.to_text(), traps=tuple(self._traps.to_rows()))
        state, owner = self._held.now, self._tools.owner
        await self._tools.store_thread.ask(lambda store: store.finish_look(owner, kept, listed.links, state))
        self._trouble.count(failure, seen.page.status if seen.page is not None else 0)
        await self._tell(source, failure, len(listed.links))

    async def _go_down(
        self, shelves: Shelves, source: WatchedPage, read: IndexRead, listed: _Listed, schedule: SiteSchedule
    ) -> None:
        """Store the lists that a list leads to, and where its items are listed, before it counts as looked at."""
        further = shelves.below(source, read, listed.signatures, self._traps, self._tools.clock.now().timestamp())
        for page in further:
            schedule.add(page.url, page.weight, self._tools.clock.now().timestamp())
        trail = shelves.trail(source, read)
        items = {link.url: read.costs.get(link.url) for link in read.links.links if link.is_item}

        def write(store: Store) -> int:
            if further:
                store.put_index_pages(further)
            return store.offers.place(source.site, trail, items) if trail and items else 0

        if changed := await self._tools.store_thread.ask(write):
            self._tools.say(source.site, f"{source.url}: {counted(changed, 'price')} changed")

    async def _gone(self, seen: _Seen) -> bool:
        """Watch a list no longer that was found on the way down and is not there any more."""
        source = seen.source
        is_gone = seen.page is not None and seen.page.status in _GONE and bool(source.state.found_on)
        if is_gone:
            await self._tools.store_thread.ask(lambda store: store.remove_index_pages(source.site, [source.url]))
        return is_gone

    async def _news(self, source: WatchedPage, read: IndexRead | None, now: datetime, rules: LinkRules) -> _Listed:
        if read is None:
            return _Listed()
        since = oldest(self._site.state, now)
        items = {
            link.url: link
            for link in read.links.links
            if link.is_item and (since is None or link.published is None or _aware(link.published) >= since)
        }
        urls = [clean_url(url) for url in items]
        name = self._site.name
        known = await self._tools.store_thread.ask(lambda store: store.known_links(name, urls))
        news = find_news(
            items,
            rules,
            self._traps,
            known={signature(url) for url in known},
            before=frozenset(source.state.listed),
            now=now.timestamp(),
        )
        dates = {clean_url(url): link.published for url, link in items.items()}
        is_wanted = self._shelves is None or self._shelves.wants(self._shelves.trail(source, read))
        followed = news.follow.values() if is_wanted else ()
        links = [FoundLink(url=url, source=source.url, published=dates.get(url)) for url in followed]
        return _Listed(links, news.listed, news.late)

    async def _tell(self, source: WatchedPage, failure: Failure | None, news: int) -> None:
        name = self._site.name
        if failure is None:
            if source.state.failures:
                await self._tools.store_thread.ask(lambda store: store.forget_failures(name, [source.url]))
            if news:
                self._tools.say(name, f"{source.url}: {news} new")
            return
        self._tools.say(name, f"{source.url}: {failure.code}: {failure.detail}")
        await self._tools.add_failure(name, failure)

    def _note_listing(self, source: WatchedPage, unlisted: Sequence[float]) -> None:
        """Take note that the selectors of a source do not find any more what it lists, or that they do again."""
        at = self._tools.clock.now().timestamp()
        if len(unlisted) == _UNLISTED:
            seen = "known articles are listed, but not selected"
            pages = tuple(Occurrence(look, source.url, seen) for look in unlisted)
            self._health.note_signal(Signal(what="opened", kind="unlisted", at=at, pages=pages))
        elif not unlisted and len(source.state.unlisted) >= _UNLISTED:
            self._health.note_signal(Signal(what="closed", kind="unlisted", at=at))


def _looked_at(seen: _Seen, listed: _Listed, schedule: SiteSchedule, look: Look, now: datetime) -> WatchedPage:
    """Return a source with its new schedule, and what it listed."""
    source = seen.source
    due = schedule.after(source.url, look)
    is_read = seen.page is not None and seen.read is not None
    valid = Validators.of(seen.page) if seen.page is not None and is_read else None
    return replace(
        source,
        last_fetched=now,
        next_due=datetime.fromtimestamp(due, tz=now.tzinfo),
        period_seconds=due - look.at,
        etag=valid.etag if valid is not None else source.etag,
        last_modified=valid.last_modified if valid is not None else source.last_modified,
        state=SourceState(
            pace=asdict(schedule.pace(source.url)),
            listed=tuple(sorted(listed.signatures)) if is_read else source.state.listed,
            unlisted=seen.unlisted,
            trail=(seen.read.trail if seen.read is not None else ()) or source.state.trail,
            found_on=source.state.found_on,
            turned=source.state.turned,
        ),
    )


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _entry_of(url: str, extraction_map: ExtractionMap) -> IndexPage | None:
    """Return the map's entry of a source; one that a person added without selectors is read like the others."""
    own = next((entry for entry in extraction_map.index if signature(entry.url) == signature(url)), None)
    like = entry_for(url, extraction_map.index)
    if own is not None and like is not None and not own.items:
        return replace(own, items=like.items, next=like.next)
    return own or like


def _unlisted(source: WatchedPage, read: IndexRead | None, entry: IndexPage | None, now: datetime) -> list[float]:
    """Return the looks in a row, up to this one, with articles of before that the source's selectors do not find.

    The first of them is told by when the source was last well: what is wrong began after that.
    """
    looks = list(source.state.unlisted)
    if read is None or read.feed is not None or entry is None or not entry.items:
        return looks
    before = frozenset(source.state.listed)
    roles = Counter(link.is_item for link in read.links.links if signature(link.url) in before)
    if read.by_map and roles[False] <= max(roles[True], _FEW):
        return []
    began = source.last_fetched if not looks and source.last_fetched is not None else now
    return [*looks[: _UNLISTED + 1], began.timestamp()]
