"""A store in, what readers did out: Parquet files, a folder a day, written anew where a day has changed."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

import orjson

from sitewright.actions.telling import nobody
from sitewright.errors import InputError, OutputError
from sitewright.maps.file import write_atomically
from sitewright.output.export import ParquetRow, open_writer, writing
from sitewright.store.clicks import FORGOTTEN, EventDay
from sitewright.store.database import Store

CLICKS = {"user": "VARCHAR", "item": "VARCHAR", "time": "DOUBLE", "viewed": "INTEGER", "total": "INTEGER",
          "published": "DOUBLE", "event": "VARCHAR"}  # fmt: skip
"""The columns of clicks: those that `sitewright recommend` reads, and what the event is called."""
SHOWN = {"user": "VARCHAR", "item": "VARCHAR", "time": "DOUBLE", "shown_in": "VARCHAR", "place": "INTEGER",
         "event": "VARCHAR"}  # fmt: skip
"""The columns of what readers were shown."""
_TABLES = {"clicks": CLICKS, "shown": SHOWN}
_MANIFEST = "days.json"
"""How far each day was written; a day of which more came, or less is left, is written anew."""


@dataclass(frozen=True, slots=True)
class WrittenDays:
    """How many days were written, and how many were as before."""

    written: int
    same: int
    events: int


def export_clicks(store: Store, folder: Path, note: Callable[[date], None] = nobody) -> WrittenDays:
    """Write the clicks and impressions of all days that changed since they were written last."""
    known, forgotten = _manifest(folder), store.clicks.left_out()[FORGOTTEN]
    days = store.clicks.days()
    changed = [day for day in days if known.get(day.day.isoformat()) != _mark(day, forgotten)]
    for day in changed:
        _write_day(store, folder, day.day)
        known[day.day.isoformat()] = _mark(day, forgotten)
        write_atomically(folder / _MANIFEST, orjson.dumps(known, option=orjson.OPT_INDENT_2).decode())
        note(day.day)
    return WrittenDays(len(changed), len(days) - len(changed), sum(day.count for day in changed))


def drop_from_files(folder: Path, readers: Iterable[str]) -> int:
    """Write exported files anew without some readers; return how many files held any of them."""
    import duckdb  # noqa: PLC0415 -- only who forgets readers in files pays for it

    quoted = ", ".join(f"'{reader}'" for reader in readers if reader.isalnum())
    changed = 0
    for file in sorted(folder.glob("*/day=*/*.parquet")):
        source = f"read_parquet('{str(file).replace(chr(39), chr(39) * 2)}')"
        draft = file.with_suffix(".draft")
        with duckdb.connect() as database:
            try:
                [(found,)] = database.sql(f"SELECT count(*) FROM {source} WHERE user IN ({quoted})").fetchall()  # noqa: S608 -- quoted above
                if found:
                    kept = f"SELECT * FROM {source} WHERE user NOT IN ({quoted})"  # noqa: S608 -- as above
                    database.sql(kept).write_parquet(str(draft))
                    draft.replace(file)
                    changed += 1
            except (duckdb.Error, OSError) as error:
                raise OutputError(f"cannot write {file}: {str(error).splitlines()[0]}") from error
    return changed


def _manifest(folder: Path) -> dict[str, list[int]]:
    place = folder / _MANIFEST
    if not place.exists():
        if folder.exists() and any(folder.iterdir()):
            raise InputError(f"{folder} holds something else; name a folder that is new or empty")
        folder.mkdir(parents=True, exist_ok=True)
        return {}
    try:
        return dict(orjson.loads(place.read_bytes()))
    except (orjson.JSONDecodeError, ValueError, OSError) as error:
        raise InputError(f"cannot read {place}: remove it to have all days written anew") from error


def _mark(day: EventDay, forgotten: int) -> list[int]:
    return [day.count, day.last, forgotten]


def _write_day(store: Store, folder: Path, day: date) -> None:
    views = _views(store.clicks.of_day(day))
    makers = {"clicks": lambda row: _click(row, views), "shown": _shown}
    wanted = {"clicks": "clicked", "shown": "shown"}
    for name, columns in _TABLES.items():
        place = folder / name / f"day={day.isoformat()}"
        place.mkdir(parents=True, exist_ok=True)
        encode = ParquetRow(columns)
        writer = open_writer(str(place / "part.parquet"), "parquet", columns)
        with writing(writer):
            for row in store.clicks.of_day(day):
                if row["what"] == wanted[name]:
                    writer.write(encode(makers[name](row), None))


def _views(rows: Iterator[Mapping[str, Any]]) -> dict[tuple[str, int], tuple[int, int]]:
    """Return how many pictures each reader viewed of each set, of how many, at most."""
    seen: dict[tuple[str, int], tuple[int, int]] = {}
    for row in rows:
        if row["what"] == "viewed" and row["total"]:
            key = (row["reader"], row["record"])
            seen[key] = max(seen.get(key, (0, 0)), (row["viewed"], row["total"]))
    return seen


def _click(row: Mapping[str, Any], views: Mapping[tuple[str, int], tuple[int, int]]) -> dict[str, Any]:
    viewed, total = views.get((row["reader"], row["record"]), (row["viewed"], row["total"]))
    published = row["shown_at"]
    return _about(row) | {
        "viewed": viewed,
        "total": total,
        "published": _seconds(published) if published is not None else None,
        "event": row["event"],
    }


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    return _about(row) | {"shown_in": row["shown_in"], "place": row["place"], "event": row["event"]}


def _about(row: Mapping[str, Any]) -> dict[str, Any]:
    item = f"{row['site']}/{row['id']}" if row["id"] is not None else f"#{row['record']}"
    return {"user": row["reader"], "item": item, "time": _seconds(row["at"])}


def _seconds(moment: datetime) -> float:
    return round(moment.timestamp(), 3)
