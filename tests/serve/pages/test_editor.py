"""The map editor: what its script asks for, and what is stored in the end."""

import re
from typing import Any

import orjson
import pytest
from fastapi.testclient import TestClient
from tests.cli.conftest import Newspaper
from tests.serve.conftest import Open, token_of

from sitewright.maps.convert import FORMATS
from sitewright.maps.file import heading_of
from sitewright.serve.words import LANGUAGES, catalogue
from sitewright.store.database import Store
from sitewright.store.entries import StoredProposal

pytestmark = pytest.mark.slow


@pytest.fixture
def base(newspaper: Newspaper) -> str:
    return f"/site/{newspaper.name}/map"


@pytest.fixture
def record(client: TestClient, base: str) -> str:
    found = re.search(r'data-record="(\w+)"', client.get(base).text)
    assert found is not None
    return found[1]


def ask(client: TestClient, path: str, **entries: Any) -> Any:
    sent = {name: value if isinstance(value, str) else orjson.dumps(value).decode() for name, value in entries.items()}
    headers = {"accept": "application/json", "x-form-token": token_of(client)}
    return client.post(path, data=sent, headers=headers)


def test_the_editor_shows_pages_and_rules(client: TestClient, base: str, record: str) -> None:
    text = client.get(base).text
    assert text.count("<option value=") > 10, "pages and fields"
    frame = client.get(f"{base}/page/{record}")
    assert 'data-n="' in frame.text
    assert "sandbox allow-same-origin" in frame.headers["content-security-policy"]
    shown = ask(client, f"{base}/try", record=record).json()
    assert shown["changes"] == 0
    assert len(shown["pages"]) == 10
    numbers = set(map(int, re.findall(r'data-n="(\d+)"', frame.text)))
    assert shown["outlines"]["title"]
    assert numbers.issuperset(shown["outlines"]["title"]), "what is outlined can be seen"


def test_an_edit_shows_at_once_what_it_does(client: TestClient, base: str, record: str) -> None:
    edits = [{"act": "set", "rule": "article/title#0", "entries": {"select": ["h2"]}}]
    shown = ask(client, f"{base}/try", record=record, edits=edits).json()
    states = {page["values"]["title"]["state"] for page in shown["pages"] if page["template"] == "article"}
    assert "changed" in states
    again = ask(client, f"{base}/try", record=record, text=shown["text"]).json()
    assert again["rules"] == shown["rules"]
    assert shown["changes"] == again["changes"] == 1


def test_what_is_wrong_is_told_and_the_draft_stays(client: TestClient, base: str, record: str) -> None:
    edits = [{"act": "set", "rule": "article/title#0", "entries": {"select": ["h1["]}}]
    answer = ask(client, f"{base}/try", record=record, edits=edits)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in {"map_invalid", "selector_error"}
    assert ask(client, f"{base}/try", record=record, text="not: a map").status_code == 400
    assert ask(client, f"{base}/try", record="0" * 16).status_code == 404
    assert ask(client, f"{base}/try", record=record, edits="{").status_code == 400


def test_pointing_at_an_element_proposes_selectors(client: TestClient, base: str, record: str) -> None:
    shown = ask(client, f"{base}/try", record=record).json()
    places = [{"record": record, "element": shown["outlines"]["title"][0]}]
    found = ask(client, f"{base}/propose", wanted=places).json()["proposals"]
    assert found
    assert (found[0]["many"], found[0]["here"]) == (False, 1)
    for wrong in ([], [{"record": record}], [{"record": record, "element": 10**9}], [{"record": "x", "element": 1}]):
        assert ask(client, f"{base}/propose", wanted=wrong).status_code in {400, 404}


def test_a_draft_is_stored_once_with_its_reason(
    client: TestClient, base: str, record: str, store: Store, newspaper: Newspaper
) -> None:
    edits = [{"act": "set", "rule": "article/title#0", "entries": {"remove": [".kicker"]}}]
    text = ask(client, f"{base}/try", record=record, edits=edits).json()["text"]
    saved = ask(client, f"{base}/save", text=text, based_on="1", reason="no kickers\n#: in titles")
    assert (saved.json()["version"], saved.json()["is_new"]) == (2, True)
    stored = store.load_map(newspaper.name)
    assert stored is not None
    assert stored.made_by == "person"
    assert heading_of(stored.text)[0] == "no kickers"
    assert stored.parsed().rules[0].remove == (".kicker",)
    late = ask(client, f"{base}/save", text=text, based_on="1", reason="")
    assert (late.status_code, late.json()["error"]["code"]) == (409, "map_changed")
    assert client.get(base).text.count('data-version="2"') == 1, "the workbench has the newest version"


def test_versions_are_compared_and_brought_back(
    client: TestClient, base: str, record: str, store: Store, newspaper: Newspaper
) -> None:
    edits = [{"act": "set", "rule": "article/title#0", "entries": {"select": ["h2"]}}]
    text = ask(client, f"{base}/try", record=record, edits=edits).json()["text"]
    ask(client, f"{base}/save", text=text, based_on="1", reason="a try")
    path = f"/site/{newspaper.name}/versions"
    page = client.get(path).text
    assert "article/title#0" in page
    assert "a try" in page
    assert client.post(path, data={"form_token": token_of(client), "version": "1"}).status_code == 303
    newest = store.load_map(newspaper.name)
    assert newest is not None
    assert newest.version == 3
    assert newest.parsed().rules[0].select != ("h2",)
    assert client.get(f"{base}.yaml?version=1").text == store.map_versions(newspaper.name)[0].text
    assert client.post(path, data={"form_token": token_of(client), "version": "x"}).status_code == 400


def test_a_repair_that_waits_is_begun_from(client: TestClient, base: str, store: Store, newspaper: Newspaper) -> None:
    stored = store.load_map(newspaper.name)
    assert stored is not None
    text = stored.text.replace("h1.story__title", "h1.mended")
    assert text != stored.text
    store.put_proposal(StoredProposal(site=newspaper.name, based_on=1, text=text, made_at=stored.made_at))
    number = store.proposals(newspaper.name)[0].number
    assert "h1.mended" in client.get(f"{base}?proposal={number}").text
    assert "h1.mended" not in client.get(f"{base}?proposal={(number or 0) + 1}").text


def test_the_page_of_a_record_is_on_the_workbench(client: TestClient, base: str, store: Store) -> None:
    records = [one.id for one in store.records() if one.location is not None and one.record.site in base]
    assert all(f'data-record="{name}"' in client.get(f"{base}?page={name}").text for name in records[:2])


def test_only_editors_change_maps(open_service: Open, newspaper: Newspaper) -> None:
    stranger = open_service(token="t" * 32)
    assert stranger.get(f"/site/{newspaper.name}/map").status_code in {303, 401, 403}
    assert stranger.post(f"/site/{newspaper.name}/map/save", data={"text": "x"}).status_code in {303, 401, 403}


def test_a_site_without_pages_or_map_is_told(client: TestClient, store: Store) -> None:
    store.add_site("empty.example", url="https://empty.example/")
    assert client.get("/site/empty.example/map").status_code == 400
    assert client.get("/site/nowhere.example/map").status_code in {400, 404}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_words_of_the_script(language: str) -> None:
    wanted = {key for key in catalogue("en") if key.startswith(("editor.", "versions."))}
    assert wanted <= catalogue(language).keys()


def test_a_list_page_is_edited_as_rules_are(client: TestClient, base: str, record: str) -> None:
    shown = ask(client, f"{base}/try", record=record).json()
    page = shown["index"][0]
    edit = {"act": "index", "rule": page["url"], "entries": {"items": "a.one\n\n a.two ", "next": ["a[rel=next]"]}}
    changed = ask(client, f"{base}/try", record=record, edits=[edit]).json()
    assert changed["index"][0]["items"] == ["a.one", "a.two"]
    assert changed["index"][0]["next"] == ["a[rel=next]"]
    assert "a[rel=next]" in changed["text"]
    for wrong in ({"items": "a["}, {"weight": "0"}, {"select": "a"}):
        assert ask(client, f"{base}/try", record=record, edits=[edit | {"entries": wrong}]).status_code == 400
    assert ask(client, f"{base}/try", record=record, edits=[edit | {"rule": "https://a.example/"}]).status_code == 400


@pytest.mark.parametrize("name", FORMATS)
def test_a_map_is_had_in_every_format_and_brought_back(client: TestClient, base: str, record: str, name: str) -> None:
    text = client.get(f"{base}/as/{name}").text
    assert f"{base}/as/{name}" in client.get(base).text
    brought = ask(client, f"{base}/bring", text=text, name=f"map{FORMATS[name].suffix}")
    if FORMATS[name].read is None:
        assert brought.status_code == 400
    else:
        shown = ask(client, f"{base}/try", record=record, text=brought.json()["text"]).json()
        assert shown["fill"]["title"][0] > 0
        assert shown["index"], "what only our own maps say stays"


def test_a_map_of_ours_is_brought_as_a_draft(client: TestClient, base: str, store: Store, newspaper: Newspaper) -> None:
    text = client.get(f"{base}.yaml").text.replace("h1.story__title", "h1")
    brought = ask(client, f"{base}/bring", text=text, name="mine.yaml").json()
    assert brought["lost"] == []
    assert "h1.story__title" not in brought["text"]
    assert len(store.map_versions(newspaper.name)) == 1, "nothing is stored"
    assert ask(client, f"{base}/bring", text="What is this?", name="a.doc").status_code == 400


def test_fields_of_items_are_pointed_at_in_one_of_them(client: TestClient, base: str, record: str) -> None:
    add = {"act": "add", "rule": "article/menu", "entries": {"select": ["nav li"], "many": True}}
    made = ask(client, f"{base}/try", record=record, edits=[add]).json()
    place = {"record": record, "element": made["outlines"]["menu"][0] + 1}
    found = ask(client, f"{base}/propose", wanted=[place], items="nav li").json()["inside"]
    assert found[0]["here"] == len(made["outlines"]["menu"])
    inner = {"act": "inner", "rule": "article/menu#0", "entries": {"field": "name", "select": [found[0]["selector"]]}}
    told = ask(client, f"{base}/try", record=record, text=made["text"], edits=[inner]).json()
    [rule] = [one for one in told["rules"] if one["field"] == "menu"]
    assert [part["field"] for part in rule["parts"]] == ["name"]
    assert "Latest" in next(page for page in told["pages"] if page["record"] == record)["values"]["menu"]["now"]
    gone = inner | {"entries": {"field": "name", "select": []}}
    left = ask(client, f"{base}/try", record=record, text=told["text"], edits=[gone]).json()["rules"]
    assert [one["parts"] for one in left if one["field"] == "menu"] == [[]]
    nameless = inner | {"entries": {"field": " "}}
    assert ask(client, f"{base}/try", record=record, text=made["text"], edits=[nameless]).status_code == 400
    assert ask(client, f"{base}/propose", wanted=[place], items="a[").status_code == 400
    assert ask(client, f"{base}/propose", wanted=[place], items="h1").json()["inside"] == []
