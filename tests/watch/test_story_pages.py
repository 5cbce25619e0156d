"""Stories of several pages, put together from what a store knows of them, in whatever order the pages come."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations
from pathlib import Path

import pytest

from sitewright.links import StoryPages
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected, FoundLink
from sitewright.store.warc import WarcStore, pack_page
from sitewright.types import Failure, Page, Photo, Record, Value
from sitewright.watch.recorder import Kept, Recorder
from sitewright.watch.store_thread import StoreThread
from sitewright.watch.story_pages import MOST_PAGES, missing_parts, of_page_alone, read_again

pytestmark = pytest.mark.slow

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
SITE = "example.com"


def url_of(number: int) -> str:
    return f"https://{SITE}/bees" + (f"?page={number}" if number > 1 else "")


def pages_of(number: int, several: int) -> StoryPages:
    others = [other for other in range(1, several + 1) if other != number]
    numbers = tuple(other if other > 1 else 0 for other in others)
    return StoryPages(tuple(map(url_of, others)), numbers, number if number > 1 else 0)


def kept(number: int, several: int = 3, text: str | None = None) -> Kept:
    page = Page(url=url_of(number), body=f"<h1>{number}</h1>".encode(), fetched_at=NOW)
    photo = Photo(url=f"https://{SITE}/pictures/harbour-{number}.jpg", caption=f"The harbour on day {number}")
    fields = {
        "title": Value("Bees", 0.9, "article/title#0"),
        "text": Value(text or f"What happened on day {number} of the bees.", 0.9, "article/text#0"),
        "images": Value([photo], 0.9, "article/images#0"),
    }
    return Kept(
        site=SITE,
        link=page.url,
        page=replace(page, body=b""),
        packed=pack_page(page),
        record=Record(site=SITE, urls=(page.url,), fields=fields, extracted_at=NOW),
        story=pages_of(number, several),
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.db", clock=lambda: NOW) as opened:
        opened.add_site(SITE, url=f"https://{SITE}/")
        yield opened


def collect(store: Store, folder: Path, *everything: Kept) -> None:
    """Keep pages one after the other, as a collector does that is started anew for each."""

    async def work(one: Kept) -> None:
        with StoreThread(store) as store_thread:
            async with Recorder(store_thread, archive) as recorder:
                await recorder.keep(one)

    for one in everything:
        with WarcStore(folder / "pages") as archive:
            asyncio.run(work(one))


def stories(store: Store) -> list[Record]:
    return [stored.record for stored in store.records()]


def pictures(record: Record) -> list[str]:
    return [photo["url"].rpartition("-")[2] for photo in record.fields["images"].value]


@pytest.mark.parametrize("order", list(permutations((1, 2, 3))), ids=str)
def test_pages_make_one_record_in_whatever_order_they_come(
    store: Store, tmp_path: Path, order: tuple[int, ...]
) -> None:
    store.add_links(SITE, [FoundLink(url_of(order[0]))])
    collect(store, tmp_path, *(kept(number) for number in order))
    (story,) = stories(store)
    assert story.urls == tuple(map(url_of, (1, 2, 3)))
    assert str(story.fields["text"].value).count("\n") == 2
    assert pictures(story) == ["1.jpg", "2.jpg", "3.jpg"]
    assert store.count_waiting(SITE) == 0
    assert len(list(store.pages(SITE))) == 3
    (photo_set,) = store.photo_sets(SITE)
    assert [photo.caption for photo in photo_set.photos] == [f"The harbour on day {number}" for number in (1, 2, 3)]


def test_the_first_page_is_out_at_once_and_the_others_wait(store: Store, tmp_path: Path) -> None:
    collect(store, tmp_path, kept(1))
    (story,) = stories(store)
    assert story.urls == (url_of(1),)
    assert {link.url for link in store.due_links(SITE, limit=9)} == {url_of(2), url_of(3)}
    assert missing_parts(store, story) == [url_of(2), url_of(3)]


def test_a_page_that_is_linked_only_by_the_one_before(store: Store, tmp_path: Path) -> None:
    chained = [
        replace(kept(number), story=StoryPages((url_of(number + 1),), (number + 1,), number if number > 1 else 0))
        for number in (1, 2)
    ]
    collect(store, tmp_path, *chained, replace(kept(3), story=StoryPages()))
    (story,) = stories(store)
    assert story.urls == tuple(map(url_of, (1, 2, 3)))


@pytest.mark.parametrize("first_met", [2, 3])
def test_a_story_that_is_met_in_its_midst_is_known_by_its_first_page(
    store: Store, tmp_path: Path, first_met: int
) -> None:
    def linked(number: int) -> Kept:
        others = [other for other in (number - 1, number + 1) if 1 <= other <= 4]
        pages = StoryPages(
            tuple(map(url_of, others)), tuple(n if n > 1 else 0 for n in others), number if number > 1 else 0
        )
        return replace(kept(number), story=pages)

    order = [first_met, *(number for number in (4, 3, 2, 1) if number != first_met)]
    collect(store, tmp_path, *map(linked, order))
    (story,) = stories(store)
    assert story.urls == tuple(map(url_of, (1, 2, 3, 4)))
    assert [photo_set.urls[0] for photo_set in store.photo_sets(SITE)] == [url_of(1)]


def test_a_page_that_cannot_be_had_is_missing_and_completes_the_story_later(store: Store, tmp_path: Path) -> None:
    failure = Failure(url_of(2), "extract", "not_item", "the page is no article")
    failed = replace(kept(2), record=None, failure=failure, again_at=NOW + timedelta(hours=1))
    collect(store, tmp_path, kept(1), kept(3), failed)
    (story,) = stories(store)
    assert pictures(story) == ["1.jpg", "3.jpg"]
    assert missing_parts(store, story) == [url_of(2)]
    collect(store, tmp_path, kept(2))
    (story,) = stories(store)
    assert pictures(story) == ["1.jpg", "2.jpg", "3.jpg"]
    assert missing_parts(store, story) == []


def test_a_set_names_the_pages_that_it_lacks_with_a_code(store: Store, tmp_path: Path) -> None:
    failure = Failure(url_of(3), "fetch", "fetch_timeout", "no answer")
    failed = replace(kept(3, 5), record=None, failure=failure, again_at=NOW + timedelta(hours=1))
    first = kept(1, 5).record
    assert first is not None
    repeat = replace(kept(2, 5), record=replace(first, urls=(url_of(2),)))
    collect(store, tmp_path, kept(1, 5), repeat, failed, kept(4, 5), kept(5, 5))
    (found,) = store.photo_sets(SITE)
    assert len(found.photos) == 3
    assert [(one.url, one.code) for one in found.left_out] == [
        (url_of(2), "part_repeats"), (url_of(3), "part_missing"),
    ]  # fmt: skip
    collect(store, tmp_path, kept(3, 5))
    (found,) = store.photo_sets(SITE)
    assert (len(found.photos), found.version) == (4, 2)
    assert [one.code for one in found.left_out] == ["part_repeats"]


def test_pages_that_lead_in_a_circle_are_there_once(store: Store, tmp_path: Path) -> None:
    following = {1: 2, 2: 3, 3: 1}
    circle = [
        replace(kept(one), story=StoryPages((url_of(other),), (other if other > 1 else 0,), one if one > 1 else 0))
        for one, other in following.items()
    ]
    collect(store, tmp_path, *circle)
    (story,) = stories(store)
    assert story.urls == tuple(map(url_of, (1, 2, 3)))
    assert store.count_waiting(SITE) == 0


def test_a_page_that_only_repeats_another_is_no_part_and_leads_nowhere(store: Store, tmp_path: Path) -> None:
    again = kept(2, 4)
    record = kept(1).record
    assert record is not None
    repeat = replace(again, record=replace(record, urls=(url_of(2),)), story=pages_of(2, 9))
    collect(store, tmp_path, kept(1, 2), repeat)
    (story,) = stories(store)
    assert story.urls == (url_of(1),)
    assert store.count_waiting(SITE) == 0


def test_endless_pages_end(store: Store, tmp_path: Path) -> None:
    collect(store, tmp_path, kept(1, MOST_PAGES + 200))
    assert store.count_waiting(SITE) == MOST_PAGES - 1


def test_a_page_that_had_a_record_of_its_own_joins_its_story(store: Store, tmp_path: Path) -> None:
    collect(store, tmp_path, replace(kept(2), story=StoryPages()))
    assert [story.urls for story in stories(store)] == [(url_of(2),)]
    collect(store, tmp_path, kept(1, 2))
    assert [link.url for link in store.due_links(SITE, limit=9)] == [url_of(2)]
    collect(store, tmp_path, kept(2, 2))
    assert [story.urls for story in stories(store)] == [(url_of(1), url_of(2))]


def test_a_story_that_grows_gets_a_new_version(store: Store, tmp_path: Path) -> None:
    collect(store, tmp_path, kept(1, 2), kept(2, 2))
    collect(store, tmp_path, kept(2, 3), kept(3, 3))
    (story,) = stories(store)
    assert pictures(story) == ["1.jpg", "2.jpg", "3.jpg"]


def test_pages_that_are_read_again_bring_their_story_up_to_date(store: Store, tmp_path: Path) -> None:
    collect(store, tmp_path, kept(1, 2), kept(2, 2))
    (stored,) = store.records()
    alone = of_page_alone(store, url_of(2), None, SITE)
    assert alone is not None
    assert alone.record.urls == (url_of(2),)
    changed = kept(2, 2, text="Something else happened on the second day.").record
    assert changed is not None
    again = read_again(store, Collected(record=changed, page=Page(url=url_of(2), body=b""), location=stored.location))
    assert again.record.urls == (url_of(1), url_of(2))
    assert "Something else" in str(again.record.fields["text"].value)
    assert "day 1" in str(again.record.fields["text"].value)
