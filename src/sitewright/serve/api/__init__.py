"""What programs ask: `/api/v1`, a module a kind of thing."""

from collections.abc import Iterator
from importlib import import_module

from fastapi import APIRouter

_MODULES = (
    "alerts",
    "events",
    "incidents",
    "maps",
    "products",
    "recommendations",
    "records",
    "sites",
    "stories",
    "stream",
)


def routers() -> Iterator[APIRouter]:
    """Yield the routes of all kinds."""
    for module in _MODULES:
        yield import_module(f"{__name__}.{module}").router
