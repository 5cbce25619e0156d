"""`/explain/{site}/{id}`: where each value of a story is from, beside the page with its fields outlined."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from sitewright.actions.explain import explain
from sitewright.actions.show_page import record_of
from sitewright.domains import load_domain
from sitewright.serve.colours import colours_of
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.store.catalogue.card import card_of

router = APIRouter()


@router.get("/explain/{site}/{record}")
def explained(request: Request, site: str, record: str, service: Serving, visitor: Reader) -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show rule, place and certainty of every value, and whether the same is read today."""
    library, options = service.library, service.options
    stored = record_of(service.store, site, record)
    told = explain(service.store, library.folder, record, site=site, limits=options.limits)
    domain = load_domain(stored.record.domain)
    specs = [(name, domain.spec_of(name)) for name in stored.record.fields]
    colours = colours_of((name, spec.means, spec.kind) for name, spec in specs)
    return render(request, "explain.html", told=told, card=card_of(stored), colours=colours)
