"""`/picture`: a picture of a page, fetched by this machine, so that no site hears of its readers."""

import hmac

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from sitewright.errors import SitewrightError
from sitewright.serve.pictures import signature
from sitewright.serve.security.headers import PICTURE_POLICY
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter()
_KEEP = {"content-security-policy": PICTURE_POLICY, "cache-control": "private, max-age=604800, immutable"}
_FAIL = {"content-security-policy": PICTURE_POLICY, "cache-control": "private, max-age=300"}


@router.get("/picture")
async def picture(request: Request, service: Serving, visitor: Reader) -> Response:  # noqa: ARG001 -- somebody who was let in
    """Show a picture whose address we wrote ourselves; of no other anything is fetched."""
    url, by = request.query_params.get("of", ""), request.query_params.get("by", "")
    if not hmac.compare_digest(signature(service.secret, url).encode(), by.encode()):
        return PlainTextResponse("not an address of ours\n", 403)
    try:
        found = await service.pictures.picture(url)
    except SitewrightError as error:
        return PlainTextResponse(f"{error.code}\n", 404, _FAIL)
    return Response(found.body, 200, _KEEP, found.media_type)
