"""A site whose lease is held in, its news in the store out: sources that are due are looked at, links collected."""

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sitewright.batch.observation import observe_failure, unpack_observation
from sitewright.batch.reading import IndexRead
from sitewright.errors import FetchError, PageError, StoreError
from sitewright.fetch.access import retry_after_of
from sitewright.fetch.crawler import Validators
from sitewright.fetch.fingerprint import Level
from sitewright.links import entry_for
from sitewright.maps import dump_map
from sitewright.parse import clean_url, signature
from sitewright.store.database import Store
from sitewright.store.entries import FoundLink, StoredSite, WaitingLink, WatchedPage
from sitewright.types import ExtractionMap, Failure, IndexPage, Page, Render
from sitewright.watch.backfill import PastFinder
from sitewright.watch.health import Health
from sitewright.watch.learner import LearnedSite, Learner
from sitewright.watch.links import LinkRules, find_news
from sitewright.watch.periods import Look
from sitewright.watch.recorder import Kept
from sitewright.watch.rendering import Rechecks, render_of_item, with_rendering
from sitewright.watch.retries import next_lesson, next_try, speaks_of_host
from sitewright.watch.rhythm import Rhythm
from sitewright.watch.schedule import SiteSchedule, pace_of
from sitewright.watch.signals import Example, Signal
from sitewright.watch.tools import Tools
from sitewright.watch.traps import Traps
from sitewright.watch.upkeep import Upkeep

_LINKS_AT_ONCE = 500
"""Links that are taken from the store together; sources that are due have their turn in between."""
_IN_FLIGHT, _IN_FLIGHT_POLITELY = 160, 8
"""Links of a site that are on their way at once: as many as are fetched, read and written together where there is no
pause between fetches; where there is one, no more than wait for their turn."""
_MOST_TROUBLE = 5
"""So many failures in a row speak of the host; it is left alone for some time."""
_REST = timedelta(minutes=5)
_UNLISTED, _FEW = 3, 2
"""So many looks in a row without what was listed before are an incident; one or two links may have moved."""


class Visit:
    """One turn of work on a site."""

    def __init__(self, tools: Tools, site: StoredSite) -> None:
        """Begin with what the store knows."""
        self._tools = tools
        self._site = site
        self._state: dict[str, Any] = dict(site.state)
        self._rules = LinkRules(
            site.name, seed=tuple(site.state.get("seed", ())), banned=tuple(site.state.get("banned", ()))
        )
        self._traps = Traps.from_rows(site.state.get("traps", ()))
        self._rechecks = Rechecks(tools, site.name, self._state)
        self._health = Health(tools, site.name)
        self._upkeep = Upkeep(tools, site, self._state, self._health)
        self._is_learning = False
        self._not_before: datetime | None = None
        self._past_due: datetime | None = None
        self._trouble = 0
        self._last_item = ""

    async def run(self, until: datetime) -> datetime | None:
        """Work until nothing is due, the host needs a rest, or the turn is over; then give the site back.

        Returns when to go on where only the turn was over, and None where nothing is left to do now.
        """
        is_cut = False
        await self._health.load()
        extraction_map = await self._map()
        while extraction_map is not None and self._trouble < _MOST_TROUBLE:
            is_cut = self._now() >= until
            if is_cut or not await self._turn(extraction_map):
                break
            extraction_map = await self._rechecked(extraction_map)
            if extraction_map is not None:
                extraction_map = await self._upkeep.tend(extraction_map)
        if self._trouble >= _MOST_TROUBLE:
            self._rest(_REST, "the host does not answer as it should; it is left alone for some minutes")
        return await self._give_back(is_cut=is_cut)

    async def _give_back(self, *, is_cut: bool) -> datetime | None:
        """Release the site, not to be visited again before its pause is over."""
        name, owner = self._site.name, self._tools.owner
        pause = timedelta(seconds=self._tools.web.delay_of(self._site.url) * self._tools.clock.speed)
        polite = max(self._not_before or self._now(), self._now() + pause)
        go_on = polite if is_cut else self._past_due

        def give_back(store: Store) -> None:  # at once: as soon as it is released, another visit may begin
            store.release_site(owner, name, not_before=polite)
            if go_on is not None:  # no source and no link is due then, if it is for the site's past
                store.make_due(name, max(go_on, polite))

        await self._tools.keeper.ask(give_back)
        return polite if is_cut else None

    def _now(self) -> datetime:
        return self._tools.clock.now()

    def _rest(self, pause: timedelta, reason: str) -> None:
        self._not_before = self._now() + pause
        self._tools.say(self._site.name, reason)

    # The map

    async def _map(self) -> ExtractionMap | None:
        """Return the site's map; one that has none is learned now."""
        stored = await self._tools.keeper.ask(lambda store: store.load_map(self._site.name))
        return stored.parsed() if stored is not None else await self._learn()

    async def _learn(self) -> ExtractionMap | None:
        learner = Learner(self._tools, self._site.name, self._site.domain, self._rules)
        learned = await learner.learn(self._site.url)
        if isinstance(learned, Failure):
            await self._put_off(learned, learner.asked_to_wait)
            return None
        await self._keep_learned(learned)
        return learned.extraction_map

    async def _put_off(self, failure: Failure, asked_to_wait: float) -> None:
        """Try to learn the site again some time later."""
        name, owner = self._site.name, self._tools.owner
        self._tools.say(name, f"nothing was learned: {failure.detail}")
        known = await self._tools.keeper.ask(lambda store: store.failures(name))
        tries = sum(stored.times for stored in known if stored.failure.stage == failure.stage)
        await self._tools.keeper.ask(lambda store: store.add_failure(name, failure))
        later = next_lesson(failure, tries, self._now(), asked_to_wait)
        pages = await self._tools.keeper.ask(lambda store: store.index_pages(name))
        for page in (replace(page, next_due=later) for page in pages):
            await self._tools.keeper.ask(partial(Store.finish_look, owner=owner, page=page))

    async def _keep_learned(self, learned: LearnedSite) -> None:
        """Store the map, the sources, and the articles that were fetched to learn from."""
        name = self._site.name
        pages = [_watched(name, entry) for entry in learned.extraction_map.index]
        self._state["calls"] = [asdict(call) for call in learned.calls]
        self._rechecks.note(("index", "item"))
        state = dict(self._state)
        known = await self._tools.keeper.ask(lambda store: store.index_pages(name))
        others = {page.url for page in known} - {page.url for page in pages}
        await self._tools.keeper.ask(lambda store: store.save_site_state(name, state))
        self._is_learning = True
        await asyncio.gather(*(self._read(page.url, page, learned.extraction_map) for page in learned.sampled))
        self._is_learning = False
        await self._tools.keeper.ask(lambda store: store.put_index_pages(pages))
        await self._tools.keeper.ask(lambda store: store.save_map(learned.text, "learned"))
        await self._tools.keeper.ask(lambda store: store.remove_index_pages(name, others))
        await self._tools.keeper.ask(lambda store: store.forget_failures(name, [self._site.url]))

    async def _rechecked(self, extraction_map: ExtractionMap) -> ExtractionMap | None:
        """Look at a level both ways if it is time to, and change the map where the choice no longer holds."""
        for level, url, current in self._levels(extraction_map):
            if not self._rechecks.is_due(level):
                continue
            chosen = await self._rechecks.check(url, level, current)
            if chosen != current:
                return await self._tools.keeper.ask(partial(_keep_rendering, self._site.name, level, chosen))
        return extraction_map

    def _levels(self, extraction_map: ExtractionMap) -> Iterator[tuple[Level, str, Render]]:
        """Yield the levels, each with a page of it and how it is fetched."""
        for entry in extraction_map.index:
            if entry.items:
                yield "index", entry.url, entry.render or extraction_map.render
                break
        if self._last_item:
            yield "item", self._last_item, render_of_item(extraction_map, self._last_item)

    # Sources and links

    async def _turn(self, extraction_map: ExtractionMap) -> bool:
        """Look at a source that is due and collect links that are; False where there was neither."""
        name = self._site.name
        due = await self._tools.keeper.ask(lambda store: store.due_index_pages(name, limit=1))
        for page in due:
            await self._look(page, extraction_map)
        links = await self._tools.keeper.ask(lambda store: store.due_links(name, limit=_LINKS_AT_ONCE))
        sources = await self._tools.keeper.ask(lambda store: store.index_pages(name)) if links else ()
        self._sources = frozenset(source.url for source in sources)
        await self._collect(links, extraction_map)
        self._last_item = links[-1].url if links else self._last_item
        past = not links and await self._fill_in(extraction_map)
        return bool(due or links or past)

    async def _fill_in(self, extraction_map: ExtractionMap) -> bool:
        """Do one step for the site's past, if it is wanted; False where nothing is left of it."""
        wanted = self._state.get("backfill")
        if wanted is None or self._past_due is not None:
            return False
        finder = PastFinder(self._tools, self._site.name, extraction_map, self._rules, wanted)
        failure = await finder.step()
        if failure is not None:
            finder.left.tries += 1
            self._past_due = self._now() + _REST
            self._tools.say(self._site.name, f"{failure.url}: {failure.code}: {failure.detail}")
        self._state["backfill"] = None if finder.left.is_done else finder.left.to_row()
        state, name = dict(self._state), self._site.name
        await self._tools.keeper.ask(lambda store: store.save_site_state(name, state))
        return True

    async def _look(self, source: WatchedPage, extraction_map: ExtractionMap) -> None:
        """Look at a source, and put its new links into the store together with its new schedule."""
        entry = _entry_of(source.url, extraction_map)
        page, failure = await self._fetch_source(source, entry, extraction_map)
        read: IndexRead | None = None
        if page is not None and page.status != 304:
            outcome = await self._tools.desk.read_index(page, entry)
            read, failure = (None, outcome) if isinstance(outcome, Failure) else (outcome, None)
        unlisted = _unlisted(source, read, entry, self._now())
        await self._finish(source, page, read, failure, unlisted)
        self._note_listing(source, unlisted)

    def _note_listing(self, source: WatchedPage, unlisted: Sequence[float]) -> None:
        """Take note that the selectors of a source do not find any more what it lists, or that they do again."""
        at = self._now().timestamp()
        if len(unlisted) == _UNLISTED:
            pages = tuple(Example(look, source.url, "known articles are listed, but not selected") for look in unlisted)
            self._health.note_signal(Signal(what="opened", kind="unlisted", at=at, pages=pages))
        elif not unlisted and len(source.state.get("unlisted", ())) >= _UNLISTED:
            self._health.note_signal(Signal(what="closed", kind="unlisted", at=at))

    async def _fetch_source(
        self, source: WatchedPage, entry: IndexPage | None, extraction_map: ExtractionMap
    ) -> tuple[Page | None, Failure | None]:
        render = (entry.render if entry is not None else None) or extraction_map.render
        asked = Validators(source.etag, source.last_modified) if render == "static" else None
        try:
            return await self._tools.fetch(source.url, render, asked), None
        except (FetchError, PageError) as error:
            return None, Failure(source.url, "fetch", error.code, str(error))

    async def _finish(
        self,
        source: WatchedPage,
        page: Page | None,
        read: IndexRead | None,
        failure: Failure | None,
        unlisted: Sequence[float],
    ) -> None:
        now = self._now()
        before = frozenset(source.state.get("listed", ()))
        found, listed, late = await self._news(source, read, before, now)
        schedule = await self._schedule()
        asked_to_wait = retry_after_of(page) if page is not None else 0.0
        look = Look(
            at=now.timestamp(), first=len(found), late=late, failed=failure is not None, retry_after=asked_to_wait
        )
        due = schedule.after(source.url, look)
        valid = (
            Validators.of(page)
            if page is not None and read is not None
            else Validators(source.etag, source.last_modified)
        )
        kept = replace(
            source,
            last_fetched=now,
            next_due=datetime.fromtimestamp(due, tz=now.tzinfo),
            period_seconds=due - look.at,
            etag=valid.etag,
            last_modified=valid.last_modified,
            state=asdict(schedule.pace(source.url))
            | {"listed": sorted(listed if read is not None else before), "unlisted": unlisted},
        )
        if failure is not None and schedule.is_down:
            self._health.note(observe_failure(failure, look.at))
        self._state |= {"rhythm": schedule.rhythm.to_text(), "traps": self._traps.to_rows()}
        state = dict(self._state)
        await self._tools.keeper.ask(lambda store: store.finish_look(self._tools.owner, kept, found, state))
        self._count(failure, page.status if page is not None else 0)
        await self._tell_look(source, failure, len(found))

    async def _tell_look(self, source: WatchedPage, failure: Failure | None, news: int) -> None:
        name = self._site.name
        if failure is None:
            if source.state.get("failures"):
                await self._tools.keeper.ask(lambda store: store.forget_failures(name, [source.url]))
            if news:
                self._tools.say(name, f"{source.url}: {news} new")
            return
        self._tools.say(name, f"{source.url}: {failure.code}: {failure.detail}")
        await self._tools.keeper.ask(lambda store: store.add_failure(name, failure))

    async def _news(
        self, source: WatchedPage, read: IndexRead | None, before: frozenset[str], now: datetime
    ) -> tuple[list[FoundLink], frozenset[str], int]:
        """Return the links that are new, the signatures of all that are listed, and how many came here late."""
        if read is None:
            return [], frozenset(), 0
        articles = {link.url: link for link in read.links.links if link.is_item}
        urls = [clean_url(url) for url in articles]
        name = self._site.name
        known = await self._tools.keeper.ask(lambda store: store.known_links(name, urls))
        news = find_news(
            articles,
            self._rules,
            self._traps,
            known={signature(url) for url in known},
            before=before,
            now=now.timestamp(),
        )
        dates = {clean_url(url): link.published for url, link in articles.items()}
        links = [FoundLink(url=url, source=source.url, published=dates.get(url)) for url in news.follow.values()]
        return links, news.listed, news.late

    async def _schedule(self) -> SiteSchedule:
        name = self._site.name
        sources = await self._tools.keeper.ask(lambda store: store.index_pages(name))
        rhythm = self._state.get("rhythm")
        paces = {source.url: pace_of(source.state, source.weight) for source in sources}
        return SiteSchedule(self._tools.timing, paces, Rhythm.from_text(rhythm) if rhythm else None)

    async def _collect(self, links: Sequence[WaitingLink], extraction_map: ExtractionMap) -> None:
        """Fetch, read and store links, many at once."""
        polite = self._tools.web.delay_of(self._site.url) > 0
        slots = asyncio.Semaphore(_IN_FLIGHT_POLITELY if polite else _IN_FLIGHT)

        async def collect(link: WaitingLink) -> None:
            async with slots:
                if self._trouble < _MOST_TROUBLE:
                    await self._item(link, extraction_map)

        async with asyncio.TaskGroup() as group:
            for link in links:
                group.create_task(collect(link))

    async def _item(self, link: WaitingLink, extraction_map: ExtractionMap) -> None:
        try:
            page = await self._tools.fetch(link.url, render_of_item(extraction_map, link.url))
        except (FetchError, PageError) as error:
            await self._failed(Failure(link.url, "fetch", error.code, str(error)), link.tries)
        else:
            await self._read(
                link.url,
                page,
                extraction_map,
                link.tries,
                is_past=bool(link.source) and link.source not in self._sources,
            )

    async def _read(
        self, link: str, page: Page, extraction_map: ExtractionMap, tries: int = 0, *, is_past: bool = False
    ) -> None:
        read = await self._tools.desk.read_item(page, extraction_map, self._health.doubts)
        if isinstance(read, Failure):
            await self._failed(read, tries, page)
            return
        failure = replace(read.failure, url=link) if read.failure is not None else None
        again = next_try(failure, page.status, tries, self._now(), retry_after_of(page)) if failure else None
        self._count(failure, page.status)
        kept = Kept(
            site=self._site.name,
            link=link,
            page=replace(page, body=b""),
            packed=read.packed,
            record=read.record,
            failure=failure,
            again_at=again,
        )
        try:
            await self._tools.recorder.keep(kept)
        except StoreError as error:
            await self._failed(Failure(link, "store", error.code, str(error)), tries)
            return
        if tries == 0 and not is_past:  # pages of the past may have looked different
            self._health.note(unpack_observation(read.observation), only_learn=self._is_learning)

    async def _failed(self, failure: Failure, tries: int, page: Page | None = None) -> None:
        """Store why a link has no record, and when it is tried again."""
        status = page.status if page is not None else 0
        self._count(failure, status)
        again = next_try(failure, status, tries, self._now())
        if tries == 0 and failure.stage != "store":
            self._health.note(observe_failure(failure, self._now().timestamp()))
        name = self._site.name
        await self._tools.keeper.ask(
            lambda store: store.add_failure(name, failure, settled=again is None, again_at=again)
        )

    def _count(self, failure: Failure | None, status: int) -> None:
        self._trouble = self._trouble + 1 if failure is not None and speaks_of_host(failure, status) else 0


def _keep_rendering(site: str, level: Level, render: Render, store: Store) -> ExtractionMap | None:
    """Store the next version of a site's map, in which pages of a level are fetched in another way."""
    stored = store.load_map(site)
    if stored is None:
        return None
    changed = with_rendering(stored.parsed(), level, render)
    store.save_map(dump_map(changed, like=stored.text), "healed")
    return changed


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
    looks = list(source.state.get("unlisted", ()))
    if read is None or read.feed is not None or entry is None or not entry.items:
        return looks
    before = frozenset(source.state.get("listed", ()))
    roles = Counter(link.is_item for link in read.links.links if signature(link.url) in before)
    if read.by_map and roles[False] <= max(roles[True], _FEW):
        return []
    began = source.last_fetched if not looks and source.last_fetched is not None else now
    return [*looks[: _UNLISTED + 1], began.timestamp()]


def _watched(site: str, entry: IndexPage) -> WatchedPage:
    return WatchedPage(site=site, url=entry.url, weight=entry.weight)
