"""The digest of a day: on its page, by the API, on the terminal; what strangers wrote is text."""

from datetime import timedelta

import orjson
from fastapi.testclient import TestClient
from tests.cli.conftest import FETCHED, Call, Newspaper, call
from tests.serve.conftest import Open

from sitewright.store.database import Store
from sitewright.store.entries import Collected, Incident
from sitewright.types import Page, Record, Value

__all__ = ["call"]


def put(store: Store, site: str, heading: str, number: int, **fields: object) -> None:
    domain = "shop" if fields else "news"
    store.add_site(site, domain=domain)
    url = f"https://{site}/{number}"
    name = "name" if fields else "title"
    values = {name: heading, **fields, **({} if fields else {"published": "2026-11-19T08:00:00+00:00"})}
    record = Record(site=site, urls=(url,), domain=domain, fields={k: Value(v, 0.9, "") for k, v in values.items()})
    at = FETCHED.replace(year=2026, month=11, day=19) + timedelta(hours=len(list(store.offers.history())))
    store.commit_pages([Collected(record=record, page=Page(url=url, body=b"", fetched_at=at))])


def fill(store: Store) -> None:
    put(store, "a.example", "Bridge <img src=x onerror=alert(1)> opens", 1)
    put(store, "b.example", "Harbour closes", 2)
    for amount in (30.0, 24.5):
        put(store, "shop.example", "Spade", 3, price={"amount": amount, "currency": "EUR"})
    at = FETCHED.replace(year=2026, month=11, day=19)
    store.put_incident(Incident(site="b.example", kind="lost", field="title", since=at, opened_at=at))


def test_a_day_is_shown_on_its_page_and_by_the_api(open_service: Open, store: Store) -> None:
    fill(store)
    client = open_service()
    page = client.get("/digest/2026-11-19").text
    assert "Bridge &lt;img src=x onerror=alert(1)&gt; opens" in page
    assert "<del>30.00 EUR</del> <ins>24.50 EUR</ins>" in page
    assert "title is not read any more" in page
    assert client.get("/digest/2026-11-18").text.count("data-row") == 0
    told = client.get("/api/v1/digest?day=2026-11-19").json()
    assert {one["heading"] for one in told["stories"]} >= {"Harbour closes"}
    assert all(one["reason"] for one in told["stories"])
    assert [(one["before"], one["amount"]) for one in told["prices"]] == [(30.0, 24.5)]
    assert {"a": 1, "b": 1}.items() <= {one["site"][0]: one["count"] for one in told["sites"]}.items()
    assert len(told["incidents"]) == 1


def test_days_that_are_none_are_told(client: TestClient) -> None:
    for path in ("/digest/x", "/digest/0001-01-01", "/digest?until=x", "/api/v1/digest?day=9999-12-31"):
        assert client.get(path).status_code == 400
    assert client.get("/digest?until=2026-11-19T07:00:00%2B02:00").status_code == 200


def test_the_terminal_shows_it(store: Store, newspaper: Newspaper, call: Call) -> None:
    fill(store)
    done = call("digest", "--day", "2026-11-19")
    assert done.status == 0
    assert "* Spade: 30.00 EUR → 24.50 EUR" in done.out.decode()
    row = orjson.loads(call("digest", "--day", "2026-11-19", "--json").out)
    assert row["count"] >= 2
    assert call("digest", "--mail").status == 2  # no mail server is set
