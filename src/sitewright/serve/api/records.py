"""`/api/v1/records`: what was read, whole; and where a value is from."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response

from sitewright.actions.explain import explain
from sitewright.actions.show_page import record_of
from sitewright.actions.wanted import Wanted
from sitewright.output.rows import row_of
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.api.asked import After, Limit, wanted_by
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import read_place

router = APIRouter(prefix=PREFIX, tags=["records"])


@router.get("/records")
def records(
    request: Request,
    service: Serving,
    visitor: Reader,
    wanted: Annotated[Wanted, Depends(wanted_by)],
    after: After = "",
    limit: Limit = 100,
) -> Response:
    """List records as `sitewright export` writes them, the newest first."""
    del visitor
    page = service.catalogue.page(wanted.view().query, limit, read_place(after))
    stored = {one.number: one for one in service.store.records_by_number([card.number for card in page.cards])}
    there = [stored[card.number] for card in page.cards if card.number in stored]
    return listed(request, [{"site": one.record.site, "id": one.id} | row_of(one.record) for one in there], page.next)


@router.get("/records/{site}/{record}")
def record(request: Request, site: str, record: str, service: Serving, visitor: Reader) -> Response:
    """Return a record, each value with its rule."""
    del visitor
    stored = record_of(service.store, site, record)
    return answer(request, {"site": site} | row_of(stored.record, explain=True))


@router.get("/records/{site}/{record}/explanation")
def explained(request: Request, site: str, record: str, service: Serving, visitor: Reader) -> Response:
    """Say where each value stands on its page, and what is read there today."""
    del visitor
    record_of(service.store, site, record)
    told = explain(service.store, service.library.folder, record, site=site, limits=service.options.limits)
    fields = [
        {
            "field": field.name,
            "rule": field.stored.rule,
            "confidence": field.stored.confidence,
            "state": field.state,
            "now": field.now.value if field.now is not None else None,
            "sources": [{"take": one.take, "path": one.path, "tag": one.tag} for one in field.sources],
        }
        for field in told.explanation.fields
    ]
    return answer(request, {"same": told.is_same, "map_version": told.read_by.version, "fields": fields})
