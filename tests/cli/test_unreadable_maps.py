"""A map in the store that is none any more: each command says so or does without it, and nothing is done by half."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions import hold
from sitewright.store.database import Store
from sitewright.store.states import SiteState

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


def damage(folder: Path, site: str, version: int, text: str = "not: a map") -> None:
    with sqlite3.connect(folder / "sitewright.db") as connection:
        (number,) = connection.execute("SELECT id FROM sites WHERE name = ?", (site,)).fetchone()
        connection.execute("UPDATE maps SET text = ? WHERE site_id = ? AND version = ?", (text, number, version))


@pytest.fixture
def site(store: Store, newspaper: Any, folder: Path) -> str:
    """Return the name of a site whose second and newest map cannot be read."""
    name: str = newspaper.name
    assert store.save_map(newspaper.site.map_text, "healed") == 2
    damage(folder, name, 2)
    return name


@pytest.mark.parametrize("text", ["not: a map", "{", "", "\x00", "- " * 5000, "sitewright: 99\nsite: a.example\n"])
@pytest.mark.parametrize("arguments", [("re-extract", "SITE"), ("re-extract", "SITE", "--dry-run")])
def test_what_needs_it_says_so_and_changes_nothing(
    call: Call, store: Store, site: str, folder: Path, text: str, arguments: tuple[str, ...]
) -> None:
    damage(folder, site, 2, text)
    before = list(store.records())
    done = call(*(site if word == "SITE" else word for word in arguments))
    assert done.status == 2
    assert done.err.startswith("error[map_")
    assert f"{site} (version 2)" in done.err
    assert "Traceback" not in done.err
    assert list(store.records()) == before


def test_a_repair_at_once_says_so(call: Call, store: Store, site: str) -> None:
    done = call("heal", site, "--now")
    assert (done.status, done.err.partition(":")[0]) == (2, "error[map_invalid]")
    assert store.proposals(site, waiting_only=False) == []


@pytest.mark.parametrize(
    "arguments", [("status",), ("status", "SITE"), ("sites",), ("incidents",), ("heal", "SITE"), ("map", "get", "SITE")]
)
def test_what_does_not_need_it_does_without(call: Call, site: str, arguments: tuple[str, ...]) -> None:
    assert call(*(site if word == "SITE" else word for word in arguments)).status == 0


def test_a_record_is_explained_by_the_version_that_made_it(call: Call, site: str, newspaper: Any) -> None:
    assert call("explain", newspaper.stored[0]).status == 0


def test_versions_tell_which_one_it_is(call: Call, store: Store, site: str, newspaper: Any) -> None:
    store.save_map(newspaper.site.map_text, "person")
    done = call("map", "versions", site)
    lines = [line.split() for line in done.out.decode().splitlines()[1:]]
    assert done.status == 0
    assert [line[0] for line in lines] == ["1", "2", "3"]
    assert lines[1][-4:] == ["-", "cannot", "be", "read"]
    assert lines[2][-6:] == ["the", "version", "before", "cannot", "be", "read"]


def test_the_version_before_comes_back_whole(call: Call, store: Store, site: str, newspaper: Any) -> None:
    done = call("rollback", site)
    assert (done.status, done.err) == (0, "")
    assert f"{site}: version 1 is back, as version 3 (the newest could not be read)" in done.out.decode()
    newest = store.load_map(site)
    assert newest is not None
    assert newest.version == 3
    assert {page.url for page in store.index_pages(site)} == {page.url for page in newest.parsed().index}


def test_a_version_that_cannot_be_read_does_not_come_back(call: Call, store: Store, site: str, newspaper: Any) -> None:
    store.save_map(newspaper.site.map_text, "person")
    done = call("rollback", site)
    assert (done.status, done.err.partition(":")[0]) == (2, "error[map_invalid]")
    assert [stored.version for stored in store.map_versions(site)] == [1, 2, 3]
    assert store.site(site).state == SiteState()  # type: ignore[union-attr]


def test_a_person_puts_another_one_in_its_place(
    call: Call, store: Store, site: str, newspaper: Any, folder: Path
) -> None:
    (folder / "mine.yaml").write_text(newspaper.site.map_text)
    done = call("map", "put", "mine.yaml")
    assert done.status == 0
    assert done.out.decode() == f"{site}: stored as version 3 (the version before cannot be read)\n"
    newest = store.load_map(site)
    assert newest is not None
    assert newest.parsed().site == site
    assert (newest.version, newest.made_by) == (3, "person")


def test_a_map_is_not_put_in_while_a_collector_repairs_it(
    call: Call, store: Store, newspaper: Any, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)
    (folder / "mine.yaml").write_text(newspaper.site.map_text.replace(".story__standfirst", ".kicker__link"))
    assert store.lease_site("another", newspaper.name, seconds=60)
    done = call("map", "put", "mine.yaml")
    assert (done.status, "is held by another" in done.err) == (2, True)
    assert len(store.map_versions(newspaper.name)) == 1
    assert store.release_site("another", newspaper.name)
    assert call("map", "put", "mine.yaml").status == 0
    assert len(store.map_versions(newspaper.name)) == 2
