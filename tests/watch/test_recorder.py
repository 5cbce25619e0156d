import asyncio
import errno
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sitewright.errors import StoreError
from sitewright.store.database import Store, open_store
from sitewright.store.entries import FoundLink, RecordQuery
from sitewright.store.warc import WarcStore, pack_page
from sitewright.types import Failure, Page, Record, Value
from sitewright.watch.recorder import Kept, Recorder
from sitewright.watch.store_thread import StoreThread

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
SITE = "example.com"


@dataclass
class Shelf:
    """A store and an archive."""

    store: Store
    archive: WarcStore

    @asynccontextmanager
    async def recorder(self) -> AsyncIterator[Recorder]:
        with StoreThread(self.store) as store_thread:
            async with Recorder(store_thread, self.archive) as recorder:
                yield recorder

    def urls(self) -> list[str]:
        return [stored.record.urls[0] for stored in self.store.records(RecordQuery(site=SITE))]

    def bodies(self) -> list[bytes]:
        return [self.archive.read(stored.location).body for stored in self.store.records(RecordQuery(site=SITE))]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    with (
        open_store(f"sqlite:///{tmp_path}/store.db", clock=lambda: NOW) as store,
        WarcStore(tmp_path / "pages") as archive,
    ):
        store.add_site(SITE, url=f"https://{SITE}/")
        yield Shelf(store, archive)


def url_of(number: int) -> str:
    return f"https://{SITE}/story-{number}"


def kept(number: int, *, failure: Failure | None = None, again_at: datetime | None = None) -> Kept:
    page = Page(url=url_of(number), body=f"<h1>{number}</h1>".encode(), fetched_at=NOW)
    title = Value(str(number), 0.9, "article/title#0")
    record = Record(site=SITE, urls=(page.url,), fields={"title": title}, template="article")
    return Kept(
        site=SITE,
        link=page.url,
        page=replace(page, body=b""),
        packed=pack_page(page),
        record=None if failure else record,
        failure=failure,
        again_at=again_at,
    )


async def keep_all(shelf: Shelf, everything: list[Kept]) -> list[BaseException | None]:
    """Keep many at once; return for each what went wrong."""
    async with shelf.recorder() as recorder:
        return await asyncio.gather(*map(recorder.keep, everything), return_exceptions=True)


def test_what_was_kept_is_in_the_store_and_the_archive(shelf: Shelf) -> None:
    async def work() -> None:
        async with shelf.recorder() as recorder:
            await recorder.keep(kept(1))
            assert shelf.urls() == [url_of(1)]
            assert (recorder.records, recorder.failures) == (1, 0)

    asyncio.run(work())
    assert shelf.bodies() == [b"<h1>1</h1>"]


def test_many_at_once_are_all_written(shelf: Shelf) -> None:
    assert asyncio.run(keep_all(shelf, [kept(number) for number in range(250)])) == [None] * 250
    assert sorted(shelf.urls()) == sorted(map(url_of, range(250)))
    assert set(shelf.bodies()) == {f"<h1>{number}</h1>".encode() for number in range(250)}


def test_links_that_were_kept_wait_no_longer(shelf: Shelf) -> None:
    shelf.store.add_links(SITE, [FoundLink(url=url_of(number)) for number in range(3)])
    asyncio.run(keep_all(shelf, [kept(0), kept(1)]))
    assert [link.url for link in shelf.store.due_links(SITE, limit=10)] == [url_of(2)]


@pytest.mark.parametrize("again_at", [None, NOW + timedelta(minutes=5)])
def test_a_page_without_a_record_is_kept_with_the_reason(shelf: Shelf, again_at: datetime | None) -> None:
    shelf.store.add_links(SITE, [FoundLink(url=url_of(1))])
    failure = Failure(url_of(1), "extract", "not_item", "the page is no article")
    asyncio.run(keep_all(shelf, [kept(1, failure=failure, again_at=again_at), kept(2)]))
    assert shelf.urls() == [url_of(2)]
    assert [stored.failure for stored in shelf.store.failures(SITE)] == [failure]
    assert {page.url for page in shelf.store.pages(SITE)} == {url_of(1), url_of(2)}
    assert shelf.store.count_waiting(SITE) == (0 if again_at is None else 1)
    assert shelf.store.due_links(SITE, limit=10) == []


def test_one_that_cannot_be_written_does_not_spoil_the_others(shelf: Shelf) -> None:
    stranger = replace(kept(1), record=replace(kept(1).record, site="other.example"))
    told = asyncio.run(keep_all(shelf, [kept(0), stranger, kept(2)]))
    assert told[0] is told[2] is None
    assert isinstance(told[1], StoreError)
    assert sorted(shelf.urls()) == [url_of(0), url_of(2)]


def test_an_error_of_our_own_is_told_and_the_next_are_written(shelf: Shelf) -> None:
    """The one who writes for all must not end with it: everybody would wait for ever."""
    broken = replace(kept(1), packed=None)

    async def work() -> None:
        async with shelf.recorder() as recorder:
            with pytest.raises(AttributeError):
                await recorder.keep(broken)
            await recorder.keep(kept(2))

    asyncio.run(asyncio.wait_for(work(), 60))
    assert shelf.urls() == [url_of(2)]


def test_a_full_disk_is_told_to_all_and_nothing_is_half_written(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    asyncio.run(keep_all(shelf, [kept(0)]))

    def full(descriptor: int, content: bytes, offset: int) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "pwrite", full)
        told = asyncio.run(keep_all(shelf, [kept(number) for number in range(1, 20)]))
    assert all(isinstance(error, StoreError) and "No space left" in str(error) for error in told)
    assert shelf.urls() == [url_of(0)]
    assert asyncio.run(keep_all(shelf, [kept(1)])) == [None]
    assert shelf.bodies() == [b"<h1>0</h1>", b"<h1>1</h1>"]


def test_closing_waits_for_what_nobody_waits_for_any_more(shelf: Shelf) -> None:
    async def work() -> None:
        async with shelf.recorder() as recorder:
            task = asyncio.create_task(recorder.keep(kept(1)))
            await asyncio.sleep(0)
            task.cancel()

    asyncio.run(work())
    assert shelf.urls() == [url_of(1)]
