"""`/api/v1/recommendations`: what a reader should see next, and why."""

from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from sitewright.actions.next_reads import Suggestion
from sitewright.errors import NotAllowed
from sitewright.serve.api.answers import PREFIX, answer, card_row
from sitewright.serve.rendering import words_for
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.suggested import LONGEST, MOST_SHOWN, read_shown, reason, written_shown
from sitewright.serve.words import Words, accepted, words_of

router = APIRouter(prefix=PREFIX, tags=["recommendations"])


@router.get("/recommendations")
def recommendations(
    request: Request,
    service: Serving,
    visitor: Reader,
    reader: Annotated[
        str, Query(max_length=200, description="A reader of a program, for the role editor; else the sender.")
    ] = "",
    limit: Annotated[int, Query(ge=1, le=100)] = 10,
    after: Annotated[str, Query(max_length=LONGEST, description="`next` of the answer before.")] = "",
) -> Response:
    """List what a reader should see next, the likeliest first, with what they clicked until now.

    `score` is the chance that it is clicked, null where nobody has clicked it yet. One report of each story;
    nothing that was clicked, or shown in the answers before. Readers of whom nothing is known get what is read now.
    """
    before = read_shown(after)
    if reader:
        if not visitor.may("editor"):
            raise NotAllowed("lists of other readers need the role editor; leave out `reader` for your own")
        words = words_of(accepted(request.headers.get("accept-language", "")))
        found = list(islice(service.next_reads.suggestions("sent", reader, before), limit))
    else:
        words = words_for(request)
        found = [one for one, _ in service.next_reads.shown(visitor.name, limit, before)]
    told = [*before, *(one.card.number for one in found)]
    goes_on = len(found) == limit and len(told) < MOST_SHOWN
    rows = [_row(words, one) for one in found]
    return answer(request, {"items": rows, "next": written_shown(told) if goes_on else None})


def _row(words: Words, one: Suggestion) -> dict[str, Any]:
    chance = round(one.chance, 6) if one.chance is not None else None
    return card_row(one.card) | {"score": chance, "reason": reason(words, one)}
