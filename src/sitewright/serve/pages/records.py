"""`/records`: what was read, as it was read: a table, JSON lines, CSV."""

from collections.abc import Iterator

from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from sitewright.output.rows import row_of
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Service, Serving
from sitewright.serve.views import read_place, wanted_by, written_place
from sitewright.store.catalogue.catalogue import CardQuery
from sitewright.values.as_json import json_of

router = APIRouter()
_PAGE = 50
_MOST_LINES = 10_000


@router.get("/records")
def records(request: Request, service: Serving, visitor: Reader, after: str = "") -> Response:  # noqa: ARG001 -- somebody who was let in
    """Show records in a table, with how much of each was read."""
    wanted = wanted_by(request)
    query = wanted.view().query
    page = service.catalogue.page(query, _PAGE, read_place(after))
    more = wanted.address("/records", after=written_place(page.next)) if page.next is not None else ""
    stored = {one.number: one for one in service.store.records_by_number([card.number for card in page.cards])}
    rows = [(card, stored[card.number].record) for card in page.cards if card.number in stored]
    return render(request, "records.html", rows=rows, more=more, wanted=wanted, sites=service.store.sites())


@router.get("/records.jsonl")
def lines(request: Request, service: Serving, visitor: Reader) -> StreamingResponse:  # noqa: ARG001 -- somebody who was let in
    """Return the same records, whole, a line each."""
    query = wanted_by(request).view().query
    headers = {"content-disposition": 'attachment; filename="records.jsonl"'}
    return StreamingResponse(_lines(service, query), 200, headers, "application/x-ndjson")


def _lines(service: Service, query: CardQuery) -> Iterator[bytes]:
    place, told = None, 0
    while told < _MOST_LINES:
        page = service.catalogue.page(query, _PAGE, place)
        stored = {one.number: one for one in service.store.records_by_number([card.number for card in page.cards])}
        for card in page.cards:
            if card.number in stored:
                yield json_of(row_of(stored[card.number].record)) + b"\n"
        told, place = told + len(page.cards), page.next
        if place is None:
            return
