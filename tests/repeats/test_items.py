"""Fields of entries: what each is called, what it costs, where it leads."""

from datetime import UTC, datetime

import pytest

from sitewright import Page
from sitewright.domains import load_domain
from sitewright.parse import parse
from sitewright.repeats import item_fields, item_values, main_list
from sitewright.values import page_context

SHOP = load_domain("shop")


def read(cards: str) -> list[dict[str, object]]:
    document = parse(Page(url="https://shop.example/list/", body=f'<main><ul class="products">{cards}</ul></main>'))
    found = main_list(document)
    assert found is not None
    fields = item_fields(found.items, SHOP)
    return item_values(found.items, fields, SHOP, page_context(document, datetime(2024, 1, 1, tzinfo=UTC)))


def sale(number: int, former: str) -> str:
    old = f"<del>{former}</del>" if former else ""
    return (
        f'<li class="product"><span class="badge">Sale!</span><a href="../p/{number}"><img src="/i/{number}.png">'
        f"<h2>Blue towel {number}</h2></a><p class=price>{old} <ins>{number},99 €</ins></p><a href=?add={number}>Add to cart</a></li>"
    )


def test_names_prices_addresses_and_pictures() -> None:
    first, *_ = read("".join(sale(n, f"{n + 9},00 €") for n in range(1, 6)))
    assert first == {
        "name": "Blue towel 1",
        "price": {"amount": 1.99, "currency": "EUR"},
        "old_price": {"amount": 10.0, "currency": "EUR"},
        "url": "https://shop.example/p/1",
        "image": "https://shop.example/i/1.png",
    }


def test_only_some_entries_are_reduced() -> None:
    items = read("".join(sale(n, f"{n + 9},00 €" if n % 2 else "") for n in range(1, 7)))
    assert [item["price"] for item in items] == [{"amount": n + 0.99, "currency": "EUR"} for n in range(1, 7)]
    assert [("old_price" in item) for item in items] == [True, False] * 3


@pytest.mark.parametrize("price", ["Price on request", ""])
def test_without_prices_entries_have_a_name_and_an_address(price: str) -> None:
    cards = "".join(f'<li class=product><a href="/p/{n}"><h3>Pump {n}</h3></a><i>{price}</i></li>' for n in range(4))
    assert [(item["name"], "price" in item) for item in read(cards)] == [(f"Pump {n}", False) for n in range(4)]


def test_of_two_prices_in_one_element_the_one_that_is_not_struck_through_is_paid() -> None:
    cards = "".join(
        f'<li class=card><a href="/{n}"><h3>Tea {n}</h3></a><p class=price>{"<del>€ 90,00</del> " if n % 2 else ""}€ {n},50</p></li>'
        for n in range(1, 7)
    )
    assert [item["price"] for item in read(cards)] == [{"amount": n + 0.5, "currency": "EUR"} for n in range(1, 7)]
