"""`/products`: what shops sell, with prices."""

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from sitewright.serve.rendering import render
from sitewright.serve.security.visitor import Reader
from sitewright.serve.service import Serving

router = APIRouter()


@router.get("/products")
def products(request: Request, service: Serving, visitor: Reader) -> HTMLResponse:  # noqa: ARG001 -- somebody who was let in
    """Show the products of all shops."""
    return render(request, "products.html", shown=[])
