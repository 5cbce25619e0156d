"""Shops are the same for a seed, complete, and say what they mean to."""

import re
from datetime import timedelta
from html import unescape

import pytest

from sitewright.demo.shops import DemoShop
from sitewright.demo.shops.words import LANGUAGES, load_shop_words
from sitewright.parse import parse
from sitewright.types import Page


def document(shop: DemoShop, target: str, **when: float):
    page = shop.page(target, shop.start + timedelta(**when))
    assert page is not None
    return parse(Page(url=f"http://shop.example{target}", body=page.html))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_have_the_same_labels_and_shelves(language: str) -> None:
    words, english = load_shop_words(language), load_shop_words("en")
    assert words.labels.keys() == english.labels.keys()
    assert all(words.labels.values())
    shape = [[len(shelf.nouns) for shelf in one.shelves] for one in words.departments]
    assert shape == [[len(shelf.nouns) for shelf in one.shelves] for one in english.departments]


def test_a_seed_makes_one_shop_and_a_margin_only_changes_its_prices() -> None:
    one, other, dearer = DemoShop(1), DemoShop(1), DemoShop(1, margin=10)
    assert one.truth() == other.truth() != DemoShop(2).truth()
    assert [good.gtin for good in one.goods] == [good.gtin for good in dearer.goods]
    assert all(good.cents > cheaper.cents for good, cheaper in zip(dearer.goods, one.goods, strict=True))


@pytest.mark.parametrize("kind", ["plain", "ecshop"])
def test_every_product_page_shows_what_is_true_of_it(kind: str) -> None:
    shop = DemoShop(1, kind=kind, products=30)
    for path, truth in shop.truth().items():
        text = document(shop, path).tree.root.text
        assert truth.name in text
        assert truth.sku in text
        if truth.price is not None:
            assert shop.words.shown(round(truth.price["amount"] * 100)) in text
        else:
            assert shop.words.labels["on_request"] in text


@pytest.mark.parametrize("kind", ["plain", "ecshop"])
def test_lists_lead_to_every_product(kind: str) -> None:
    shop = DemoShop(1, kind=kind)
    lists, met, products = ["/"], {"/"}, set()
    while lists:
        page = shop.page(lists.pop())
        for href in re.findall(r'href="([^"#]+)"', page.html.decode()) if page is not None else ():
            target = "/" + unescape(href).lstrip("/")
            if target in met or re.search(r"sort|brand=|colour|price_min|events|user|flow|article", target):
                continue
            met.add(target)
            if ".html" in target or "goods.php" in target:
                products.add(target)
            else:
                lists.append(target)
    assert {shop.path(good) for good in shop.goods} <= products


def test_prices_change_with_time_and_the_pages_with_them() -> None:
    shop = DemoShop(1)
    good = next(good for good in shop.goods if good.steps and good.pricing == "plain")
    after, cents = good.steps[0]
    path, later = shop.path(good), shop.start + after
    assert shop.truth(later)[path].price["amount"] == cents / 100
    assert shop.words.shown(cents) in document(shop, path, seconds=after.total_seconds()).tree.root.text


def test_a_product_has_a_second_address_and_says_which_one_is_its_own() -> None:
    shop = DemoShop(1, base_url="http://shop.example")
    good = next(good for good in shop.goods if good.also is not None)
    other = f"/{good.also[0].slug}/{good.also[1].slug}/{good.slug}.html"
    assert other != shop.path(good)
    stated = document(shop, other).tree.select_one('link[rel="canonical"]')
    assert stated.attr("href") == f"http://shop.example{shop.path(good)}"


@pytest.mark.parametrize("target", ["/nothing", "/garden/nothing/", "/garden/tools/?page=99", "/garden/tools/x.html"])
def test_what_is_not_there_is_missing(target: str) -> None:
    assert DemoShop(1).page(target) is None
