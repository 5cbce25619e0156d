"""A site is held while it is changed, and given back as it was."""

import pytest

from sitewright.actions import hold
from sitewright.actions.hold import all_held, held
from sitewright.errors import InputError, StoreError
from sitewright.store.database import Store
from sitewright.watch.owners import own_name

NOTES = "notes.example"


def holder(store: Store) -> str | None:
    site = store.site(NOTES)
    assert site is not None
    return site.lease_owner


def test_a_site_is_held_and_given_back(store: Store) -> None:
    with held(store, NOTES) as own:
        assert (holder(store) or "").startswith(own_name()[: own_name().rindex(":")])
        own.renew()
    assert holder(store) is None


def test_it_is_given_back_after_an_error(store: Store) -> None:
    with pytest.raises(ZeroDivisionError), held(store, NOTES):
        raise ZeroDivisionError
    assert holder(store) is None


def test_who_holds_it_is_waited_for(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)
    store.lease_site("other", NOTES, seconds=60)
    told: list[str] = []

    def tell(line: str) -> None:
        told.append(line)
        store.release_site("other", NOTES, not_before=None)

    with held(store, NOTES, tell):
        assert holder(store) != "other"
    assert told == [f"waiting for other, who works on {NOTES}"]
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    store.lease_site("other", NOTES, seconds=60)
    with pytest.raises(InputError, match="is held by other"), held(store, NOTES):
        pass


def test_a_site_that_another_took_over_is_let_go(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hold, "LEASE_SECONDS", 0.0)
    with held(store, NOTES) as own:
        store.lease_site("other", NOTES, seconds=60)
        with pytest.raises(StoreError, match="another process took over"):
            own.renew()
    assert holder(store) == "other"


def test_who_was_killed_is_not_waited_for(store: Store) -> None:
    machine, number, beginning, *others = own_name().split(":")
    dead = ":".join((machine, number, str(int(beginning) - 1), *others))
    store.lease_site(dead, NOTES, seconds=60)
    told: list[str] = []
    with held(store, NOTES, told.append):
        assert holder(store) != dead
    assert not told


def test_what_is_held_already_stays_so_while_others_are_waited_for(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)
    store.add_site("second.example")
    store.lease_site("other", "second.example", seconds=60)
    renewed: list[str] = []
    waits = 3

    def renew(own: hold.Hold) -> None:
        renewed.append(holder(store) or "")
        if len(renewed) == waits:
            store.release_site("other", "second.example", not_before=None)

    monkeypatch.setattr(hold.Hold, "renew", renew)
    with all_held(store, [NOTES, "second.example"]):
        assert holder(store) is not None
    assert len(renewed) >= waits
    assert holder(store) is None
