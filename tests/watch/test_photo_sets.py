"""Photo sets in the store are what their stories show, without what is the site's."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sitewright.assemble import RECURS
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.types import Page, Photo, PhotoSet, Record, Value
from sitewright.watch.photo_sets import keep_photo_sets, sift_again

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
SITE = "example.com"
LOGO = "https://example.com/brand-2024.png"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/store.db", clock=lambda: NOW) as opened:
        opened.add_site(SITE, url=f"https://{SITE}/")
        yield opened


def story(number: int, pictures: int = 4, *others: str) -> Record:
    own = [Photo(url=f"https://example.com/harbour-{number}-{n}x.jpg", caption=f"Day {n}") for n in range(pictures)]
    photos = [*own, *(Photo(url=url) for url in others)]
    url = f"https://example.com/{number}"
    return Record(site=SITE, urls=(url,), fields={"images": Value(photos, 0.9, "article/images#0")}, extracted_at=NOW)


def keep(store: Store, *records: Record) -> None:
    store.commit_pages([Collected(record=one, page=Page(url=one.urls[0], body=b"", fetched_at=NOW)) for one in records])
    keep_photo_sets(store, records)


def by_url(store: Store) -> dict[str, PhotoSet]:
    return {one.urls[0]: one for one in store.photo_sets(SITE)}


def test_a_picture_that_turns_out_to_recur_leaves_the_sets_of_before(store: Store) -> None:
    for number in range(1, RECURS):
        keep(store, story(number, 4, LOGO))
    assert all(len(one.photos) == 5 for one in by_url(store).values())
    keep(store, story(RECURS, 4, LOGO))
    sets = by_url(store)
    assert len(sets) == RECURS
    for one in sets.values():
        assert [photo.caption for photo in one.photos] == ["Day 0", "Day 1", "Day 2", "Day 3"]
        assert [(left.url, left.code) for left in one.left_out] == [(LOGO, "picture_recurs")]
    assert sets["https://example.com/1"].version == 2
    assert sets[f"https://example.com/{RECURS}"].version == 1


def test_a_set_that_grows_has_a_new_version_and_one_that_shrinks_goes(store: Store) -> None:
    keep(store, story(1, 3))
    keep(store, story(1, 3))
    assert (by_url(store)["https://example.com/1"].version, len(by_url(store))) == (1, 1)
    keep(store, story(1, 5))
    (grown,) = store.photo_sets(SITE)
    assert (grown.version, len(grown.photos)) == (2, 5)
    keep(store, story(1, 2))
    assert store.photo_sets(SITE) == []


def test_sets_without_enough_pictures_of_their_own_are_none(store: Store) -> None:
    for number in range(1, RECURS + 2):
        keep(store, story(number, 2, LOGO))
    assert store.photo_sets(SITE) == []


def test_sizes_that_pages_do_not_state_are_asked_for(store: Store) -> None:
    large = [Photo(url=f"https://example.com/wide-{n}x.jpg", width=900) for n in range(3)]
    own = story(1, 1)
    record = replace(own, fields={"images": Value([*large, *own.fields["images"].value], 0.9, "")})  # type: ignore[misc]
    keep(store, record)
    assert [one.url for one in store.due_pictures(SITE, limit=9)] == ["https://example.com/harbour-1-0x.jpg"]


def test_another_gallery_under_the_same_address_is_a_new_version_of_the_set(store: Store) -> None:
    first, other = story(1), story(2)
    keep(store, first)
    keep(store, replace(other, urls=first.urls))
    (found,) = store.photo_sets(SITE)
    assert (found.version, found.photos[0].url) == (2, "https://example.com/harbour-2-0x.jpg")
    assert store.pictures(SITE, ["harbour-1-0x"])["harbour-1-0x"].stories == 0


def test_what_is_known_of_bytes_by_now_changes_the_sets(store: Store) -> None:
    keep(store, story(1, 4), story(2, 4))
    key = "harbour-1-0x"
    (picture,) = store.pictures(SITE, [key]).values()
    store.note_pictures(SITE, [replace(picture, checked_at=NOW, width=1, height=1)])
    assert sift_again(store, SITE, [key]) == 1
    sets = by_url(store)
    assert [left.code for left in sets["https://example.com/1"].left_out] == ["picture_too_small"]
    assert (len(sets["https://example.com/1"].photos), sets["https://example.com/2"].version) == (3, 1)
    assert sift_again(store, SITE, ["unknown"]) == 0
