"""Products and what they cost: found, filtered, ordered; a product with its history, its words and other shops."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.serve.conftest import Open

from sitewright.parse import url_id
from sitewright.serve.words import LANGUAGES
from sitewright.store.database import Store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, Value

START = datetime(2026, 3, 16, 6, tzinfo=UTC)
API = "/api/v1/products"
SPADE, TEA = "https://tools.example/spade", "https://tools.example/tea"


def sold(url: str, name: str, amount: float | None, days: int, **fields: Any) -> Collected:
    site = url.split("/")[2]
    values: dict[str, Any] = {"name": name, "images": [{"url": f"https://{site}/i.png"}], **fields}
    if amount is not None:
        values["price"] = {"amount": amount, "currency": "EUR"}
    record = Record(
        site=site, urls=(url,), domain="shop", fields={key: Value(value, 0.9, "x") for key, value in values.items()}
    )
    return Collected(record=record, page=Page(url=url, body=b"", fetched_at=START + timedelta(days=days)))


@pytest.fixture
def stocked(store: Store) -> Store:
    for site in ("tools.example", "other.example"):
        store.add_site(site, url=f"https://{site}/", domain="shop")
    store.commit_pages([sold("https://other.example/s", "Garden spade", 18.0, 2, gtin="4006381333931")])
    for days, amount in ((0, 20.0), (3, 12.5), (6, 1250.0 / 80)):
        store.commit_pages([sold(SPADE, "Spade <b>", amount, days, gtin="4006381333931", availability="InStock")])
    for days, amount in ((0, 4.0), (1, None)):
        store.commit_pages([sold(TEA, "Tea", amount, days)])
    for number in range(60):
        store.commit_pages([sold(f"https://tools.example/p{number}", f"Peg {number}", 30.0 + number, 1)])
    store.offers.place("tools.example", ("Garden", "Digging"), {SPADE: 12.5})
    return store


@pytest.fixture
def shop(stocked: Store, open_service: Open) -> TestClient:
    return open_service()


def names(answer: Any) -> list[str]:
    return [item["name"] for item in answer.json()["items"]]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=spade", {"Spade <b>", "Garden spade"}),
        ("site=other.example", {"Garden spade"}),
        ("site=tools.example&category=Digging", {"Spade <b>"}),
        ("stock=InStock", {"Spade <b>"}),
        ("q=spade&site=tools.example", {"Spade <b>"}),
        ("q=elephant", set()),
        ("category=Dig", set()),
    ],
)
def test_products_are_looked_for(shop: TestClient, query: str, found: set[str]) -> None:
    assert set(names(shop.get(f"{API}?{query}"))) == found
    page = shop.get(f"/products?{query}")
    assert page.status_code == 200
    assert page.text.count("data-row") == len(found)


def test_products_are_ordered_and_pages_follow_one_another(shop: TestClient) -> None:
    assert names(shop.get(f"{API}?order=cheapest&limit=2")) == ["Spade <b>", "Garden spade"]
    assert names(shop.get(f"{API}?order=dearest&limit=1")) == ["Peg 59"]
    assert names(shop.get(f"{API}?order=reduced")) == []  # the spade costs more than before
    for order in ("", "cheapest", "dearest"):
        found, after = [], ""
        while after is not None:
            answer = shop.get(f"{API}?order={order}&limit=25&after={after}")
            found += names(answer)
            after = answer.json()["next"]
        assert len(found) == len(set(found)) == 63 - (order != "")  # what costs nothing known has no place among prices
    page = shop.get("/products?order=dearest").text
    [more] = [part.partition('"')[0] for part in page.split('rel="next" href="')[1:]]
    assert "Peg 59" not in shop.get(more.replace("&amp;", "&")).text


def test_a_product_says_what_it_cost_and_costs_elsewhere(shop: TestClient) -> None:
    page = shop.get(f"/product/tools.example/{url_id(SPADE)}").text
    assert "Spade &lt;b&gt;" in page
    assert "15.62\u00a0EUR today; the lowest was 12.50\u00a0EUR, on 2026-03-19." in page
    assert "other.example" in page.partition("In other shops")[2]
    assert page.count("<polyline") == 1
    about = shop.get(f"{API}/tools.example/{url_id(SPADE)}").json()
    assert about["lowest"] == {"amount": 12.5, "currency": "EUR"}
    assert about["change"] == pytest.approx(0.25)
    assert [offer["site"] for offer in about["offers"]] == ["other.example"]
    rows = shop.get(f"{API}/tools.example/{url_id(SPADE)}/prices").json()["items"]
    assert [row["amount"] for row in rows] == [20.0, 12.5, 15.625]


def test_a_product_shows_what_it_is_made_of(stocked: Store, shop: TestClient) -> None:
    """Specifications, variants and reviews, whatever parts they have; what strangers wrote is text."""
    url = "https://tools.example/rake"
    details: dict[str, Any] = {
        "specifications": [{"name": "Weight", "value": "2 kg"}],
        "variants": [{"name": "small", "sku": "R-1", "price": {"amount": 9.5, "currency": "EUR"}}, {"name": "large"}],
        "reviews": [{"author": "Ann", "stars": 4.0, "time": "2026-03-01T10:00:00", "text": "It <i>rakes</i>."}],
    }
    stocked.commit_pages([sold(url, "Rake", 9.5, 1, **details)])
    page = shop.get(f"/product/tools.example/{url_id(url)}").text
    assert [f'id="{name}"' in page for name in details] == [True, True, True]
    assert '<td dir="auto">R-1</td><td dir="auto">9.50\u00a0EUR</td>' in page
    assert "It &lt;i&gt;rakes&lt;/i&gt;." in page
    assert '<span class="chip" dir="auto">2026-03-01</span>' in page
    fields = shop.get(f"{API}/tools.example/{url_id(url)}").json()["fields"]
    assert {name: fields[name] for name in details} == details


def test_the_prices_of_a_product_are_a_table(shop: TestClient) -> None:
    answer = shop.get(f"/product/tools.example/{url_id(SPADE)}/prices.csv")
    assert answer.headers["content-type"].startswith("text/csv")
    assert [row["amount"] for row in csv.DictReader(io.StringIO(answer.text))] == ["20.0", "12.5", "15.625"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_missing_is_said_in_words(shop: TestClient, language: str) -> None:
    said = shop.get(f"/product/tools.example/{url_id(TEA)}", headers={"accept-language": language}).text
    assert "4.00\u00a0EUR" in said
    assert "2026-03-17" in said
    single = shop.get(
        f"/product/other.example/{url_id('https://other.example/s')}", headers={"accept-language": language}
    )
    assert "18.00\u00a0EUR" in single.text


@pytest.mark.parametrize(
    "path", ["/product/tools.example/nothing", "/product/nowhere/x/prices.csv", f"{API}/a/b/prices"]
)
def test_a_product_that_is_not_there_is_told(shop: TestClient, path: str) -> None:
    assert shop.get(path).status_code == 404
