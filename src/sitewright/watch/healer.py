"""A site that has changed in, its repaired map out, with how sure each change is.

Known articles are fetched again, and the values of their records are looked for on them; the newest pages, which only
the tagger knows, come from the archive. Sources are fetched again, too: their known links say where they list articles.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from sitewright.errors import FetchError, NoArticles, PageError
from sitewright.fetch import PagePlace
from sitewright.heal.known import KnownPage
from sitewright.heal.remembered import MOST_KNOWN, known_page, remembered_pages
from sitewright.heal.repaired import RepairedMap, proposal_of
from sitewright.heal.sources import HealedIndex, is_found_otherwise, proposed_source
from sitewright.heal.symptoms import Symptoms, symptoms_told_by
from sitewright.maps.rendering import render_of_item
from sitewright.notice.observation import Observation, unpack_observation
from sitewright.parse import signature
from sitewright.processes.places import StoredPlace
from sitewright.processes.repairs import PlacedPage
from sitewright.store.database import Store
from sitewright.store.entries import ProposedField, RecordQuery, StoredMap, StoredProposal, StoredRecord, StoredSite
from sitewright.types import Failure, IndexPage, Page
from sitewright.watch.inheritance import given_categories, without_categories
from sitewright.watch.story_pages import pages_alone
from sitewright.watch.tools import Tools

_NEW = 4
"""New pages that a map is repaired from, more where few known articles can be fetched again."""
_RECORDS = 120
"""The newest records, of which articles are chosen."""
_AT_ONCE = 4
_MOST_MISSES = 12
"""Where so many known articles cannot be fetched, no others are asked for."""


class Healer:
    """Makes repairs of one site; nothing is stored."""

    def __init__(self, tools: Tools, site: StoredSite, versions: Sequence[StoredMap]) -> None:
        """Begin with all versions of the site's map, the newest last."""
        self._tools = tools
        self._site = site.name
        self._versions = versions
        self._map = versions[-1].parsed()
        self._lists = {signature(url) for url in (site.url, *(entry.url for entry in self._map.index))}

    async def repair(self, symptoms: Symptoms) -> RepairedMap | Failure:
        """Learn how the site is to be read now; a failure says why that is not possible."""
        unchanged = RepairedMap(old=self._map, whole=self._map)
        outcome = unchanged if symptoms.lists_only else await self._heal_fields(symptoms)
        sources = [healed async for healed in self._heal_sources()]
        if isinstance(outcome, Failure) and not sources:
            return outcome
        if isinstance(outcome, Failure):
            self._tools.say(self._site, f"only sources are repaired: {outcome.detail}")
            outcome = replace(unchanged, warnings=(outcome.detail,))
        return outcome.with_sources(sources)

    async def ask_known(self, since: datetime, most: int) -> list[Observation]:
        """Fetch some articles from before a moment again; return what of their records the map still reads."""
        articles = await self._tools.store_thread.ask(partial(_remembered, self._site, Symptoms(since=since)))
        pages = await self._fetch_known(articles[: 2 * most], most)
        read = await asyncio.gather(*(self._tools.readers.observe_known(known, self._map) for known in pages))
        return [unpack_observation(one) for one in read if isinstance(one, bytes)]

    # Fields

    async def _heal_fields(self, symptoms: Symptoms) -> RepairedMap | Failure:
        known = await self._fetch_known(await self._tools.store_thread.ask(partial(_remembered, self._site, symptoms)))
        affected = symptoms.pages[-MOST_KNOWN:]
        found = await self._tools.store_thread.ask(lambda store: store.find_records(self._site, affected))
        new = [stored for stored in found if _is_since(stored, symptoms.since)]  # of others the page lies as it was
        places = [self._place(stored) for stored in new][-max(_NEW, MOST_KNOWN - len(known)) :]
        pages: list[PlacedPage] = [*known, *(KnownPage(place) for place in places if place is not None)]
        if not pages:
            newest = await self._tools.store_thread.ask(partial(_newest, self._site, symptoms.since))
            kept = [(known_page(stored), self._place(stored)) for stored in newest]
            pages = [own.then(place) if own.values else KnownPage(place) for own, place in kept if place is not None]
        if not pages:
            return Failure(self._site, "heal", NoArticles.code, "no known article can be fetched again")
        return await self._tools.readers.heal_map(self._map, pages, self._tools.clock.now(), self._tools.sure)

    def _place(self, stored: StoredRecord) -> StoredPlace | None:
        if stored.location is None:
            return None
        return StoredPlace(self._tools.pages, stored.location, stored.record.urls[0])

    async def _fetch_known(
        self, articles: Sequence[KnownPage[str]], most: int = MOST_KNOWN
    ) -> list[KnownPage[PagePlace]]:
        """Fetch so many known articles as they are now; those that are gone are passed over."""
        found: list[KnownPage[PagePlace]] = []
        asked = 0
        while asked < len(articles) and len(found) < most and asked - len(found) < _MOST_MISSES:
            part = articles[asked : asked + min(_AT_ONCE, most - len(found))]
            asked += len(part)
            pages = await asyncio.gather(*(self._fetch(known.page) for known in part))
            found += [known.then(PagePlace(page)) for known, page in zip(part, pages, strict=True) if page is not None]
        return found

    async def _fetch(self, url: str) -> Page | None:
        try:
            page = await self._tools.fetch(url, render_of_item(self._map, url))
        except (FetchError, PageError):
            return None
        is_there = page.status < 300 and signature(page.location) not in self._lists  # where gone ones often lead
        return page if is_there else None

    # Sources

    async def _heal_sources(self) -> AsyncIterator[tuple[ProposedField, IndexPage]]:
        """Yield what becomes of the selectors of sources that have some."""
        entries = [entry for entry in self._map.index if entry.items]
        known = await self._tools.store_thread.ask(partial(_listed, self._site)) if entries else frozenset()
        for entry in entries:
            healed = await self._heal_source(entry, known)
            if healed is not None and is_found_otherwise(entry, healed.entry):
                yield proposed_source(entry, healed, self._versions, self._tools.sure), healed.entry

    async def _heal_source(self, entry: IndexPage, known: frozenset[str]) -> HealedIndex | None:
        try:
            page = await self._tools.fetch(entry.url, entry.render or self._map.render)
        except (FetchError, PageError):
            return None
        healed = await self._tools.readers.heal_entry(entry, page, known) if page.status < 400 else None
        return healed if isinstance(healed, HealedIndex) else None


async def propose_now(tools: Tools, site: StoredSite) -> StoredProposal | Failure:
    """Repair a site's map whatever its incidents say, and have the outcome wait for a person.

    Where nothing needs to be repaired, no field of the proposal changes, and it is not stored.
    """
    versions = await tools.store_thread.ask(lambda store: store.map_versions(site.name))
    if not versions:
        return Failure(site.url, "heal", NoArticles.code, f"{site.name} has no map yet")
    opened = await tools.store_thread.ask(lambda store: store.incidents(site.name))
    symptoms = symptoms_told_by(opened)
    repaired = await Healer(tools, site, versions).repair(symptoms)
    if isinstance(repaired, Failure):
        return repaired
    proposal = proposal_of(repaired, versions[-1], symptoms, tools.clock.now())
    return await tools.store_thread.ask(lambda store: store.put_proposal(proposal)) if repaired.changed else proposal


def _remembered(site: str, symptoms: Symptoms, store: Store) -> list[KnownPage[str]]:
    query = RecordQuery(site=site, newest_first=True, shown_before=symptoms.since, limit=_RECORDS)
    return remembered_pages(list(_of_pages(store, site, query)), symptoms)


def _newest(site: str, since: datetime | None, store: Store) -> list[StoredRecord]:
    """Return the newest records; where it is known since when the site has changed, those since then."""
    newest = _of_pages(store, site, RecordQuery(site=site, newest_first=True, limit=MOST_KNOWN))
    return [one for one in newest if _is_since(one, since)]


def _is_since(stored: StoredRecord, since: datetime | None) -> bool:
    """Tell whether a page was read since a moment: known articles that were only asked for again were not."""
    return since is None or (stored.record.extracted_at or stored.stored_at) >= since


def _of_pages(store: Store, site: str, query: RecordQuery) -> Iterator[StoredRecord]:
    """Yield records as their pages alone give them: without other pages of their stories, and what sources say."""
    known, stored_map = store.site(site), store.load_map(site)
    usual = known.state.category if known is not None else ""
    given = given_categories(stored_map.parsed(), usual) if stored_map is not None else frozenset((usual,))
    for one in pages_alone(store, store.records(query)):
        yield replace(one, record=without_categories(one.record, given))


def _listed(site: str, store: Store) -> frozenset[str]:
    """Return signatures of articles: those of the newest records, and those that sources listed last."""
    records = store.records(RecordQuery(site=site, newest_first=True, limit=_RECORDS))
    own = {signature(url) for stored in records for url in stored.record.urls}
    return frozenset(own.union(*(source.state.listed for source in store.index_pages(site))))
