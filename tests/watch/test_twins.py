"""A product that is read under another address is the one that is known: one record, with all its addresses."""

from pathlib import Path

import pytest

from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, Value
from sitewright.watch.twins import folded, names_of

SITE = "shop.example"


@pytest.fixture
def store(tmp_path: Path):
    with open_store(f"sqlite:///{tmp_path}/store.db") as opened:
        opened.add_site(SITE, url=f"https://{SITE}/", domain="shop")
        yield opened


def product(*paths: str, domain: str = "shop", **fields: str) -> Record:
    values = {name: Value(value, 0.9, "product/x#0") for name, value in fields.items()}
    return Record(site=SITE, urls=tuple(f"https://{SITE}/{path}" for path in paths), domain=domain, fields=values)


def keep(store: Store, record: Record) -> None:
    store.commit_pages([Collected(record=record, page=Page(url=record.urls[-1], body=b""))])


def said(record: Record) -> tuple[list[str], str]:
    return [url.removeprefix(f"https://{SITE}/") for url in record.urls], str(record.fields["name"].value)


def test_a_variant_adds_its_address_and_changes_nothing_else(store: Store) -> None:
    keep(store, product("spade", name="Spade"))
    variant = folded(store, product("spade", "spade?colour=2", name="Spade, red"))
    assert said(variant) == (["spade", "spade?colour=2"], "Spade")


def test_pages_of_different_items_that_state_one_address_stay_apart(store: Store) -> None:
    keep(store, product("catalogue", "spade", name="Spade with ash handle"))
    assert said(folded(store, product("catalogue", "rake", name="Garden rake"))) == (["rake"], "Garden rake")


def test_what_the_first_address_says_is_taken_anew(store: Store) -> None:
    keep(store, product("spade", "spade?colour=2", name="Spade, red"))
    assert said(folded(store, product("spade", name="Spade"))) == (["spade", "spade?colour=2"], "Spade")


def test_pages_that_do_not_say_where_they_are_at_home_are_known_by_their_codes(store: Store) -> None:
    keep(store, product("spade", name="Spade", gtin="4006381333931"))
    again = folded(store, product("sale/spade", name="Spade on sale", gtin="4006381333931"))
    assert said(again) == (["spade", "sale/spade"], "Spade")
    other = product("spade2", name="Spade", gtin="4006381333948")
    assert folded(store, other) == other


def test_items_of_domains_without_such_ways_stay_as_they_are(store: Store) -> None:
    story = product("a", domain="news", name="Bees")
    keep(store, story)
    assert folded(store, story) == story
    assert names_of(story) == frozenset()


def test_what_may_turn_out_to_be_the_same_shares_a_name() -> None:
    one, other = product("a", name="Spade", gtin="4006381333931"), product("b", name="Spade")
    assert names_of(one) & names_of(other)
    assert not names_of(product("a", name="Rake")) & names_of(product("b", name="Hoe"))
