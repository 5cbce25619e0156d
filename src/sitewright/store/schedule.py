"""What there is to do for a site in the database: index pages to look at, and the links that a look brought."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any

from sqlalchemy import Connection, Select, select, update

from sitewright.store import frontier, leases, sites
from sitewright.store.entries import FoundLink, WatchedPage
from sitewright.store.schema import index_pages
from sitewright.store.schema import pages as page_rows
from sitewright.store.schema import sites as site_rows
from sitewright.store.statements import site_id, site_ids, upsert
from sitewright.store.states import SiteState, SourceState

_TABLE = index_pages.c
_NAMES = ("url", "kind", "weight", "period_seconds", "last_fetched", "next_due", "etag", "last_modified", "state")


def put(connection: Connection, pages: Sequence[WatchedPage], now: datetime) -> None:
    """Add index pages; those that are there keep their schedule and take on kind and weight."""
    ids = site_ids(connection, (page.site for page in pages), lock=True)
    for name, number in ids.items():
        there = {page.url for page in of_site(connection, name)}
        dues = [page.next_due or now for page in pages if page.site == name and page.url not in there]
        if dues:
            leases.make_due(connection, number, min(dues))
    rows = [
        {"site_id": ids[page.site], "url": page.url, "kind": page.kind, "weight": page.weight} | _schedule(page, now)
        for page in pages
    ]
    upsert(connection, index_pages, ("site_id", "url"), rows, ("kind", "weight"))


def of_site(connection: Connection, site: str) -> list[WatchedPage]:
    """Return all index pages of a site."""
    return _pages(connection, _select(connection, site).order_by(_TABLE.id))


def due(connection: Connection, site: str, now: datetime, limit: int) -> list[WatchedPage]:
    """Return the index pages of a site that are due, the longest due first."""
    query = _select(connection, site).where(_TABLE.next_due <= now).order_by(_TABLE.next_due, _TABLE.id)
    return _pages(connection, query.limit(limit))


def hasten(connection: Connection, site: int, now: datetime) -> None:
    """Make all index pages of a site due that are not yet."""
    later = (_TABLE.site_id == site, _TABLE.next_due > now)
    connection.execute(update(index_pages).where(*later).values(next_due=now))


def remove(connection: Connection, site: str, urls: Iterable[str]) -> None:
    """Watch these pages no longer."""
    own = site_id(connection, site)
    connection.execute(index_pages.delete().where(_TABLE.site_id == own, _TABLE.url.in_(list(urls))))


def finish_look(
    connection: Connection,
    owner: str,
    page: WatchedPage,
    links: Sequence[FoundLink],
    state: SiteState | None,
    now: datetime,
) -> list[str] | None:
    """Write what a look at a page brought; None, and nothing written, where its site is no longer the owner's."""
    number = leases.held_site(connection, owner, page.site)
    if number is None:
        return None
    own = (_TABLE.site_id == number, _TABLE.url == page.url)
    connection.execute(update(index_pages).where(*own).values(_schedule(page, now)))
    new = frontier.add(connection, number, links, now, page.url)
    # The owner has it in hand, but may be killed: then others must find it.
    leases.make_due(connection, number, min([page.next_due or now, *(link.due or now for link in new)]))
    if state is not None:
        sites.save_state(connection, number, state)
    return [link.url for link in new]


def add_links(connection: Connection, site: str, links: Sequence[FoundLink], now: datetime) -> list[str]:
    """Have links wait that no index page listed; return those that were new."""
    number = site_id(connection, site, lock=True)
    new = frontier.add(connection, number, links, now)
    if new:
        leases.make_due(connection, number, min(link.due or now for link in new))
    return [link.url for link in new]


def recollect(connection: Connection, site: str, span: tuple[datetime, datetime], now: datetime) -> int:
    """Have the links of pages wait that were fetched in a span of time; return how many."""
    number = site_id(connection, site, lock=True)
    stored = page_rows.c
    own = (stored.site_id == number, stored.fetched_at.between(*span), stored.status < HTTPStatus.BAD_REQUEST)
    urls = connection.execute(select(stored.url).where(*own).distinct()).scalars().all()
    waiting = frontier.unsettle(connection, number, urls, now)
    if waiting:
        leases.make_due(connection, number, now)
    return waiting


def _schedule(page: WatchedPage, now: datetime) -> dict[str, Any]:
    return {
        "period_seconds": page.period_seconds,
        "last_fetched": page.last_fetched,
        "next_due": page.next_due or now,
        "etag": page.etag,
        "last_modified": page.last_modified,
        "state": page.state.to_row(),
    }


def _select(connection: Connection, site: str) -> Select[Any]:
    columns = [_TABLE[name] for name in _NAMES]
    wanted = select(site_rows.c.name.label("site"), *columns).join_from(index_pages, site_rows)
    return wanted.where(_TABLE.site_id == site_id(connection, site))


def _pages(connection: Connection, query: Select[Any]) -> list[WatchedPage]:
    rows = connection.execute(query).mappings()
    return [WatchedPage(**{**row, "state": SourceState.from_row(row["state"])}) for row in rows]
