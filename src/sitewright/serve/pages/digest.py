"""`/digest`: what the last 24 hours brought; `/digest/{day}`: what a day did."""

from datetime import UTC, date, datetime, timedelta

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from sitewright.actions.digest import Span, day_span, digest_of, last_day, reason_of
from sitewright.errors import InputError
from sitewright.notice.words import told
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader, Visitor
from sitewright.serve.service import Service, Serving

router = APIRouter()


@router.get("/digest")
def lately(request: Request, service: Serving, visitor: Reader, until: str = "") -> HTMLResponse:
    """Show the 24 hours up to now, or up to the moment that a mail was about."""
    return _shown(request, service, visitor, last_day(_moment(until) if until else datetime.now(UTC)))


@router.get("/digest/{day}")
def of_day(request: Request, day: str, service: Serving, visitor: Reader) -> HTMLResponse:
    """Show a day, in UTC."""
    return _shown(request, service, visitor, day_span(read_day(day)))


def read_day(text: str) -> date:
    """Read a day as addresses have it."""
    try:
        found = date.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{text} is not a day; write it like 2026-11-19") from error
    if not date(1990, 1, 1) <= found <= date(9000, 1, 1):
        raise InputError(f"nothing was collected on {text}")
    return found


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{text} is not a moment; write it like 2026-11-19T07:00:00+00:00") from error
    read_day(f"{found:%Y-%m-%d}")
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def _shown(request: Request, service: Service, visitor: Visitor, span: Span) -> HTMLResponse:
    day = span.since.date()
    return render(
        request,
        "digest.html",
        digest=digest_of(service.library, span, visitor.name),
        told=told,
        reason=reason_of,
        before=day - timedelta(days=1),
        after=day + timedelta(days=1) if day < datetime.now(UTC).date() else None,
    )
