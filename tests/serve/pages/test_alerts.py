"""Alerts are made on a page and by the API, seen by who made them, and read as a feed by whoever has its address."""

from urllib.parse import urlsplit

import feedparser
from fastapi.testclient import TestClient
from tests.cli.conftest import FETCHED
from tests.serve.conftest import Open, send

from sitewright.actions.accounts import make_token
from sitewright.actions.messenger import Messenger
from sitewright.store.database import Store
from sitewright.store.entries import Incident

API = "/api/v1/alerts"


def test_a_feed_is_made_on_the_page_and_read_by_its_address_alone(open_service: Open, store: Store) -> None:
    client = open_service()
    assert send(client, "/alerts", kind="incident", way="feed", site="notes.example").status_code == 303
    (alert,) = store.alerts.every("owner")
    put = store.put_incident(Incident(site="notes.example", kind="lost", since=FETCHED, opened_at=alert.made_at))
    service = client.app.state.service  # type: ignore[attr-defined]
    Messenger(service.library, service.senders).turn()
    assert "incidents of notes.example" in client.get("/alerts").text
    (row,) = client.get(API).json()["items"]
    place = urlsplit(row["feed"])._replace(scheme="", netloc="").geturl()
    store.people.put_account("ann", "admin", "")  # from now on people have to log in
    feed = client.get(place)
    assert [entry.link for entry in feedparser.parse(feed.content).entries] == [
        f"{urlsplit(row['feed']).scheme}://{urlsplit(row['feed']).netloc}/incident/{put.number}"
    ]
    assert client.get(place[:-1]).status_code == 404
    assert client.get("/alerts").status_code == 401


def test_the_api_makes_shows_retries_and_removes(client: TestClient, store: Store) -> None:
    new = {"kind": "search", "way": "webhook", "target": "https://hooks.example/x", "query": {"site": "notes.example"}}
    made = client.post(API, json=new)
    assert made.status_code == 201
    assert made.json()["secret"].startswith("whsec_")
    place = made.headers["location"]
    assert "secret" not in client.get(place).text
    (alert,) = store.alerts.every()
    store.alerts.keep(alert, {"7": {"heading": "x"}})
    store.alerts.failed(alert, "connection_failed: no")
    shown = client.get(place).json()
    assert (shown["waiting"], shown["trouble"], shown["notices"][0]["state"]) == (1, "connection_failed: no", "waiting")
    assert "connection_failed: no" in client.get("/alerts").text
    assert client.post(f"{place}/retry").json()["next_try"] is None
    assert client.delete(place).status_code == 204
    assert client.get(place).status_code == 404
    assert store.alerts.newest(alert.number, 9) == []


def test_what_cannot_be_made_says_why(client: TestClient) -> None:
    for new, code in (
        ({"kind": "search", "way": "webhook", "target": "http://10.0.0.1/"}, "address_refused"),
        ({"kind": "search", "way": "mail", "target": "x"}, "input_error"),
        ({"kind": "cheaper", "way": "feed", "amount": 3}, "input_error"),
        ({"kind": "search", "way": "pigeon"}, "input_error"),
    ):
        assert client.post(API, json=new).json()["error"]["code"] == code
    assert send(client, "/alerts", kind="cheaper", way="feed", amount="a lot").status_code == 400


def test_alerts_of_others_are_nobodys_business(open_service: Open, store: Store) -> None:
    for name, role in (("ann", "reader"), ("ben", "editor"), ("cyd", "admin")):
        store.people.put_account(name, role, "")  # type: ignore[arg-type]
    client = open_service()
    headers = {name: {"authorization": f"Bearer {make_token(store, name, 'x')}"} for name in ("ann", "ben", "cyd")}
    number = client.post(API, json={"kind": "search", "way": "feed"}, headers=headers["ann"]).json()["number"]
    seen = {name: client.get(f"{API}/{number}", headers=sent).status_code for name, sent in headers.items()}
    assert seen == {"ann": 200, "ben": 404, "cyd": 200}
    assert client.delete(f"{API}/{number}", headers=headers["ben"]).status_code == 404
    assert client.post(f"/alerts/{number}", data={"do": "remove"}, headers=headers["ben"]).status_code == 404
    store.people.forget_account("ann")
    assert store.alerts.every() == []


def test_a_search_leads_to_its_alert(client: TestClient) -> None:
    page = client.get("/search?q=note&site=notes.example").text
    assert "/alerts?kind=search&amp;query=q%3Dnote%26site%3Dnotes.example#new" in page
    form = client.get("/alerts?kind=search&query=q%3Dnote%26site%3Dnotes.example").text
    assert 'value="q=note&amp;site=notes.example"' in form
