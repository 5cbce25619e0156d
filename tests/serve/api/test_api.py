"""What programs ask: the same as the pages show, with places to go on at, tags, and never an error of ours."""

import re
from itertools import product
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.cli.conftest import FETCHED
from tests.serve.conftest import Open

from sitewright.actions.accounts import make_token
from sitewright.store.database import Store
from sitewright.store.entries import Incident

pytestmark = pytest.mark.slow

API = "/api/v1"


def items(client: TestClient, path: str) -> list[dict[str, Any]]:
    return list(client.get(API + path).json()["items"])


def test_pages_of_a_list_follow_one_another(client: TestClient) -> None:
    for path in ("/stories", "/records"):
        whole = items(client, f"{path}?limit=100")
        found, after = [], ""
        while True:
            answer = client.get(f"{API}{path}?limit=2&after={after}").json()
            found += answer["items"]
            after = answer["next"]
            if after is None:
                break
        assert found == whole
        assert len(whole) == 13


def test_who_has_it_already_is_told_so(client: TestClient) -> None:
    first = client.get(f"{API}/stories")
    again = client.get(f"{API}/stories", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    client.post(f"{API}/marks", json={"numbers": [first.json()["items"][0]["number"]], "read": True})
    changed = client.get(f"{API}/stories", headers={"if-none-match": first.headers["etag"]})
    assert changed.json()["items"][0]["read"] is True


def test_words_are_found(client: TestClient) -> None:
    assert [one["site"] for one in items(client, "/stories?q=note")] == ["notes.example"] * 2
    told = client.get(f"{API}/search?q=note").json()
    assert told["count"] == 2
    assert told["facets"]["sites"] == [{"what": "notes.example", "count": 2}]


def test_a_record_is_explained(client: TestClient, story: str) -> None:
    assert client.get(f"{API}/records/{story}").json()["rules"]
    told = client.get(f"{API}/records/{story}/explanation").json()
    assert told["same"] is True
    assert {field["state"] for field in told["fields"]} == {"same"}


def test_sites_and_what_is_done_to_them(client: TestClient, store: Store) -> None:
    assert {one["site"] for one in items(client, "/sites")} == {one.name for one in store.sites()}
    place = f"{API}/sites/notes.example"
    assert client.post(place, json={"act": "pause"}).json()["state"] == "paused"
    assert client.post(place, json={"act": "resume"}).json()["state"] == "well"
    assert client.post(place, json={"act": "explode"}).status_code == 422
    assert client.get(place).json()["records"] == 2
    assert client.delete(place).status_code == 204
    assert client.get(place).status_code == 404


def test_maps_are_read_saved_and_taken_back(client: TestClient) -> None:
    place = f"{API}/sites/notes.example/map"
    first = client.get(place)
    changed = first.text.replace("[b]", "[i]")
    assert client.put(place, content=changed, headers={"if-match": '"9"'}).status_code == 400
    saved = client.put(place, content=changed, headers={"if-match": first.headers["etag"]})
    assert saved.json()["version"] == 2
    assert [one["version"] for one in items(client, "/sites/notes.example/maps")] == [2, 1]
    assert client.post(f"{API}/sites/notes.example/maps/1/adopt").json()["version"] == 3
    assert "[b]" in client.get(place).text
    for bad in ("", "sitewright: 1", first.text.replace("notes.example", "other.example"), "{"):
        assert client.put(place, content=bad).status_code == 400


def test_incidents_are_told_and_dismissed(client: TestClient, store: Store) -> None:
    put = store.put_incident(
        Incident(site="notes.example", kind="lost", field="title", since=FETCHED, opened_at=FETCHED, pages=3)
    )
    assert [one["number"] for one in items(client, "/incidents")] == [put.number]
    assert client.get("/incidents").text.count("data-open") == 1
    assert client.get(f"/incident/{put.number}").status_code == 200
    assert client.post(f"{API}/incidents/{put.number}", json={"decision": "accept"}).status_code == 400
    assert client.post(f"{API}/incidents/{put.number}", json={"decision": "dismiss"}).json()["state"] == "dismissed"
    assert items(client, "/incidents") == []


def test_what_is_sent_twice_counts_once(client: TestClient, store: Store) -> None:
    number = next(iter(store.records())).number
    batch = {"events": [{"id": "a", "what": "star", "number": number}] * 2}
    assert client.post(f"{API}/events", json=batch).json() == {"taken": 1}
    starred = store.people.marks("owner", [number])
    assert client.post(f"{API}/events", json=batch).json() == {"taken": 1}
    assert store.people.marks("owner", [number]) == starred


def test_what_readers_do_is_logged_once(client: TestClient, store: Store) -> None:
    numbers = [one["number"] for one in items(client, "/stories")]
    events = [
        {"id": "a", "what": "clicked", "number": numbers[0], "shown_in": "/", "place": 1},
        {"id": "b", "what": "viewed", "number": numbers[0], "viewed": 2, "total": 5},
        {"id": "c", "what": "shown", "number": numbers[1]},
        {"id": "d", "what": "clicked", "number": 999_999},
        {"id": "e", "what": "clicked", "number": numbers[0], "reader": "r1", "at": "2001-01-01T00:00:00Z"},
    ]
    assert client.post(f"{API}/events", json={"events": events}).json() == {
        "taken": 5, "left_out": {"unknown_item": 1, "too_old": 1}
    }  # fmt: skip
    assert client.post(f"{API}/events", json={"events": events[:3]}).json() == {"taken": 3, "left_out": {"repeated": 3}}
    owner = store.clicks.pseudonym("account", "owner")
    assert owner is not None
    assert [one.record for one in store.clicks.newest(owner, limit=9)] == [numbers[0]]
    for bad in ({"id": ""}, {"what": "liked"}, {"viewed": -1}, {"at": "yesterday"}, {"number": 2**60}):
        assert client.post(f"{API}/events", json={"events": [events[0] | bad]}).status_code == 422


def test_who_does_not_want_it_is_not_logged(client: TestClient, store: Store) -> None:
    number = items(client, "/stories")[0]["number"]
    store.people.prefer("owner", {"clicks": False})
    batch = {"events": [{"id": "a", "what": "clicked", "number": number}]}
    assert client.post(f"{API}/events", json=batch).json() == {"taken": 1}
    assert store.clicks.days() == []
    assert 'data-clicks="off"' in client.get("/").text


def test_readers_send_only_what_they_did_themselves(open_service: Open, store: Store) -> None:
    store.people.put_account("ann", "reader", "")
    client = open_service()
    headers = {"authorization": f"Bearer {make_token(store, 'ann', 'x')}"}
    number = next(store.records()).number
    batch = {"events": [{"id": "a", "what": "clicked", "number": number, "reader": "ben"}]}
    assert client.post(f"{API}/events", json=batch, headers=headers).status_code == 403
    del batch["events"][0]["reader"]
    assert client.post(f"{API}/events", json=batch, headers=headers).json() == {"taken": 1}
    assert store.clicks.pseudonym("account", "ann") is not None


def test_the_stream_tells_what_was_missed(client: TestClient) -> None:
    whole = client.get(f"{API}/stream?once=true").text
    places = re.findall(r"^id: (.+)$", whole, re.MULTILINE)
    assert len(places) == 13
    rest = client.get(f"{API}/stream?once=true", headers={"last-event-id": places[9]}).text
    assert re.findall(r"^id: (.+)$", rest, re.MULTILINE) == places[10:]


ODD = [
    "",
    "0",
    "-1",
    "9" * 30,
    "../../etc/passwd",
    "%00",
    "é",
    "' OR 1=1 --",
    "<script>",
    "a" * 400,
    "\ud83d",
    "2026-13-45",
]


def test_nothing_that_is_sent_is_an_error_of_ours(open_service: Open) -> None:
    client = open_service()
    client._transport.raise_server_exceptions = False  # type: ignore[attr-defined]
    told = client.get(f"{API}/openapi.json").json()
    assert len(told["paths"]) >= 16
    for path, methods in told["paths"].items():
        for method, about in methods.items():
            names = [one["name"] for one in about.get("parameters", []) if one["in"] == "query"]
            for odd in ODD:
                place = re.sub(r"\{\w+\}", odd.encode("utf-8", "ignore").hex() if method != "get" else "x", path)
                query = {name: odd.encode("utf-8", "ignore").decode() for name in names} | {"once": "true"}
                bodies = (
                    [{}, [], {"numbers": [odd[:3].encode("utf-8", "ignore").decode()]}, None]
                    if method in {"post", "put"}
                    else [None]
                )
                for body, params in product(bodies, [query]):
                    answer = client.request(method, place, params=params, json=body)
                    assert answer.status_code < 500, (method, place, params, body, answer.text[:300])


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_other_sites_pages_change_nothing(client: TestClient, method: str) -> None:
    for path in ("/sites", "/sites/notes.example", "/sites/notes.example/map", "/marks", "/events", "/incidents/1"):
        answer = client.request(method, API + path, headers={"origin": "https://evil.example"}, content="{}")
        assert answer.status_code == 403
