"""`/api/v1/events`: what readers did, in batches; what is sent twice counts once."""

from typing import Annotated, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sitewright.actions.read_cards import mark_cards
from sitewright.serve.api.answers import PREFIX, answer
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter(prefix=PREFIX, tags=["events"])


class Event(BaseModel):
    """Something that a reader did with a record; `id` is the sender's, and the same when it is sent again."""

    id: str = Field(min_length=1, max_length=64)
    what: Literal["read", "star"]
    number: Annotated[int, Field(ge=0, lt=2**53)]


class Batch(BaseModel):
    """Events in the order in which they happened."""

    events: list[Event] = Field(max_length=1000)


@router.post("/events")
def events(request: Request, service: Serving, visitor: Reader, batch: Batch) -> Response:
    """Take events in: a mark is set once, however often it is sent."""
    unique = {one.id: one for one in batch.events}.values()
    for what in ("read", "star"):
        numbers = [one.number for one in unique if one.what == what]
        if numbers:
            read, starred = (True, None) if what == "read" else (None, True)
            mark_cards(service.store, visitor.name, numbers, read=read, starred=starred)
    return answer(request, {"taken": len(unique)})
