"""`/api/v1/stream`: new records as they come, as server-sent events; who comes back is told what was missed."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from sitewright.output.rows import row_of
from sitewright.serve.api.answers import PREFIX
from sitewright.serve.pages.live import HEADERS
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Service, Serving
from sitewright.serve.views import read_place, written_place
from sitewright.store.catalogue.catalogue import Place
from sitewright.values.as_json import json_of

router = APIRouter(prefix=PREFIX, tags=["records"])
_EVERY_SECONDS = 1.0
_AT_ONCE = 100


@router.get("/stream", response_class=StreamingResponse, responses={200: {"content": {"text/event-stream": {}}}})
async def stream(
    request: Request, service: Serving, visitor: Reader, after: str = "", once: bool = False
) -> StreamingResponse:
    """Tell of every record that is stored; `Last-Event-ID` (or `after`) says where to begin, else with the next one."""
    del visitor
    place = read_place(request.headers.get("last-event-id", "") or after)
    if place is None and not once:
        place = await run_in_threadpool(service.catalogue.newest)
    return StreamingResponse(_records(service, place, once=once), 200, HEADERS, "text/event-stream")


async def _records(service: Service, place: Place | None, *, once: bool) -> AsyncIterator[bytes]:
    yield b": begun\n\n"
    while not service.is_stopping:
        found = await run_in_threadpool(service.store.records_after, place, _AT_ONCE)
        for one in found:
            place = (one.stored_at, one.number)
            about = json_of({"site": one.record.site, "id": one.id} | row_of(one.record))
            yield b"id: %s\nevent: record\ndata: %s\n\n" % (written_place(place).encode(), about)
        if not found:
            if once:
                return
            await asyncio.sleep(_EVERY_SECONDS)
            yield b": still here\n\n"
