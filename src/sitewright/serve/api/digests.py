"""`/api/v1/digest`: what the last 24 hours brought, or a day."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from sitewright.actions.digest import day_span, digest_of, digest_row, last_day
from sitewright.serve.api.answers import PREFIX, answer
from sitewright.serve.pages.digest import read_day
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter(prefix=PREFIX, tags=["digest"])
_Day = Annotated[str, Query(max_length=10, description="A day in UTC: 2026-11-19; without it the last 24 hours.")]


@router.get("/digest")
def digest(request: Request, service: Serving, visitor: Reader, day: _Day = "") -> Response:
    """Return new records by site, the stories worth reading first with reasons, incidents, price changes."""
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    span = day_span(read_day(day)) if day else last_day(now)
    return answer(request, digest_row(digest_of(service.library, span, visitor.name)))
