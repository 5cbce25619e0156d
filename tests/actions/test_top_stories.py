"""The stories of a store stand in order, each once however many sites tell it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from tests.actions.test_same_stories import BRIDGE, NOW, TOLD, told

from sitewright.actions.catalogues import Library
from sitewright.actions.read_cards import View, show_cards
from sitewright.actions.same_stories import place_cards
from sitewright.actions.top_stories import top_stories
from sitewright.parse import signature
from sitewright.store.catalogue.catalogue import Catalogue
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected, WatchedPage
from sitewright.store.states import SourceState
from sitewright.types import Page, Photo, PhotoSet, Record, Value

HOUR = timedelta(hours=1)
TITLES = ("Geese over Corran", "Snow on the vineyards", "Forty years of trams", "Dancers in the old brewery")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/a.db") as opened:
        for hours, (site, texts) in enumerate(TOLD.items()):
            told(opened, site, "1", texts, NOW - (3 - hours) * HOUR)
        yield opened


def pictured(store: Store, site: str, number: int, pictures: int, at: datetime) -> None:
    url = f"https://{site}/pictures-{number}"
    photos = [Photo(url=f"{url}/harbour-{n}x.jpg") for n in range(pictures)]
    values = {"title": TITLES[number], "text": f"{TITLES[number]}, as seen from the mole.",
              "published": at, "images": photos}  # fmt: skip
    fields = {name: Value(value, 0.9, f"article/{name}#0") for name, value in values.items()}
    record = Record(site=site, urls=(url,), fields=fields, language="en")
    store.commit_pages([Collected(record=record, page=Page(url=url, body=b"", fetched_at=at))])


def test_a_story_of_two_sites_stands_before_one_of_one_site(store: Store) -> None:
    first, second = top_stories(store, (), NOW)
    assert first.title.startswith("Wenfield bridge closed")
    assert {first.record.record.site, *(one.record.site for one in first.others)} == {
        "lantern.example",
        "herald.example",
    }
    assert first.standing.followed == (HOUR,)
    assert second.title == "Beekeepers ask for fewer roses"
    assert (second.ranked.why, second.others) == ("fresh", [])


def test_pictures_and_the_weight_of_sources_count(store: Store) -> None:
    pictured(store, "courier.example", 1, 12, NOW - HOUR)
    store.put_photo_set(
        PhotoSet(
            site="courier.example",
            urls=("https://courier.example/pictures-1",),
            photos=tuple(Photo(url=f"https://courier.example/{n}.jpg", width=400, height=300) for n in range(10)),
        )
    )
    listed = (signature("https://courier.example/1"),)
    store.put_index_pages([WatchedPage(site="courier.example", url="https://courier.example/", weight=10)])
    (front,) = store.index_pages("courier.example")
    assert store.lease_site("me", "courier.example", seconds=60)
    store.finish_look("me", replace(front, state=SourceState(listed=listed)))
    found = {story.record.record.urls[0]: story for story in top_stories(store, ("courier.example",), NOW)}
    pictures = found["https://courier.example/pictures-1"].standing
    assert (pictures.pictures, pictures.longest, pictures.weight) == (10, 400, 1)
    assert found["https://courier.example/1"].standing.weight == 10


def test_old_stories_are_left_out_unless_asked_for(store: Store) -> None:
    later = NOW + timedelta(days=5)
    assert top_stories(store, (), later) == []
    assert len(top_stories(store, (), later, since=NOW - timedelta(days=1))) == 2


def test_a_reader_sees_the_highest_first(store: Store, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    told(store, "lantern.example", "2", ("Wenfield bridge opens again", BRIDGE), now - 3 * HOUR)
    for number in range(4):
        pictured(store, "courier.example", number, 9 * number, now - number * HOUR / 10)
    with Catalogue(store, f"sqlite:///{tmp_path}/a.db") as catalogue:
        catalogue.catch_up()
        place_cards(catalogue, now)
        library = Library(store, catalogue, tmp_path)
        shown = show_cards(library, "me", View(top=True), size=3)
        assert [one.card.heading for one in shown.cards] == [TITLES[3], TITLES[2], TITLES[1]]
        assert [one.why for one in shown.cards] == ["pictures"] * 3
        assert shown.next is not None
        rest = show_cards(library, "me", View(top=True), size=3, after=shown.next)
        assert [one.card.heading for one in rest.cards] == [TITLES[0], "Wenfield bridge opens again"]
        assert rest.next is None
