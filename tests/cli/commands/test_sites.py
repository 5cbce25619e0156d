"""`sitewright sites`: what there is of each site, and how one is removed."""

import json
import os
from collections.abc import Callable
from datetime import UTC
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from sitewright.actions import hold
from sitewright.store.database import Store, open_store
from sitewright.store.entries import FoundLink
from sitewright.store.parts import parts_of

Call = Callable[..., Any]
NOTES = "notes.example"


def test_a_line_a_site(call: Call, store: Store, newspaper: Any) -> None:
    store.add_links(newspaper.name, [FoundLink(newspaper.url("/a")), FoundLink(newspaper.url("/b"))])
    store.lease_site("collector:1", newspaper.name, seconds=60)
    done = call("sites")
    heads, notes, paper = (line.split() for line in done.out.decode().splitlines())
    assert done.status == 0
    assert heads[:7] == ["site", "records", "newest", "sources", "waiting", "failures", "map"]
    assert notes == [NOTES, "2", "2024-05-02", "00:00", "0", "0", "0", "1", "(person)", "-", "-"]
    newest = max(truth.published for truth in newspaper.site.truth.values())
    day, time = f"{newest.astimezone(UTC):%Y-%m-%d} {newest.utctimetuple().tm_hour:02d}".split()
    assert paper[:2] == [newspaper.name, "11"]
    assert (paper[2], paper[3][:2]) == (day, time)
    assert paper[4:] == ["2", "2", "2", "1", "(learned)", "now", "collector:1"]


def test_as_json(call: Call, store: Store, newspaper: Any) -> None:
    store.save_map(newspaper.site.map_text, "healed")
    notes, paper = (json.loads(line) for line in call("sites", "--json").out.splitlines())
    assert notes["url"] == "https://notes.example/"
    assert (notes["newest"], notes["next_due"], notes["held_by"]) == ("2024-05-02T00:00:00+00:00", None, None)
    assert (paper["records"], paper["sources"], paper["waiting"], paper["failures"]) == (11, 2, 0, 2)
    assert (paper["map_version"], paper["map_made_by"]) == (2, "healed")


def test_a_site_that_was_just_added(call: Call, store: Store) -> None:
    store.add_site("a.example")
    row = json.loads(call("sites", "--json").out.splitlines()[0])
    assert (row["site"], row["records"], row["newest"], row["map_version"]) == ("a.example", 0, None, None)
    assert call("sites").out.splitlines()[1].split() == [b"a.example", b"0", b"-", b"0", b"0", b"0", b"-", b"-", b"-"]


def test_a_store_without_sites(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    open_store("sqlite:///sitewright.db").close()
    done = call("sites")
    told = "there is no site in the store yet; begin with: sitewright collect URL\n"
    assert (done.status, done.out, done.err) == (0, b"", told)


def test_removing_a_site_removes_its_pages(call: Call, store: Store, newspaper: Any) -> None:
    done = call("sites", "--remove", newspaper.name, "--yes")
    assert done.status == 0
    assert done.err == f"{newspaper.name} was removed with 11 records and its pages\n"
    assert [site.name for site in store.sites()] == [NOTES]
    assert len(list(store.records())) == 2
    (file,) = Path("sitewright-pages").glob("*.warc.gz")
    assert [part.page.url for part in parts_of(file) if part.page] == [f"https://{NOTES}/1", f"https://{NOTES}/2"]


@pytest.mark.parametrize(("answer", "status", "left"), [("y\n", 0, 1), ("n\n", 1, 2), ("", 1, 2)])
def test_removing_asks_first(
    call: Call, store: Store, monkeypatch: pytest.MonkeyPatch, answer: str, status: int, left: int
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO(answer))
    done = call("sites", "--remove", NOTES)
    assert done.status == status
    assert f"Remove {NOTES} with 2 records? [y/N]" in done.out.decode()
    assert len(store.sites()) == left


def test_removing_what_is_not_there(call: Call, store: Store) -> None:
    done = call("sites", "--remove", "nowhere.example", "--yes")
    assert done.status == 2
    assert "there is no site nowhere.example in the store; there are notes.example, " in done.err


def test_what_would_be_removed_is_told(call: Call, store: Store, newspaper: Any) -> None:
    done = call("sites", "--remove", newspaper.name, "--dry-run")
    assert (done.status, done.out) == (0, b"")
    assert done.err == "11 records and 14 pages would be removed; 1 file of the archive would be written anew\n"
    assert len(store.sites()) == 2
    assert "--yes, --dry-run and --keep-pages go with --remove SITE" in call("sites", "--dry-run").err


def test_a_site_that_a_collector_works_on_is_not_removed(
    call: Call, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.01)
    store.lease_site("collector:1", NOTES, seconds=60)
    done = call("sites", "--remove", NOTES, "--yes")
    assert done.status == 2
    assert f"{NOTES} is held by collector:1" in done.err
    assert len(store.sites()) == 2


def test_a_store_that_is_not_there_is_not_made(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = call("sites")
    assert done.status == 2
    assert done.err == "error[input_error]: there is no store sitewright.db; begin with: sitewright collect URL\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("sites",), ("export",), ("status",), ("incidents",), ("store", "check")])
def test_a_store_that_may_not_be_written_can_be_read(
    folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    expected = call(*command)
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert call(*command) == expected
    done = call("sites", "--remove", "notes.example", "--yes")
    assert done.status == 2
    assert "there is no right to write to the file" in done.err
