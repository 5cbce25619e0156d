"""`/sites/new`: an address in, a site learned before one's eyes out."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.concurrency import run_in_threadpool
from starlette.responses import StreamingResponse

from sitewright.actions.add_sites import SiteOptions
from sitewright.domains import DEFAULT_DOMAIN, domain_names
from sitewright.errors import InputError
from sitewright.serve.forms import Sent
from sitewright.serve.pages.live import HEADERS, event
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Service, Serving
from sitewright.store.catalogue.catalogue import CardQuery

router = APIRouter()
_EVERY_SECONDS = 0.5
_SHOWN = 12


@router.get("/sites/new")
def ask(request: Request, visitor: Editor, address: str = "") -> HTMLResponse:  # noqa: ARG001 -- somebody who may
    """Ask for an address."""
    return render(request, "new_site.html", given=address, domains=domain_names(), usual=DEFAULT_DOMAIN)


@router.post("/sites/new")
def begin(service: Serving, visitor: Editor, form: Sent) -> RedirectResponse:
    """Add the site, and begin to learn it."""
    given = form.get("address")
    if not given:
        raise InputError("write the address of a site, such as news.example")
    domain = form.get("domain") or DEFAULT_DOMAIN
    if domain not in domain_names():
        raise InputError(f"there is no kind of site {domain}; there are {', '.join(domain_names())}")
    name = service.learnings.begin(given, SiteOptions(domain=domain))
    service.note(visitor, "site added", name, address=given)
    return RedirectResponse(f"/site/{name}/learning", 303)


@router.get("/site/{name}/learning")
def learning(request: Request, name: str, service: Serving, visitor: Reader) -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show how a site is learned."""
    return render(request, "learning.html", name=name, progress=service.learnings.progress(name))


@router.get("/live/learning/{name}")
async def steps(name: str, service: Serving, visitor: Reader) -> StreamingResponse:  # noqa: ARG001 -- somebody who was let in
    """Tell each step, and each record, as it comes."""
    await run_in_threadpool(service.learnings.progress, name)  # tells where there is no such site
    return StreamingResponse(_steps(service, name), 200, HEADERS, "text/event-stream")


async def _steps(service: Service, name: str) -> AsyncIterator[bytes]:
    told, shown = 0, set[str]()
    while not service.is_stopping:
        progress = await run_in_threadpool(service.learnings.progress, name, told)
        told += len(progress.steps)
        for step in progress.steps:
            yield event("step", {"at": step.at, "line": step.line})
        yield event("state", {"map": progress.has_map, "records": progress.records})
        await run_in_threadpool(service.catalogue.catch_up, 500)
        page = await run_in_threadpool(service.catalogue.page, CardQuery(sites=(name,)), _SHOWN)
        for card in reversed(page.cards):
            if card.id not in shown:
                shown.add(card.id)
                place = f"/story/{name}/{card.id}"
                yield event("record", {"heading": card.heading, "place": place, "language": card.language})
        if progress.is_over:
            yield event("over", {"map": progress.has_map, "why": progress.failure, "records": progress.records})
            return
        await asyncio.sleep(_EVERY_SECONDS)
