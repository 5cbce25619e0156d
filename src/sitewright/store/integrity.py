"""A database in, what is wrong with it out; and what can be put right within it, put right."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from urllib.parse import urljoin

from sqlalchemy import JSON, Connection, Engine, Row, Table, TextClause, and_, inspect, select, text, update
from sqlalchemy.exc import DBAPIError, NoResultFound

from sitewright.errors import MapError, StoreError
from sitewright.parse.sites import site_name
from sitewright.store import frontier, leases, records
from sitewright.store.engine import DAMAGE, is_sqlite, reading, writing
from sitewright.store.schema import (
    REVISION,
    VERSION_TABLE,
    failures,
    index_pages,
    metadata,
    pages,
    sites,
    waiting_links,
)
from sitewright.store.schema import records as record_rows
from sitewright.store.sites import map_versions
from sitewright.store.statements import signature_of
from sitewright.store.tables import prepare
from sitewright.types import DEFAULT_DOMAIN

FaultKind = Literal[
    "database_damaged",
    "table_missing",
    "index_damaged",
    "row_unreadable",
    "record_damaged",
    "site_missing",
    "page_unknown",
    "figures_wrong",
    "map_unreadable",
]
Key = tuple[Any, ...]
_ABOUT_INDEX = re.compile(r"missing from index|wrong # of entries in index|non-unique entry in index")
_MOST_TOLD = 100
_STREAMED = {"yield_per": 500}
_GARBLED = "\ufffd"
"""What stands in a text in the place of what could not be read."""
_UNREADABLE = (ValueError, TypeError, KeyError, DBAPIError)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is wrong with a database."""

    kind: FaultKind
    where: str
    """A table, or a table and the key of a row."""
    detail: str = ""
    key: Key = ()


def faults_of(engine: Engine) -> list[Fault]:
    """Look at all of a database; what cannot be looked at after something worse is not."""
    try:
        with reading(engine) as connection:
            is_marked = inspect(connection).has_table(VERSION_TABLE)
            is_ours = is_marked or bool(set(inspect(connection).get_table_names()) & set(metadata.tables))
        if is_marked or not is_ours:
            prepare(engine)  # or columns would be missed that later versions have
        with reading(engine) as connection:
            found = [*_missing_tables(connection), *_broken_files(connection)]
        if found:
            return found
        with reading(engine) as connection:
            return [*_unreadable_rows(connection), *_without_parents(connection), *_wrong_values(connection)]
    except StoreError as error:
        if not any(word in str(error.__cause__).lower() for word in DAMAGE):
            raise
        return [Fault("database_damaged", "database", str(error))]


def mend(engine: Engine, faults: Sequence[Fault], now: datetime) -> list[Fault]:
    """Put right what can be; return what cannot be."""
    return [fault for fault in faults if not _is_mended(engine, fault, now)]


def _is_mended(engine: Engine, fault: Fault, now: datetime) -> bool:
    """Put one thing right; what another repair has seen to already is."""
    try:
        with writing(engine) as connection:
            return _MENDING.get(fault.kind, _not_mended)(connection, fault, now)
    except StoreError as error:
        return isinstance(error.__cause__, NoResultFound)


# What is wrong


def _missing_tables(connection: Connection) -> Iterator[Fault]:
    there = set(inspect(connection).get_table_names())
    if VERSION_TABLE not in there:
        yield Fault("table_missing", VERSION_TABLE, "there is no such table")
    for table in metadata.sorted_tables:
        if table.name not in there:
            yield Fault("table_missing", table.name, "there is no such table")
        else:
            known = {index["name"] for index in inspect(connection).get_indexes(table.name)}
            for index in table.indexes:
                if index.name not in known:
                    yield Fault("index_damaged", table.name, f"there is no index {index.name}")


def _broken_files(connection: Connection) -> Iterator[Fault]:
    """Have SQLite look at its file; PostgreSQL keeps an eye on its own."""
    if is_sqlite(connection):
        for (line,) in connection.exec_driver_sql(f"PRAGMA integrity_check({_MOST_TOLD})"):
            if line != "ok":
                yield Fault("index_damaged" if _ABOUT_INDEX.search(line) else "database_damaged", "database", line)


def _unreadable_rows(connection: Connection) -> Iterator[Fault]:
    for table in metadata.sorted_tables:
        if not _is_readable(connection, table):
            yield from _row_by_row(connection, table)


def _is_readable(connection: Connection, table: Table) -> bool:
    try:
        rows = connection.execute(select(table), execution_options=_STREAMED)
        return all(map(_is_whole(table), rows))
    except _UNREADABLE:
        return False


def _is_whole(table: Table) -> Callable[[Row[Any]], bool]:
    """Return what tells whether all JSON of a row could be read."""
    places = [place for place, column in enumerate(table.c) if isinstance(column.type, JSON)]
    return lambda row: all(row[place] is not None for place in places)


def _row_by_row(connection: Connection, table: Table) -> Iterator[Fault]:
    columns = ", ".join(column.name for column in table.primary_key)
    try:
        keys = connection.exec_driver_sql(f"SELECT {columns} FROM {table.name}").all()  # noqa: S608 -- names of ours
    except DBAPIError:  # not even the keys: such rows cannot be spoken of
        yield Fault("database_damaged", table.name, "it cannot be told which rows it has")
        return
    for key in keys:
        if not _reads(connection, table, tuple(key)):
            where = f"{table.name} {', '.join(map(str, key))}"
            yield Fault("row_unreadable", where, "it cannot be read", (table.name, *key))


def _without_parents(connection: Connection) -> Iterator[Fault]:
    """Find rows whose site, and records whose page, is not there: SQLite checks that only while it writes."""
    if not is_sqlite(connection):
        return
    numbers = set(connection.execute(select(sites.c.id)).scalars())
    missing: dict[int, str] = {}
    for table in metadata.sorted_tables:
        if "site_id" in table.c:
            for number in connection.execute(select(table.c.site_id).distinct()).scalars():
                if number not in numbers:
                    missing.setdefault(number, table.name)
    for number, table_name in sorted(missing.items()):
        yield Fault("site_missing", table_name, f"it speaks of site {number}, which is not there", (number,))
    both = and_(pages.c.warc_file == record_rows.c.warc_file, pages.c.warc_offset == record_rows.c.warc_offset)
    lost = select(record_rows.c.number, record_rows.c.url).outerjoin(pages, both)
    for number, url in connection.execute(lost.where(record_rows.c.warc_file.is_not(None), pages.c.url.is_(None))):
        yield Fault("page_unknown", f"records {number}", f"where the page of {url} lies is not known", (number,))


def _wrong_values(connection: Connection) -> Iterator[Fault]:
    try:
        for table in (pages, waiting_links, failures):
            yield from _wrong_signatures(connection, table)
        yield from _damaged_records(connection)
        for name, number in connection.execute(select(sites.c.name, sites.c.id)).all():
            if not records.figures_agree(connection, number):
                yield Fault("figures_wrong", f"metrics of {name}", "not those of its records", (number,))
            yield from _unreadable_map(connection, name)
    except _UNREADABLE:
        return  # told as unreadable rows already


def _wrong_signatures(connection: Connection, table: Table) -> Iterator[Fault]:
    """Find rows whose address is not the one they were stored under."""
    query = select(*table.primary_key, table.c.url.label("address"), table.c.signature.label("stored"))
    for *key, address, stored in connection.execute(query, execution_options=_STREAMED):
        if signature_of(address) != stored:
            where = f"{table.name} {', '.join(map(str, key))}"
            yield Fault("row_unreadable", where, "its address is not what was stored", (table.name, *key))


def _damaged_records(connection: Connection) -> Iterator[Fault]:
    query = select(record_rows).where(record_rows.c.checksum.is_not(None))
    for row in connection.execute(query, execution_options=_STREAMED).mappings():
        if records.checksum_of(row) != row["checksum"]:
            where, number = f"records {row['number']}", row["number"]
            yield Fault("record_damaged", where, f"{row['url']}: not what was stored", (number,))


def _unreadable_map(connection: Connection, site: str) -> Iterator[Fault]:
    for stored in map_versions(connection, site)[-1:]:
        try:
            stored.parsed()
        except MapError as error:
            yield Fault("map_unreadable", f"maps of {site}", f"version {stored.version}: {error}")


# What can be put right


def _not_mended(_connection: Connection, _fault: Fault, _now: datetime) -> bool:
    return False


def _make_table(connection: Connection, fault: Fault, _now: datetime) -> bool:
    if fault.where == VERSION_TABLE:
        connection.execute(text(f"CREATE TABLE {VERSION_TABLE} (version_num VARCHAR(32) NOT NULL PRIMARY KEY)"))
        connection.execute(text(f"INSERT INTO {VERSION_TABLE} VALUES ('{REVISION}')"))  # noqa: S608 -- constants
    else:
        metadata.tables[fault.where].create(connection, checkfirst=True)
    return True


def _make_indexes(connection: Connection, _fault: Fault, _now: datetime) -> bool:
    for table in metadata.sorted_tables:
        known = {index["name"] for index in inspect(connection).get_indexes(table.name)}
        for index in table.indexes:
            if index.name not in known:
                index.create(connection)
    if is_sqlite(connection):
        connection.execute(text("REINDEX"))
    return True


def _forget_row(connection: Connection, fault: Fault, now: datetime) -> bool:
    """Forget what cannot be read: of sites what is not needed, else the row; pages give their records again."""
    name, *rest = fault.key
    table, key = metadata.tables[name], tuple(rest)
    if table is sites:
        return _mend_site(connection, key[0], now)
    if table is record_rows:
        return _forget_record(connection, Fault(fault.kind, fault.where, key=key), now)
    if table is pages:
        own = and_(record_rows.c.warc_file == key[0], record_rows.c.warc_offset == key[1])
        for number in connection.execute(select(record_rows.c.number).where(own)).scalars().all():
            _forget_page(connection, Fault(fault.kind, fault.where, key=(number,)), now)
    connection.execute(table.delete().where(_is(table, key)))
    return True


def _mend_site(connection: Connection, number: int, now: datetime) -> bool:
    """Keep the name and the address of a site, as far as they can be read, and begin anew with all else."""
    row = connection.execute(text("SELECT name, url FROM sites WHERE id = :id"), {"id": number}).one()
    known = _url_of(connection, number) or str(row.url)
    name = site_name(known) if _GARBLED in str(row.name) else str(row.name)
    url = urljoin(known, "/") if _GARBLED in str(row.url) else str(row.url)
    values = {"name": name, "url": url, "added_at": now, "next_due": now, "state": {}}
    cleared = {"lease_owner": None, "lease_until": None, "domain": _domain_of(connection, number)}
    connection.execute(update(sites).where(_is(sites, (number,))).values(**values, **cleared))
    return True


def _url_of(connection: Connection, site: int) -> str:
    """Return an address of a site from what belongs to it."""
    for table in (index_pages, record_rows, pages):
        url = connection.execute(select(table.c.url).where(table.c.site_id == site).limit(1)).scalar()
        if url is not None:
            return str(url)
    return ""


def _domain_of(connection: Connection, site: int) -> str:
    query = select(record_rows.c.domain).where(record_rows.c.site_id == site).limit(1)
    return connection.execute(query).scalar() or DEFAULT_DOMAIN


def _forget_record(connection: Connection, fault: Fault, now: datetime) -> bool:
    """Remove a record, and have its link wait; its page stays in the archive, for `re-extract`."""
    columns = "site_id, url, warc_file, warc_offset"
    query = text(f"SELECT {columns} FROM records WHERE number = :number")  # noqa: S608 -- names of ours
    row = connection.execute(query, {"number": fault.key[0]}).one()
    own = and_(pages.c.warc_file == row.warc_file, pages.c.warc_offset == row.warc_offset)
    url = connection.execute(select(pages.c.url).where(own)).scalar() or str(row.url)
    connection.execute(record_rows.delete().where(record_rows.c.number == fault.key[0]))
    frontier.unsettle(connection, row.site_id, [url], now)
    leases.make_due(connection, row.site_id, now)
    records.recount(connection, row.site_id)
    return True


def _forget_page(connection: Connection, fault: Fault, now: datetime) -> bool:
    """Have the page of a record fetched again."""
    own = record_rows.c.number == fault.key[0]
    row = connection.execute(select(record_rows.c.site_id, record_rows.c.url).where(own)).one()
    connection.execute(update(record_rows).where(own).values(warc_file=None, warc_offset=None))
    if frontier.unsettle(connection, row.site_id, [row.url], now):
        leases.make_due(connection, row.site_id, now)
    return True


def _name_site(connection: Connection, fault: Fault, now: datetime) -> bool:
    """Put a site back of which only what belongs to it is left: addresses say which it was."""
    (number,) = fault.key
    url = _url_of(connection, number)
    name = site_name(url) if url else ""
    if name and connection.execute(select(sites.c.id).where(sites.c.name == name)).scalar() is None:
        row = {"id": number, "name": name, "url": urljoin(url, "/"), "added_at": now, "next_due": now}
        connection.execute(sites.insert().values(**row, domain=_domain_of(connection, number)))
        return True
    for table in reversed(metadata.sorted_tables):  # nothing of it could be used: its pages are in the archive
        if "site_id" in table.c:
            connection.execute(table.delete().where(table.c.site_id == number))
    return True


def _recount(connection: Connection, fault: Fault, _now: datetime) -> bool:
    records.recount(connection, fault.key[0])
    return True


_MENDING = {
    "table_missing": _make_table,
    "index_damaged": _make_indexes,
    "row_unreadable": _forget_row,
    "record_damaged": _forget_record,
    "site_missing": _name_site,
    "page_unknown": _forget_page,
    "figures_wrong": _recount,
}


def _reads(connection: Connection, table: Table, key: Key) -> bool:
    try:
        return all(map(_is_whole(table), connection.execute(select(table).where(_is(table, key))).all()))
    except _UNREADABLE:
        return False


def _is(table: Table, key: Key) -> TextClause:
    """Return the condition for a key as the database has it, which need not be of the type that it should be."""
    places = [f"k{place}" for place in range(len(key))]
    pairs = zip(table.primary_key, places, strict=True)
    condition = text(" AND ".join(f"{column.name} = :{place}" for column, place in pairs))
    return condition.bindparams(**dict(zip(places, key, strict=True)))
