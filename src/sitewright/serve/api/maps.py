"""`/api/v1/sites/{name}/maps`: versions of a site's map, as the text of their files."""

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from sitewright.actions.maps import list_versions, store_map, stored_map
from sitewright.actions.roll_back import roll_back
from sitewright.actions.site_report import health_of
from sitewright.errors import InputError, NotThere
from sitewright.maps import parse_map
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Serving

router = APIRouter(prefix=PREFIX, tags=["maps"])


@router.get("/sites/{name}/maps")
def versions(request: Request, name: str, service: Serving, visitor: Reader) -> Response:
    """List all versions, the newest first."""
    del visitor
    health = health_of(service.store, name)
    found = reversed(list_versions(service.store, name)) if health.newest_map is not None else []
    rows = [
        {"version": one.stored.version, "made_by": one.stored.made_by, "made_at": one.stored.made_at} for one in found
    ]
    return listed(request, rows)


@router.get("/sites/{name}/map", response_class=Response, responses={200: {"content": {"application/yaml": {}}}})
def newest(name: str, service: Serving, visitor: Reader, version: int | None = None) -> PlainTextResponse:
    """Return the newest map, or the version asked for, as YAML."""
    del visitor
    if health_of(service.store, name).newest_map is None:
        raise NotThere(f"{name} has no map yet")
    stored = stored_map(service.store, name, version)
    return PlainTextResponse(stored.text, 200, {"etag": f'"{stored.version}"'}, "application/yaml")


@router.put("/sites/{name}/map")
async def put(request: Request, name: str, service: Serving, visitor: Editor) -> Response:
    """Store the text of a map as the next version; with `If-Match` only where that version is still the newest."""
    text = (await request.body()).decode("utf-8", "replace")
    return _put(request, name, service, visitor, text)


def _put(request: Request, name: str, service: Serving, visitor: Editor, text: str) -> Response:
    own = health_of(service.store, name).newest_map
    expected = request.headers.get("if-match", "").strip('"')
    if expected and own is not None and expected != str(own.version):
        raise InputError(
            f"the map of {name} has version {own.version} by now, not {expected}; compare, and send it again"
        )
    if parse_map(text, "the map that was sent").site != name:
        raise InputError(f"the map that was sent is not of {name}")
    done = store_map(service.store, text, "the map that was sent")
    service.note(visitor, "map saved", name, version=done.stored.version)
    return answer(request, {"site": name, "version": done.stored.version, "new": done.is_new})


@router.post("/sites/{name}/maps/{version}/adopt")
def back(request: Request, name: str, version: int, service: Serving, visitor: Editor) -> Response:
    """Go back to an earlier version, which becomes the next one."""
    health_of(service.store, name)
    roll_back(service.store, name, version)
    service.note(visitor, "rollback", name, version=version)
    return answer(request, {"site": name, "version": stored_map(service.store, name).version})
