"""`/queue`: what is due next, what is being done, what fails."""

from datetime import UTC, datetime, timedelta

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter()
_SHOWN = 200
_LATE = timedelta(minutes=10)


@router.get("/queue")
def queue(request: Request, service: Serving, visitor: Reader) -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show who works on what, and what comes next."""
    now = datetime.now(UTC)
    summaries = {one.site.name: one for one in service.store.site_summaries()}
    busy = [one for one in service.store.leased_sites() if one.lease_until is not None and one.lease_until > now]
    due = sorted(
        (one.site for one in summaries.values() if one.site.next_due is not None and one.site.paused_at is None),
        key=lambda site: site.next_due or now,
    )
    late = next(
        (site for site in due if site.next_due is not None and (now - site.next_due).total_seconds() > 600), None
    )
    return render(
        request, "queue.html", busy=busy, due=due[:_SHOWN], summaries=summaries, late=late if not busy else None
    )
