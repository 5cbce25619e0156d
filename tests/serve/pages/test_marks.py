"""Cards are read, starred and hidden; every act can be taken back exactly."""

import orjson
from fastapi.testclient import TestClient
from tests.serve.conftest import send, token_of

from sitewright.store.database import Store

JSON = {"accept": "application/json"}


def act(client: TestClient, **entries: str) -> dict[str, object]:
    answer = client.post("/marks", data=entries, headers={**JSON, "x-form-token": token_of(client)})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def test_all_read_is_undone_exactly(client: TestClient, store: Store) -> None:
    numbers = [one.number for one in store.records()]
    act(client, read=str(numbers[0]))
    act(client, star=str(numbers[1]))
    before = store.people.marks("owner", numbers)
    done = act(client, all=" ".join(map(str, numbers)))
    assert done["told"] == "13 read"
    assert all(mark.read_at for mark in store.people.marks("owner", numbers).values())
    act(client, before=orjson.dumps(done["before"]).decode())
    after = store.people.marks("owner", numbers)
    assert {n: after[n] for n in before} == before
    assert not any(mark.read_at or mark.starred_at for n, mark in after.items() if n not in before)


def test_a_second_press_takes_it_back(client: TestClient, store: Store) -> None:
    number = str(next(iter(store.records())).number)
    assert [act(client, star=number)["told"] for _ in range(2)] == ["1 starred", "1 unstarred"]
    assert [act(client, read=number)["told"] for _ in range(3)] == ["1 read", "1 unread", "1 read"]


def test_without_scripts_the_form_does_it(client: TestClient, store: Store) -> None:
    number = next(iter(store.records())).number
    answer = send(client, "/marks", star=str(number), to="/?site=notes.example")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?site=notes.example")
    assert store.people.marks("owner", [number])[number].starred_at


def test_a_site_is_hidden(client: TestClient) -> None:
    assert "notes.example" in client.get("/").text
    send(client, "/marks", hide="site notes.example")
    assert "/story/notes.example" not in client.get("/").text
    assert "/story/notes.example" in client.get("/?site=notes.example").text


def test_nonsense_is_told(client: TestClient) -> None:
    for entries in ({"star": "x"}, {"before": "{"}, {"before": '[{"record": 1}]'}, {"hide": "nothing"}, {"all": ""}):
        assert send(client, "/marks", **entries).status_code == 400


def test_a_card_is_taken_out_of_its_story_and_put_back(client: TestClient, store: Store) -> None:
    number = next(iter(store.records())).number
    done = act(client, apart=str(number))
    assert store.people.marks("owner", [number])[number].apart_at
    act(client, before=orjson.dumps(done["before"]).decode())
    assert store.people.marks("owner", [number])[number].apart_at is None
