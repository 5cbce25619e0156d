"""A page of a shop is told by what it lists; selectors of items and lists are learned from pages of both."""

import pytest

from sitewright.demo.shops import DemoShop
from sitewright.domains import load_domain
from sitewright.links import select_links
from sitewright.parse import parse
from sitewright.reading.levels import learn_levels, listed_costs, look_at
from sitewright.types import LIST, Limits, Page

BASE = "http://shop.example"


def page(target: str, kind: str = "plain") -> Page:
    served = DemoShop(1, kind=kind, base_url=BASE).page(target)
    assert served is not None
    return Page(url=f"{BASE}{target}", body=served.html)


@pytest.mark.parametrize(
    ("target", "items", "is_item"),
    [
        ("/garden/tools/", 6, False),
        ("/garden/tools/?page=3", 3, False),
        ("/", 8, False),
        ("/garden/", 0, False),
        ("/lighting/lanterns/", 0, False),
        ("/about", 0, False),
        ("/garden/tools/tools-1.html", 0, True),
    ],
)
def test_what_a_page_is(target: str, items: int, is_item: bool) -> None:
    seen = look_at(Limits(), page(target), "shop", "shop.example")
    assert (len(seen.items), seen.is_item, seen.is_list) == (items, is_item, items > 0)


def test_links_are_put_together_by_where_they_stand_and_views_of_the_page_are_left_out() -> None:
    seen = look_at(Limits(), page("/garden/tools/"), "shop", "shop.example")
    links = [url.removeprefix(BASE) for urls in seen.groups.values() for url in urls]
    assert not any("sort=" in url or "brand=" in url or "page=" in url for url in links)
    shelves = next(urls for urls in seen.groups.values() if f"{BASE}/kitchen/pots/" in urls)
    assert f"{BASE}/workshop/drills/" in shelves
    assert f"{BASE}/about" not in shelves


@pytest.mark.parametrize(
    ("kind", "lists"),
    [("plain", ["/garden/tools/", "/kitchen/pots/"]), ("ecshop", ["/category.php?id=2", "/category.php?id=7"])],
)
def test_selectors_hold_on_lists_that_they_were_not_learned_from(kind: str, lists: list[str]) -> None:
    shop = DemoShop(1, kind=kind, base_url=BASE)
    pages = [page(target, kind) for target in ["/", *lists]]
    seen = [look_at(Limits(), one, "shop", "shop.example") for one in pages]
    items = {url for one in seen for url in one.items}
    menu = max((urls for one in seen for urls in one.groups.values()), key=len)
    entry = learn_levels(Limits(), pages, items, set(menu), f"{BASE}/")
    other = page("/workshop/hand-tools/" if kind == "plain" else "/category.php?id=11", kind)
    links = select_links(parse(other), entry, "shop").links
    found = {link.url.removeprefix(BASE) for link in links if link.is_item}
    assert len(found) == 6
    assert {path.rpartition("/")[2] for path in found} <= {path.rpartition("/")[2] for path in shop.truth()}
    assert {link.url for link in links if link.role == LIST} | {other.url} == {*menu, other.url}


def test_what_a_list_says_of_prices() -> None:
    costs = listed_costs(parse(page("/garden/tools/")), load_domain("shop"))
    truth = DemoShop(1).truth()
    assert len(costs) == 6
    assert all(truth[url.removeprefix(BASE)].price["amount"] == amount for url, amount in costs.items())
