"""The address of a database in, a SQLAlchemy engine out, with errors in words of our own."""

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, unquote

import orjson
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from sitewright.errors import MissingExtra, StoreError
from sitewright.values.as_json import json_of

_WRITES = "sitewright_writes"
KNOWN_SITES = "sitewright_known_sites"
"""Which sites a transaction that writes has asked for: their numbers do not change within one."""
_READ_ONLY = "mode"
"""A word of SQLite's addresses."""
_CONNECT_SECONDS = 10
_SQLITE = ("sqlite", "sqlite+pysqlite")
_CACHE_KIB = 32 * 1024
"""SQLite's own 2 MB hold a twentieth of a million seen links."""
_SQLITE_TEXTS = {
    "file is not a database": "the file is not a SQLite database; name another one",
    "database disk image is malformed": "the database file is damaged; run: sitewright store check --repair",
    "database is locked": "another process has been writing to it for too long; try again, or end that process",
    "database or disk is full": "the disk is full; make room and start again, what is stored is safe",
    "disk i/o error": "the disk cannot be written or read; check whether it is full or failing",
    "unable to open database file": "there is no such folder, or no right to write in it",
    "readonly database": "there is no right to write to the file",
}
_MALFORMED = "database disk image is malformed"
DAMAGE = ("file is not a database", "malformed", "file is encrypted", "codec can't decode")
"""What SQLite says of a file that is damaged, or was never a database."""
_POSTGRES_STATES = {
    "53100": "the server's disk is full; make room and start again, what is stored is safe",
    "53300": "the server has no connection left; raise its max_connections",
    "55P03": "another process has been holding a lock for too long; try again",
    "40P01": "two processes waited for one another; try again",
    "42501": "this user has no right to do that; grant it to them",
}


def sqlite_file(address: str) -> Path | None:
    """Return the file of a store; None where it is on a server, in memory, or named in a way of SQLite's own.

    >>> sqlite_file("sqlite:///a/b.db"), sqlite_file("postgresql://me@/news?host=/run")
    (PosixPath('a/b.db'), None)
    """
    scheme, _, rest = address.partition(":///")
    file = rest.partition("?")[0]
    return Path(file) if scheme in _SQLITE and file and not file.startswith((":", "file:")) else None


def shown_address(url: URL) -> str:
    """Return an address as people write it, without its password.

    >>> shown_address(make_url("postgresql+psycopg://me:secret@/news?host=%2Frun"))
    'postgresql://me:***@/news?host=/run'
    """
    return unquote(url.set(drivername=url.get_backend_name()).render_as_string())


def make_engine(address: str, wait_seconds: float) -> Engine:
    """Make an engine; nothing is opened yet."""
    url = _read_address(address)
    if url.get_backend_name() == "sqlite":
        url = _readable(url, sqlite_file(address))
        engine = create_engine(
            url, connect_args={"timeout": wait_seconds}, json_serializer=_to_json, json_deserializer=_from_json
        )
        event.listen(engine, "connect", _prepare_reader if _READ_ONLY in url.query else _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    options = {
        "connect_timeout": _CONNECT_SECONDS,
        "options": f"-c lock_timeout={int(wait_seconds * 1000)} -c timezone=UTC",
    }
    try:
        return create_engine(
            url,
            connect_args=options,
            pool_pre_ping=True,
            json_serializer=_to_json,
            json_deserializer=_from_json,
        )
    except ImportError as error:
        raise MissingExtra('PostgreSQL needs psycopg: pip install "sitewright[postgres]"') from error


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that reads, or go on with the one that is open for several questions."""
    if (shared := _OPEN.get().get(engine)) is not None:
        yield shared
        return
    with _told(engine.url), engine.begin() as connection:
        yield connection


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that writes, and commit it at the end; or go on with the one that is open for several."""
    if (shared := _OPEN.get().get(engine)) is not None and _is_for_writing(shared):
        yield shared
        return
    with _told(engine.url), engine.execution_options(**{_WRITES: True, KNOWN_SITES: {}}).begin() as connection:
        yield connection


@contextmanager
def together(engine: Engine) -> Iterator[None]:
    """Have all that is asked of a database until the end, here and not in other threads, be one transaction."""
    with writing(engine) as connection, _kept_open(engine, connection):
        yield


@contextmanager
def at_one_moment(engine: Engine) -> Iterator[None]:
    """Have all that is read of a database until the end, here and not in other threads, be of one moment."""
    with reading(engine) as connection, _kept_open(engine, connection):
        yield


_OPEN: ContextVar[Mapping[Engine, Connection]] = ContextVar("sitewright_open", default=MappingProxyType({}))
"""The transactions that are open for several questions, each for its database."""


@contextmanager
def _kept_open(engine: Engine, connection: Connection) -> Iterator[None]:
    token = _OPEN.set({**_OPEN.get(), engine: connection})
    try:
        yield
    finally:
        _OPEN.reset(token)


def _is_for_writing(connection: Connection) -> bool:
    return bool(connection.get_execution_options().get(_WRITES))


def read_leniently(engine: Engine) -> None:
    """Have texts of a damaged SQLite file read as far as they go."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _be_lenient)


def _be_lenient(connection: sqlite3.Connection, _: Any) -> None:
    connection.text_factory = lambda content: content.decode("utf-8", "replace")


def vacuum(engine: Engine) -> None:
    """Write a SQLite file anew without what was removed from it."""
    if engine.dialect.name == "sqlite":
        with _told(engine.url), closing(engine.raw_connection()) as connection:
            for statement in ("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
                connection.cursor().execute(statement)


def is_sqlite(connection: Connection) -> bool:
    """Tell whether the database is SQLite."""
    return connection.dialect.name == "sqlite"


def _read_address(address: str) -> URL:
    try:
        url = make_url(address)
    except (ArgumentError, ValueError) as error:
        raise StoreError(_unknown(address)) from error
    if url.drivername in {"sqlite", "sqlite+pysqlite"}:
        return url
    if url.drivername in {"postgres", "postgresql", "postgresql+psycopg"}:
        return url.set(drivername="postgresql+psycopg")
    raise StoreError(_unknown(url.render_as_string()))


def _readable(url: URL, file: Path | None) -> URL:
    """Return how a file is opened that must not be written to: SQLite would else keep its log beside it."""
    if file is None or not file.exists() or (os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)):
        return url
    log = file.with_name(file.name + "-wal")
    is_closed = not log.exists() or log.stat().st_size == 0
    only = {_READ_ONLY: "ro", "uri": "true"} | ({"immutable": "1"} if is_closed else {})
    return url.set(database=f"file:{quote(str(file))}").update_query_dict(only)


def _unknown(address: str) -> str:
    return f"{address}: not the address of a store; sqlite:///FILE or postgresql://USER@HOST/NAME"


def _prepare_sqlite(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
    for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", f"cache_size = -{_CACHE_KIB}"):
        connection.execute(f"PRAGMA {pragma}")


def _prepare_reader(connection: sqlite3.Connection, _: Any) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")


def _begin_sqlite(connection: Connection) -> None:
    """Take the lock for writing at once: one that reads first and writes then could find that it read old things."""
    connection.exec_driver_sql("BEGIN IMMEDIATE" if _is_for_writing(connection) else "BEGIN")


def _to_json(value: Any) -> str:
    return json_of(value).decode("utf-8")


def _from_json(text: str | bytes) -> Any:
    """Read what a database kept; None where it is damaged."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        return None


@contextmanager
def _told(url: URL) -> Iterator[None]:
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, UnicodeDecodeError) as error:  # the last: a damaged schema, in an error
        raise StoreError(f"{shown_address(url)}: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    """Say in a sentence what happened and what to do."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    told = str(cause).strip() if not isinstance(cause, UnicodeDecodeError) else _MALFORMED
    state = getattr(cause, "sqlstate", None)
    if state in _POSTGRES_STATES:
        return _POSTGRES_STATES[state]
    for text, meaning in _SQLITE_TEXTS.items():
        if text in told.lower():
            return meaning
    first = next(iter(told.splitlines()), type(cause).__name__)
    lost = type(cause).__name__ == "OperationalError" and state is None and not isinstance(cause, sqlite3.Error)
    return f"no connection to the server: {first}" if lost else first
