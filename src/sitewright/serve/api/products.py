"""`/api/v1/products`: what shops sell, with prices now and before."""

from collections.abc import Mapping
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from sitewright.actions.prices import ItemPrices, price_rows
from sitewright.actions.wares import ShownWare, Sought, find_wares, offers_elsewhere, show_ware
from sitewright.serve.api.answers import PREFIX, answer
from sitewright.serve.api.asked import After, Limit, Name
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving
from sitewright.serve.views import read_number
from sitewright.store.offers import Money
from sitewright.store.wares import Order

router = APIRouter(prefix=PREFIX, tags=["products"])


@router.get("/products")
def products(  # noqa: PLR0913, PLR0917 -- FastAPI reads the parameters of an address from those of a function
    request: Request,
    service: Serving,
    visitor: Reader,
    q: Name = "",
    site: Name = "",
    category: Name = "",
    stock: Name = "",
    order: Annotated[Order, Query(description="Empty: the newest price first.")] = "",
    after: After = "",
    limit: Limit = 100,
) -> Response:
    """List products with what they cost, the newest price first."""
    del visitor
    sought = Sought(words=q, site=site, category=category, stock=stock, order=order)
    found = find_wares(service.store, service.catalogue, sought, limit, read_number(after))
    rows = [_row(one) for one in found.wares]
    return answer(request, {"items": rows, "next": str(found.next) if found.next else None})


@router.get("/products/{site}/{product}")
def product(request: Request, site: str, product: str, service: Serving, visitor: Reader) -> Response:
    """Return a product with its fields, and what it costs in other shops."""
    del visitor
    shown = show_ware(service.store, site, product)
    others = [_row(one) for one in offers_elsewhere(service.store, site, product)]
    return answer(request, _row(shown) | {"fields": shown.fields, "offers": others})


@router.get("/products/{site}/{product}/prices")
def prices(request: Request, site: str, product: str, service: Serving, visitor: Reader) -> Response:
    """List what a product cost, the oldest price first."""
    del visitor
    return answer(request, {"items": list(price_rows([show_ware(service.store, site, product).prices])), "next": None})


def _row(one: ShownWare) -> dict[str, Any]:
    return {
        "site": one.card.site,
        "id": one.card.id,
        "url": one.card.url,
        "name": one.card.heading,
        "picture": one.card.picture or None,
        "price": _money(one.prices.now.price),
        "old_price": _money(one.prices.now.old),
        "lowest": _lowest(one.prices),
        "change": one.prices.change,
        "stock": one.prices.now.stock or None,
        "since": one.prices.now.since,
        "seen": one.prices.now.until,
    }


def _money(price: Money | None) -> Mapping[str, Any] | None:
    return {"amount": price.amount, "currency": price.currency or None} if price is not None else None


def _lowest(prices: ItemPrices) -> Mapping[str, Any] | None:
    return _money(prices.lowest.price) if prices.lowest is not None else None
