"""Prices are kept with the time they held; items are visited again by how often they change; the same are known."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.store.offers import LONGEST, SHORTEST, period_of
from sitewright.types import Page, Record, Value

pytestmark = pytest.mark.slow
START = datetime(2026, 3, 16, 6, tzinfo=UTC)
SHOP, OTHER = "shop.example", "other.example"


class Clock:
    def __init__(self) -> None:
        self.moment = START

    def now(self) -> datetime:
        return self.moment


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(url: str, clock: Clock):
    with open_store(url, clock=clock.now) as opened:
        for name in (SHOP, OTHER):
            opened.add_site(name, url=f"https://{name}/", domain="shop")
        yield opened


def keep(
    store: Store, amount: float | None, hours: float = 0, site: str = SHOP, item: str = "spade", **fields: Any
) -> None:
    values: dict[str, Any] = {"name": "Spade", **fields}
    if amount is not None:
        values["price"] = {"amount": amount, "currency": "USD"}
    url, at = f"https://{site}/{item}", START + timedelta(hours=hours)
    record = Record(
        site=site,
        urls=(url,),
        domain="shop",
        fields={name: Value(value, 0.9, "product/x#0") for name, value in values.items()},
    )
    store.commit_pages([Collected(record=record, page=Page(url=url, body=b"", fetched_at=at))])


def amounts(store: Store) -> list[tuple[float | None, float, float]]:
    """Return each price, with the hours from when until when it was seen."""
    return [
        (
            point.price.amount if point.price else None,
            (point.since - START) / timedelta(hours=1),
            (point.until - START) / timedelta(hours=1),
        )
        for point in store.offers.history()
    ]


def test_a_price_is_kept_for_as_long_as_it_is_seen(store: Store) -> None:
    for hours, amount in enumerate((10.0, 10.0, 12.0, 12.0, 10.0)):
        keep(store, amount, hours)
    assert amounts(store) == [(10.0, 0, 1), (12.0, 2, 3), (10.0, 4, 4)]


def test_a_price_that_is_gone_is_another_one(store: Store) -> None:
    keep(store, 10.0)
    keep(store, None, 1, availability="OutOfStock")
    assert amounts(store) == [(10.0, 0, 0), (None, 1, 1)]


def test_what_is_read_again_of_an_old_page_is_corrected_and_not_news(store: Store) -> None:
    keep(store, 1010.0)
    keep(store, 12.0, 2)
    keep(store, 10.1)
    assert amounts(store) == [(10.1, 0, 0), (12.0, 2, 2)]


def test_items_are_due_again_and_wait_for_another_period_when_they_are_taken(store: Store, clock: Clock) -> None:
    keep(store, 10.0)
    assert store.offers.due(SHOP, limit=9) == []
    clock.moment = START + timedelta(days=3)
    [link] = store.offers.due(SHOP, limit=9)
    assert link.url == f"https://{SHOP}/spade"
    store.offers.put_off(SHOP, [link.url])
    assert store.offers.due(SHOP, limit=9) == []
    store.offers.hasten(SHOP, [link.url])
    assert len(store.offers.due(SHOP, limit=9)) == 1
    store.offers.drop(SHOP, [link.url])
    assert store.offers.due(SHOP, limit=9) == []
    assert len(amounts(store)) == 1


def test_a_site_is_due_with_its_next_item(store: Store, clock: Clock) -> None:
    keep(store, 10.0)
    due = store.next_site_due([SHOP])
    assert due is not None
    assert START + timedelta(days=1) < due < START + timedelta(days=4)
    store.lease_site("me", SHOP, seconds=60)
    store.release_site("me", SHOP)
    assert store.next_site_due([SHOP]) == due


def test_what_changes_often_is_visited_often() -> None:
    periods = [period_of(changes, 14 * 86_400) for changes in (0, 1, 5, 50, 5000)]
    assert periods == sorted(periods, reverse=True)
    assert (periods[-1], period_of(0, 1e12)) == (SHORTEST, LONGEST)


def test_a_list_that_names_another_price_has_the_item_visited_now(store: Store) -> None:
    keep(store, 10.0)
    url = f"https://{SHOP}/spade"
    assert store.offers.place(SHOP, ["Garden", "Tools"], {url: 10.0}) == 0
    assert store.offers.place(SHOP, ["Garden", "Tools"], {url: None}) == 0
    assert store.offers.due(SHOP, limit=9) == []
    assert store.offers.place(SHOP, ["Garden", "Tools"], {url: 10.0}) == 0
    assert store.offers.place(SHOP, ["Garden", "Tools"], {url: 11.0}) == 1
    assert [link.url for link in store.offers.due(SHOP, limit=9)] == [url]
    assert list(store.offers.trails(SHOP).values()) == [[("Garden", "Tools")]]


def test_pages_without_a_price_are_errors_unless_they_say_so(store: Store) -> None:
    keep(store, 10.0)
    keep(store, None, item="rake", name="Rake")
    record = Record(site=SHOP, urls=(f"https://{SHOP}/hoe",), domain="shop", fields={"name": Value("Hoe", 1.0, "")})
    store.commit_pages(
        [Collected(record=record, page=Page(url=record.urls[0], body=b"", fetched_at=START), unstated=True)]
    )
    errors = store.offers.errors()[SHOP]
    assert (errors.items, errors.without, round(errors.rate, 3)) == (3, 1, 0.333)
    keep(store, 5.0, 1, item="rake", name="Rake")
    assert store.offers.errors()[SHOP].without == 0


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ({"gtin": "04006381333931"}, {"gtin": "4006381333931", "name": "Another name"}, True),
        ({"gtin": "4006381333931"}, {"gtin": "4006381333948"}, False),
        ({"brand": "Acme", "sku": "A-1"}, {"brand": "ACME", "sku": "a 1", "name": "Acme spade"}, True),
        ({"brand": "Acme", "sku": "A-1"}, {"brand": "Acme", "sku": "A-2"}, False),
        ({}, {"name": "SPADE"}, True),
        ({"gtin": "4006381333931"}, {"brand": "Acme", "sku": "A-1"}, True),
        ({}, {"name": "Rake"}, False),
    ],
)
def test_the_surest_of_what_both_have_tells_whether_items_are_the_same(
    store: Store, one: dict[str, str], other: dict[str, str], same: bool
) -> None:
    keep(store, 10.0, **one)
    keep(store, 12.0, site=OTHER, **other)
    assert bool(store.offers.same()) is same
    assert store.offers.same([SHOP]) == []


def test_an_item_of_the_same_site_is_known_under_another_address(store: Store) -> None:
    keep(store, 10.0, gtin="4006381333931")
    twin = Record(
        site=SHOP, urls=(f"https://{SHOP}/sale/spade",), domain="shop", fields={"gtin": Value("4006381333931", 1.0, "")}
    )
    assert store.offers.twin(twin) == f"https://{SHOP}/spade"
    stranger = Record(
        site=SHOP,
        urls=(f"https://{SHOP}/x",),
        domain="shop",
        fields={"gtin": Value("4006381333948", 1.0, ""), "name": Value("Spade", 1.0, "")},
    )
    assert store.offers.twin(stranger) is None


def test_records_of_domains_without_prices_leave_nothing(store: Store) -> None:
    store.add_site("news.example", url="https://news.example/")
    record = Record(site="news.example", urls=("https://news.example/a",), fields={"title": Value("Bees", 0.9, "")})
    store.commit_page(record, Page(url=record.urls[0], body=b"", fetched_at=START))
    assert amounts(store) == []
    assert store.offers.due("news.example", limit=9) == []
