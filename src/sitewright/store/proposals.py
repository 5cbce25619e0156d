"""Repaired maps that wait for a person, in the database."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import orjson
from sqlalchemy import Connection, Row, Select, Text, insert, select, type_coerce, update

from sitewright.store.entries import ProposalState, ProposedField, ShownValue, StoredProposal
from sitewright.store.schema import proposals, sites
from sitewright.store.statements import plain, site_id
from sitewright.values.moments import moment_of


def put(connection: Connection, proposal: StoredProposal) -> StoredProposal:
    """Add a proposal, which takes the place of one that waits; return it with its number."""
    number = site_id(connection, proposal.site, lock=True)
    outdate(connection, number, proposal.made_at)
    row = {
        "site_id": number,
        "based_on": proposal.based_on,
        "state": proposal.state,
        "made_at": proposal.made_at,
        "decided_at": proposal.decided_at,
        "text": proposal.text,
        "report": {
            "fields": [_field_row(one) for one in proposal.fields],
            "reason": plain(proposal.reason),
            "since": proposal.since.isoformat() if proposal.since is not None else None,
            "warnings": [plain(warning) for warning in proposal.warnings],
        },
    }
    added = connection.execute(insert(proposals).values(row).returning(proposals.c.number)).scalar_one()
    return replace(proposal, number=int(added))


def outdate(connection: Connection, site: int, now: datetime) -> None:
    """Have proposals of a site wait no longer: the map they were made for is another one now."""
    waiting = (proposals.c.site_id == site) & (proposals.c.state == "waiting")
    connection.execute(update(proposals).where(waiting).values(state="outdated", decided_at=now))


def of_site(connection: Connection, site: str | None, *, waiting_only: bool) -> list[StoredProposal]:
    """Return proposals of a site (None: of all), the latest first."""
    own = [column for column in proposals.c if column.name != "report"]
    report = type_coerce(proposals.c.report, Text).label("report")
    query: Select[Any] = select(*own, report, sites.c.name.label("site")).join_from(proposals, sites)
    query = query.order_by(proposals.c.number.desc())
    if site is not None:
        query = query.where(proposals.c.site_id == site_id(connection, site))
    if waiting_only:
        query = query.where(proposals.c.state == "waiting")
    return [_proposal(row) for row in connection.execute(query)]


def decide(connection: Connection, number: int, state: ProposalState, now: datetime) -> bool:
    """Accept or reject a proposal; False where none of the number waits."""
    waiting = (proposals.c.number == number) & (proposals.c.state == "waiting")
    return bool(connection.execute(update(proposals).where(waiting).values(state=state, decided_at=now)).rowcount)


def _field_row(one: ProposedField) -> dict[str, Any]:
    shown = [[plain(value.url), plain(value.before), plain(value.after), value.remembered] for value in one.shown]
    return asdict(one) | {"shown": shown}


def _proposal(row: Row[Any]) -> StoredProposal:
    """Read a proposal; one whose report is damaged says only what changes."""
    made = StoredProposal(
        site=row.site,
        based_on=row.based_on,
        text=row.text,
        made_at=row.made_at,
        state=row.state,
        decided_at=row.decided_at,
        number=row.number,
    )
    try:
        report: Mapping[str, Any] = orjson.loads(row.report) if isinstance(row.report, str | bytes) else row.report
        return replace(
            made,
            fields=_fields(report["fields"]),
            reason=str(report["reason"]),
            since=moment_of(report["since"]),
            warnings=tuple(map(str, report["warnings"])),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return replace(made, warnings=("its report in the store is damaged",))


def _fields(rows: Iterable[Mapping[str, Any]]) -> tuple[ProposedField, ...]:
    return tuple(ProposedField(**{**row, "shown": tuple(ShownValue(*value) for value in row["shown"])}) for row in rows)
