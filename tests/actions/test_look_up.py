"""A record is found by any spelling of its address, by where a link led, or by its id."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions.look_up import look_up
from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.parse import url_id
from sitewright.reading.item import read_page
from sitewright.store.database import Store
from sitewright.store.warc import WarcStore
from sitewright.types import Limits, Page

NOTES, NOTE = "notes.example", "https://notes.example/1"
PAGES = Path("sitewright-pages")
MAP = parse_map("sitewright: 1\nsite: notes.example\ntemplates:\n  - {name: a, rules: {title: {select: [h1]}}}\n")


def found(store: Store, wanted: str, site: str | None = None) -> tuple[str, str]:
    record = look_up(store, wanted, site, PAGES).record
    return record.site, record.urls[0]


def refused(store: Store, wanted: str, site: str | None = None) -> str:
    with pytest.raises(InputError) as caught:
        look_up(store, wanted, site, PAGES)
    return str(caught.value)


@pytest.mark.parametrize(
    "wanted",
    [
        NOTE,
        "https://notes.example/1/",
        "http://www.notes.example/1",
        "HTTPS://NOTES.example/1#top",
        "https://notes.example/1?utm_source=x&fbclid=1",
        "notes.example/1",
        "www.notes.example/1/",
        url_id(NOTE),
        url_id(NOTE).upper(),
    ],
)
@pytest.mark.parametrize("site", [None, NOTES])
def test_spellings(store: Store, wanted: str, site: str | None) -> None:
    assert found(store, wanted, site) == (NOTES, NOTE)


def test_a_link_that_led_elsewhere(store: Store) -> None:
    page = Page(
        url="https://notes.example/go?to=7",
        final_url="https://notes.example/notes/7",
        body=b"<h1>Seven</h1>",
    )
    with WarcStore(PAGES) as archive:
        store.commit_page(read_page(Limits(), page, MAP).record, page, archive.append(page))
    for wanted in ("https://notes.example/go?to=7", "notes.example/go?to=7", "https://notes.example/notes/7"):
        assert found(store, wanted) == (NOTES, "https://notes.example/notes/7")


def test_an_address_that_two_sites_have(store: Store, newspaper: Any) -> None:
    stored = store.find_record(NOTES, NOTE)
    assert stored is not None
    store.commit_page(replace(stored.record, site=newspaper.name), Page(url=NOTE, body=b""), None)
    for wanted in (NOTE, "notes.example/1", url_id(NOTE)):
        told = refused(store, wanted)
        assert told.startswith(f"{wanted} may be any of {NOTE} of ")
        assert f"{NOTE} of {NOTES}" in told
        assert f"{NOTE} of {newspaper.name}" in told
        assert "--site" in told
        assert found(store, wanted, NOTES) == (NOTES, NOTE)
        assert found(store, wanted, newspaper.name) == (newspaper.name, NOTE)


def test_two_spellings_that_are_two_records(store: Store) -> None:
    stored = store.find_record(NOTES, NOTE)
    assert stored is not None
    other = "http://notes.example/1"
    store.commit_page(replace(stored.record, urls=(other,)), Page(url=other, body=b""), None)
    assert found(store, NOTE) == (NOTES, NOTE)
    assert found(store, other) == (NOTES, other)
    assert "may be any of" in refused(store, "https://www.notes.example/1")


def test_unknown_addresses(store: Store, newspaper: Any) -> None:
    assert refused(store, "https://elsewhere.example/1") == (
        "there is no record of https://elsewhere.example/1 in the store"
    )
    told = refused(store, newspaper.stored[0].replace(".html", "x.html"))
    assert f"; near to it are {newspaper.stored[0]}" in told
    assert newspaper.unread not in told
    assert refused(store, "https://notes.example/a/very/long/way/from/all") == (
        "there is no record of https://notes.example/a/very/long/way/from/all in the store"
    )
    assert refused(store, newspaper.stored[0], NOTES) == f"there is no record of {newspaper.stored[0]} of {NOTES}"


def test_a_page_that_was_left_out(store: Store, newspaper: Any) -> None:
    told = refused(store, newspaper.unread)
    assert told.endswith("; its page was left out: not_item: the page is no article")


def test_unknown_ids_and_sites(store: Store) -> None:
    assert refused(store, "0123456789abcdef") == "there is no record with the id 0123456789abcdef in the store"
    assert "there is no site a.example in the store" in refused(store, NOTE, "a.example")
