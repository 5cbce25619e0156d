"""`/live/…`: what changes while somebody looks, told as it happens (server-sent events)."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from sitewright.serve.rendering import words_for
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Service, Serving
from sitewright.serve.words import Words
from sitewright.values.as_json import json_of

router = APIRouter()
_EVERY_SECONDS = 3.0
HEADERS = {"x-accel-buffering": "no", "cache-control": "no-store"}


@router.get("/live/fresh")
async def fresh(request: Request, service: Serving, visitor: Reader, since: int = 0) -> StreamingResponse:
    """Tell how many cards are new since a list was made."""
    words = await run_in_threadpool(words_for, request)
    return StreamingResponse(_fresh(service, visitor.name, words, since), 200, HEADERS, "text/event-stream")


async def _fresh(service: Service, account: str, words: Words, since: int) -> AsyncIterator[bytes]:
    told = 0
    while not service.is_stopping:
        count = await run_in_threadpool(service.count_fresh, account, since)
        if count != told:
            told = count
            yield event("fresh", {"count": count, "told": words("front.fresh", count=count)})
        else:
            yield b": still here\n\n"
        await asyncio.sleep(_EVERY_SECONDS)


def event(name: str, about: Mapping[str, Any]) -> bytes:
    """Return an event as it goes over the line."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), json_of(about))
