"""Sites and their maps in the database."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, RowMapping, Select, func, select, update

from sitewright.maps import dump_map, parse_map
from sitewright.store import proposals
from sitewright.store.entries import MadeBy, StoredMap, StoredSite
from sitewright.store.schema import maps, metadata, sites
from sitewright.store.statements import insert_into, site_id
from sitewright.store.states import SiteState

_COLUMNS = [column for column in sites.c if column.name != "id"]


def add(connection: Connection, name: str, url: str, domain: str, now: datetime) -> None:
    """Add a site; one that is there stays as it is."""
    row = {"name": name, "url": url, "domain": domain, "added_at": now}
    connection.execute(insert_into(connection, sites).values(row).on_conflict_do_nothing())


def find(connection: Connection, name: str) -> StoredSite | None:
    """Return a site; None where there is none of the name."""
    found = connection.execute(select(*_COLUMNS).where(sites.c.name == name)).mappings()
    return next(map(_site, found), None)


def every(connection: Connection) -> list[StoredSite]:
    """Return all sites, by name."""
    return [_site(row) for row in connection.execute(select(*_COLUMNS).order_by(sites.c.name)).mappings()]


def among(connection: Connection, numbers: Collection[int]) -> list[StoredSite]:
    """Return the sites of these numbers, the longest due first."""
    query = select(*_COLUMNS).where(sites.c.id.in_(numbers)).order_by(sites.c.next_due, sites.c.id)
    return [_site(row) for row in connection.execute(query).mappings()]


def _site(row: RowMapping) -> StoredSite:
    return StoredSite(**{**row, "state": SiteState.from_row(row["state"])})


def save_state(connection: Connection, number: int, state: SiteState) -> None:
    """Write what the collector of a site remembers."""
    connection.execute(update(sites).where(sites.c.id == number).values(state=state.to_row()))


def pause(connection: Connection, name: str, at: datetime | None) -> None:
    """Have a site left alone since a moment; None: it is collected again."""
    connection.execute(update(sites).where(sites.c.id == site_id(connection, name)).values(paused_at=at))


def forget(connection: Connection, name: str) -> None:
    """Remove a site and every row that belongs to it."""
    number = site_id(connection, name, lock=True)
    for table in reversed(metadata.sorted_tables):
        if "site_id" in table.c:
            connection.execute(table.delete().where(table.c.site_id == number))
    connection.execute(sites.delete().where(sites.c.id == number))


def save_map(connection: Connection, text: str, made_by: MadeBy, now: datetime) -> int:
    """Keep the text of a map as the newest version of its site's; return that version.

    Repairs that wait were made for the version before.
    """
    extraction_map = parse_map(text)
    site = site_id(connection, extraction_map.site, lock=True)
    last = connection.execute(select(func.max(maps.c.version)).where(maps.c.site_id == site)).scalar() or 0
    version = max(extraction_map.version, last + 1)
    if version != extraction_map.version:
        text = dump_map(replace(extraction_map, version=version), like=text)
    row = {"site_id": site, "version": version, "made_by": made_by, "made_at": now, "text": text}
    connection.execute(maps.insert().values(row))
    proposals.outdate(connection, site, now)
    return version


def load_map(connection: Connection, site: str, version: int | None) -> StoredMap | None:
    """Return a site's newest map, or the version asked for; None where there is none."""
    query = _maps_of(site).order_by(maps.c.version.desc()).limit(1)
    found = connection.execute(query if version is None else query.where(maps.c.version == version)).mappings()
    return next((StoredMap(**row) for row in found), None)


def map_versions(connection: Connection, site: str) -> list[StoredMap]:
    """Return all versions of a site's map, the first one first."""
    rows = connection.execute(_maps_of(site).order_by(maps.c.version)).mappings()
    return [StoredMap(**row) for row in rows]


def _maps_of(site: str) -> "Select[tuple[str, int, str, datetime, str]]":
    columns = (sites.c.name.label("site"), maps.c.version, maps.c.made_by, maps.c.made_at, maps.c.text)
    return select(*columns).join_from(maps, sites).where(sites.c.name == site)
