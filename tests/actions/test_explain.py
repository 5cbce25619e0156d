"""Where the values of a record are from."""

from dataclasses import replace
from pathlib import Path

import pytest

from sitewright.actions.explain import explain
from sitewright.errors import InputError, StoreError
from sitewright.store.database import Store
from sitewright.types import Limits, Page

NOTE = "https://notes.example/1"
PAGES = Path("sitewright-pages")


def test_a_record_is_read_once_more(store: Store) -> None:
    found = explain(store, PAGES, "notes.example/1/", limits=Limits())
    assert (found.stored.record.urls[0], found.read_by.version, found.is_same) == (NOTE, 1, True)
    assert [field.name for field in found.explanation.fields] == ["title", "published", "rating"]


def test_only_what_is_asked_for(store: Store) -> None:
    found = explain(store, PAGES, NOTE, fields=["rating"], limits=Limits())
    (field,) = found.explanation.fields
    assert (field.stored.value, field.sources[0].raw) == ("1 stars", "1 stars")
    with pytest.raises(InputError, match="has no field colour; there are title"):
        explain(store, PAGES, NOTE, fields=["colour"], limits=Limits())


def test_a_record_without_a_page(store: Store) -> None:
    stored = store.find_record("notes.example", NOTE)
    assert stored is not None
    other = "https://notes.example/other"
    store.commit_page(replace(stored.record, urls=(other,)), Page(url=other, body=b""), None)
    with pytest.raises(StoreError, match="was not kept"):
        explain(store, PAGES, other, limits=Limits())
