"""`sitewright prices`: what products cost, before and now, from shop to shop, and as a tree."""

import csv
import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.store.database import Store
from sitewright.store.entries import Collected, WatchedPage
from sitewright.store.states import SourceState
from sitewright.types import Page, Record, Value

Call = Callable[..., Any]
START = datetime(2026, 3, 16, 6, tzinfo=UTC)
SHOP, OTHER = "shop.example", "other.example"


def keep(store: Store, site: str, item: str, amount: float | None, days: int = 0, **fields: Any) -> None:
    values: dict[str, Any] = {"name": item, "brand": "Acme", "sku": item, **fields}
    if amount is not None:
        values["price"] = {"amount": amount, "currency": "EUR"}
    url, at = f"https://{site}/{item.lower()}", START + timedelta(days=days)
    named = {name: Value(value, 0.9, "product/x#0") for name, value in values.items()}
    record = Record(site=site, urls=(url,), domain="shop", template="product", fields=named)
    store.commit_pages([Collected(record=record, page=Page(url=url, body=b"", fetched_at=at))])


@pytest.fixture
def shops(store: Store) -> Store:
    for name in (SHOP, OTHER):
        store.add_site(name, url=f"https://{name}/", domain="shop")
    keep(store, SHOP, "Spade", 20.0)
    keep(store, SHOP, "Spade", 18.0, 1)
    keep(store, SHOP, "Rake", 1234.5)
    keep(store, SHOP, "Hoe", None)
    keep(store, OTHER, "Spade", 27.0)
    keep(store, OTHER, "=Saw", 9.0)
    return store


def lines(done: Any) -> list[list[str]]:
    return [line.split() for line in done.out.decode().splitlines()]


def test_a_line_a_product_with_the_price_before(call: Call, shops: Store) -> None:
    done = call("prices", SHOP)
    assert (done.status, done.err) == (0, "")
    heads, spade, rake, hoe = lines(done)
    assert heads == "site name price before change since (UTC) stock".split()
    assert spade == [SHOP, "Spade", "18.00", "EUR", "20.00", "EUR", "-10%", "2026-03-17", "06:00"]
    assert rake == [SHOP, "Rake", "1,234.50", "EUR", "2026-03-16", "06:00"]
    assert hoe == [SHOP, "Hoe", "-", "2026-03-16", "06:00"]
    assert [line[1] for line in lines(call("prices", "--changed"))[1:]] == ["Spade"]
    assert [line[1] for line in lines(call("prices", "--since", "2026-03-17"))[1:]] == ["Spade"]


def test_the_history_of_a_product(call: Call, shops: Store) -> None:
    name, url, _, *rows = lines(call("prices", "--history", f"https://{SHOP}/spade"))
    assert (name, url) == (["Spade"], [f"https://{SHOP}/spade"])
    assert [row[4:6] for row in rows] == [["20.00", "EUR"], ["18.00", "EUR"]]
    done = call("prices", "--history", "https://nowhere.example/")
    assert (done.status, done.err) == (
        2,
        "error[input_error]: there is no price of https://nowhere.example/ in the store\n",
    )


def test_the_same_product_from_shop_to_shop(call: Call, shops: Store) -> None:
    _, cheap, dear = lines(call("prices", "--compare"))
    assert cheap == ["Spade", "18.00", "EUR", SHOP]
    assert dear == ["27.00", "EUR", OTHER, "50%"]
    alone = call("prices", "--compare", SHOP)
    assert (alone.status, alone.out, alone.err) == (0, b"", "no product is known of more than one shop\n")


def test_every_price_is_written(call: Call, shops: Store, folder: Path) -> None:
    done = call("prices", "-o", "prices.jsonl")
    assert (done.status, done.err) == (0, "6 prices of 5 products\n")
    rows = [json.loads(line) for line in (folder / "prices.jsonl").read_text().splitlines()]
    assert [row["amount"] for row in rows] == [20.0, 18.0, 1234.5, None, 27.0, 9.0]
    assert rows[0] | {"since": "", "until": ""} == {
        "site": SHOP, "url": f"https://{SHOP}/spade", "name": "Spade", "amount": 20.0, "currency": "EUR",
        "old_amount": None, "stock": None, "since": "", "until": "",
    }  # fmt: skip
    assert call("prices", "-o", "prices.csv").status == 0
    cells = list(csv.DictReader((folder / "prices.csv").read_text().splitlines()))
    assert [cell["name"] for cell in cells[-2:]] == ["Spade", "'=Saw"]
    assert call("prices", OTHER, "-o", "-").out.count(b"\n") == 2


def test_a_shop_as_a_tree(call: Call, shops: Store) -> None:
    trail = ("Garden", "Tools")
    state = SourceState(trail=trail, found_on=f"https://{SHOP}/")
    shops.put_index_pages([WatchedPage(site=SHOP, url=f"https://{SHOP}/tools/", state=state)])
    shops.offers.place(SHOP, trail[:1], {f"https://{SHOP}/spade": None})
    shops.offers.place(SHOP, trail, {f"https://{SHOP}/spade": 18.0, f"https://{SHOP}/rake": None})
    tree = json.loads(call("prices", SHOP, "--tree").out)
    [garden] = tree["categories"]
    [tools] = garden["categories"]
    assert (garden["category"], tools["category"], tools["url"]) == ("Garden", "Tools", f"https://{SHOP}/tools/")
    assert [item["name"] for item in tools["items"]] == ["Spade", "Rake"]
    assert [item["name"] for item in tree["items"]] == ["Hoe"]


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--compare", "--tree"), "--compare, --history and --tree are different views; name one of them"),
        (("--tree",), "--tree is of one site; name it"),
        ((SHOP, OTHER, "--tree"), "--tree is of one site; name it"),
    ],
)
def test_what_does_not_go_together(call: Call, shops: Store, arguments: tuple[str, ...], problem: str) -> None:
    done = call("prices", *arguments)
    assert done.status == 2
    assert problem in done.err


def test_sites_without_categories_have_no_tree(call: Call, store: Store) -> None:
    done = call("prices", "notes.example", "--tree")
    assert (done.status, done.err.startswith("error[input_error]: notes.example is of the domain news")) == (2, True)
    assert call("prices").err == "no prices are known yet; begin with: sitewright collect URL --domain shop\n"


def test_status_counts_prices_that_could_not_be_read(call: Call, shops: Store) -> None:
    known = json.loads(call("status", SHOP, "--json").out)["price_errors"]
    assert known == {"items": 3, "without": 1, "share": pytest.approx(1 / 3)}
    assert b"prices: 1 of 3 could not be read (33.3%)" in call("status", SHOP).out
    assert json.loads(call("status", "notes.example", "--json").out)["price_errors"] is None
