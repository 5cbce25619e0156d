"""`/api/v1/stories`, `/search`, `/marks`: what readers see, and what they did with it."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from pydantic import BaseModel, Field
from starlette.responses import Response

from sitewright.actions.read_cards import ShownCard, mark_cards, show_cards
from sitewright.actions.wanted import Wanted
from sitewright.serve.api.answers import PREFIX, answer, card_row, listed
from sitewright.serve.api.asked import After, Limit, wanted_by
from sitewright.serve.pages.marks import rows_of
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import read_place

router = APIRouter(prefix=PREFIX, tags=["stories"])


class Marking(BaseModel):
    """Which records are marked, and how; what is left out stays as it is."""

    numbers: list[Annotated[int, Field(ge=0, lt=2**53)]] = Field(max_length=1000)
    read: bool | None = None
    starred: bool | None = None
    apart: bool | None = None
    """Whether it is shown apart from the others of its story."""


@router.get("/stories")
def stories(  # noqa: PLR0913, PLR0917 -- FastAPI reads parameters from it
    request: Request,
    service: Serving,
    visitor: Reader,
    wanted: Annotated[Wanted, Depends(wanted_by)],
    after: After = "",
    limit: Limit = 30,
    show: Annotated[str, Query(pattern="^(unread|starred)?$")] = "",
) -> Response:
    """List stories as the front page does: without what is hidden, with their marks, a row a story."""
    view = Wanted(**{**_fields(wanted), "show": show}).view()
    shown = show_cards(service.library, visitor.name, view, size=limit, after=read_place(after))
    return listed(request, [_row(one) for one in shown.cards], shown.next)


@router.get("/search")
def search(
    request: Request, service: Serving, visitor: Reader, wanted: Annotated[Wanted, Depends(wanted_by)]
) -> Response:  # fmt: skip
    """Say how much is found, and by what it can be narrowed."""
    del visitor
    query = wanted.view().query
    facets = service.catalogue.facets(query)
    rows = {
        name: [{"what": what, "count": count} for what, count in getattr(facets, name)]
        for name in ("sites", "languages", "topics")
    }
    return answer(request, {"count": service.catalogue.count(query), "facets": rows})


@router.post("/marks")
def mark(request: Request, service: Serving, visitor: Reader, marking: Marking) -> Response:
    """Mark records; the answer says what they were, which undoes it."""
    before = mark_cards(
        service.store, visitor.name, marking.numbers, read=marking.read, starred=marking.starred, apart=marking.apart
    )
    return answer(request, {"before": rows_of(before)})


def _fields(wanted: Wanted) -> dict[str, str]:
    return {name: getattr(wanted, name) for name in wanted.__slots__}


def _row(one: ShownCard) -> dict[str, Any]:
    return card_row(one.card) | {
        "read": one.is_read,
        "starred": one.is_starred,
        "reason": one.reason,
        "others": [card_row(card) for card in one.others],
    }
