"""Sites in the database as work: which is due, and which process works on it until when."""

from collections.abc import Collection
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Connection, and_, case, exists, func, or_, select, true, union_all, update

from sitewright.store.entries import StoredSite
from sitewright.store.schema import MomentColumn, failures, index_pages, offers, sites, waiting_links
from sitewright.store.sites import among
from sitewright.store.statements import site_id

_TABLE = sites.c
Span = tuple[datetime, datetime]
"""From when until when."""

_TOLERANCE = timedelta(minutes=2)
"""By so much the clocks of machines may differ."""
_LONGEST_LEASE = timedelta(hours=1)
"""Far more than anybody takes, so that what is held for longer is held by a clock of the future."""


def lease_due(
    connection: Connection, owner: str, span: Span, *, limit: int, only: Collection[str] = ()
) -> list[StoredSite]:
    """Take free sites that are due, the longest due first; those that another takes in this instant are skipped."""
    now, until = span
    query = (
        select(_TABLE.id)
        .where(_TABLE.next_due <= now, _TABLE.paused_at.is_(None), _is_free(now), _is_wanted(only))
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


def bring_back(connection: Connection, span: Span, lease_span: Span) -> list[str]:
    """Make due what is due too far ahead, or was done at a time that has not come yet; return the sites.

    Where there is any such thing, a clock was wrong: then no site waits for longer than for its next page or link.
    """
    now, latest = span
    soon = now + _TOLERANCE
    moved = _bring_back_pages(connection, now, or_(index_pages.c.next_due > latest, index_pages.c.last_fetched > soon))
    moved |= _bring_back_links(connection, now, (soon, latest))
    moved |= set(connection.execute(select(_TABLE.id).where(_TABLE.next_due > latest)).scalars())
    too_long = _TABLE.lease_until > max(now + _LONGEST_LEASE, lease_span[1] + _TOLERANCE)
    is_wrong = connection.execute(update(sites).where(too_long).values(lease_until=lease_span[1])).rowcount > 0
    if is_wrong or moved:
        for number in connection.execute(select(_TABLE.id).where(_TABLE.next_due > now)).scalars().all():
            make_due(connection, number, max(_earliest_due(connection, number) or now, now))
    for number in moved:
        make_due(connection, number, now)
    return sorted(connection.execute(select(_TABLE.name).where(_TABLE.id.in_(moved))).scalars()) if moved else []


def _bring_back_pages(connection: Connection, now: datetime, is_late: ColumnElement[bool]) -> set[int]:
    is_meant = and_(is_late, index_pages.c.next_due > now)
    moved = set(connection.execute(select(index_pages.c.site_id).where(is_meant).distinct()).scalars())
    connection.execute(update(index_pages).where(is_meant).values(next_due=now))
    return moved


def _bring_back_links(connection: Connection, now: datetime, late: Span) -> set[int]:
    """Make links due that were found, or tried in vain, at a time that has not come yet; once, for that is now then."""
    soon, latest = late
    own = (failures.c.site_id == waiting_links.c.site_id, failures.c.signature == waiting_links.c.signature)
    was_tried = exists(select(1).where(*own, failures.c.at > soon))
    is_late = or_(waiting_links.c.due > latest, waiting_links.c.found_at > soon, was_tried)
    is_meant = and_(is_late, waiting_links.c.due > now)
    moved = set(connection.execute(select(waiting_links.c.site_id).where(is_meant).distinct()).scalars())
    connection.execute(update(waiting_links).where(is_meant).values(due=now))
    for moment in (waiting_links.c.found_at, failures.c.at):
        connection.execute(update(moment.table).where(moment > soon).values({moment: now}))
    return moved


def next_due(connection: Connection, only: Collection[str] = ()) -> datetime | None:
    """Return when the next site is due that nobody holds, or a lease of one that is due runs out."""
    free = case((_TABLE.lease_until > _TABLE.next_due, _TABLE.lease_until), else_=_TABLE.next_due)
    watched = (_TABLE.next_due.is_not(None), _TABLE.paused_at.is_(None), _is_wanted(only))
    query = select(func.min(free, type_=MomentColumn)).where(*watched)
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
    """Return when the next index page, link or item of a site is due; None where it has none of them."""
    looks = select(func.min(index_pages.c.next_due, type_=MomentColumn).label("due")).where(
        index_pages.c.site_id == number
    )
    links = select(func.min(waiting_links.c.due, type_=MomentColumn)).where(waiting_links.c.site_id == number)
    visits = select(func.min(offers.c.next_due, type_=MomentColumn)).where(offers.c.site_id == number)
    moments = union_all(looks, links, visits).subquery()
    earliest: datetime | None = connection.execute(select(func.min(moments.c.due, type_=MomentColumn))).scalar_one()
    return earliest
