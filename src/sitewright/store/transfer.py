"""A database in, another one with the same rows out, all at once, and compared row by row before it counts."""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, Integer, Table, func, inspect, select, text, update

from sitewright.errors import InputError, StoreError
from sitewright.store.engine import is_sqlite, make_engine, reading, shown_address, sqlite_file, writing
from sitewright.store.schema import metadata, sites
from sitewright.store.tables import prepare

Progress = Callable[[str, int], None]
"""Hears the name of a table, and how many of its rows are done."""
_STREAMED = {"yield_per": 500}
_WAIT_SECONDS = 30.0


@contextmanager
def opened(address: str) -> Iterator[Engine]:
    """Open a database, with its tables made or brought up to date."""
    engine = make_engine(address, _WAIT_SECONDS)
    try:
        prepare(engine)
        yield engine
    finally:
        engine.dispose()


def count_rows(engine: Engine) -> dict[str, int]:
    """Return how many rows each table has."""
    with reading(engine) as connection:
        return {
            table.name: int(connection.execute(select(func.count()).select_from(table)).scalar_one())
            for table in metadata.sorted_tables
        }


def check_is_empty(address: str) -> None:
    """Raise `InputError` where there is a store already; nothing is written."""
    if (file := sqlite_file(address)) is not None and not file.exists():
        return
    engine = make_engine(address, _WAIT_SECONDS)
    try:
        with reading(engine) as connection:
            _refuse_rows(connection)
    finally:
        engine.dispose()


def _refuse_rows(connection: Connection) -> None:
    there = set(inspect(connection).get_table_names())
    tables = (table for table in metadata.sorted_tables if table.name in there)
    if any(connection.execute(select(table).limit(1)).first() is not None for table in tables):
        raise InputError(f"{shown_address(connection.engine.url)} is not empty; name another store")


def copy_tables(source: Engine, target: Engine, progress: Progress) -> dict[str, int]:
    """Copy all rows as they are at one moment, while others go on writing; the target must be empty.

    One transaction: whoever is interrupted has written nothing. Nobody holds a site in the copy.
    """
    with _snapshot(source) as old, writing(target) as new:
        _refuse_rows(new)
        copied = {table.name: _copy(old, new, table, progress) for table in metadata.sorted_tables}
        _go_on_counting(new)
        new.execute(update(sites).values(lease_owner=None, lease_until=None))
    return copied


def copy_to_file(source: Engine, file: Path, progress: Progress) -> dict[str, int]:
    """Copy all rows to a new SQLite file, which is whole and on the disk when this returns."""
    for leftover in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm"))):
        leftover.unlink(missing_ok=True)
    with opened(f"sqlite:///{file}") as target:
        copied = copy_tables(source, target, progress)
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # all is in the one file
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
    return copied


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    """See all tables as they are at one moment."""
    still = engine if engine.dialect.name == "sqlite" else engine.execution_options(isolation_level="REPEATABLE READ")
    with reading(still) as connection:
        yield connection


def _copy(old: Connection, new: Connection, table: Table, progress: Progress) -> int:
    before, done = 0, 0
    for rows in old.execute(select(table), execution_options=_STREAMED).mappings().partitions():
        new.execute(table.insert(), [dict(row) for row in rows])
        before += sum(_digest(tuple(row.values())) for row in rows)
        done += len(rows)
        progress(table.name, done)
    after = sum(_digest(tuple(row)) for row in new.execute(select(table), execution_options=_STREAMED))
    if before != after:
        raise StoreError(f"the copy of {table.name} is not the same; nothing was written")
    return done


def _digest(row: tuple[Any, ...]) -> int:
    """Return a number for a row; sums of them do not depend on the order, in which databases differ."""
    return int.from_bytes(hashlib.blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=12).digest())


def _go_on_counting(connection: Connection) -> None:
    """Have PostgreSQL number new rows from the last one on; SQLite does so by itself."""
    if is_sqlite(connection):
        return
    for table in metadata.sorted_tables:
        (key, *others) = table.primary_key
        if not others and isinstance(key.type, Integer):
            last = f"SELECT setval(pg_get_serial_sequence('{table.name}', '{key.name}'), max({key.name}))"
            connection.execute(text(f"{last} FROM {table.name} HAVING max({key.name}) IS NOT NULL"))
