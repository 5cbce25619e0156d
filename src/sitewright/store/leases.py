"""Sites in the database as work: which is due, and which process works on it until when."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, case, func, or_, select, true, union_all, update

from sitewright.store.entries import StoredSite
from sitewright.store.schema import MomentColumn, index_pages, sites, waiting_links
from sitewright.store.sites import among
from sitewright.store.statements import site_id

_TABLE = sites.c
Span = tuple[datetime, datetime]
"""From when until when."""


def lease_due(
    connection: Connection, owner: str, span: Span, *, limit: int, only: Collection[str] = ()
) -> list[StoredSite]:
    """Take free sites that are due, the longest due first; those that another takes in this instant are skipped."""
    now, until = span
    query = (
        select(_TABLE.id)
        .where(_TABLE.next_due <= now, _is_free(now), _is_wanted(only))
        .order_by(_TABLE.next_due, _TABLE.id)
        .limit(limit)
        .with_for_update(skip_locked=True, key_share=True)
    )
    taken = list(connection.execute(query).scalars())
    if not taken:
        return []
    connection.execute(update(sites).where(_TABLE.id.in_(taken)).values(lease_owner=owner, lease_until=until))
    return among(connection, taken)


def lease(connection: Connection, owner: str, site: str, span: Span) -> bool:
    """Take a site, due or not; False where another holds it."""
    now, until = span
    free = or_(_is_free(now), _TABLE.lease_owner == owner)
    taking = update(sites).where(_TABLE.id == site_id(connection, site), free)
    return connection.execute(taking.values(lease_owner=owner, lease_until=until)).rowcount == 1


def renew(connection: Connection, owner: str, until: datetime) -> set[str]:
    """Hold all sites of an owner for longer; return the names of those that are still theirs."""
    own = _held(connection, owner)
    connection.execute(update(sites).where(_TABLE.id.in_(own.values())).values(lease_until=until))
    return set(own)


def held_site(connection: Connection, owner: str, site: str) -> int | None:
    """Return the number of a site, which nobody takes until the transaction ends; None where it is not the owner's."""
    query = select(_TABLE.id).where(_TABLE.name == site, _TABLE.lease_owner == owner)
    number: int | None = connection.execute(query.with_for_update(key_share=True)).scalar()
    return number


def release(connection: Connection, number: int, not_before: datetime | None = None) -> None:
    """Give a site back, to be taken when its next page or link is due, but not before a moment."""
    due = _earliest_due(connection, number)
    later = max(due, not_before) if due and not_before else due
    given = update(sites).where(_TABLE.id == number).values(lease_owner=None, lease_until=None, next_due=later)
    connection.execute(given)


def release_all(connection: Connection, owner: str) -> None:
    """Give back all sites of an owner."""
    for number in _held(connection, owner).values():
        release(connection, number)


def make_due(connection: Connection, number: int, moment: datetime) -> None:
    """See to it that a site is due at a moment, if it was not earlier."""
    later = or_(_TABLE.next_due.is_(None), _TABLE.next_due > moment)
    connection.execute(update(sites).where(_TABLE.id == number, later).values(next_due=moment))


def next_due(connection: Connection, only: Collection[str] = ()) -> datetime | None:
    """Return when the next site is due that nobody holds, or a lease of one that is due runs out."""
    free = case((_TABLE.lease_until > _TABLE.next_due, _TABLE.lease_until), else_=_TABLE.next_due)
    query = select(func.min(free, type_=MomentColumn)).where(_TABLE.next_due.is_not(None), _is_wanted(only))
    earliest: datetime | None = connection.execute(query).scalar_one()
    return earliest


def _held(connection: Connection, owner: str) -> dict[str, int]:
    """Return the sites of an owner, name to number, locked in one order so that nobody waits for one another."""
    query = select(_TABLE.name, _TABLE.id).where(_TABLE.lease_owner == owner).order_by(_TABLE.id)
    return {row.name: row.id for row in connection.execute(query.with_for_update(key_share=True))}


def _is_free(now: datetime) -> ColumnElement[bool]:
    return or_(_TABLE.lease_until.is_(None), _TABLE.lease_until <= now)


def _is_wanted(only: Collection[str]) -> ColumnElement[bool]:
    return _TABLE.name.in_(list(only)) if only else true()


def _earliest_due(connection: Connection, number: int) -> datetime | None:
    """Return when the next index page or link of a site is due; None where it has neither."""
    looks = select(func.min(index_pages.c.next_due, type_=MomentColumn).label("due")).where(
        index_pages.c.site_id == number
    )
    links = select(func.min(waiting_links.c.due, type_=MomentColumn)).where(waiting_links.c.site_id == number)
    moments = union_all(looks, links).subquery()
    earliest: datetime | None = connection.execute(select(func.min(moments.c.due, type_=MomentColumn))).scalar_one()
    return earliest
