"""`/story/{site}/{id}`: one story to read."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from sitewright.actions.read_story import read_story
from sitewright.serve.article import article_markup
from sitewright.serve.pictures import signed_address
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter()
GALLERY = 3
"""From so many pictures on they are shown one behind the other; fewer stand in the text where their page has them."""


@router.get("/story/{site}/{record}")
def story(request: Request, site: str, record: str, service: Serving, visitor: Reader) -> HTMLResponse:
    """Show a story."""
    shown = read_story(service.library, site, record, visitor.name)
    own = article_markup(shown.text, signed_address(request))
    is_gallery = len(shown.photos) >= GALLERY or bool(shown.photos and "<img" not in own)
    body = article_markup(shown.text, lambda _: "") if is_gallery else own
    return render(
        request,
        "story.html",
        story=shown,
        body=body,
        is_gallery=is_gallery,
        back=request.query_params.get("from", "/"),
    )
