"""`/api/v1/alerts`: what somebody wants to be told of, by mail, to a webhook or as a feed; and how that went."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sitewright.actions.alerts import ShownAlert, WantedAlert, list_alerts, make_alert, shown_alert, told_lately
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.api.asked import Number
from sitewright.serve.pages.alerts import feed_address, visible_to
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Service, Serving
from sitewright.store.alerts import Notice
from sitewright.values.as_json import json_of

router = APIRouter(prefix=PREFIX, tags=["alerts"])
_Text = Annotated[str, Field(max_length=300)]


class SearchedFor(BaseModel):
    """Which new records are told of, as addresses of searches have it; nothing: all."""

    q: _Text = ""
    site: _Text = ""
    topic: _Text = ""
    lang: _Text = ""


class NewAlert(BaseModel):
    """What somebody wants to be told of."""

    kind: Literal["search", "cheaper", "available", "incident", "digest"]
    way: Literal["mail", "webhook", "feed"]
    target: str = Field("", max_length=2000, description="An address of mail, or of a webhook.")
    label: str = Field("", max_length=120)
    query: SearchedFor = Field(default_factory=SearchedFor, description="Of the kind search.")
    site: _Text = Field("", description="Of an item; or whose incidents, of all sites without it.")
    id: str = Field("", max_length=40, description="Of an item, for cheaper and available.")
    amount: Annotated[float, Field(gt=0, le=1e12)] | None = Field(None, description="Below which it is cheaper.")
    hour: Annotated[int, Field(ge=0, le=23)] | None = Field(None, description="When digests come.")


@router.get("/alerts")
def alerts(request: Request, service: Serving, visitor: Reader) -> Response:
    """List your alerts, the newest first, with how their delivery goes."""
    return listed(request, [_row(service, one) for one in list_alerts(service.store, visitor.name)])


@router.post("/alerts", status_code=201)
def make(service: Serving, visitor: Reader, new: NewAlert) -> Response:
    """Make an alert; `secret` is what its webhooks are signed by, and is shown this once.

    Webhooks get each new thing as a POST of `{"id", "type", "timestamp", "alert", "data"}`, at least once, signed as
    Standard Webhooks has it (`webhook-id`, `webhook-timestamp`, `webhook-signature`); `id` is the same when it comes
    again. What is not answered with 2xx is sent again after 1, 2, 4 and up to 360 minutes.
    """
    asked = WantedAlert(**(new.model_dump() | {"query": {k: v for k, v in new.query.model_dump().items() if v}}))
    made = make_alert(service.store, visitor.name, asked, service.options.fetch)
    service.note(visitor, "alert", made.label, kind=made.kind, way=made.way)
    shown = _row(service, shown_alert(service.store, made))
    secret = {"secret": made.secret} if made.way == "webhook" else {}
    return Response(json_of(shown | secret), 201, {"location": f"{PREFIX}/alerts/{made.number}"}, "application/json")


@router.get("/alerts/{number}")
def alert(request: Request, number: Number, service: Serving, visitor: Reader) -> Response:
    """Return an alert with what it told lately, or has to tell."""
    found = visible_to(service, visitor, number)
    told = [_told(one) for one in told_lately(service.store, found)]
    return answer(request, _row(service, shown_alert(service.store, found)) | {"notices": told})


@router.post("/alerts/{number}/retry")
def again(request: Request, number: Number, service: Serving, visitor: Reader) -> Response:
    """Try at once what could not be delivered."""
    found = visible_to(service, visitor, number)
    service.store.alerts.try_now(found.number)
    return answer(request, _row(service, shown_alert(service.store, visible_to(service, visitor, number))))


@router.delete("/alerts/{number}", status_code=204)
def remove(number: Number, service: Serving, visitor: Reader) -> Response:
    """Remove an alert, with what it still had to tell."""
    found = visible_to(service, visitor, number)
    service.store.alerts.forget(found.number)
    service.note(visitor, "alert removed", found.label)
    return Response(None, 204)


def _row(service: Service, shown: ShownAlert) -> dict[str, Any]:
    one, counts = shown.alert, shown.counts
    return {
        "number": one.number,
        "kind": one.kind,
        "way": one.way,
        "target": one.target or None,
        "label": one.label,
        "about": one.about,
        "made_at": one.made_at,
        "feed": feed_address(service.options.home, one) if one.way == "feed" else None,
        "waiting": counts.waiting,
        "told": counts.told,
        "refused": counts.refused,
        "last_told": counts.last,
        "tries": one.tries,
        "next_try": one.next_at,
        "trouble": one.trouble or None,
    }


def _told(one: Notice) -> dict[str, Any]:
    return {
        "id": one.name,
        "at": one.at,
        "state": one.state,
        "told_at": one.told_at,
        "trouble": one.trouble or None,
        "about": one.about,
    }
