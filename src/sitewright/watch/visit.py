"""A site whose lease is held in, its news in the store out: sources that are due are looked at, links collected."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from functools import partial

from sitewright.fetch.fingerprint import Level
from sitewright.maps import dump_map
from sitewright.maps.rendering import render_of_item
from sitewright.reading.designs import Design
from sitewright.store.database import Store
from sitewright.store.entries import StoredSite, WaitingLink, WatchedPage
from sitewright.types import ExtractionMap, Failure, IndexPage, Render
from sitewright.watch.health import Health
from sitewright.watch.held_state import HeldState
from sitewright.watch.items import Items
from sitewright.watch.learner import SAMPLE, LearnedSite, Learner
from sitewright.watch.links import LinkRules
from sitewright.watch.map_history import load_history
from sitewright.watch.past import PastFinder
from sitewright.watch.pictures import Pictures
from sitewright.watch.rendering import Rechecks, with_rendering
from sitewright.watch.retries import next_lesson
from sitewright.watch.sources import Sources
from sitewright.watch.tools import Tools
from sitewright.watch.trouble import HostTrouble
from sitewright.watch.upkeep import Upkeep

_LINKS_AT_ONCE = 500
"""Links that are taken from the store together; sources that are due have their turn in between."""
_SOURCES_AT_ONCE = 8
"""Sources that are fetched side by side: a shop's lists, of which each leads to few items."""
_REST = timedelta(minutes=5)


class Visit:
    """One turn of work on a site."""

    def __init__(self, tools: Tools, site: StoredSite) -> None:
        self._tools = tools
        self._site = site
        self._held = HeldState(tools, site)
        self._rules = LinkRules(site.name, seed=site.state.seed, banned=site.state.banned)
        self._rechecks = Rechecks(tools, site.name, self._held)
        self._health = Health(tools, site.name, site.domain)
        self._upkeep = Upkeep(tools, site, self._held, self._health)
        self._trouble = HostTrouble()
        self._sources = Sources(tools, site, self._held, self._health, self._trouble, self._rules)
        self._pictures = Pictures(tools, site.name)
        self._items = Items(tools, site, self._health, self._trouble)
        self._not_before: datetime | None = None
        self._past_due: datetime | None = None
        self._last_item = ""
        self._former_of: tuple[int, tuple[Design, ...]] | None = None

    async def run(self, until: datetime) -> datetime | None:
        """Work until nothing is due, the host needs a rest, or the turn is over; then give the site back.

        Returns when to go on where only the turn was over, and None where nothing is left to do now.
        """
        is_cut = False
        await self._health.load()
        extraction_map = await self._map()
        while extraction_map is not None and not self._trouble.is_too_much:
            is_cut = self._now() >= until
            if is_cut or not await self._turn(extraction_map):
                break
            extraction_map = await self._rechecked(extraction_map)
            if extraction_map is not None:
                extraction_map = await self._upkeep.tend(extraction_map)
        if self._trouble.is_too_much:
            self._rest(_REST, "the host does not answer as it should; it is left alone for some minutes")
        return await self._give_back(is_cut=is_cut)

    async def _give_back(self, *, is_cut: bool) -> datetime | None:
        """Release the site, not to be visited again before its pause is over."""
        for part in sorted(self._rules.slow):
            self._tools.say(self._site.name, f"{part}: it takes too long on an address; such links are not followed")
        name, owner = self._site.name, self._tools.owner
        pause = timedelta(seconds=self._tools.web.delay_of(self._site.url) * self._tools.clock.speed)
        polite = max(self._not_before or self._now(), self._now() + pause)
        go_on = polite if is_cut else self._past_due

        def give_back(store: Store) -> None:  # at once: as soon as it is released, another visit may begin
            store.release_site(owner, name, not_before=polite)
            if go_on is not None:  # no source and no link is due then, if it is for the site's past
                store.make_due(name, max(go_on, polite))

        await self._tools.store_thread.ask(give_back)
        return polite if is_cut else None

    def _now(self) -> datetime:
        return self._tools.clock.now()

    def _rest(self, pause: timedelta, reason: str) -> None:
        self._not_before = self._now() + pause
        self._tools.say(self._site.name, reason)

    # The map

    async def _map(self) -> ExtractionMap | None:
        """Return the site's map; one that has none is learned now."""
        stored = await self._tools.store_thread.ask(lambda store: store.load_map(self._site.name))
        return stored.parsed() if stored is not None else await self._learn()

    async def _former(self, extraction_map: ExtractionMap) -> tuple[Design, ...]:
        """Return the maps of the site's former designs, as long as the map is the same looked up once."""
        if self._former_of is None or self._former_of[0] != extraction_map.version:
            history = await self._tools.store_thread.ask(lambda store: load_history(store, self._site.name))
            self._former_of = extraction_map.version, history.former(extraction_map)
        return self._former_of[1]

    async def _learn(self) -> ExtractionMap | None:
        learner = Learner(self._tools, self._site.name, self._site.domain, self._rules)
        learned = await learner.learn(self._site.url, await self._listed())
        if isinstance(learned, Failure):
            await self._put_off(learned, learner.asked_to_wait)
            return None
        await self._keep_learned(learned)
        return learned.extraction_map

    async def _listed(self) -> list[str]:
        """Return the items of a site that has no source: only these are watched, and it is learned from them."""
        name = self._site.name
        if await self._tools.store_thread.ask(lambda store: store.index_pages(name)):
            return []
        return [
            link.url for link in await self._tools.store_thread.ask(lambda store: store.due_links(name, limit=SAMPLE))
        ]

    async def _put_off(self, failure: Failure, asked_to_wait: float) -> None:
        """Try to learn the site again some time later."""
        name, owner = self._site.name, self._tools.owner
        self._tools.say(name, f"nothing was learned: {failure.detail}")
        known = await self._tools.store_thread.ask(lambda store: store.failures(name))
        tries = sum(stored.times for stored in known if stored.failure.stage == failure.stage)
        await self._tools.add_failure(name, failure)
        later = next_lesson(failure, tries, self._now(), asked_to_wait)
        pages = await self._tools.store_thread.ask(lambda store: store.index_pages(name))
        for page in (replace(page, next_due=later) for page in pages):
            await self._tools.store_thread.ask(partial(Store.finish_look, owner=owner, page=page))
        if not pages:  # of items that wait, which would be asked for at once
            self._not_before = later

    async def _keep_learned(self, learned: LearnedSite) -> None:
        """Store the map, the sources, and the articles that were fetched to learn from."""
        name = self._site.name
        pages = [_watched(name, entry) for entry in learned.extraction_map.index]
        self._held.change(calls=tuple(asdict(call) for call in learned.calls))
        self._rechecks.note("index", "item")
        known = await self._tools.store_thread.ask(lambda store: store.index_pages(name))
        others = {page.url for page in known} - {page.url for page in pages}
        await self._held.save()
        self._tools.tally.take(name, len(learned.sampled))
        await self._items.keep_samples(learned.sampled, learned.extraction_map)
        await self._tools.store_thread.ask(lambda store: store.put_index_pages(pages))
        await self._tools.store_thread.ask(lambda store: store.save_map(learned.text, "learned"))
        await self._tools.store_thread.ask(lambda store: store.remove_index_pages(name, others))
        await self._tools.store_thread.ask(lambda store: store.forget_failures(name, [self._site.url]))
        self._sources.forget()

    async def _rechecked(self, extraction_map: ExtractionMap) -> ExtractionMap | None:
        """Look at a level both ways if it is time to, and change the map where the choice no longer holds."""
        for level, url, current in self._levels(extraction_map):
            if not self._rechecks.is_due(level):
                continue
            chosen = await self._rechecks.check(url, level, current)
            if chosen != current:
                return await self._tools.store_thread.ask(partial(_keep_rendering, self._site.name, level, chosen))
        return extraction_map

    def _levels(self, extraction_map: ExtractionMap) -> Iterator[tuple[Level, str, Render]]:
        """Yield the levels, each with a page of it and how it is fetched."""
        for entry in extraction_map.index:
            if entry.items:
                yield "index", entry.url, entry.render or extraction_map.render
                break
        if self._last_item:
            yield "item", self._last_item, render_of_item(extraction_map, self._last_item)

    # Sources and items

    async def _turn(self, extraction_map: ExtractionMap) -> bool:
        """Look at sources that are due and collect links that are; False where there was neither."""
        name = self._site.name
        due = await self._tools.store_thread.ask(lambda store: store.due_index_pages(name, limit=_SOURCES_AT_ONCE))
        await self._sources.look(due, extraction_map)
        room = self._tools.tally.room(name)
        most = _LINKS_AT_ONCE if room is None else min(room, _LINKS_AT_ONCE)
        links = await self._tools.store_thread.ask(lambda store: store.due_links(name, limit=most)) if most else []
        if links:
            self._tools.tally.take(name, len(links))
            sources = (await self._sources.schedule()).urls
            await self._items.collect(links, extraction_map, sources, await self._former(extraction_map))
        self._last_item = links[-1].url if links else self._last_item
        again = not links and most > 0 and await self._visit_again(extraction_map, most)
        past = not links and most > 0 and await self._fill_in(extraction_map)
        pictures = not links and not past and await self._pictures.step()
        return bool(due or links or again or past or pictures)

    async def _visit_again(self, extraction_map: ExtractionMap, most: int) -> bool:
        """Visit items whose prices may have changed; False where none is due."""
        name = self._site.name

        def due(store: Store) -> list[WaitingLink]:
            found = store.offers.due(name, limit=most)
            store.offers.put_off(name, [link.url for link in found])  # what cannot be fetched now is due a period later
            return found

        links = await self._tools.store_thread.ask(due)
        if links:
            self._tools.tally.take(name, len(links))
            await self._items.collect(links, extraction_map, (), await self._former(extraction_map), again=True)
        return bool(links)

    async def _fill_in(self, extraction_map: ExtractionMap) -> bool:
        """Do one step for the site's past, if it is wanted; False where nothing is left of it."""
        wanted = self._held.now.past
        if wanted is None or self._past_due is not None:
            return False
        finder = PastFinder(self._tools, self._site.name, extraction_map, self._rules, wanted)
        failure = await finder.step()
        if failure is not None:
            finder.left.tries += 1
            self._past_due = self._now() + _REST
            self._tools.say(self._site.name, f"{failure.url}: {failure.code}: {failure.detail}")
        self._held.change(past=None if finder.left.is_done else finder.left.to_row())
        await self._held.save()
        return True


def _keep_rendering(site: str, level: Level, render: Render, store: Store) -> ExtractionMap | None:
    """Store the next version of a site's map, in which pages of a level are fetched in another way."""
    stored = store.load_map(site)
    if stored is None:
        return None
    changed = with_rendering(stored.parsed(), level, render)
    store.save_map(dump_map(changed, like=stored.text), "healed")
    return changed


def _watched(site: str, entry: IndexPage) -> WatchedPage:
    return WatchedPage(site=site, url=entry.url, weight=entry.weight)
