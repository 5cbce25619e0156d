"""`sitewright price-histories`: from archived pages to a table of prices, the one that a store would hold."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sitewright.store.database import Store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, Value

Call = Callable[..., Any]
START = datetime(2026, 3, 16, 6, tzinfo=UTC)
SHOP = "shop.example"
MAP = """\
sitewright: 1
site: shop.example
domain: shop
templates:
  - name: product
    rules:
      name: {select: [h1]}
      price: {select: [b]}
"""


def keep(store: Store, rows: list[dict[str, Any]]) -> None:
    store.add_site(SHOP, url=f"https://{SHOP}/", domain="shop")
    for row in rows:
        named = {
            name: Value(row[name], 0.9, "product/x#0") for name in ("name", "price", "availability") if name in row
        }
        record = Record(site=SHOP, urls=(row["url"],), domain="shop", template="product", fields=named)
        at = datetime.fromisoformat(row["fetched_at"])
        store.commit_pages([Collected(record=record, page=Page(url=row["url"], body=b"", fetched_at=at))])


@pytest.fixture
def rows() -> list[dict[str, Any]]:
    made = []
    for day, spade in enumerate([20, 20, 18, None, 20]):
        at = (START + timedelta(days=day)).isoformat()
        price = {"price": {"amount": spade, "currency": "EUR"}} if spade else {}
        made.append({"url": f"https://{SHOP}/spade", "name": "Spade", **price, "fetched_at": at})
        rake = {"name": "=Rake", "price": {"amount": 7.5, "currency": "EUR"}, "availability": "InStock"}
        made.append({"url": f"https://{SHOP}/rake", **rake, "fetched_at": at})
    return made


def test_prices_are_those_of_a_store(call: Call, store: Store, folder: Path, rows: list[dict[str, Any]]) -> None:
    keep(store, rows)
    (folder / "seen.jsonl").write_text("".join(json.dumps(row) + "\n" for row in reversed(rows)), "utf-8")
    done = call("price-histories", "seen.jsonl", "--domain", "shop")
    kept = [json.loads(line) for line in call("prices", "-o", "-").out.splitlines()]
    found = [json.loads(line) for line in done.out.splitlines()]
    assert len(found) == 5
    assert found == sorted(kept, key=lambda row: (row["url"], row["since"]))
    assert (done.status, done.err) == (0, "5 prices of 2 items\n")


def test_pages_that_were_fetched_again_are_read_and_put_together(call: Call, folder: Path) -> None:
    (folder / "map.yaml").write_text(MAP, "utf-8")
    pages = [
        {
            "url": f"https://{SHOP}/spade",
            "html": f"<h1>Spade</h1><b>{price} EUR</b>",
            "time": f"2026-03-{day}T06:00:00Z",
        }
        for day, price in [(16, 20), (17, 20), (18, 18)]
    ]
    undated = {"url": f"https://{SHOP}/rake", "html": "<h1>Rake</h1><b>9 EUR</b>"}
    (folder / "pages.jsonl").write_text("".join(json.dumps(page) + "\n" for page in [*pages, undated]), "utf-8")
    (folder / "seen").mkdir()
    (folder / "seen" / "_done.json").write_text("{}", "utf-8")
    extracted = call("extract", "pages.jsonl", "--map", "map.yaml", "--dated", "-o", "seen/part-0.jsonl", "--jobs", "1")
    assert extracted.status == 0, extracted.err
    done = call("price-histories", "seen", "--domain", "shop", "-o", "history.csv")
    assert (done.status, done.out) == (0, b"")
    assert done.err == "1 line left out: that do not say when their page was fetched\n2 prices of 1 item\n"
    assert (folder / "history.csv").read_text("utf-8").splitlines() == [
        "site,url,name,amount,currency,old_amount,stock,since,until",
        "shop.example,https://shop.example/spade,Spade,20.0,EUR,,,2026-03-16T06:00:00+00:00,2026-03-17T06:00:00+00:00",
        "shop.example,https://shop.example/spade,Spade,18.0,EUR,,,2026-03-18T06:00:00+00:00,2026-03-18T06:00:00+00:00",
    ]


def test_what_cannot_be_is_refused(call: Call, folder: Path) -> None:
    (folder / "a.jsonl").write_text("", "utf-8")
    (folder / "empty").mkdir()
    for words, said in [
        (["a.jsonl"], "items of the domain news have no price; say what the records are of: --domain shop"),
        (["none.jsonl", "--domain", "shop"], "cannot read none.jsonl: there is no such file"),
        (["empty", "--domain", "shop"], "there is no file of records in empty"),
        (
            ["a.jsonl", "--domain", "shop", "-o", "a.md"],
            "prices are written as jsonl, csv, parquet; name such a file with -o",
        ),
        (["a.jsonl", "--domain", "shop", "-o", "a.jsonl"], "a.jsonl is an input of this run"),
    ]:
        done = call("price-histories", *words)
        assert done.status == 2
        assert said in done.err
    empty = call("price-histories", "a.jsonl", "--domain", "shop")
    assert (empty.status, empty.out, empty.err) == (0, b"", "0 prices of 0 items\n")
