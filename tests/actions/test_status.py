"""How sites are: all well, or what is not."""

from typing import Any

import pytest

from sitewright.actions.status import details_of, not_learned, status_of
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.types import Failure


def test_all_or_those_named(store: Store, newspaper: Any) -> None:
    found = {health.summary.site.name: health for health in status_of(store)}
    assert sorted(found) == sorted(["notes.example", newspaper.name])
    assert found[newspaper.name].words == []
    (only,) = status_of(store, ["notes.example"])
    assert only.summary.records == 2
    with pytest.raises(InputError, match=r"no site a\.example"):
        status_of(store, ["a.example"])


def test_why_a_site_is_not_learned(store: Store, newspaper: Any) -> None:
    for name in ("new.example", "newer.example"):
        store.add_site(name)
    why = Failure("https://new.example/", "learn", "no_articles", "nothing here")
    store.add_failure("new.example", why)
    assert not_learned(store, ["new.example", newspaper.name, "newer.example"]) == {
        "new.example": why,
        "newer.example": None,
    }
    (health,) = status_of(store, ["new.example"])
    assert health.words == ["not learned yet"]


def test_details(store: Store, newspaper: Any) -> None:
    details = details_of(store, newspaper.name)
    titles = [fill for fill in details.fills if fill.overall.field == "title"]
    assert sum(fill.overall.filled for fill in titles) == 11
    assert {one.failure.code for one in details.failures} == {"not_item", "error_page"}
