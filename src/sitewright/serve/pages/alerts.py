"""`/alerts`: what somebody wants to be told of, how that goes, and a form for more; `/alerts/{number}.atom`: a feed."""

import hmac
from datetime import UTC, datetime
from urllib.parse import parse_qsl

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.responses import Response

from sitewright.actions.alerts import WantedAlert, list_alerts, make_alert, own_alert, told_lately
from sitewright.actions.notice_lines import line_of
from sitewright.errors import InputError, NotThere
from sitewright.output.feed_head import FeedHead
from sitewright.output.notice_feed import Entry, atom_of
from sitewright.serve.forms import Form, Sent
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader, Visitor
from sitewright.serve.service import Service, Serving
from sitewright.store.alerts import Alert

router = APIRouter()
_ENTRIES = 50


@router.get("/alerts")
def alerts(request: Request, service: Serving, visitor: Reader) -> HTMLResponse:
    """Show them, the newest first, and a form for one more, filled in as the address says."""
    given = {name: request.query_params.get(name, "")[:300] for name in ("kind", "query", "site", "id")}
    shown = list_alerts(service.store, visitor.name)
    mails, home = bool(service.options.mail.host), service.options.home
    return render(request, "alerts.html", shown=shown, given=given, mails=mails, home=home)


@router.post("/alerts")
def make(service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:
    """Keep what somebody wants to be told of."""
    made = make_alert(service.store, visitor.name, _wanted(form), service.options.fetch)
    service.note(visitor, "alert", made.label, kind=made.kind, way=made.way)
    return RedirectResponse(f"/alerts#a{made.number}", 303)


@router.post("/alerts/{number}")
def change(number: int, service: Serving, visitor: Reader, form: Sent) -> RedirectResponse:
    """Try once more what could not be delivered, or remove an alert."""
    alert = own_alert(service.store, visitor.name, number)
    wanted = form.get("do")
    if wanted == "remove":
        service.store.alerts.forget(number)
        service.note(visitor, "alert removed", alert.label)
    elif wanted == "again":
        service.store.alerts.try_now(number)
    else:
        raise InputError("an alert is tried again, or removed")
    return RedirectResponse("/alerts", 303)


@router.get("/alerts/{number}.atom")
def feed(number: int, service: Serving, token: str = "") -> Response:
    """Return what an alert told, to whoever knows its token."""
    found = service.store.alerts.find(number)
    if found is None or found.way != "feed" or not hmac.compare_digest(found.secret.encode(), token.encode()):
        raise NotThere(f"there is no feed {number} of this token")
    return Response(_atom(service, found), 200, {"cache-control": "private, max-age=60"}, "application/atom+xml")


def feed_address(home: str, alert: Alert) -> str:
    """Return where the feed of an alert is."""
    return f"{home}/alerts/{alert.number}.atom?token={alert.secret}"


def visible_to(service: Service, visitor: Visitor, number: int) -> Alert:
    """Return an alert that a visitor may see: their own; whoever sees to accounts, all."""
    return own_alert(service.store, None if visitor.may("admin") else visitor.name, number)


def _wanted(form: Form) -> WantedAlert:
    way, hour = form.get("way"), form.get("hour")
    return WantedAlert(
        kind=form.get("kind"),
        way=way,
        target=form.get("target") if way != "feed" else "",
        label=form.get("label"),
        query=_query(form.get("query"), form.get("site")),
        site=form.get("site"),
        id=form.get("id"),
        amount=_amount(form.get("amount")),
        hour=int(hour) if hour.isdecimal() else None,
    )


def _query(text: str, site: str) -> dict[str, str]:
    """Return what is looked for: words, or the query of a search's address.

    >>> _query("old town", "a.example"), _query("topic=Old+town", "")
    ({'q': 'old town', 'site': 'a.example'}, {'topic': 'Old town'})
    """
    query = dict(parse_qsl(text)) if "=" in text else {"q": text}
    return {name: words for name, words in (query | {"site": site} if site else query).items() if words}


def _amount(text: str) -> float | None:
    try:
        return float(text.replace(",", ".").replace(" ", "")) if text else None
    except ValueError as error:
        raise InputError(f"{text} is not an amount") from error


def _atom(service: Service, alert: Alert) -> bytes:
    home = service.options.home
    told = told_lately(service.store, alert, _ENTRIES)
    head = FeedHead(
        title=f"Sitewright: {alert.label}",
        url=f"{home}/alerts#a{alert.number}",
        updated=max([alert.made_at, datetime(2000, 1, 1, tzinfo=UTC)]),
        feed_url=feed_address(home, alert),
    )
    return atom_of(head, [Entry(one.name, one.at, line_of(home, alert, one)) for one in told])
