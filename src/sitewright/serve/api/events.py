"""`/api/v1/events`: what readers did, in batches; what is sent twice counts once."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sitewright.actions.preferences import preferences_of
from sitewright.actions.read_cards import mark_cards
from sitewright.actions.reader_events import SentEvent, take_events
from sitewright.errors import NotAllowed
from sitewright.serve.api.answers import PREFIX, answer
from sitewright.serve.security.visitor import Reader, Visitor
from sitewright.serve.service import Serving
from sitewright.store.clicks import EventKind

router = APIRouter(prefix=PREFIX, tags=["events"])
_LOGGED: dict[str, EventKind] = {"shown": "shown", "clicked": "clicked", "viewed": "viewed"}
"""What goes into the log of clicks; the rest are marks."""
_Count = Annotated[int, Field(ge=0, le=100_000)]


class Event(BaseModel):
    """Something that a reader did with a record; `id` is the sender's, and the same when it is sent again."""

    id: str = Field(min_length=1, max_length=64)
    what: Literal["read", "star", "shown", "clicked", "viewed"]
    number: Annotated[int, Field(ge=0, lt=2**53)]
    at: datetime | None = Field(None, description="When it happened, by the sender's clock; without it: just now.")
    reader: str | None = Field(
        None, min_length=1, max_length=200, description="A reader of a program, for the role editor; else the sender."
    )
    shown_in: str = Field("", max_length=40, description="In which list the record stood.")
    place: _Count | None = Field(None, description="Where in the list, from 1 on.")
    viewed: _Count | None = Field(None, description="How many pictures of the set were viewed.")
    total: _Count | None = Field(None, description="Of how many.")


class Batch(BaseModel):
    """Events in the order in which they happened."""

    events: list[Event] = Field(max_length=1000)
    sent: datetime | None = Field(
        None, description="The sender's clock when it sends: what it is wrong by, `at` is corrected by."
    )


@router.post("/events")
def events(request: Request, service: Serving, visitor: Reader, batch: Batch) -> Response:
    """Take events in, each once, however often it is sent.

    `taken` is how many different ones came, `left_out` how many of these are not kept, by the reason. Of readers who
    do not want it, nothing is kept.
    """
    _refuse_others(visitor, batch)
    unique = {(one.id, one.reader): one for one in batch.events}.values()
    for what in ("read", "star"):
        numbers = [one.number for one in unique if one.what == what]
        if numbers:
            read, starred = (True, None) if what == "read" else (None, True)
            mark_cards(service.store, visitor.name, numbers, read=read, starred=starred)
    logged = [_sent(one) for one in unique if one.what in _LOGGED]
    if not preferences_of(service.store, visitor.name).clicks:
        logged = [one for one in logged if one.reader is not None]
    counts = take_events(service.store, visitor.name, logged, batch.sent) if logged else {}
    left_out = {why: count for why, count in counts.items() if why != "taken"}
    return answer(request, {"taken": len(unique)} | ({"left_out": left_out} if left_out else {}))


def _refuse_others(visitor: Visitor, batch: Batch) -> None:
    if any(one.reader is not None for one in batch.events) and not visitor.may("editor"):
        raise NotAllowed("events of other readers need the role editor; leave out `reader` for what you did yourself")


def _sent(one: Event) -> SentEvent:
    return SentEvent(
        event=one.id,
        what=_LOGGED[one.what],
        record=one.number,
        at=one.at,
        reader=one.reader,
        shown_in=one.shown_in,
        place=one.place,
        viewed=one.viewed,
        total=one.total,
    )
