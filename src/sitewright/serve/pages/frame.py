"""`/frame/{site}/{id}`: a stored page, rebuilt so that nothing runs or loads, its record's fields outlined."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from sitewright.actions.show_page import framed_page
from sitewright.output.frame import frame_text
from sitewright.serve.colours import colours_of
from sitewright.serve.security.headers import FRAME_POLICY
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter()


@router.get("/frame/{site}/{record}")
def frame(site: str, record: str, service: Serving, visitor: Reader) -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show the page of a record; it may be framed by our pages alone."""
    shown = framed_page(service.library, site, record)
    text = frame_text(shown.frame, colours_of(shown.fields))
    return HTMLResponse(text, headers={"content-security-policy": FRAME_POLICY})
