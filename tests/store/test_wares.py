"""Items that have prices: in any order, some at a time."""

import pytest
from tests.store.test_offers import OTHER, SHOP, clock, keep, store

from sitewright.store.database import Store
from sitewright.store.wares import Order, WareQuery

__all__ = ["clock", "store"]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("order", "found"),
    [("", ["oil", "spade", "tea"]), ("cheapest", ["tea", "oil", "spade"]), ("dearest", ["spade", "oil", "tea"])],
)
def test_some_at_a_time(store: Store, order: Order, found: list[str]) -> None:
    for item, amount in (("tea", 4.0), ("spade", 90.0), ("oil", 12.0)):
        keep(store, amount, item=item)
    got, after = [], 0
    while True:
        page = store.wares.page(WareQuery(order=order), 1, after)
        got += [ware.points[-1].url.rsplit("/", 1)[-1] for ware in page.wares]
        after = page.next
        if not after:
            break
    assert got == found


def test_the_most_reduced_first(store: Store) -> None:
    for item, before, now in (("tea", 4.0, 3.0), ("spade", 90.0, 45.0), ("oil", 12.0, 13.0)):
        keep(store, before, item=item)
        keep(store, now, 5, item=item)
    page = store.wares.page(WareQuery(order="reduced"), 10)
    assert [[point.price.amount for point in ware.points if point.price] for ware in page.wares] == [[90, 45], [4, 3]]


def test_by_site_and_by_name(store: Store) -> None:
    keep(store, 1.0)
    keep(store, 2.0, site=OTHER)
    [ware] = store.wares.page(WareQuery(sites=(OTHER,)), 10).wares
    assert ware.site == OTHER
    assert store.wares.one(SHOP, ware.id) is None
    assert {site for site, _ in store.wares.alike(OTHER, ware.id)} == {SHOP, OTHER}
    assert store.wares.of([]) == []
    assert store.wares.shops() == [OTHER, SHOP]
