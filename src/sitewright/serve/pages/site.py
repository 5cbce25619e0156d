"""`/site/{name}`: one site, its state and cause, sources, figures, failures, versions; and what is done to it."""

from dataclasses import replace

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from sitewright.actions.follow_links import follow_links
from sitewright.actions.maps import stored_map
from sitewright.actions.remove_site import remove_site
from sitewright.actions.roll_back import roll_back
from sitewright.actions.site_report import health_of, reasons_of, report_of
from sitewright.errors import InputError
from sitewright.serve.charts import bars, line, stacked
from sitewright.serve.forms import Sent
from sitewright.serve.pages.sites import state_of
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Editor, Reader, Visitor
from sitewright.serve.service import Service, Serving

router = APIRouter()
_SHOWN = 50
_HEAVIEST = 100


@router.get("/site/{name}")
def site(request: Request, name: str, service: Serving, visitor: Reader, code: str = "") -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show all that is known of a site; of its failures those with a code, where one is asked for."""
    report = report_of(service.store, service.catalogue, name)
    return render(
        request,
        "site.html",
        name=name,
        report=report,
        state=state_of(report.health),
        reasons=reasons_of(report.health),
        hours=bars(report.hours),
        lines=[(one, line(one.shares)) for one in report.lines],
        code=code,
        failures=[one for one in report.failures if code in ("", one.failure.code)][:_SHOWN],
        failed=stacked([counts for _, counts in report.failed]),
    )


@router.post("/site/{name}")
def change(name: str, service: Serving, visitor: Editor, form: Sent) -> RedirectResponse:
    """Do to a site what was asked for."""
    health_of(service.store, name)
    wanted = form.get("do")
    if wanted not in _ACTS:
        raise InputError(f"nothing is called {wanted or 'so'}; there are {', '.join(_ACTS)}")
    _ACTS[wanted](service, visitor, name, form)
    service.note(visitor, wanted, name)
    return RedirectResponse("/sites" if wanted == "remove" else f"/site/{name}", 303)


def _pause(service: Service, visitor: Visitor, name: str, form: Sent) -> None:  # noqa: ARG001 -- as all of them
    service.store.pause_site(name)


def _resume(service: Service, visitor: Visitor, name: str, form: Sent) -> None:  # noqa: ARG001 -- as all of them
    service.store.resume_site(name)


def _look(service: Service, visitor: Visitor, name: str, form: Sent) -> None:  # noqa: ARG001 -- as all of them
    service.store.hasten(name)


def _remove(service: Service, visitor: Visitor, name: str, form: Sent) -> None:  # noqa: ARG001 -- as all of them
    if form.get("sure") != name:
        raise InputError(f"to remove {name} with all that was collected from it, write its name")
    remove_site(service.store, name)
    service.catalogue.prune()


def _roll_back(service: Service, visitor: Visitor, name: str, form: Sent) -> None:  # noqa: ARG001 -- as all of them
    version = form.get("version")
    stored_map(service.store, name, int(version) if version.isdecimal() else None)
    roll_back(service.store, name, int(version) if version.isdecimal() else None)


def _weigh(service: Service, visitor: Visitor, name: str, form: Sent) -> None:  # noqa: ARG001 -- as all of them
    """Say how much what a source lists counts, where stories are ranked."""
    known = {page.url: page for page in service.store.index_pages(name)}
    weight, page = form.get("weight"), known.get(form.get("url"))
    if page is None:
        raise InputError(f"{name} has no such source")
    if not weight.isdecimal() or not 1 <= int(weight) <= _HEAVIEST:
        raise InputError(f"a weight is a number from 1 to {_HEAVIEST}")
    service.store.put_index_pages([replace(page, weight=int(weight))])


def _links(service: Service, visitor: Visitor, name: str, form: Sent) -> None:  # noqa: ARG001 -- as all of them
    """Say which links are followed, and which are not."""
    follow_links(service.store, name, *(form.get(entry).split() for entry in ("seed", "banned")))


_ACTS = {
    "pause": _pause, "resume": _resume, "look": _look, "remove": _remove, "rollback": _roll_back, "follow": _links,
    "weigh": _weigh,
}  # fmt: skip
