"""What a collector works with, in one place."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from sitewright.fetch import Validators, Web
from sitewright.fetch.turning import Turning
from sitewright.links.turning import turning_words
from sitewright.parse.sites import site_name
from sitewright.processes.readers import Readers
from sitewright.store.database import Store
from sitewright.store.entries import Collected
from sitewright.types import Failure, Page, Render
from sitewright.watch.clock import Clock
from sitewright.watch.events import Ears, Event, Foreseen, failure_event, record_event
from sitewright.watch.photo_sets import keep_photo_sets
from sitewright.watch.recorder import Recorder
from sitewright.watch.store_thread import StoreThread
from sitewright.watch.story_pages import end_story, give_up_part
from sitewright.watch.tally import Tally
from sitewright.watch.timing.periods import Timing

Say = Callable[[str, str], None]
"""Hears the name of a site and what is being done there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebTools:
    """The web, those who read its pages, and the clock."""

    web: Web
    readers: Readers
    clock: Clock
    say: Say

    async def fetch(
        self, url: str, render: Render = "static", validators: Validators | None = None, *, cached: bool = False
    ) -> Page:
        """Return the page at a URL, fetched now by our clock; `FetchError` or `PageError` where there is none."""
        page = await self.web.fetch(url, render, validators, cached=cached)
        return replace(page, fetched_at=self.clock.now())

    async def fetch_item(self, url: str, render: Render) -> Page:
        """Return the page of an item; in a browser the pictures of a gallery that shows a few at a time are turned."""
        if render == "static":
            return await self.fetch(url)
        rendering = await self.web.render(url, TURNING)
        if rendering.turned.more:
            self.say(site_name(url), f"{url}: {rendering.turned.shown} pictures were turned; there may be more")
        return replace(rendering.page, fetched_at=self.clock.now())


TURNING = Turning(words=turning_words())


@dataclass(frozen=True, slots=True, kw_only=True)
class Tools(WebTools):
    """Beside them the store, and all that is set for collecting."""

    store_thread: StoreThread
    recorder: Recorder
    timing: Timing
    pages: str
    """The folder of the web archive."""
    sure: float
    """From this confidence on a repaired rule is adopted by itself."""
    owner: str
    """Under which name this process holds sites."""
    ears: Ears = field(default_factory=Ears)
    downloads: str = ""
    """The folder that keeps the files of pictures; empty: none are kept."""
    tally: Tally = field(default_factory=Tally)

    async def add_failure(
        self, site: str, failure: Failure, *, settled: bool = False, again_at: datetime | None = None
    ) -> None:
        """Store why something of a site has no record, and tell of it."""
        event = failure_event(site, failure, self.clock.now(), again_at=again_at)

        def add(store: Store) -> None:
            with self.ears.telling([Foreseen(site, failure.url)]) as events:
                store.add_failure(site, failure, settled=settled, again_at=again_at)
                events.extend([event, *self._story_told(store, give_up_part(store, site, failure.url))])

        await self.store_thread.ask(add)

    async def end_story(self, site: str, url: str) -> None:
        """Note that a story has no page where a pattern of addresses led."""

        def end(store: Store) -> None:
            with self.ears.telling([Foreseen(site, url)]) as events:
                events.extend(self._story_told(store, end_story(store, site, url)))

        await self.store_thread.ask(end)

    def _story_told(self, store: Store, story: Collected | None) -> list[Event]:
        """Store a story that is awaited no longer, and return what is to be told of it."""
        if story is None:
            return []
        store.commit_pages([story])
        keep_photo_sets(store, [story.record])
        return [record_event(story.record, self.clock.now(), is_new=False)]
