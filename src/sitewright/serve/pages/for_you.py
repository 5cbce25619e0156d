"""`/for-you`: what a reader should see next, and why; what is opened changes what follows."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from sitewright.actions.read_cards import PAGE, ShownCard
from sitewright.serve.rendering import render, words_for
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.suggested import LONGEST, MOST_SHOWN, read_shown, reason, written_shown

router = APIRouter()


@router.get("/for-you")
def for_you(
    request: Request, service: Serving, visitor: Reader, after: Annotated[str, Query(max_length=LONGEST)] = ""
) -> HTMLResponse:
    """Show what comes after the cards that were shown before."""
    words, before = words_for(request), read_shown(after)
    found = service.next_reads.shown(visitor.name, PAGE, before)
    shown = [ShownCard(card=one.card, mark=mark, others=one.others, reason=reason(words, one)) for one, mark in found]
    told = [*before, *(one.card.number for one in shown)]
    goes_on = len(shown) == PAGE and len(told) < MOST_SHOWN
    return render(
        request,
        "for_you.html",
        shown=shown,
        more=f"/for-you?after={written_shown(told)}" if goes_on else "",
        has_sites=bool(service.store.sites()),
    )
