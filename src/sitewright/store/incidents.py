"""Baselines and incidents in the database."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Connection, Row, Select, Text, insert, select, type_coerce, update

from sitewright.errors import StoreError
from sitewright.store.entries import Incident, IncidentState, Sighting
from sitewright.store.schema import baselines, incidents, sites
from sitewright.store.statements import plain, site_id, upsert
from sitewright.values.moments import moment_of


def load_baselines(connection: Connection, site: str) -> dict[str, Any]:
    """Return the states of a site's baselines by template; None in the place of one that cannot be read."""
    query = select(baselines.c.template, type_coerce(baselines.c.state, Text).label("state"))
    rows = connection.execute(query.where(baselines.c.site_id == site_id(connection, site)))
    return {row.template: _json(row.state) for row in rows}


def save_baselines(connection: Connection, site: str, states: Mapping[str, Any], now: datetime) -> None:
    """Write the states of baselines over those of the same templates."""
    number = site_id(connection, site)
    rows = [
        {"site_id": number, "template": template, "updated_at": now, "state": state}
        for template, state in states.items()
    ]
    upsert(connection, baselines, ("site_id", "template"), rows)


def put(connection: Connection, incident: Incident) -> Incident:
    """Add an incident, or write it over itself; return it with its number."""
    row = _row(site_id(connection, incident.site), incident)
    if incident.number is None:
        added = connection.execute(insert(incidents).values(row).returning(incidents.c.number)).scalar_one()
        return replace(incident, number=int(added))
    written = connection.execute(update(incidents).where(incidents.c.number == incident.number).values(row))
    if not written.rowcount:
        raise StoreError(f"there is no incident {incident.number} in the store")
    return incident


def of_site(connection: Connection, site: str | None, *, open_only: bool) -> list[Incident]:
    """Return incidents, the latest first."""
    query = _select().order_by(incidents.c.opened_at.desc(), incidents.c.number.desc())
    if site is not None:
        query = query.where(incidents.c.site_id == site_id(connection, site))
    if open_only:
        query = query.where(incidents.c.closed_at.is_(None))
    return [_incident(row) for row in connection.execute(query)]


def find(connection: Connection, number: int) -> Incident | None:
    """Return the incident of a number."""
    row = connection.execute(_select().where(incidents.c.number == number)).first()
    return _incident(row) if row is not None else None


def opened_since(connection: Connection, moment: datetime, limit: int) -> list[Incident]:
    """Return what was noticed since a moment, closed or not, the first first."""
    query = _select().where(incidents.c.opened_at >= moment).order_by(incidents.c.number).limit(limit)
    return [_incident(row) for row in connection.execute(query)]


def close(connection: Connection, number: int, state: IncidentState, now: datetime) -> bool:
    """Close an incident; False where there is none of the number that is open."""
    is_open = (incidents.c.number == number) & incidents.c.closed_at.is_(None)
    return bool(connection.execute(update(incidents).where(is_open).values(state=state, closed_at=now)).rowcount)


def _select() -> Select[Any]:
    own = [column for column in incidents.c if column.name != "evidence"]
    columns = (*own, type_coerce(incidents.c.evidence, Text).label("evidence"), sites.c.name.label("site"))
    return select(*columns).join_from(incidents, sites, incidents.c.site_id == sites.c.id)


def _json(state: object) -> Any:
    """Read what a database kept as text; None where it is not JSON (a damaged or edited file)."""
    try:
        return orjson.loads(state) if isinstance(state, str | bytes) else state
    except orjson.JSONDecodeError:
        return None


def _row(site: int, incident: Incident) -> dict[str, Any]:
    return {
        "site_id": site,
        "template": incident.template,
        "field": incident.field,
        "kind": incident.kind,
        "state": incident.state,
        "since": incident.since,
        "opened_at": incident.opened_at,
        "closed_at": incident.closed_at,
        "pages": incident.pages,
        "evidence": {
            "affected": _sighting_rows(incident.affected),
            "before": _sighting_rows(incident.before),
            "fill": [[moment.isoformat(), share] for moment, share in incident.fill],
            "also": list(incident.also),
            "diagnosis": plain(incident.diagnosis),
            "answer": incident.answer,
        },
    }


def _incident(row: Row[Any]) -> Incident:
    """Read an incident; one whose evidence is damaged has none."""
    made = Incident(
        site=row.site,
        template=row.template,
        field=row.field,
        kind=row.kind,
        state=row.state,
        since=row.since,
        opened_at=row.opened_at,
        closed_at=row.closed_at,
        number=row.number,
        pages=row.pages,
    )
    try:
        return _with_evidence(made, _json(row.evidence))
    except (AttributeError, KeyError, TypeError, ValueError):
        return replace(made, diagnosis="its evidence in the store is damaged")


def _with_evidence(made: Incident, held: Mapping[str, Any]) -> Incident:
    return replace(
        made,
        affected=_sightings(held["affected"]),
        before=_sightings(held["before"]),
        fill=tuple((moment, float(share)) for text, share in held["fill"] if (moment := moment_of(text)) is not None),
        also=tuple(held["also"]),
        diagnosis=str(held["diagnosis"]),
        answer=str(held["answer"]),
    )


def _sighting_rows(sightings: Sequence[Sighting]) -> list[list[str]]:
    return [[one.at.isoformat(), plain(one.url), plain(one.value)] for one in sightings]


def _sightings(rows: Sequence[Sequence[str]]) -> tuple[Sighting, ...]:
    return tuple(
        Sighting(moment, str(url), str(value)) for text, url, value in rows if (moment := moment_of(text)) is not None
    )
