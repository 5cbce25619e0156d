"""`/api/v1/incidents`: what is no longer as it was, and the decision about it."""

from typing import Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.responses import Response

from sitewright.actions.adopt import adopt
from sitewright.actions.incidents import dismiss, list_incidents
from sitewright.actions.proposals import reject
from sitewright.actions.roll_back import roll_back
from sitewright.actions.site_report import health_of
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.api.asked import Number
from sitewright.serve.pages.incidents import incident_of
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Serving
from sitewright.store.entries import Incident

router = APIRouter(prefix=PREFIX, tags=["incidents"])


class Decision(BaseModel):
    """What becomes of an incident: its repair is accepted or rejected, or taken back; or it is normal."""

    decision: Literal["accept", "reject", "dismiss", "undo"]
    proposal: int | None = None
    """The number of the repair that was looked at."""


@router.get("/incidents")
def incidents(request: Request, service: Serving, visitor: Reader, site: str = "", closed: bool = False) -> Response:
    """List incidents, the latest first."""
    del visitor
    if site:
        health_of(service.store, site)
    if not service.store.sites():
        return listed(request, [])
    found = list_incidents(service.store, [site] if site else [], closed_too=closed)
    return listed(request, [_row(one) for one in found])


@router.get("/incidents/{number}")
def incident(request: Request, number: Number, service: Serving, visitor: Reader) -> Response:
    """Return an incident with its evidence."""
    del visitor
    found = incident_of(service, number)
    evidence = {
        name: [{"at": one.at, "url": one.url, "value": one.value} for one in several]
        for name, several in (("before", found.before), ("affected", found.affected))
    }
    return answer(request, _row(found) | evidence)


@router.post("/incidents/{number}")
def decide(request: Request, number: Number, service: Serving, visitor: Editor, wanted: Decision) -> Response:
    """Decide about an incident."""
    found = incident_of(service, number)
    if wanted.decision == "accept":
        adopt(service.store, found.site, wanted.proposal)
    elif wanted.decision == "reject":
        reject(service.store, found.site)
    elif wanted.decision == "undo":
        roll_back(service.store, found.site)
    else:
        dismiss(service.store, [number])
    service.note(visitor, f"incident {wanted.decision}", found.site, number=number)
    return answer(request, _row(incident_of(service, number)))


def _row(one: Incident) -> dict[str, Any]:
    return {
        "number": one.number,
        "site": one.site,
        "template": one.template,
        "field": one.field,
        "kind": one.kind,
        "state": one.state,
        "since": one.since,
        "closed_at": one.closed_at,
        "pages": one.pages,
        "diagnosis": one.diagnosis,
        "answer": one.answer,
    }
