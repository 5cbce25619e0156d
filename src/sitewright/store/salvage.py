"""A damaged SQLite file in, a whole one in its place out, with every row that can still be read; the old one stays."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sitewright.errors import StoreError
from sitewright.store.engine import make_engine
from sitewright.store.schema import metadata
from sitewright.store.tables import prepare

Row = tuple[Any, ...]
_MOST_TRIES = 20_000
"""So many ranges of a table that cannot be read are tried: some seconds."""
_SMALLEST_ROW = 8
"""Bytes."""
_DAMAGE = (sqlite3.Error, UnicodeDecodeError)
"""What is raised by a damaged file; the last where what its schema says is part of the error."""
_GARBLED = "\ufffd"
_BESIDE = ("-wal", "-shm")


@dataclass(slots=True)
class Salvage:
    """What came of it: how many rows of each table, where tables could not be read to their end, and the old file."""

    kept: Path
    rows: dict[str, int] = field(default_factory=dict)
    torn: list[str] = field(default_factory=list)


def salvage(file: Path, now: datetime) -> Salvage:
    """Write what can be read of a database to a new one, which takes its place when it is whole."""
    draft, whole = (file.with_name(f".{file.name}.{word}") for word in ("draft", "whole"))
    done = Salvage(file.with_name(f"{file.name}.damaged-{now:%Y%m%d%H%M%S}"))
    try:
        for leftover in (draft, *_beside(draft)):
            leftover.unlink(missing_ok=True)
        if not whole.exists():  # else it was interrupted on the last steps
            _fill(file, draft, done)
            for there, kept in zip((file, *_beside(file)), (done.kept, *_beside(done.kept)), strict=True):
                if there.exists():
                    os.link(there, kept)
            draft.rename(whole)
        for there in _beside(file):
            there.unlink(missing_ok=True)
        whole.replace(file)
    except (OSError, *_DAMAGE) as error:
        raise StoreError(f"{file}: it cannot be written anew: {error}") from error
    return done


def _fill(file: Path, draft: Path, done: Salvage) -> None:
    engine = make_engine(f"sqlite:///{draft}", 1.0)
    prepare(engine)
    engine.dispose()
    with closing(sqlite3.connect(draft, isolation_level=None)) as target:
        target.execute("BEGIN")
        for table in metadata.sorted_tables:
            _fill_table(file, target, table.name, done)
        target.execute("COMMIT")
        target.execute("PRAGMA journal_mode = DELETE")  # all is in the one file


def _fill_table(file: Path, target: sqlite3.Connection, table: str, done: Salvage) -> None:
    names = _columns(file, table)
    if not names:
        done.torn.append(table)
        return
    marks = ", ".join("?" * len(names))
    adding = f"INSERT OR IGNORE INTO {table} ({', '.join(names)}) VALUES ({marks})"  # noqa: S608 -- names of ours
    reader, before = _Reader(file, table, names), target.total_changes
    keys = [place for place, name in enumerate(names) if name in metadata.tables[table].primary_key]
    for row in reader.rows():
        if any(_GARBLED in str(row[place]) for place in keys):
            continue  # nobody could find it
        with suppress(sqlite3.IntegrityError):  # a number that is none: the row is no row of ours
            target.execute(adding, row)
    done.rows[table] = target.total_changes - before
    if reader.is_torn:
        done.torn.append(table)


class _Reader:
    """Reads a table around its damaged places: by row numbers where rows have some, or from both ends."""

    def __init__(self, file: Path, table: str, names: Sequence[str]) -> None:
        self._file = file
        self._table = table
        self._query = f"SELECT {', '.join(names)} FROM {table} NOT INDEXED"  # noqa: S608 -- names of ours
        self.is_torn = False

    def rows(self) -> Iterator[Row]:
        """Yield what can be read; some rows come twice where a table is torn."""
        yield from self._until_damage(self._query)
        if not self.is_torn:
            return
        try:
            yield from self._by_number()
        except _DAMAGE:  # its rows have no numbers
            key = ", ".join(f"{column.name} DESC" for column in metadata.tables[self._table].primary_key)
            yield from self._until_damage(f"{self._query} ORDER BY {key}")

    def _until_damage(self, query: str) -> Iterator[Row]:
        try:
            with closing(_opened(self._file)) as source:
                yield from source.execute(query)
        except _DAMAGE:
            self.is_torn = True

    def _by_number(self) -> Iterator[Row]:
        """Halve ranges of row numbers until what is damaged stands alone."""
        with closing(_opened(self._file)) as source:
            ranges, tries = [(0, self._highest(source))], _MOST_TRIES
            while ranges and tries:
                low, high = ranges.pop()
                try:
                    yield from source.execute(f"{self._query} WHERE rowid BETWEEN {low} AND {high}").fetchall()
                except _DAMAGE as error:
                    if "no such column" in str(error):
                        raise
                    tries -= 1
                    middle = (low + high) // 2
                    ranges += [(middle + 1, high), (low, middle)] if low < high else []

    def _highest(self, source: sqlite3.Connection) -> int:
        """Return a number beyond which there is no row: the last one's, or what the file has room for."""
        try:
            found = source.execute(f"SELECT max(rowid) FROM {self._table}").fetchone()[0]  # noqa: S608 -- a name of ours
        except _DAMAGE:
            found = None
        return int(found) if found is not None else self._file.stat().st_size // _SMALLEST_ROW


def _columns(file: Path, table: str) -> list[str]:
    """Return those of our columns that a table has: it may be of an earlier version."""
    try:
        with closing(_opened(file)) as source:
            there = {row[1] for row in source.execute(f"PRAGMA table_info({table})")}
    except _DAMAGE:
        return []
    return [column.name for column in metadata.tables[table].c if column.name in there]


def _opened(file: Path) -> sqlite3.Connection:
    source = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
    source.text_factory = lambda content: content.decode("utf-8", "replace")
    source.execute("PRAGMA cell_size_check = ON")
    return source


def _beside(file: Path) -> list[Path]:
    return [file.with_name(file.name + ending) for ending in _BESIDE]
