"""The front page: what is new, a card a story; searches and views have addresses that say all of them."""

import re
from typing import Any

from fastapi.testclient import TestClient

from sitewright.actions.read_cards import mark_cards
from sitewright.store.database import Store

HEADINGS = re.compile(r'<h2 lang="[^"]*" dir="[^"]*"><a href="([^"]+)">([^<]+)</a>')


def test_what_is_new_is_shown_with_its_source(client: TestClient, newspaper: Any) -> None:
    text = client.get("/").text
    assert len(HEADINGS.findall(text)) == 13
    assert text.count(f">{newspaper.name}</a>") == 11


def test_a_view_of_a_site(client: TestClient) -> None:
    shown = HEADINGS.findall(client.get("/?site=notes.example").text)
    assert [path.split("/")[2] for path, _ in shown] == ["notes.example"] * 2


def test_what_is_read_is_not_among_the_unread(client: TestClient, store: Store) -> None:
    numbers = [one.number for one in store.records()]
    mark_cards(store, "owner", numbers[:5], read=True)
    assert len(HEADINGS.findall(client.get("/?show=unread").text)) == 8
    assert client.get("/").text.count("data-read") == 5


def test_stars_have_a_page(client: TestClient, store: Store) -> None:
    numbers = [one.number for one in store.records()]
    mark_cards(store, "owner", numbers[:2], starred=True)
    assert len(HEADINGS.findall(client.get("/?show=starred").text)) == 2


def test_nothing_is_marked_by_loading(client: TestClient) -> None:
    assert client.get("/").text.count("data-read") == client.get("/").text.count("data-read") == 0


def test_texts_of_strangers_are_texts(client: TestClient) -> None:
    text = client.get("/?topic=<script>alert(1)</script>").text
    assert "<script>alert" not in text
    assert "&lt;script&gt;" in text
