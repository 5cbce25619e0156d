"""Links that wait in, their pages in the archive and their records in the store out, or why there are none."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from sitewright.errors import FetchError, PageError, StoreError
from sitewright.fetch import retry_after_of
from sitewright.maps.rendering import render_of_item
from sitewright.notice.observation import observe_failure, unpack_observation
from sitewright.parse import signature
from sitewright.reading.designs import Design
from sitewright.store.entries import StoredSite, WaitingLink
from sitewright.store.story_parts import GUESSED_OF, PART_OF
from sitewright.types import LIST, ExtractionMap, Failure, Page
from sitewright.watch.ages import oldest, too_old
from sitewright.watch.health import Health
from sitewright.watch.inheritance import category_of, with_category
from sitewright.watch.recorder import Kept
from sitewright.watch.retries import next_try
from sitewright.watch.tools import Tools
from sitewright.watch.trouble import HostTrouble

_IN_FLIGHT, _IN_FLIGHT_POLITELY = 160, 8
"""Links of a site that are on their way at once: as many as are fetched, read and written together where there is no
pause between fetches; where there is one, no more than wait for their turn."""

_GONE = (404, 410)
_Of = Literal["today", "past", "sample", "story", "again"]
"""What a page is of: the news, the past (or a later try), what a map is learned from, a story of several
pages, or an item that is visited again for its price."""


class Items:
    """Collects the items of one site."""

    def __init__(self, tools: Tools, site: StoredSite, health: Health, trouble: HostTrouble) -> None:
        self._tools = tools
        self._site = site
        self._health = health
        self._trouble = trouble
        self._former: tuple[Design, ...] = ()
        self._again = False
        self._maps: tuple[ExtractionMap, ExtractionMap] | None = None

    async def collect(
        self,
        links: Sequence[WaitingLink],
        extraction_map: ExtractionMap,
        sources: Collection[str],
        former: tuple[Design, ...] = (),
        *,
        again: bool = False,
    ) -> None:
        """Fetch, read and store links, many at once; those that no source of today listed are of the past.

        Pages that are still in a former design of the site are read by its map. `again`: they were read before.
        """
        self._former = former
        self._again = again
        polite = self._tools.web.delay_of(self._site.url) > 0
        slots = asyncio.Semaphore(_IN_FLIGHT_POLITELY if polite else _IN_FLIGHT)

        async def collect(link: WaitingLink) -> None:
            async with slots:
                if not self._trouble.is_too_much:
                    is_past = bool(link.source) and link.source not in sources
                    await self._collect(link, extraction_map, is_past=is_past)

        async with asyncio.TaskGroup() as group:
            for link in links:
                group.create_task(collect(link))

    async def _collect(self, link: WaitingLink, extraction_map: ExtractionMap, *, is_past: bool) -> None:
        try:
            page = await self._tools.fetch_item(link.url, render_of_item(extraction_map, link.url))
        except (FetchError, PageError) as error:
            await self._failed(Failure(link.url, "fetch", error.code, str(error)), link.tries)
        else:
            is_guessed = link.source.startswith(GUESSED_OF)
            if is_guessed and _is_no_page(page):
                await self._tools.end_story(self._site.name, link.url)
                return
            is_part = is_guessed or link.source.startswith(PART_OF)
            usual: _Of = "again" if self._again else "today"
            of: _Of = "story" if is_part else "past" if is_past or link.tries else usual
            category = category_of(link.source, extraction_map.index, self._site.state.category)
            await self._keep(link.url, page, extraction_map, link.tries, of=of, category=category)

    async def _turned(self, url: str) -> Page | None:
        """Return a gallery with all its pictures, which a browser has turned; None where that cannot be done."""
        if not self._tools.web.can_render:
            return None
        try:
            return await self._tools.fetch_item(url, "browser")
        except (FetchError, PageError) as error:
            self._tools.say(self._site.name, f"{url}: its pictures are not turned: {error}")
            return None

    async def keep_samples(self, pages: Sequence[Page], extraction_map: ExtractionMap) -> None:
        """Read and store the pages that a map was learned from; what is usual is learned from them, too."""
        usual = self._site.state.category
        kept = (self._keep(page.url, page, extraction_map, of="sample", category=usual) for page in pages)
        await asyncio.gather(*kept)

    async def _keep(
        self,
        link: str,
        page: Page,
        extraction_map: ExtractionMap,
        tries: int = 0,
        *,
        of: "_Of" = "today",
        category: str = "",
    ) -> None:
        """Read and store a page; what is usual is not learned from pages of the past, nor from parts of stories."""
        doubts = self._health.doubts
        own_map = self._map_of_items(extraction_map)
        read = await self._tools.readers.read_item(page, own_map, doubts, self._former, is_part=of == "story")
        if isinstance(read, Failure):
            await self._failed(read, tries, page)
            return
        if read.turns and (turned := await self._turned(link)) is not None:
            await self._keep(link, turned, extraction_map, tries, of=of, category=category)
            return
        now = self._tools.clock.now()
        failure = replace(read.failure, url=link) if read.failure is not None else None
        in_doubt = self._health.is_in_doubt
        again = next_try(failure, page.status, tries, now, retry_after_of(page), in_doubt=in_doubt) if failure else None
        self._trouble.count(failure, page.status)
        old = too_old(read.record, link, oldest(self._site.state, now)) if read.record is not None else None
        record = with_category(read.record, category) if read.record is not None and old is None else None
        kept = Kept(
            site=self._site.name,
            link=link,
            page=replace(page, body=b""),
            packed=read.packed,
            record=record,
            story=read.story,
            unstated=read.unstated,
            failure=failure or old,
            again_at=again,
        )
        try:
            await self._tools.recorder.keep(kept)
        except StoreError as error:
            await self._failed(Failure(link, "store", error.code, str(error)), tries)
            return
        seen = unpack_observation(read.observation)
        is_former = seen.map_version not in (None, extraction_map.version)  # it says nothing of the rules of today
        is_first = read.story.first(page.url) == page.url  # further pages of a story may be hardly more than a picture
        says_more = is_first and not is_former and not read.unstated  # it lacks a price, and no rule is to blame
        if of in ("today", "sample", "again") and says_more and (old is None or of == "sample"):
            self._health.note(replace(seen, is_again=of == "again"), only_learn=of == "sample")

    def _map_of_items(self, extraction_map: ExtractionMap) -> ExtractionMap:
        """Return a map without the template of lists: what lists name are items, whatever lists stand on their pages.

        It is made once for each map: maps travel to those who read by what they are, not by what they say.
        """
        if self._maps is None or self._maps[0] is not extraction_map:
            templates = tuple(one for one in extraction_map.templates if one.name != LIST)
            is_same = len(templates) in (0, len(extraction_map.templates))
            own = extraction_map if is_same else replace(extraction_map, templates=templates)
            self._maps = (extraction_map, own)
        return self._maps[1]

    async def _failed(self, failure: Failure, tries: int, page: Page | None = None) -> None:
        """Store why a link has no record, and when it is tried again."""
        status, now = page.status if page is not None else 0, self._tools.clock.now()
        self._trouble.count(failure, status)
        again = next_try(failure, status, tries, now)
        if tries == 0 and failure.stage != "store":
            self._health.note(observe_failure(failure, now.timestamp()))
        await self._tools.add_failure(self._site.name, failure, settled=again is None, again_at=again)
        if page is not None and page.status in _GONE:
            await self._tools.store_thread.ask(lambda store: store.offers.drop(self._site.name, [failure.url]))


def _is_no_page(page: Page) -> bool:
    """Tell whether nothing is where a guessed address leads: it is gone, or leads elsewhere."""
    return page.status in _GONE or signature(page.location) != signature(page.url)
