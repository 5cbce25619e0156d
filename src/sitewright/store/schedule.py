"""Index pages and hosts in the database: what is due, who works on it, and when a host may be asked again."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, func, or_, select, update

from sitewright.store.entries import WatchedPage
from sitewright.store.schema import Moment, hosts, index_pages, sites
from sitewright.store.statements import insert_into, site_id, site_ids, upsert

_TABLE = index_pages.c


def put(connection: Connection, pages: Sequence[WatchedPage], now: datetime) -> None:
    """Add index pages; those that are there keep their schedule and take on kind and weight."""
    if not pages:
        return
    ids = site_ids(connection, (page.site for page in pages))
    rows = [
        {"site_id": ids[page.site], "url": page.url, "kind": page.kind, "weight": page.weight} | _schedule(page, now)
        for page in sorted(pages, key=lambda page: (page.site, page.url))
    ]
    upsert(connection, index_pages, ("site_id", "url"), rows, ("kind", "weight"))


def of_site(connection: Connection, site: str) -> list[WatchedPage]:
    """Return all index pages of a site."""
    query = _select().where(_TABLE.site_id == site_id(connection, site)).order_by(_TABLE.id)
    return [_page(row) for row in connection.execute(query)]


def remove(connection: Connection, site: str, urls: Iterable[str]) -> None:
    """Watch these pages no longer."""
    own = site_id(connection, site)
    connection.execute(index_pages.delete().where(_TABLE.site_id == own, _TABLE.url.in_(list(urls))))


def due(connection: Connection, now: datetime, limit: int) -> list[WatchedPage]:
    """Return pages that are due and that nobody works on, the longest due first."""
    query = _select().where(_is_free_and_due(now)).order_by(_TABLE.next_due, _TABLE.id).limit(limit)
    return [_page(row) for row in connection.execute(query)]


def next_due(connection: Connection) -> datetime | None:
    """Return when the next page is due that nobody works on, or a lease of one that is due runs out."""
    leased = _TABLE.lease_until > _TABLE.next_due
    free = case((leased, _TABLE.lease_until), else_=_TABLE.next_due)
    earliest: datetime | None = connection.execute(select(func.min(free, type_=Moment))).scalar_one()
    return earliest


def lease(connection: Connection, owner: str, now: datetime, until: datetime, limit: int) -> list[WatchedPage]:
    """Take pages that are due until a moment; those that another takes in this instant are skipped."""
    query = (
        select(_TABLE.id)
        .where(_is_free_and_due(now))
        .order_by(_TABLE.next_due, _TABLE.id)
        .limit(limit)
        .with_for_update(skip_locked=True)
    )
    taken = list(connection.execute(query).scalars())
    if not taken:
        return []
    connection.execute(
        update(index_pages).where(_TABLE.id.in_(taken)).values(lease_owner=owner, lease_until=until),
    )
    rows = connection.execute(_select().where(_TABLE.id.in_(taken)).order_by(_TABLE.next_due, _TABLE.id))
    return [_page(row) for row in rows]


def renew(connection: Connection, owner: str, until: datetime) -> list[WatchedPage]:
    """Hold all leases of an owner for longer; return the pages that are still theirs."""
    connection.execute(update(index_pages).where(_TABLE.lease_owner == owner).values(lease_until=until))
    query = _select().where(_TABLE.lease_owner == owner).order_by(_TABLE.id)
    return [_page(row) for row in connection.execute(query)]


def finish(connection: Connection, owner: str, page: WatchedPage, now: datetime) -> bool:
    """Write a page's new schedule and give it back; False where another has taken it over."""
    own = and_(_TABLE.site_id == site_id(connection, page.site), _TABLE.url == page.url, _TABLE.lease_owner == owner)
    values = _schedule(page, now) | {"lease_owner": None, "lease_until": None}
    return connection.execute(update(index_pages).where(own).values(values)).rowcount == 1


def release(connection: Connection, owner: str) -> None:
    """Give back all pages of an owner, as due as they were."""
    connection.execute(
        update(index_pages).where(_TABLE.lease_owner == owner).values(lease_owner=None, lease_until=None)
    )


def reserve_host(connection: Connection, host: str, pause: timedelta, now: datetime) -> datetime:
    """Return when the caller may ask a host, and keep it free of others for a pause from then."""
    insert = insert_into(connection, hosts)
    connection.execute(insert.values(host=host, free_at=now).on_conflict_do_nothing())
    query = select(hosts.c.free_at).where(hosts.c.host == host).with_for_update()
    slot: datetime = max(connection.execute(query).scalar_one(), now)
    connection.execute(update(hosts).where(hosts.c.host == host).values(free_at=slot + pause))
    return slot


def _is_free_and_due(now: datetime) -> ColumnElement[bool]:
    return and_(_TABLE.next_due <= now, or_(_TABLE.lease_until.is_(None), _TABLE.lease_until <= now))


def _schedule(page: WatchedPage, now: datetime) -> dict[str, Any]:
    return {
        "period_seconds": page.period_seconds,
        "last_fetched": page.last_fetched,
        "next_due": page.next_due or now,
        "etag": page.etag,
        "last_modified": page.last_modified,
        "state": dict(page.state),
    }


_NAMES = ("url", "kind", "weight", "period_seconds", "last_fetched", "next_due", "etag", "last_modified", "state")
_LEASE = ("lease_owner", "lease_until")


def _select() -> Select[Any]:
    columns = [_TABLE[name] for name in _NAMES + _LEASE]
    return select(sites.c.name.label("site"), *columns).join_from(index_pages, sites)


def _page(row: Row[Any]) -> WatchedPage:
    return WatchedPage(**row._mapping)
