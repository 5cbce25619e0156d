"""What readers did, as files by day: written anew where a day has changed, read by `recommend`, without who is forgotten."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from sitewright.store.clicks import EventKind, ReaderEvent
from sitewright.store.database import Store

Call = Callable[..., Any]
THEN = datetime(2026, 5, 6, 12, tzinfo=UTC)


def read(store: Store, name: str, what: EventKind, days: int = 0, **other: Any) -> str:
    """Have a reader do something with each record; return their pseudonym."""
    reader = store.clicks.pseudonyms("account", [name])[name]
    store.clicks.take_in([
        ReaderEvent(
            event=f"{what} {place} {days}", reader=reader, what=what, record=stored.number,
            at=THEN + timedelta(days=days, minutes=place), **other,
        )
        for place, stored in enumerate(store.records())
    ])  # fmt: skip
    return reader


def rows(pattern: Path) -> list[dict[str, Any]]:
    found = duckdb.read_parquet(str(pattern)).order("time, user")
    return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def test_days_are_written_once(folder: Path, call: Call, store: Store) -> None:
    ann = read(store, "ann", "clicked")
    read(store, "ann", "shown", shown_in="/", place=1)
    read(store, "ann", "viewed", viewed=2, total=4)
    read(store, "ben", "clicked", days=1)
    done = call("clicks", "by-day")
    assert (done.status, done.err.splitlines()[-1]) == (0, "2 days with 52 events written, 0 days as before")
    first = rows(folder / "by-day/clicks/day=2026-05-06/part.parquet")
    assert len(first) == 13
    assert {(row["user"], row["viewed"], row["total"]) for row in first} == {(ann, 2, 4)}
    assert first[0]["time"] == THEN.timestamp()
    assert len({row["item"] for row in first}) == 13
    assert all(row["published"] is not None for row in first)
    [shown] = {(row["user"], row["shown_in"], row["place"]) for row in rows(folder / "by-day/shown/day=*/*.parquet")}
    assert shown == (ann, "/", 1)
    read(store, "eve", "clicked", days=1)
    assert call("clicks", "by-day").err.splitlines()[-1] == "1 day with 26 events written, 1 day as before"
    assert call("clicks", "by-day", "-q").err == ""
    lists = call("recommend", *map(str, (folder / "by-day/clicks").glob("*/*.parquet")), "-q")
    assert lists.status == 0
    assert b"notes.example/" in lists.out


def test_who_is_forgotten_is_gone_from_store_and_files(folder: Path, call: Call, store: Store) -> None:
    ann, ben = read(store, "ann", "clicked"), read(store, "ben", "clicked")
    call("clicks", "by-day")
    done = call("forget", "ann", "--clicks", "by-day")
    assert (done.status, done.err) == (0, "13 events removed, 1 file written anew\n")
    pattern = folder / "by-day/clicks/*/*.parquet"
    assert {row["user"] for row in rows(pattern)} == {ben}
    assert ann.encode() not in b"".join(file.read_bytes() for file in folder.glob("sitewright.db"))
    assert call("forget", "ann").status == 2
    again = call("clicks", "by-day")
    assert again.err.splitlines()[-1] == "13 events were removed, as their readers are forgotten"
    assert {row["user"] for row in rows(pattern)} == {ben}


@pytest.mark.parametrize("damage", ["something else", "days that are none"])
def test_folders_of_others_are_left_alone(folder: Path, call: Call, store: Store, damage: str) -> None:
    read(store, "ann", "clicked")
    (folder / "by-day").mkdir()
    name = "notes.txt" if damage == "something else" else "days.json"
    (folder / "by-day" / name).write_text("{[")
    done = call("clicks", "by-day")
    assert (done.status, (folder / "by-day" / name).read_text()) == (2, "{[")
