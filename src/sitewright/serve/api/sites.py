"""`/api/v1/sites`: how sites are, and what is done to them."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, Field
from starlette.responses import JSONResponse, Response

from sitewright.actions.add_sites import SiteOptions
from sitewright.actions.follow_links import follow_links
from sitewright.actions.remove_site import remove_site
from sitewright.actions.site_report import health_of, reasons_of, report_of
from sitewright.actions.status import SiteHealth, status_of
from sitewright.domains import DEFAULT_DOMAIN, domain_names
from sitewright.errors import InputError
from sitewright.serve.api.answers import PREFIX, answer, listed
from sitewright.serve.pages.sites import state_of
from sitewright.serve.security.visitor import Editor, Reader
from sitewright.serve.service import Serving

router = APIRouter(prefix=PREFIX, tags=["sites"])


class NewSite(BaseModel):
    """A site that is to be learned and collected."""

    address: str = Field(min_length=1, max_length=2000)
    domain: str = Field(DEFAULT_DOMAIN, max_length=100)


class SiteAct(BaseModel):
    """What is done to a site."""

    act: Literal["pause", "resume", "look"]


class Followed(BaseModel):
    """Which links of a site are followed: with one of the parts of `seed`, with none of `banned`."""

    seed: list[Annotated[str, Field(min_length=1, max_length=300)]] = Field([], max_length=100)
    banned: list[Annotated[str, Field(min_length=1, max_length=300)]] = Field([], max_length=100)


@router.get("/sites")
def sites(request: Request, service: Serving, visitor: Reader) -> Response:
    """List all sites with their state and its reasons."""
    del visitor
    return listed(request, [_row(one) for one in status_of(service.store)])


@router.post("/sites", status_code=202)
def add(service: Serving, visitor: Editor, new: NewSite) -> JSONResponse:
    """Add a site, and begin to learn it; `/sites/NAME/learning` says how far that is."""
    if new.domain not in domain_names():
        raise InputError(f"there is no kind of site {new.domain}; there are {', '.join(domain_names())}")
    name = service.learnings.begin(new.address, SiteOptions(domain=new.domain))
    service.note(visitor, "site added", name, address=new.address)
    return JSONResponse({"site": name, "learning": f"{PREFIX}/sites/{name}/learning"}, 202)


@router.get("/sites/{name}")
def site(request: Request, name: str, service: Serving, visitor: Reader) -> Response:
    """Return all that is known of a site."""
    del visitor
    report = report_of(service.store, service.catalogue, name)
    sources = [
        {
            "url": one.url,
            "kind": one.kind,
            "period_seconds": one.period_seconds,
            "last": one.last_fetched,
            "next": one.next_due,
            "failures": one.state.failures,
        }
        for one in report.health.sources
    ]
    fills = [
        {"template": fill.overall.template, "field": fill.overall.field, "share": fill.overall.rate}
        for fill in report.details.fills
    ]
    more = {"sources": sources, "fields": fills, "failures_by_code": dict(report.codes), "hours": list(report.hours)}
    return answer(request, _row(report.health) | more)


@router.get("/sites/{name}/learning")
def learning(request: Request, name: str, service: Serving, visitor: Reader) -> Response:
    """Say how far a site is learned."""
    del visitor
    progress = service.learnings.progress(name)
    steps = [{"at": step.at, "line": step.line} for step in progress.steps]
    state = {"learned": progress.has_map, "over": progress.is_over, "records": progress.records}
    return answer(request, state | {"steps": steps, "failure": progress.failure or None})


@router.post("/sites/{name}")
def act(request: Request, name: str, service: Serving, visitor: Editor, wanted: SiteAct) -> Response:
    """Pause a site, resume it, or have it looked at now."""
    health_of(service.store, name)
    acts = {"pause": service.store.pause_site, "resume": service.store.resume_site, "look": service.store.hasten}
    acts[wanted.act](name)
    service.note(visitor, wanted.act, name)
    return answer(request, _row(health_of(service.store, name)))


@router.get("/sites/{name}/links")
def links(request: Request, name: str, service: Serving, visitor: Reader) -> Response:
    """Return which links of a site are followed."""
    del visitor
    state = health_of(service.store, name).summary.site.state
    return answer(request, {"seed": list(state.seed), "banned": list(state.banned)})


@router.put("/sites/{name}/links")
def follow(request: Request, name: str, service: Serving, visitor: Editor, wanted: Followed) -> Response:
    """Say which links of a site are followed."""
    health_of(service.store, name)
    follow_links(service.store, name, wanted.seed, wanted.banned)
    service.note(visitor, "follow", name)
    return answer(request, wanted.model_dump())


@router.delete("/sites/{name}", status_code=204)
def remove(name: str, service: Serving, visitor: Editor) -> Response:
    """Remove a site with its map and records; its pages stay in the archive."""
    health_of(service.store, name)
    remove_site(service.store, name)
    service.catalogue.prune()
    service.note(visitor, "remove", name)
    return Response(None, 204)


def _row(health: SiteHealth) -> dict[str, Any]:
    summary, own = health.summary, health.newest_map
    return {
        "site": summary.site.name,
        "url": summary.site.url,
        "domain": summary.site.domain,
        "state": state_of(health),
        "reasons": reasons_of(health),
        "records": summary.records,
        "records_24h": health.in_a_day,
        "records_7d": health.in_a_week,
        "newest": summary.last_record,
        "waiting_links": summary.waiting,
        "failures": summary.failures,
        "next_due": summary.site.next_due,
        "paused_at": summary.site.paused_at,
        "map_version": own.version if own is not None else None,
        "incidents": [one.number for one in health.incidents],
        "proposal": health.proposal.number if health.proposal is not None else None,
    }
