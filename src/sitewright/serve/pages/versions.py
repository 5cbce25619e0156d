"""`/site/{name}/versions`: all versions of a map, what changed with each and why, and the way back."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from sitewright.actions.maps import list_versions, readable, stored_map
from sitewright.actions.roll_back import roll_back
from sitewright.errors import InputError
from sitewright.maps.changes import real_changes
from sitewright.maps.file import heading_of
from sitewright.serve.forms import Sent
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Serving

router = APIRouter()


@router.get("/site/{name}/versions")
def versions(request: Request, name: str, service: Serving, visitor: Reader, shown: int | None = None) -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show the versions, the newest first, and what changed with one of them."""
    known = list_versions(service.store, name)
    wanted = shown if shown is not None else known[-1].stored.version
    after = readable(stored_map(service.store, name, wanted))
    earlier = [one.stored for one in known if one.stored.version < wanted]
    before = readable(earlier[-1]) if earlier else None
    return render(
        request,
        "versions.html",
        site=name,
        versions=[(one, heading_of(one.stored.text)[:1]) for one in reversed(known)],
        shown=wanted,
        changes=real_changes(before, after) if before is not None and after is not None else None,
    )


@router.post("/site/{name}/versions")
def go_back(name: str, service: Serving, visitor: Editor, form: Sent) -> RedirectResponse:
    """Make an earlier version the newest."""
    if not form.get("version").isdecimal():
        raise InputError("which version is to come back?")
    roll_back(service.store, name, int(form.get("version")))
    service.note(visitor, "rollback", name, version=form.get("version"))
    return RedirectResponse(f"/site/{name}/versions", 303)
