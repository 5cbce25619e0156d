"""An earlier version of a map becomes the newest."""

from typing import Any

import pytest

from sitewright.actions.roll_back import roll_back
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.store.states import RepairNote


def test_the_version_before_comes_back(store: Store, newspaper: Any) -> None:
    store.save_map(newspaper.site.map_text.replace("h1.story__title", "h1"), "healed")
    second = store.load_map(newspaper.name)
    assert second is not None
    done = roll_back(store, newspaper.name)
    assert (done.earlier.version, done.stored.version, done.read_since) == (1, 3, second.made_at)
    assert done.changes is not None
    assert [change.path for change in done.changes] == ["article/title#0"]
    site = store.site(newspaper.name)
    assert site is not None
    assert site.state.repair == RepairNote(refused=2)


def test_what_cannot_be_gone_back_to(store: Store, newspaper: Any) -> None:
    with pytest.raises(InputError, match="only version 1"):
        roll_back(store, newspaper.name)
    with pytest.raises(InputError, match="is the newest map"):
        roll_back(store, newspaper.name, 1)
    with pytest.raises(InputError, match="no map of version 7"):
        roll_back(store, newspaper.name, 7)
