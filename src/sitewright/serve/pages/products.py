"""`/products`: what shops sell, with prices; `/product/…`: what one product cost, and costs elsewhere."""

from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from sitewright.actions.prices import ItemPrices, price_rows
from sitewright.actions.wares import Sought, csv_of, find_wares, offers_elsewhere, show_ware
from sitewright.serve.charts import steps
from sitewright.serve.money import money
from sitewright.serve.pages.detailed import detailed
from sitewright.serve.rendering import render, words_for
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import read_number
from sitewright.store.offers import PricePoint
from sitewright.store.wares import ORDERS

router = APIRouter()
_PAGE = 48
_MOST_SHOWN = 100
_LONGEST = 300
_NAMES = {"q": "words", "site": "site", "category": "category", "stock": "stock"}


@router.get("/products")
def products(request: Request, service: Serving, visitor: Reader, after: str = "") -> HTMLResponse:
    """Show the products of all shops."""
    del visitor
    sought = sought_by(request)
    found = find_wares(service.store, service.catalogue, sought, _PAGE, read_number(after))
    trails = service.store.wares.trails(sought.site) if sought.site else []
    return render(
        request,
        "products.html",
        shown=found.wares,
        more=address_of(sought, after=str(found.next)) if found.next else "",
        sought=sought,
        shops=service.store.wares.shops(),
        categories=list(dict.fromkeys(name for trail in trails for name in trail)),
        orders=ORDERS,
        money=money,
        stock=_stock(request),
    )


@router.get("/product/{site}/{product}")
def product(request: Request, site: str, product: str, service: Serving, visitor: Reader) -> HTMLResponse:
    """Show what a product cost, and what it costs in other shops."""
    del visitor
    shown = show_ware(service.store, site, product)
    return render(
        request,
        "product.html",
        shown=shown,
        others=offers_elsewhere(service.store, site, product),
        points=list(reversed(shown.prices.points))[:_MOST_SHOWN],
        drawn=steps([_drawn(point) for point in shown.prices.points]),
        said=sentence(request, shown.prices),
        detailed=detailed(request, shown),
        money=money,
        stock=_stock(request),
    )


@router.get("/product/{site}/{product}/prices.csv")
def table(site: str, product: str, service: Serving, visitor: Reader) -> Response:
    """Return every price of a product that was seen."""
    del visitor
    shown = show_ware(service.store, site, product)
    headers = {"content-disposition": f'attachment; filename="prices-{shown.card.id}.csv"'}
    return Response(csv_of(price_rows([shown.prices])), 200, headers, "text/csv; charset=utf-8")


def sought_by(request: Request) -> Sought:
    """Return what the address of a request looks for."""
    asked = {own: request.query_params.get(name, "").strip()[:_LONGEST] for name, own in _NAMES.items()}
    order = next((one for one in ORDERS if one == request.query_params.get("order")), ORDERS[0])
    return Sought(**asked, order=order)


def address_of(sought: Sought, **other: str) -> str:
    """Return the address of what is looked for, or of what differs from it in some things."""
    known = {name: str(getattr(sought, own)) for name, own in _NAMES.items()} | {"order": sought.order} | other
    query = urlencode({name: value for name, value in known.items() if value})
    return f"/products?{query}" if query else "/products"


def sentence(request: Request, prices: ItemPrices) -> str:
    """Say what a product costs today, and how that compares with what it cost before."""
    words, now, lowest = words_for(request), prices.now, prices.lowest
    if lowest is None:
        return words("product.never")
    if now.price is None:
        return words("product.missing", day=_day(now.since), lowest=money(lowest.price), on=_day(lowest.since))
    known = [point for point in prices.points if point.price is not None]
    if len(known) == 1:
        return words("product.only", price=money(now.price), day=_day(now.since))
    if lowest.price is not None and now.price.amount <= lowest.price.amount:
        return words("product.lowest_now", price=money(now.price), day=_day(prices.points[0].since))
    return words("product.lowest_was", price=money(now.price), lowest=money(lowest.price), on=_day(lowest.since))


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _drawn(point: PricePoint) -> tuple[float, float, float | None]:
    return point.since.timestamp(), point.until.timestamp(), point.price.amount if point.price is not None else None


def _stock(request: Request) -> Callable[[str], str]:
    """Return what says in words whether something can be had; what has no word stands as it is."""
    words = words_for(request)
    return lambda value: words(f"stock.{value}") if value and words.has(f"stock.{value}") else value
