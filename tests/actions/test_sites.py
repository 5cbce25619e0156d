"""Sites of a store are found by name, and removed."""

from typing import Any

import pytest

from sitewright.actions.remove_site import remove_site
from sitewright.actions.sites import known_sites
from sitewright.errors import InputError
from sitewright.store.database import Store, open_store


def test_each_once_in_the_order_asked_for(store: Store, newspaper: Any) -> None:
    names = [newspaper.name, "notes.example", newspaper.name]
    assert [site.name for site in known_sites(store, names)] == names[:2]
    assert {site.name for site in known_sites(store, [])} == {*names}


def test_a_site_less(store: Store, newspaper: Any) -> None:
    remove_site(store, "notes.example")
    assert [site.name for site in store.sites()] == [newspaper.name]
    with pytest.raises(InputError, match=r"no site notes\.example"):
        remove_site(store, "notes.example")


def test_an_empty_store() -> None:
    with open_store("sqlite://") as store, pytest.raises(InputError, match="there is no site in the store yet"):
        known_sites(store, [])
