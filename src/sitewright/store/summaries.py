"""Sites in the database as numbers: how much there is of each."""

from typing import Any

from sqlalchemy import Connection, Select, Table, func, select

from sitewright.store.entries import SiteSummary
from sitewright.store.schema import MomentColumn, failures, index_pages, maps, records, sites, waiting_links
from sitewright.store.sites import every


def of_sites(connection: Connection) -> list[SiteSummary]:
    """Count what there is of each site, a table at a time."""
    numbers = {row.name: row.id for row in connection.execute(select(sites.c.id, sites.c.name))}
    newest = func.max(records.c.shown_at, type_=MomentColumn)
    stored = _by_site(connection, select(records.c.site_id, func.count(), newest).group_by(records.c.site_id))
    versions = _by_site(connection, _newest_maps())
    sources, waiting, failed = (_counts(connection, table) for table in (index_pages, waiting_links, failures))
    found = []
    for site in every(connection):
        number = numbers[site.name]
        count, last_record = stored.get(number, (0, None))
        version, made_by = versions.get(number, (None, None))
        found.append(
            SiteSummary(
                site=site,
                records=count,
                last_record=last_record,
                sources=sources.get(number, (0,))[0],
                waiting=waiting.get(number, (0,))[0],
                failures=failed.get(number, (0,))[0],
                map_version=version,
                map_made_by=made_by,
            )
        )
    return found


def _newest_maps() -> Select[Any]:
    newest = select(maps.c.site_id, func.max(maps.c.version).label("version")).group_by(maps.c.site_id).subquery()
    both = (maps.c.site_id == newest.c.site_id) & (maps.c.version == newest.c.version)
    return select(maps.c.site_id, maps.c.version, maps.c.made_by).join_from(maps, newest, both)


def _counts(connection: Connection, table: Table) -> dict[int, tuple[Any, ...]]:
    return _by_site(connection, select(table.c.site_id, func.count()).group_by(table.c.site_id))


def _by_site(connection: Connection, query: Select[Any]) -> dict[int, tuple[Any, ...]]:
    """Return what a query says of each site, by its number."""
    return {number: tuple(rest) for number, *rest in connection.execute(query)}
