"""What several parts of the store say to the database: sites by name, rows that are there already, links as numbers."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, Table, any_, delete, func, literal, or_, select
from sqlalchemy.dialects import postgresql, sqlite

from sitewright.errors import StoreError
from sitewright.parse import url_id
from sitewright.store.engine import is_sqlite
from sitewright.store.schema import failures, seen_links, sites

_MOST_VALUES = 10_000
"""SQLite takes 32,766 values a statement, PostgreSQL 65,535."""


def signature_of(url: str) -> int:
    """Return the eight bytes of a link's `url_id` as the number that databases keep.

    >>> signature_of("https://example.com/a?utm_source=x") == signature_of("https://EXAMPLE.com/a")
    True
    """
    return int.from_bytes(bytes.fromhex(url_id(url)), signed=True)


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
    return site_ids(connection, [name], lock=lock)[name]


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


def mark_seen(connection: Connection, site: int, signatures: Iterable[int], now: datetime) -> None:
    """Remember that links have reached the store, and forget who was fetching them."""
    rows = [
        {
            "site_id": site,
            "signature": signature,
            "first_seen": now,
            "stored_at": now,
            "claim_owner": None,
            "claim_until": None,
        }
        for signature in sorted(set(signatures))
    ]
    upsert(connection, seen_links, ("site_id", "signature"), rows, ("stored_at", "claim_owner", "claim_until"))


def forget_failures(connection: Connection, site: int, signatures: Iterable[int]) -> None:
    """Drop the failures of links that have a record now."""
    for part in parts(sorted(set(signatures))):
        connection.execute(delete(failures).where(failures.c.site_id == site, failures.c.signature.in_(part)))


def unseen(connection: Connection, site: int, urls: Iterable[str]) -> list[str]:
    """Return the links that have not reached the store, each once, in their order."""
    by_signature: dict[int, str] = {}
    for url in urls:
        by_signature.setdefault(signature_of(url), url)
    for part in parts(list(by_signature)):
        query = select(seen_links.c.signature).where(
            seen_links.c.site_id == site, _is_among(connection, part), seen_links.c.stored_at.is_not(None)
        )
        for signature in connection.execute(query).scalars():
            del by_signature[signature]
    return list(by_signature.values())


def _is_among(connection: Connection, signatures: Sequence[int]) -> ColumnElement[bool]:
    """Compare with many signatures; PostgreSQL reads one list a fifth faster than 500 values."""
    if is_sqlite(connection):
        return seen_links.c.signature.in_(signatures)
    return seen_links.c.signature == any_(literal(signatures, postgresql.ARRAY(BigInteger)))


def claim(
    connection: Connection, site: int, urls: Iterable[str], owner: str, span: tuple[datetime, datetime]
) -> set[int]:
    """Take links that nobody is fetching, from now until then; return the signatures of those that were free."""
    now, until = span
    rows = [
        {"site_id": site, "signature": signature, "first_seen": now, "claim_owner": owner, "claim_until": until}
        for signature in sorted({signature_of(url) for url in urls})
    ]
    if not rows:
        return set()
    insert = insert_into(connection, seen_links)
    free = or_(seen_links.c.claim_until.is_(None), seen_links.c.claim_until <= now, seen_links.c.claim_owner == owner)
    taking = insert.on_conflict_do_update(
        index_elements=["site_id", "signature"],
        set_={name: insert.excluded[name] for name in ("claim_owner", "claim_until")},
        where=seen_links.c.stored_at.is_(None) & free,
    )
    return set(connection.execute(taking.returning(seen_links.c.signature), rows).scalars())


def count_seen(connection: Connection, site: int) -> int:
    """Count the links of a site that have reached the store."""
    query = select(func.count()).where(seen_links.c.site_id == site, seen_links.c.stored_at.is_not(None))
    return int(connection.execute(query).scalar_one())


def parts(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield values in parts that fit into one statement."""
    for start in range(0, len(values), _MOST_VALUES):
        yield values[start : start + _MOST_VALUES]
