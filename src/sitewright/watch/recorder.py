"""Pages that were read in, on the disk out: what comes at about the same time is written together."""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from sitewright.domains import load_domain
from sitewright.links import StoryPages
from sitewright.parse import url_id
from sitewright.store.database import Store
from sitewright.store.entries import Collected, PageLocation
from sitewright.store.warc import PackedPage, WarcStore
from sitewright.types import Failure, Page, Record
from sitewright.watch.events import Ears, Event, Foreseen, failure_event, record_event
from sitewright.watch.photo_sets import keep_photo_sets
from sitewright.watch.store_thread import StoreThread
from sitewright.watch.story_pages import collected_story, give_up_part
from sitewright.watch.twins import folded, names_of

_MOST_TOGETHER = 100
_GATHERING = 0.05
"""Seconds in which what comes is written together: a transaction for each page would take most of the time."""
_MOST_ALONE = 2
"""Where so many in a row cannot be written even by themselves, it is the store that is ill and not a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What is to be kept of a link: its page with the record, or with why it has none."""

    site: str
    link: str
    page: Page
    packed: PackedPage
    record: Record | None = None
    story: StoryPages = field(default_factory=StoryPages)
    """The other pages of its story."""
    failure: Failure | None = None
    again_at: datetime | None = None
    """When a failure is tried again; None: never."""
    unstated: bool = False
    """Whether the page says that it does not state a price."""


class Recorder:
    """Writes pages and records; open it with `async with`, which waits for what is being written."""

    def __init__(self, store_thread: StoreThread, archive: WarcStore, ears: Ears | None = None) -> None:
        self._keeper = store_thread
        self._ears = ears or Ears()
        self._archive = archive
        self._waiting: asyncio.Queue[tuple[Kept, asyncio.Future[None]]] = asyncio.Queue()
        self._writing: asyncio.Task[None] | None = None
        self.records = self.failures = 0
        """How many were written."""

    async def __aenter__(self) -> Self:
        """Begin to write what comes."""
        self._writing = asyncio.create_task(self._write_all())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Write what is left, and end."""
        await self._waiting.join()
        if self._writing is not None:
            self._writing.cancel()
            with suppress(asyncio.CancelledError):
                await self._writing

    async def keep(self, kept: Kept) -> None:
        """Write a page; when this returns, it is on the disk. `StoreError` where it cannot be written."""
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.put_nowait((kept, written))
        await written
        self.records += kept.record is not None
        self.failures += kept.failure is not None

    async def _write_all(self) -> None:
        while True:
            batch = [await self._waiting.get()]
            await asyncio.sleep(_GATHERING)
            while len(batch) < _MOST_TOGETHER and not self._waiting.empty():
                batch.append(self._waiting.get_nowait())
            await self._write(batch)
            for _ in batch:
                self._waiting.task_done()

    async def _write(self, batch: Sequence[tuple[Kept, "asyncio.Future[None]"]]) -> None:
        error = await self._attempt([kept for kept, _ in batch])
        if error is None or len(batch) == 1:
            for _, written in batch:
                _settle(written, error)
            return
        ill = 0
        for kept, written in batch:  # maybe one of them is the reason
            if ill < _MOST_ALONE:
                alone = await self._attempt([kept])
                ill, error = (0, error) if alone is None else (ill + 1, alone)
                _settle(written, alone)
            else:
                _settle(written, error)

    async def _attempt(self, batch: Sequence[Kept]) -> Exception | None:
        def write(store: Store) -> None:
            with self._ears.telling(list(_foreseen(batch))) as events:
                events.extend(_commit(store, self._archive, batch))

        try:
            await self._keeper.ask(write)
        except Exception as error:  # noqa: BLE001 -- told to those who wait: who writes for all must not end
            return error
        return None


def _settle(written: "asyncio.Future[None]", error: Exception | None) -> None:
    if written.done():  # nobody waits any more
        return
    if error is None:
        written.set_result(None)
    else:
        written.set_exception(error)


def _foreseen(batch: Sequence[Kept]) -> Iterator[Foreseen]:
    """Yield the addresses of which something is about to be written."""
    for kept in batch:
        addresses = (kept.link, kept.record.urls[0] if kept.record is not None else kept.link)
        yield from (Foreseen(kept.site, url) for url in dict.fromkeys(addresses))


def _commit(store: Store, archive: WarcStore, batch: Sequence[Kept]) -> list[Event]:
    """Write pages first, then what speaks of them: what is killed in between is fetched again, never missed."""
    places = archive.append_packed([kept.packed for kept in batch])
    with store.together():  # stories of several pages ask often
        return _committed(store, batch, places)


def _committed(store: Store, batch: Sequence[Kept], places: Sequence[PageLocation]) -> list[Event]:
    waiting: list[Collected] = []
    events: list[Event] = []
    names: set[str] = set()
    for kept, place in zip(batch, places, strict=True):
        own = names_of(kept.record) if kept.record is not None else frozenset()
        if kept.story.parts or not names.isdisjoint(own):  # what is known of its other pages has to be in the store
            events.extend(_written(store, waiting))
            waiting.clear()
            names.clear()
        if (one := _collected(store, kept, place)) is not None:
            waiting.append(one)
            names |= own
    events.extend(_written(store, waiting))
    return [*events, *(event for kept in batch for event in _failure_events(kept))]


def _written(store: Store, batch: Sequence[Collected]) -> Iterator[Event]:
    """Write records, and yield what is to be told of them."""
    there = store.commit_pages(batch)
    keep_photo_sets(store, [one.record for one in batch])
    for one in batch:
        name = (one.record.site, url_id(one.record.urls[0]))
        yield record_event(one.record, one.page.fetched_at or datetime.now(UTC), is_new=name not in there)
        there.add(name)  # the next of the same address is an update


def _failure_events(kept: Kept) -> Iterator[Event]:
    if kept.record is None and kept.failure is not None:
        at = kept.page.fetched_at or datetime.now(UTC)
        yield failure_event(kept.site, kept.failure, at, again_at=kept.again_at)


def _collected(store: Store, kept: Kept, place: PageLocation) -> Collected | None:
    """Return the record that is to be stored of a page, if any; what else is known of the page is stored."""
    if kept.failure is not None:
        store.add_page(kept.site, kept.page, place)
        store.add_failure(kept.site, kept.failure, settled=kept.again_at is None, again_at=kept.again_at)
        return give_up_part(store, kept.site, kept.link)
    if kept.record is None:
        return None
    record = folded(store, kept.record)
    own = Collected(record=record, page=kept.page, location=place, link=kept.link, unstated=kept.unstated)
    if load_domain(record.domain).same:
        return own
    whole = collected_story(store, own, kept.story)
    if whole is None or whole.location != place:  # the page is one of a story, whose record names another page
        store.add_page(kept.site, kept.page, place)
        addresses = filter(None, (*kept.record.urls, kept.page.url, kept.page.final_url, kept.link))
        store.settle_part(kept.site, addresses)
    return whole
