"""What several parts of the store say to the database: sites by name, rows that are there already, links as numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, Column, ColumnElement, Connection, Table, any_, cast, func, literal, select
from sqlalchemy.dialects import postgresql, sqlite

from sitewright.errors import StoreError
from sitewright.parse import signature
from sitewright.store.engine import KNOWN_SITES, is_sqlite
from sitewright.store.schema import sites

_MOST_VALUES = 10_000
"""SQLite takes 32,766 values a statement, PostgreSQL 65,535."""


def signature_of(url: str) -> int:
    """Return the eight bytes of a link's signature as the number that databases keep.

    >>> signature_of("http://www.example.com/a/?utm_source=x") == signature_of("https://EXAMPLE.com/a")
    True
    """
    return int.from_bytes(bytes.fromhex(signature(url)), signed=True)


def site_ids(connection: Connection, names: Iterable[str], *, lock: bool = False) -> dict[str, int]:
    """Return the numbers of sites; with `lock` nobody else commits to them until the transaction ends."""
    wanted = sorted(set(names))
    query = select(sites.c.name, sites.c.id).where(sites.c.name.in_(wanted)).order_by(sites.c.id)
    rows = connection.execute(query.with_for_update(key_share=True) if lock else query)
    found = {row.name: row.id for row in rows}
    for name in wanted:
        if name not in found:
            raise StoreError(f"there is no site {name} in the store; add it first")
    return found


def site_id(connection: Connection, name: str, *, lock: bool = False) -> int:
    """Return the number of a site."""
    known: dict[tuple[str, bool], int] = connection.get_execution_options().get(KNOWN_SITES, {})
    if (name, lock) not in known:
        known[name, lock] = site_ids(connection, [name], lock=lock)[name]
    return known[name, lock]


def insert_into(connection: Connection, table: Table) -> "sqlite.Insert | postgresql.Insert":
    """Begin an INSERT that may say what happens to a row that is there already."""
    return sqlite.insert(table) if is_sqlite(connection) else postgresql.insert(table)


def upsert(
    connection: Connection,
    table: Table,
    keys: tuple[str, ...],
    rows: Sequence[dict[str, Any]],
    changes: tuple[str, ...] | None = None,
    sums: tuple[str, ...] = (),
) -> None:
    """Insert rows; where one with these keys is there, write `changes` (None: all) over it and add `sums` to it."""
    if rows:
        written = tuple(name for name in rows[0] if name not in keys) if changes is None else changes
        connection.execute(_upserting(is_sqlite(connection), table, keys, written, sums), list(rows))


@cache
def _upserting(
    on_sqlite: bool, table: Table, keys: tuple[str, ...], changes: tuple[str, ...], sums: tuple[str, ...]
) -> "sqlite.Insert | postgresql.Insert":
    """Build the statement once: to name the columns takes as long as to run it."""
    insert = sqlite.insert(table) if on_sqlite else postgresql.insert(table)
    written = {name: insert.excluded[name] for name in changes}
    added = {name: table.c[name] + insert.excluded[name] for name in sums}
    return insert.on_conflict_do_update(index_elements=list(keys), set_=written | added)


def one_of(connection: Connection, numbers: Iterable[int]) -> "Callable[[Column[int]], ColumnElement[bool]]":
    """Return the condition that a column holds one of many numbers: any number of them, sent once as one text."""
    text = ",".join(map(str, numbers))
    if is_sqlite(connection):
        listed = func.json_each(f"[{text}]").table_valued("value")
        return lambda column: column.in_(select(listed.c.value))
    array = cast(literal(f"{{{text}}}"), postgresql.ARRAY(BigInteger))
    return lambda column: column == any_(array)


def parts(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield values in parts that fit into one statement."""
    for start in range(0, len(values), _MOST_VALUES):
        yield values[start : start + _MOST_VALUES]


def plain(text: str) -> str:
    """Replace what no database keeps, even within JSON."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
