"""`/incidents`: what is no longer as it was; `/incident/{number}`: the evidence, the repair, and the decision."""

from collections import Counter

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from sitewright.actions.adopt import adopt
from sitewright.actions.incidents import dismiss, list_incidents
from sitewright.actions.proposals import doubt, find_offer, reject
from sitewright.actions.roll_back import roll_back
from sitewright.errors import InputError, NotThere
from sitewright.notice.words import wrong
from sitewright.serve.charts import line
from sitewright.serve.forms import Sent
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Service, Serving
from sitewright.store.entries import Incident

router = APIRouter()


@router.get("/incidents")
def incidents(request: Request, service: Serving, visitor: Reader, site: str = "", show: str = "") -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """List them, and repairs that wait."""
    every = list_incidents(service.store, closed_too=show == "closed")
    shown = [one for one in every if (not site or one.site == site) and (show != "closed" or not one.is_open)]
    waiting = [one for one in service.store.proposals() if not site or one.site == site]
    counts = Counter(one.site for one in every).most_common()
    return render(
        request, "incidents.html", shown=shown, waiting=waiting, counts=counts, site=site, show=show, wrong=wrong
    )


@router.get("/incident/{number}")
def incident(request: Request, number: int, service: Serving, visitor: Reader) -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show the evidence, and what a repair would change."""
    found = incident_of(service, number)
    offer = find_offer(service.store, found.site) if found.is_open else None
    drawn = line([share for _, share in found.fill], height=60, width=480)
    return render(request, "incident.html", one=found, offer=offer, wrong=wrong(found.kind), doubt=doubt, drawn=drawn)


@router.post("/incident/{number}")
def decide(number: int, service: Serving, visitor: Editor, form: Sent) -> RedirectResponse:
    """Accept or reject the repair, or say that all is normal."""
    found, wanted = incident_of(service, number), form.get("do")
    if wanted == "accept":
        proposal = form.get("proposal")
        adopted = adopt(service.store, found.site, int(proposal) if proposal.isdecimal() else None)
        service.note(visitor, "repair accepted", found.site, version=adopted.stored.version)
    elif wanted == "reject":
        reject(service.store, found.site)
        service.note(visitor, "repair rejected", found.site)
    elif wanted == "dismiss":
        dismiss(service.store, [number])
        service.note(visitor, "incident dismissed", found.site, number=number)
    elif wanted == "undo":
        roll_back(service.store, found.site)
        service.note(visitor, "repair taken back", found.site)
    else:
        raise InputError("a repair is accepted or rejected, an incident dismissed")
    return RedirectResponse(f"/incident/{number}?done={wanted}", 303)


def incident_of(service: Service, number: int) -> Incident:
    """Return an incident; one that is not there is told."""
    found = service.store.find_incident(number)
    if found is None:
        raise NotThere(f"there is no incident {number}")
    return found
