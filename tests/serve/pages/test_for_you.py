"""What a reader should see next: with its reason, and changed by what was opened since."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.serve.conftest import Open, send

from sitewright.actions.accounts import make_token
from sitewright.actions.read_cards import mark_cards
from sitewright.store.database import Store
from sitewright.store.next_reads import EVERYBODY, NextRead

pytestmark = pytest.mark.slow

API = "/api/v1/recommendations"
NUMBERS = re.compile(r'id="s(\d+)"')


@pytest.fixture
def numbers(store: Store) -> list[int]:
    return [one.number for one in store.records()]


@pytest.fixture
def made(store: Store, numbers: list[int]) -> datetime:
    """Have lists made: everybody reads the first six in their order, and who opens the first is likely to open the sixth."""
    now = datetime.now(UTC)
    likely = [NextRead(number, 0.2 / (place + 1), is_new=place == 1) for place, number in enumerate(numbers[:6])]
    store.next_reads.take_turn("test", seconds=60)
    store.next_reads.put_lists({EVERYBODY: likely}, now)
    store.next_reads.put_follow_ups({numbers[0]: {numbers[5]: 4.0, numbers[1]: -2.0}}, now)
    store.next_reads.finish_turn("test", made_at=now)
    return now


def shown(client: TestClient, path: str = "/for-you") -> list[int]:
    return list(map(int, NUMBERS.findall(client.get(path).text)))


def opens(client: TestClient, number: int, **about: Any) -> None:
    batch = {"events": [{"id": f"opened {number}", "what": "clicked", "number": number} | about]}
    assert client.post("/api/v1/events", json=batch).json() == {"taken": 1}


def test_before_anybody_clicked_there_is_what_is_new(client: TestClient) -> None:
    page = client.get("/for-you").text
    assert NUMBERS.findall(page) == NUMBERS.findall(client.get("/").text)
    assert page.count('<span class="reason"> · New</span>') == 13


def test_what_is_read_now_comes_first_with_its_reason(client: TestClient, made: datetime, numbers: list[int]) -> None:
    page = client.get("/for-you").text
    assert list(map(int, NUMBERS.findall(page)))[:6] == numbers[:6]
    assert len(NUMBERS.findall(page)) == 13
    assert page.count("Many read it now") == 5
    assert page.count("New, and read by many") == 1
    assert 'data-list="/for-you"' in page


def test_a_click_changes_the_next_page(client: TestClient, made: datetime, numbers: list[int]) -> None:
    place = f"/for-you?after={numbers[1]}.{numbers[2]}"
    assert shown(client, place)[:3] == [numbers[0], numbers[3], numbers[4]]
    opens(client, numbers[0])
    page = client.get(place).text
    assert list(map(int, NUMBERS.findall(page)))[:3] == [numbers[5], numbers[3], numbers[4]]
    assert page.count("Readers of “") == 1
    assert numbers[0] not in shown(client)


def test_what_was_marked_or_hidden_is_not_shown(
    client: TestClient, store: Store, made: datetime, numbers: list[int]
) -> None:
    mark_cards(store, "owner", [numbers[0]], read=True)
    store.people.hide("owner", "site", "notes.example")
    found = shown(client)
    assert numbers[0] not in found
    assert len(found) == 10


def test_a_list_of_ones_own_counts_while_it_is_fresh(
    client: TestClient, store: Store, made: datetime, numbers: list[int]
) -> None:
    ann = store.clicks.pseudonyms("sent", ["ann"])["ann"]
    own = [NextRead(numbers[4], 0.9, because=numbers[2])]
    store.next_reads.put_lists({ann: own}, made - timedelta(minutes=5))
    [first, *_] = client.get(f"{API}?reader=ann").json()["items"]
    assert (first["number"], first["score"]) == (numbers[4], 0.9)
    assert first["reason"].startswith("Readers of “")
    store.next_reads.put_lists({ann: own}, made - timedelta(hours=5))
    assert client.get(f"{API}?reader=ann").json()["items"][0]["number"] == numbers[0]


def test_programs_go_on_where_they_were(client: TestClient, made: datetime, numbers: list[int]) -> None:
    found: list[int] = []
    place: str | None = ""
    while place is not None:
        answer = client.get(f"{API}?limit=4&after={place}&reader=new").json()
        found += [one["number"] for one in answer["items"]]
        place = answer["next"]
    assert found[:6] == numbers[:6]
    assert sorted(found) == sorted(numbers)


@pytest.mark.parametrize("place", ["x", "1..2", "<script>", "9" * 30, "-1"])
def test_a_place_that_cannot_be_understood_is_the_beginning(client: TestClient, place: str) -> None:
    assert shown(client, f"/for-you?after={place}") == shown(client)


def test_lists_of_others_need_a_role(open_service: Open, store: Store) -> None:
    store.people.put_account("ann", "reader", "")
    client = open_service()
    headers = {"authorization": f"Bearer {make_token(store, 'ann', 'x')}"}
    assert client.get(f"{API}?reader=ben", headers=headers).status_code == 403
    assert client.get(API, headers=headers).status_code == 200
    assert client.get(API).status_code == 401
    assert client.get(f"{API}?limit=101", headers=headers).status_code == 422


def test_whoever_is_forgotten_is_new_again(
    client: TestClient, store: Store, made: datetime, numbers: list[int]
) -> None:
    opens(client, numbers[0])
    assert shown(client)[0] == numbers[5]
    assert send(client, "/settings/forgotten").status_code == 303
    assert shown(client)[:6] == numbers[:6]
