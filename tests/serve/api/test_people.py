"""What the pages do for people and sites, the API does, too; and only for those who may."""

import pytest
from fastapi.testclient import TestClient
from tests.serve.conftest import Open

from sitewright.actions.accounts import make_token
from sitewright.store.database import Store

pytestmark = pytest.mark.slow

API = "/api/v1"


def test_searches_are_kept_and_forgotten(client: TestClient) -> None:
    made = client.post(
        f"{API}/searches", json={"label": "Notes", "query": {"q": "note", "site": "notes.example"}}
    ).json()
    assert made["query"] == "q=note&site=notes.example"
    assert [one["label"] for one in client.get(f"{API}/searches").json()["items"]] == ["Notes"]
    assert [client.delete(f"{API}/searches/{made['number']}").status_code for _ in range(2)] == [204, 404]
    assert client.post(f"{API}/searches", json={"label": "All", "query": {}}).status_code == 400


def test_sites_are_hidden_and_shown_again(client: TestClient) -> None:
    hidden = {"kind": "site", "what": "notes.example"}
    before = len(client.get(f"{API}/stories?limit=100").json()["items"])
    assert client.post(f"{API}/hidden", json=hidden).status_code == 204
    assert client.get(f"{API}/hidden").json()["items"] == [hidden]
    assert len(client.get(f"{API}/stories?limit=100").json()["items"]) == before - 2
    assert client.request("delete", f"{API}/hidden", params=hidden).status_code == 204
    assert client.get(f"{API}/hidden").json()["items"] == []


def test_preferences_change_one_by_one(client: TestClient) -> None:
    assert client.patch(f"{API}/preferences", json={"look": "dark"}).json()["look"] == "dark"
    assert client.patch(f"{API}/preferences", json={"keys": False}).json()["look"] == "dark"
    assert client.patch(f"{API}/preferences", json={"look": "pink"}).status_code == 422
    assert client.patch(f"{API}/preferences", json={"own_keys": {"next": "s"}}).json()["own_keys"] == {"next": "s"}
    assert client.patch(f"{API}/preferences", json={"own_keys": {"jump": "s"}}).status_code == 400
    assert client.delete(f"{API}/events").status_code == 204


def test_accounts_tokens_and_changes_are_for_admins(open_service: Open, store: Store) -> None:
    store.people.put_account("ann", "admin", "")
    store.people.put_account("ben", "editor", "")
    client = open_service()
    admin, editor = ({"authorization": f"Bearer {make_token(store, name, 'x')}"} for name in ("ann", "ben"))
    new = {"role": "reader", "password": "three unlikely words"}
    for method, path, body in (
        ("put", "accounts/cyd", new),
        ("get", "accounts", None),
        ("get", "changes", None),
        ("post", "accounts/ann/tokens", {"label": "x"}),
    ):
        assert client.request(method, f"{API}/{path}", json=body, headers=editor).status_code == 403
    assert client.put(f"{API}/accounts/cyd", json=new, headers=admin).status_code == 204
    made = client.post(f"{API}/accounts/cyd/tokens", json={"label": "script"}, headers=admin).json()["token"]
    assert client.get(f"{API}/stories", headers={"authorization": f"Bearer {made}"}).status_code == 200
    assert client.delete(f"{API}/accounts/cyd", headers=admin).status_code == 204
    assert client.get(f"{API}/stories", headers={"authorization": f"Bearer {made}"}).status_code == 401
    assert client.delete(f"{API}/accounts/ann", headers=admin).status_code == 400  # the last who may do everything
    changes = client.get(f"{API}/changes?limit=2", headers=admin).json()
    assert [one["what"] for one in changes["items"]] == ["account removed", "token"]
    older = client.get(f"{API}/changes?before={changes['next']}", headers=admin).json()["items"]
    assert [one["what"] for one in older] == ["account"]
    assert made not in client.get(f"{API}/changes", headers=admin).text


def test_every_change_of_a_page_is_noted(client: TestClient, store: Store) -> None:
    place = f"{API}/sites/notes.example"
    assert client.put(f"{place}/links", json={"seed": ["/news"], "banned": ["re:sport|ads"]}).status_code == 200
    assert client.get(f"{place}/links").json() == {"seed": ["/news"], "banned": ["re:sport|ads"]}
    assert client.put(f"{place}/links", json={"banned": ["re:("]}).status_code == 400
    client.post(place, json={"act": "pause"})
    noted = [(one.account, one.what, one.about) for one in store.people.changes()]
    assert noted == [("owner", "pause", "notes.example"), ("owner", "follow", "notes.example")]
    page = client.get("/settings").text
    assert "<td>pause</td>" in page


def test_maps_are_checked_converted_compared_and_tried(client: TestClient) -> None:
    place = f"{API}/sites/notes.example"
    text = client.get(f"{place}/map").text
    assert client.post(f"{API}/maps/check", json={"text": text}).json()["good"] is True
    bad = client.post(f"{API}/maps/check", json={"text": text.replace("select", "selekt")}).json()
    assert (bad["good"], bad["code"]) == (False, "map_invalid")
    assert bad["problems"][0].startswith("the map that was sent:6: ")
    spider = client.get(f"{place}/map/as/scrapy").json()
    assert "import scrapy" in spider["text"]
    foreign = client.post(
        f"{API}/maps/convert", json={"text": "title: //h1\nbody: //article", "site": "a.example"}
    ).json()
    assert (foreign["source"], "site: a.example" in foreign["text"]) == ("ftr", True)
    assert client.post(f"{API}/maps/convert", json={"text": "???"}).json()["error"]["code"] == "conversion_error"
    draft = text.replace("select: [b]", "select: [i]")
    assert client.post(f"{place}/map/try", json={"text": draft}).json()["pages"][0]["values"]["rating"]["now"] == ""
    client.put(f"{place}/map", content=draft)
    changes = {one["path"]: one for one in client.get(f"{place}/maps/diff?before=1").json()["items"]}
    assert (changes["note/rating#0"]["before"], changes["note/rating#0"]["after"]) == (
        "{select: [b]}",
        "{select: [i], edited: true}",
    )
    assert client.get(f"{place}/maps/diff?before=9").status_code == 404


def test_stories_photo_sets_queue_and_failures(client: TestClient, story: str) -> None:
    told = client.get(f"{API}/stories/{story}").json()
    assert "<p>" in told["html"]
    assert client.get(f"{API}/photo-sets").status_code == 200
    assert client.get(f"{API}/queue").json()["busy"] == []
    site = story.partition("/")[0]
    failures = client.get(f"{API}/sites/{site}/failures?code=error_page").json()["items"]
    assert [one["code"] for one in failures] == ["error_page"]


@pytest.mark.parametrize(
    "path", ["photo-sets", "queue", "searches", "hidden", "preferences", "accounts", "changes", "digest", "alerts"]
)
def test_who_has_it_already_is_told_so(client: TestClient, path: str) -> None:
    first = client.get(f"{API}/{path}")
    again = client.get(f"{API}/{path}", headers={"if-none-match": first.headers["etag"]})
    assert (first.status_code, again.status_code) == (200, 304)
