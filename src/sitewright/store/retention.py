"""What is too old in the database: how much of it there is, and gone, a part at a time."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, exists, func, or_, select, true

from sitewright.store import archive_rows
from sitewright.store import records as record_statements
from sitewright.store.entries import PageLocation
from sitewright.store.schema import failures, incidents, pages, photo_sets, proposals, reader_events, records

PART = 500
"""So many rows are removed in one transaction: others wait for it."""


@dataclass(frozen=True, slots=True)
class Expiry:
    """What is to go: what is older than a moment, of some sites by number (None: of all)."""

    before: datetime
    sites: Collection[int] | None = None
    pages_only: bool = False
    """Records stay, without their pages."""


def count(connection: Connection, expiry: Expiry) -> dict[str, int]:
    """Return how many rows of which tables would go."""
    conditions: list[tuple[Table, ColumnElement[bool]]] = [(pages, _old_pages(expiry))]
    if not expiry.pages_only:
        conditions += [(records, _old_records(expiry)), *_others(expiry)]
    return {
        table.name: int(connection.execute(select(func.count()).select_from(table).where(is_old)).scalar_one())
        for table, is_old in conditions
    }


def files(connection: Connection, expiry: Expiry) -> list[str]:
    """Return the files of the archive in which pages lie that would go."""
    return sorted(connection.execute(select(pages.c.warc_file).where(_old_pages(expiry)).distinct()).scalars())


def expire(connection: Connection, expiry: Expiry) -> int:
    """Remove some of what is too old; return how many rows, none where nothing is left."""
    if not expiry.pages_only:
        query = select(records.c.number).where(_old_records(expiry)).limit(PART)
        numbers = list(connection.execute(query).scalars())
        if numbers:
            _forget_records(connection, numbers)
            return len(numbers)
        for table, is_old in _others(expiry):
            connection.execute(delete(table).where(is_old))
    query = select(pages.c.warc_file, pages.c.warc_offset).where(_old_pages(expiry)).limit(PART)
    places = [PageLocation(file, offset, 0, "") for file, offset in connection.execute(query)]
    archive_rows.drop(connection, places)
    return len(places)


def _forget_records(connection: Connection, numbers: Sequence[int]) -> None:
    """Remove records with their pages; their links stay known, or they would be collected anew."""
    query = select(records.c.warc_file, records.c.warc_offset).where(records.c.number.in_(numbers))
    places = [PageLocation(file, offset, 0, "") for file, offset in connection.execute(query) if file is not None]
    record_statements.forget(connection, numbers)
    archive_rows.drop(connection, places)


def _old_records(expiry: Expiry) -> ColumnElement[bool]:
    return and_(records.c.shown_at < expiry.before, _of_sites(records, expiry))


def _old_pages(expiry: Expiry) -> ColumnElement[bool]:
    """Say which pages go: all old ones, or those that no record needs which stays, and those of records that go."""
    is_old = and_(pages.c.fetched_at < expiry.before, _of_sites(pages, expiry))
    if expiry.pages_only:
        return is_old
    mine = and_(records.c.warc_file == pages.c.warc_file, records.c.warc_offset == pages.c.warc_offset)
    is_needed = exists(select(1).where(mine, records.c.shown_at >= expiry.before))
    goes_along = exists(select(1).where(mine, _old_records(expiry)))
    return and_(_of_sites(pages, expiry), ~is_needed, or_(is_old, goes_along))


def _others(expiry: Expiry) -> list[tuple[Table, ColumnElement[bool]]]:
    dates = ((failures, failures.c.at), (photo_sets, photo_sets.c.stored_at))
    decided = ((incidents, incidents.c.closed_at), (proposals, proposals.c.decided_at))
    old = [(table, and_(date < expiry.before, _of_sites(table, expiry))) for table, date in (*dates, *decided)]
    of_all = expiry.sites is None  # what readers did goes with the records of all sites, or stays
    return [*old, (reader_events, reader_events.c.at < expiry.before)] if of_all else old


def _of_sites(table: Table, expiry: Expiry) -> Any:
    return true() if expiry.sites is None else table.c.site_id.in_(expiry.sites)
