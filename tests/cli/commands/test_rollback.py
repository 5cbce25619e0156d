"""`sitewright rollback`: an earlier version of a map comes back as the newest."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from sitewright.actions import hold
from sitewright.store.database import Store
from sitewright.store.entries import Incident, StoredProposal
from sitewright.store.states import RepairNote, SiteState

pytestmark = pytest.mark.slow

Call = Callable[..., Any]
NOTES = "notes.example"


def text_of(store: Store, site: str) -> str:
    stored = store.load_map(site)
    assert stored is not None
    return stored.text


@pytest.fixture
def healed(store: Store, newspaper: Any) -> str:
    """Store two more versions of the newspaper's map, and return the newest."""
    store.save_map(newspaper.site.map_text.replace(".story__standfirst", ".kicker__link"), "healed")
    store.save_map(newspaper.site.map_text.replace("h1.story__title", "h1"), "healed")
    return text_of(store, newspaper.name)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not wait for sites that others hold."""
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)


def test_the_version_before_comes_back(call: Call, store: Store, newspaper: Any, healed: str) -> None:
    store.save_site_state(newspaper.name, SiteState(seed=("/a",), repair=RepairNote(tries=2)))
    before = list(store.records())
    done = call("rollback", newspaper.name)
    assert (done.status, done.err) == (0, "")
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    assert done.out.decode().splitlines() == [
        "~ article/title#0",
        "    - {select: [h1]}",
        "    + {select: [h1.story__title]}",
        "~ article/subtitle#0",
        "    - {select: [.story__standfirst]}",
        "    + {select: [.kicker__link]}",
        f"{newspaper.name}: version 2 is back, as version 4 (2 changes)",
        f"records stay as they are; to read what later versions read once more: sitewright re-extract {newspaper.name} --since {today}",
    ]
    stored = store.load_map(newspaper.name)
    assert stored is not None
    assert (stored.version, stored.made_by, stored.parsed().version) == (4, "person", 4)
    assert ".kicker__link" in stored.text
    assert "# not every story has one" in stored.text
    assert not any(rule.edited for rule in stored.parsed().rules)
    assert list(store.records()) == before
    site = store.site(newspaper.name)
    assert site is not None
    assert site.state == SiteState(seed=("/a",), repair=RepairNote(tries=2, refused=3))
    assert site.lease_owner is None


def test_a_version_that_is_named(call: Call, store: Store, newspaper: Any, healed: str) -> None:
    assert (
        f"{newspaper.name}: version 1 is back, as version 4 (1 change)"
        in call("rollback", newspaper.name, "--to", "1").out.decode()
    )
    assert text_of(store, newspaper.name) == newspaper.site.map_text.replace("version: 1", "version: 4")
    again = call("rollback", newspaper.name).out.decode()
    assert f"{newspaper.name}: version 3 is back, as version 5" in again
    assert text_of(store, newspaper.name) == healed.replace("version: 3", "version: 5")


def test_pages_that_a_repair_read_once_more_are_named(call: Call, store: Store, newspaper: Any) -> None:
    since = datetime(2025, 5, 18, 10, tzinfo=UTC)
    text = newspaper.site.map_text.replace("h1.story__title", "h1")
    made = store.put_proposal(
        StoredProposal(site=NOTES, based_on=1, text=text_of(store, NOTES), made_at=since, since=since)
    )
    store.adopt_map(made.text, "person", accepted=made.number)
    assert call("rollback", NOTES).out.endswith(b"--since 2025-05-18\n")
    incident = Incident(
        site=newspaper.name, kind="lost", field="title", template="article", since=since, opened_at=since
    )
    number = store.put_incident(incident).number
    assert number is not None
    store.adopt_map(text, "healed", healed=[number])
    assert call("rollback", newspaper.name).out.endswith(b"--since 2025-05-18\n")


def test_versions_that_do_the_same(call: Call, store: Store) -> None:
    store.save_map(text_of(store, NOTES), "healed")
    assert f"{NOTES}: version 1 is back, as version 3 (no rule differs)" in call("rollback", NOTES).out.decode()


def test_sources_follow_and_proposals_are_outdated(call: Call, store: Store, newspaper: Any) -> None:
    front, latest = (page.url for page in store.index_pages(newspaper.name))
    text = newspaper.site.map_text.replace(f'"{latest}"', f'"{front}sport/"')
    store.save_map(text, "person")
    store.put_proposal(
        StoredProposal(site=newspaper.name, based_on=2, text=text, made_at=datetime(2025, 5, 20, tzinfo=UTC))
    )
    assert call("rollback", newspaper.name).status == 0
    assert latest in {page.url for page in store.index_pages(newspaper.name)}
    assert store.proposals(newspaper.name) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([NOTES], f"{NOTES} has only version 1 of its map; there is none to go back to"),
        ([NOTES, "--to", "1"], f"version 1 is the newest map of {NOTES} already"),
        ([NOTES, "--to", "7"], f"{NOTES} has no map of version 7; there are 1"),
        (["new.example"], "new.example has no map yet"),
        (["nowhere.example"], "there is no site nowhere.example in the store; there are new.example"),
        (["the-daily-lantern.example"], "the-daily-lantern.example is held by collector:1"),
    ],
)
@pytest.mark.usefixtures("healed", "impatient")
def test_what_cannot_be_done_is_told(call: Call, store: Store, newspaper: Any, arguments: list[str], told: str) -> None:
    store.add_site("new.example")
    store.lease_site("collector:1", newspaper.name, seconds=60)
    before = [*store.map_versions(newspaper.name), *store.map_versions(NOTES), *store.sites()]
    done = call("rollback", *arguments)
    assert (done.status, done.out) == (2, b"")
    assert f"error[input_error]: {told}" in done.err
    assert [*store.map_versions(newspaper.name), *store.map_versions(NOTES), *store.sites()] == before
