"""`/api/v1/queue`, `/sites/{name}/failures`: what is worked on, what comes next, what could not be read and why."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from sitewright.actions.site_report import health_of
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.api.asked import Limit
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter(prefix=PREFIX, tags=["sites"])


@router.get("/queue")
def queue(request: Request, service: Serving, visitor: Reader, limit: Limit = 200) -> Response:
    """Return who works on what, and which sites are due next."""
    del visitor
    now, summaries = datetime.now(UTC), service.store.site_summaries()
    due = [one for one in summaries if one.site.next_due is not None and one.site.paused_at is None]
    due.sort(key=lambda one: one.site.next_due or now)
    busy = [{"site": one.name, "by": one.lease_owner, "until": one.lease_until} for one in service.store.leased_sites()]
    rows = [
        {"site": one.site.name, "due": one.site.next_due, "waiting_links": one.waiting, "failures": one.failures}
        for one in due[:limit]
    ]
    return answer(request, {"busy": busy, "items": rows, "next": None})


@router.get("/sites/{name}/failures")
def failures(
    request: Request,
    name: str,
    service: Serving,
    visitor: Reader,
    code: Annotated[str, Query(max_length=40, description="Only those of this code.")] = "",
    limit: Limit = 100,
) -> Response:
    """List what has no record and why, the latest first."""
    del visitor
    health_of(service.store, name)
    found = [one for one in service.store.failures(name) if not code or one.failure.code == code]
    rows = [
        {
            "url": one.failure.url,
            "stage": one.failure.stage,
            "code": one.failure.code,
            "detail": one.failure.detail,
            "first_at": one.first_at,
            "at": one.at,
            "times": one.times,
        }
        for one in found[:limit]
    ]
    return listed(request, rows)
