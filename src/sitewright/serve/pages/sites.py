"""`/sites`: how all sites are, the worst first, with the reason; and what is done to several at once."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from sitewright.actions.site_report import rank_of, reasons_of
from sitewright.actions.sites import known_sites
from sitewright.actions.status import SiteHealth, status_of
from sitewright.errors import InputError
from sitewright.serve.forms import Sent
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Serving

router = APIRouter()
STATES = ("failing", "incident", "learning", "proposal", "well", "paused")
"""What sites can be, by how pressing it is; see `rank_of`."""


@router.get("/sites")
def sites(request: Request, service: Serving, visitor: Reader, state: str = "") -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show the sites of the store."""
    healths = sorted(status_of(service.store), key=lambda one: (rank_of(one), one.summary.site.name))
    counts = {name: sum(state_of(one) == name for one in healths) for name in STATES}
    shown = [
        (one, STATES[rank_of(one)], reasons_of(one)) for one in healths if not state or STATES[rank_of(one)] == state
    ]
    return render(request, "sites.html", shown=shown, counts=counts, total=len(healths), state=state)


@router.post("/sites")
def several(service: Serving, visitor: Editor, form: Sent) -> RedirectResponse:
    """Pause or resume sites."""
    names = form.all("site")
    if not names:
        raise InputError("no site was chosen")
    for site in known_sites(service.store, names):
        if form.get("do") == "pause":
            service.store.pause_site(site.name)
        else:
            service.store.resume_site(site.name)
        service.note(visitor, form.get("do") or "resume", site.name)
    return RedirectResponse("/sites", 303)


def state_of(health: SiteHealth) -> str:
    """Return what a site is, in a word."""
    return STATES[rank_of(health)]
