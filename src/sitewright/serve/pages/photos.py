"""`/photos`: stories that are sets of pictures."""

from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from sitewright.actions.read_cards import show_cards
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import read_place, wanted_by, written_place

router = APIRouter()
LEAST_PICTURES = 3


@router.get("/photos")
def photos(request: Request, service: Serving, visitor: Reader, after: str = "") -> HTMLResponse:
    """Show what has several pictures, the newest first."""
    wanted = wanted_by(request)
    view = wanted.view()
    view = replace(view, query=replace(view.query, with_pictures=LEAST_PICTURES))
    shown = show_cards(service.library, visitor.name, view, after=read_place(after))
    more = wanted.address("/photos", after=written_place(shown.next)) if shown.next is not None else ""
    return render(request, "photos.html", shown=shown.cards, more=more)
