"""Incidents are listed, found, and dismissed."""

from datetime import UTC, datetime
from typing import Any

import pytest

from sitewright.actions import hold
from sitewright.actions.incidents import dismiss, find_incident, list_incidents
from sitewright.errors import InputError
from sitewright.store.database import Store
from sitewright.store.entries import Incident

NOTES = "notes.example"
SINCE = datetime(2025, 5, 18, 10, tzinfo=UTC)


@pytest.fixture
def three(store: Store, newspaper: Any) -> list[Incident]:
    own = {"template": "a", "kind": "lost", "since": SINCE, "opened_at": SINCE}
    return [
        store.put_incident(Incident(site=NOTES, field="title", **own)),
        store.put_incident(Incident(site=NOTES, field="rating", state="over", closed_at=SINCE, **own)),
        store.put_incident(Incident(site=newspaper.name, field="title", **own)),
    ]


def numbers(incidents: list[Incident]) -> list[int | None]:
    return sorted(incident.number or 0 for incident in incidents)


def test_what_is_listed(store: Store, newspaper: Any, three: list[Incident]) -> None:
    assert numbers(list_incidents(store)) == [1, 3]
    assert numbers(list_incidents(store, closed_too=True)) == [1, 2, 3]
    assert numbers(list_incidents(store, [newspaper.name])) == [3]
    with pytest.raises(InputError, match=r"no site a\.example"):
        list_incidents(store, ["a.example"])


def test_what_is_not_there_is_told(store: Store, newspaper: Any, three: list[Incident]) -> None:
    assert find_incident(store, 2).field == "rating"
    with pytest.raises(InputError, match="no incident 9 in the store; there are"):
        find_incident(store, 9)
    with pytest.raises(InputError, match="incident 3 is of"):
        find_incident(store, 3, [NOTES])


def test_dismissed_ones_are_closed_all_or_none(store: Store, three: list[Incident]) -> None:
    with pytest.raises(InputError, match="incident 2 is closed since 2025-05-18 10:00 UTC"):
        dismiss(store, [1, 2])
    assert numbers(list_incidents(store)) == [1, 3]
    done = dismiss(store, [3, 1, 3])
    assert [(one.incident.number, one.was_open) for one in done] == [(3, True), (1, True)]
    assert list_incidents(store) == []


def test_a_site_that_a_collector_holds_is_waited_for(
    store: Store, three: list[Incident], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)
    store.lease_site("other", NOTES, seconds=60)
    told: list[str] = []
    with pytest.raises(InputError, match="is held by other"):
        dismiss(store, [1], tell=told.append)
    assert told == [f"waiting for other, who works on {NOTES}"]
