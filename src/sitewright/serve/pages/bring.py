"""`/sites/bring`: lists of sites and maps that somebody has already; nothing is stored before they say so."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from sitewright.actions.bring_sites import bring_in, look_over
from sitewright.errors import InputError
from sitewright.serve.forms import Sent
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Editor
from sitewright.serve.service import Serving

router = APIRouter()
_UNNAMED = "list"


@router.get("/sites/bring")
def ask(request: Request, visitor: Editor) -> HTMLResponse:  # noqa: ARG001 -- somebody who may
    """Ask for a file, or its text."""
    return render(request, "bring.html", found=None, text="", file="")


@router.post("/sites/bring")
def bring(request: Request, service: Serving, visitor: Editor, form: Sent) -> Response:
    """Tell what a file would bring, or add it."""
    text, file = form.get("text"), form.get("file") or _UNNAMED
    if not text:
        raise InputError("drop a file, or write addresses, one a line")
    if form.get("do") != "add":
        return render(request, "bring.html", found=look_over(service.store, text, file), text=text, file=file)
    for name in bring_in(service.store, text, file):
        service.note(visitor, "site added", name, file=file)
    return RedirectResponse("/sites", 303)
