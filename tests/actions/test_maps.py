"""Maps of people go into the store, and come out of it."""

from typing import Any

import pytest

from sitewright.actions.maps import list_versions, store_map, stored_map
from sitewright.errors import InputError
from sitewright.store.database import Store

NOTES = "notes.example"


def test_a_changed_map_is_the_next_version(store: Store) -> None:
    text = stored_map(store, NOTES).text
    assert not store_map(store, text, "a.map.yaml").is_new
    done = store_map(store, text.replace("[b]", "[i]"), "a.map.yaml")
    assert (done.is_new, done.stored.version, done.stored.made_by) == (True, 2, "person")
    assert done.before is not None
    assert done.before.version == 1
    assert [rule.field for rule in done.stored.parsed().rules if rule.edited] == ["rating"]


def test_versions(store: Store) -> None:
    store_map(store, stored_map(store, NOTES).text.replace("[b]", "[i]"), "a.map.yaml")
    found = [(own.stored.version, own.rules, own.changes) for own in list_versions(store, NOTES)]
    assert found == [(1, 3, ""), (2, 3, "1 changed")]
    store.add_site("new.example")
    with pytest.raises(InputError, match=r"new\.example has no map yet"):
        list_versions(store, "new.example")


def test_a_map_of_a_site_that_is_not_there(store: Store, newspaper: Any) -> None:
    text = stored_map(store, NOTES).text.replace("site: notes.example", "site: a.example")
    with pytest.raises(InputError, match=r"no site a\.example"):
        store_map(store, text, "a.map.yaml")
