"""A catalogue is kept up with its store, and finds what is asked for."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sitewright.store.catalogue.catalogue import CardQuery, Catalogue
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, Value

pytestmark = pytest.mark.slow

DAY = datetime(2024, 5, 1, tzinfo=UTC)


def record_of(number: int, heading: str, text: str = "", **more: object) -> Record:
    values = {"title": heading, "text": text, "published": (DAY + timedelta(days=number)).isoformat(), **more}
    fields = {name: Value(value, 1.0, "a/b#0") for name, value in values.items()}
    site = "b.example" if number % 2 else "a.example"
    return Record(site=site, urls=(f"https://{site}/{number}",), fields=fields, language="fr" if number == 3 else "en")


def put(store: Store, *records: Record) -> None:
    store.commit_pages([Collected(record=one, page=Page(url=one.urls[0], body=b"")) for one in records])


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with open_store(url) as opened:
        for name in ("a.example", "b.example"):
            opened.add_site(name)
        put(
            opened,
            record_of(0, "Bees in the old town", "They hum.", tags=["Bees"]),
            record_of(1, "A harbour wall", "Waves of the old sea, no town.", tags=["Sea", "bees"]),
            record_of(2, "北京的新闻", "天气很好"),
            record_of(3, "L'été à la mer", "Des élections, et la mer.", tags=["Sea"]),
        )
        yield opened


@pytest.fixture
def catalogue(store: Store, url: str) -> Iterator[Catalogue]:
    with Catalogue(store, url) as opened:
        assert opened.catch_up() == 4
        yield opened


def found(catalogue: Catalogue, **query: object) -> list[str]:
    return [card.heading for card in catalogue.page(CardQuery(**query), 10).cards]  # type: ignore[arg-type]


def test_the_newest_come_first(catalogue: Catalogue) -> None:
    assert found(catalogue) == ["L'été à la mer", "北京的新闻", "A harbour wall", "Bees in the old town"]
    assert found(catalogue, sites=("b.example",)) == ["L'été à la mer", "A harbour wall"]
    assert found(catalogue, without_sites=("b.example",)) == ["北京的新闻", "Bees in the old town"]
    assert found(catalogue, language="fr") == ["L'été à la mer"]
    assert found(catalogue, topic="BEES") == ["A harbour wall", "Bees in the old town"]
    assert found(catalogue, since=DAY + timedelta(days=1), until=DAY + timedelta(days=3)) == [
        "北京的新闻",
        "A harbour wall",
    ]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("old", ["A harbour wall", "Bees in the old town"]),
        ('"old town"', ["Bees in the old town"]),
        ("old -bees", []),
        ("old -hum", ["A harbour wall"]),
        ("harb", ["A harbour wall"]),
        ("新闻", ["北京的新闻"]),
        ("闻新", []),
        ("élection", ["L'été à la mer"]),
        ('") OR heading:a NEAR( *', []),
        ("' & | ! <-> :*", []),
    ],
)
def test_words_are_found(catalogue: Catalogue, words: str, expected: list[str]) -> None:
    if any(char.isalnum() for char in words):
        assert found(catalogue, words=words) == expected
        assert sorted(found(catalogue, words=words, best_first=True)) == sorted(expected)
        assert catalogue.count(CardQuery(words=words)) == len(expected)
    else:
        assert len(found(catalogue, words=words)) == 4


def test_the_best_have_the_words_in_their_heading(catalogue: Catalogue) -> None:
    assert found(catalogue, words="old town") == ["A harbour wall", "Bees in the old town"], "the newest first"
    assert found(catalogue, words="old town", best_first=True) == ["Bees in the old town", "A harbour wall"]
    first = catalogue.page(CardQuery(words="old town", best_first=True), 1)
    rest = catalogue.page(CardQuery(words="old town", best_first=True), 1, first.next)
    assert [card.heading for card in rest.cards] == ["A harbour wall"]
    assert rest.next is None


def test_words_and_the_rest_together(catalogue: Catalogue) -> None:
    assert found(catalogue, words="old", sites=("a.example",)) == ["Bees in the old town"]
    assert found(catalogue, words="mer", language="en") == []
    assert found(catalogue, words="old", topic="sea") == ["A harbour wall"]
    facets = catalogue.facets(CardQuery(words="old"))
    assert sorted(facets.sites) == [("a.example", 1), ("b.example", 1)]
    assert {topic.casefold(): count for topic, count in facets.topics} == {"bees": 2, "sea": 1}


@pytest.mark.parametrize("words", ["", "old mer 新闻", "e"])
def test_pages_follow_one_another(catalogue: Catalogue, words: str) -> None:
    query = CardQuery(words=words)
    whole, place, parts = catalogue.page(query, 10), None, []
    while True:
        page = catalogue.page(query, 1, place)
        parts += page.cards
        place = page.next
        if place is None:
            break
    assert parts == whole.cards


def test_it_keeps_up(catalogue: Catalogue, store: Store) -> None:
    assert catalogue.catch_up() in {0, 4}  # PostgreSQL looks a minute back
    put(store, replace(record_of(0, "Wasps"), language="de"))
    catalogue.catch_up()
    assert found(catalogue, words="wasps") == ["Wasps"]
    assert found(catalogue, words="hum") == found(catalogue, words="bees", sites=("a.example",)) == []
    assert found(catalogue, topic="bees") == ["A harbour wall"]
    store.forget_site("b.example")
    assert catalogue.prune() == 2
    assert found(catalogue) == ["北京的新闻", "Wasps"]


def test_it_is_made_again(store: Store, tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path}/other.db"
    for _ in range(2):
        with Catalogue(store, address) as opened:
            opened.catch_up()
            assert len(found(opened)) == 4
        (tmp_path / "other.db.cards").unlink()
