"""Cards of several sites that tell the same story are one; others stay apart."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sitewright.actions.catalogues import Library
from sitewright.actions.read_cards import View, mark_cards, restore_marks, show_cards
from sitewright.actions.same_stories import forget_old, place_cards, stories_of
from sitewright.store.catalogue.catalogue import Catalogue
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, Value

NOW = datetime(2026, 5, 12, 12, tzinfo=UTC)
BRIDGE = (
    "The old iron bridge over the Wenfield river was closed on Monday after engineers found cracks in two of its piers. "
    "Mayor Ruth Ek said that repairs would take eight months and cost 4.2 million. Traffic is led over Corran Head."
)
FERRY = (
    "Ferry to sail twice as often while bridge is repaired",
    (
        "Wenfield's ferry will sail twice as often from Thursday, as its iron bridge stays closed after cracks were "
        "found in two piers. Mayor Ruth Ek asked shops by the quay for patience."
    ),
)
TOLD = {
    "lantern.example": ("Wenfield bridge closed after cracks are found", BRIDGE),
    "herald.example": (
        "Wenfield bridge closed: cracks found in two piers",
        BRIDGE.replace("said that", "said on Monday"),
    ),
    "courier.example": (
        "Beekeepers ask for fewer roses",
        "Beekeepers of Thornwick asked their council to plant lime trees, as swarms starve in the summer.",
    ),
}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(f"sqlite:///{tmp_path}/a.db") as opened:
        yield opened


def told(store: Store, site: str, path: str, texts: tuple[str, str], at: datetime = NOW) -> None:
    url = f"https://{site}/{path}"
    values = {"title": texts[0], "text": texts[1], "published": at}
    fields = {name: Value(value, 0.9, f"article/{name}#0") for name, value in values.items()}
    if store.site(site) is None:
        store.add_site(site, url=f"https://{site}/")
    record = Record(site=site, urls=(url,), fields=fields, language="en")
    store.commit_pages([Collected(record=record, page=Page(url=url, body=b"", fetched_at=at))])


@pytest.fixture
def catalogue(store: Store, tmp_path: Path) -> Iterator[Catalogue]:
    for site, texts in TOLD.items():
        told(store, site, "1", texts)
    with Catalogue(store, f"sqlite:///{tmp_path}/a.db") as opened:
        opened.catch_up()
        yield opened


def test_what_two_sites_tell_is_one_card(store: Store, catalogue: Catalogue, tmp_path: Path) -> None:
    assert place_cards(catalogue, NOW) == 3
    assert place_cards(catalogue, NOW) == 0, "each is compared once"
    shown = show_cards(Library(store, catalogue, tmp_path), "owner", View()).cards
    assert sorted(len(one.others) for one in shown) == [0, 1]
    assert {one.card.site for one in shown if not one.others} == {"courier.example"}


def test_a_third_report_joins_them_whoever_came_first(store: Store, catalogue: Catalogue) -> None:
    place_cards(catalogue, NOW)
    told(store, "observer.example", "9", TOLD["lantern.example"], NOW + timedelta(hours=3))
    catalogue.catch_up()
    assert place_cards(catalogue, NOW) == 1
    numbers = {one.record.site: one.number for one in store.records()}
    same = stories_of(catalogue, list(numbers.values()))
    assert set(same[numbers["observer.example"]]) == {numbers["lantern.example"], numbers["herald.example"]}
    assert numbers["courier.example"] not in same


def test_what_was_told_long_before_is_another_story(store: Store, catalogue: Catalogue) -> None:
    place_cards(catalogue, NOW)
    told(store, "observer.example", "9", TOLD["lantern.example"], NOW + timedelta(days=10))
    catalogue.catch_up()
    place_cards(catalogue, NOW + timedelta(days=10))
    numbers = {one.record.site: one.number for one in store.records()}
    assert numbers["observer.example"] not in stories_of(catalogue, list(numbers.values()))


def test_old_keys_are_dropped_and_stories_stay(store: Store, catalogue: Catalogue) -> None:
    place_cards(catalogue, NOW)
    forget_old(catalogue, NOW + timedelta(days=60))
    numbers = {one.record.site: one.number for one in store.records()}
    assert numbers["herald.example"] in stories_of(catalogue, [numbers["lantern.example"]])[numbers["lantern.example"]]
    told(store, "observer.example", "9", TOLD["lantern.example"])
    catalogue.catch_up()
    place_cards(catalogue, NOW)
    observer = next(one.number for one in store.records() if one.record.site == "observer.example")
    assert observer not in stories_of(catalogue, [observer])


def test_what_one_site_tells_twice_of_an_event_is_two_cards(store: Store, tmp_path: Path) -> None:
    told(store, "lantern.example", "1", TOLD["lantern.example"])
    told(store, "lantern.example", "2", FERRY, NOW + timedelta(hours=1))
    told(store, "lantern.example", "3", TOLD["herald.example"], NOW + timedelta(hours=2))
    with Catalogue(store, f"sqlite:///{tmp_path}/a.db") as catalogue:
        catalogue.catch_up()
        place_cards(catalogue, NOW)
        shown = show_cards(Library(store, catalogue, tmp_path), "owner", View()).cards
    assert sorted(len(one.others) for one in shown) == [0, 1], "a copy is not"
    assert {one.tellers for one in shown} == {1}


def test_another_sites_report_of_the_event_is_the_same_card(store: Store, catalogue: Catalogue, tmp_path: Path) -> None:
    told(store, "observer.example", "1", FERRY, NOW + timedelta(hours=1))
    catalogue.catch_up()
    place_cards(catalogue, NOW)
    shown = show_cards(Library(store, catalogue, tmp_path), "owner", View()).cards
    assert sorted(one.tellers for one in shown) == [1, 3]


def test_who_reads_takes_a_card_out_of_its_story(store: Store, catalogue: Catalogue, tmp_path: Path) -> None:
    place_cards(catalogue, NOW)
    library = Library(store, catalogue, tmp_path)
    herald = next(one.number for one in store.records() if one.record.site == "herald.example")
    before = mark_cards(store, "owner", [herald], apart=True)
    assert sorted(one.tellers for one in show_cards(library, "owner", View()).cards) == [1, 1, 1]
    assert sorted(one.tellers for one in show_cards(library, "other", View()).cards) == [1, 2], "for themselves alone"
    restore_marks(store, "owner", before)
    assert sorted(one.tellers for one in show_cards(library, "owner", View()).cards) == [1, 2]
