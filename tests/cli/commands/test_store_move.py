"""A database moves to another one and back, and nothing is changed."""

from pathlib import Path

import pytest
from sqlalchemy import select
from tests.cli.conftest import Call

from sitewright.actions import hold
from sitewright.store import transfer
from sitewright.store.database import Store, open_store
from sitewright.store.engine import make_engine, reading
from sitewright.store.entries import Incident
from sitewright.store.schema import metadata

pytestmark = pytest.mark.slow


def rows_of(address: str) -> dict[str, list[tuple[object, ...]]]:
    engine = make_engine(address, 5)
    with reading(engine) as connection:
        found = {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in metadata.sorted_tables
        }
    engine.dispose()
    return found


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return (
        f"sqlite:///{tmp_path}/other.db" if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))
    )


def test_there_and_back(folder: Path, call: Call, store: Store, other: str) -> None:
    now = store.sites()[0].added_at
    store.put_incident(Incident(site="notes.example", kind="lost", since=now, opened_at=now, field="title"))
    before = rows_of("sqlite:///sitewright.db")
    assert b"would be copied" in call("store", "move", other, "--dry-run").out
    done = call("store", "move", other)
    assert (done.status, done.err) == (0, "")
    assert b"copied and compared" in done.out
    assert rows_of(other) == before
    assert call("store", "move", "sqlite:///back.db", "--store", other).status == 0
    assert rows_of("sqlite:///back.db") == before == rows_of("sqlite:///sitewright.db")
    with open_store(other) as moved:  # and goes on
        moved.add_site("new.example", url="https://new.example/")
        assert moved.put_incident(Incident(site="new.example", kind="lost", since=now, opened_at=now)).number == 2
        assert {site.name for site in moved.sites()} > {"new.example"}


def test_a_store_that_is_not_empty_is_refused(folder: Path, call: Call) -> None:
    assert call("store", "move", "sqlite:///other.db").status == 0
    for options in ((), ("--dry-run",)):
        done = call("store", "move", "sqlite:///other.db", *options)
        assert done.status == 2
        assert "sqlite:///other.db is not empty; name another store" in done.err
    assert "both are the same store" in call("store", "move", "sqlite:///sitewright.db").err
    with open_store("sqlite:///people.db") as store:
        store.people.put_account("ann", "reader", "secret")
    assert "sqlite:///people.db is not empty" in call("store", "move", "sqlite:///people.db").err


def test_nobody_collects_meanwhile(folder: Path, call: Call, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hold, "PATIENCE", 0.0)
    monkeypatch.setattr(hold, "_POLL_SECONDS", 0.0)
    assert store.lease_site("elsewhere:1:2:3", "notes.example", seconds=60)
    done = call("store", "move", "sqlite:///other.db")
    assert done.status == 2
    assert "notes.example is held by elsewhere:1:2:3" in done.err


@pytest.mark.parametrize("table", ["sites", "records", "proposals"])
def test_whoever_is_interrupted_has_written_nothing(
    folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    real = transfer._copy

    def copied(*arguments: object) -> int:
        if getattr(arguments[2], "name", "") == table:
            raise KeyboardInterrupt
        return real(*arguments)  # type: ignore[arg-type]

    before = rows_of("sqlite:///sitewright.db")
    with monkeypatch.context() as patched:
        patched.setattr(transfer, "_copy", copied)
        assert call("store", "move", "sqlite:///other.db").status == 130
    assert rows_of("sqlite:///other.db")["sites"] == []
    assert call("store", "move", "sqlite:///other.db").status == 0
    assert rows_of("sqlite:///other.db") == before
