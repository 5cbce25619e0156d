"""`/`: what is new, a card a story; `/search`: what is looked for; `/starred`: what was kept."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from sitewright.actions.read_cards import show_cards
from sitewright.actions.wanted import Wanted
from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import read_place, wanted_by, written_place
from sitewright.store.catalogue.catalogue import Facets

router = APIRouter()


@router.get("/")
def front(request: Request, service: Serving, visitor: Reader, after: str = "") -> HTMLResponse:
    """Show what is new."""
    with service.library.at_one_moment():
        return _cards(request, service, visitor, wanted_by(request), after, template="front.html")


@router.get("/search")
def search(request: Request, service: Serving, visitor: Reader, after: str = "") -> HTMLResponse:
    """Show what is looked for, and by what it can be narrowed."""
    wanted = wanted_by(request)
    query = wanted.view().query
    asks = not wanted.is_plain
    with service.library.at_one_moment():
        facets = service.catalogue.facets(query) if asks else Facets()
        count = service.catalogue.count(query) if asks else 0
        return _cards(
            request, service, visitor, wanted, after, template="search.html", facets=facets, count=count, asks=asks
        )


def _cards(
    request: Request, service: Serving, visitor: Reader, wanted: Wanted, after: str, /, *, template: str, **more: object
) -> HTMLResponse:
    shown = show_cards(service.library, visitor.name, wanted.view(), after=read_place(after))
    newest = service.catalogue.newest()
    return render(
        request,
        template,
        wanted=wanted,
        shown=shown.cards,
        more=wanted.address(request.url.path, after=written_place(shown.next)) if shown.next is not None else "",
        newest=newest[1] if newest is not None else 0,
        has_sites=bool(shown.cards) or bool(service.store.sites()),
        saved=service.store.people.saved_searches(visitor.name),
        after=after,
        **more,
    )
