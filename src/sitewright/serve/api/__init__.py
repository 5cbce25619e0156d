"""What programs ask: `/api/v1`, a module a kind of thing."""

from collections.abc import Iterator
from importlib import import_module

from fastapi import APIRouter

_MODULES = (
    "alerts", "digests", "events", "incidents", "people", "photo_sets", "products", "queue", "recommendations",
    "records", "sites", "stories", "stream", "workshop", "maps",
)  # fmt: skip
"""`workshop` before `maps`: `…/maps/diff` is no version."""


def routers() -> Iterator[APIRouter]:
    """Yield the routes of all kinds."""
    for module in _MODULES:
        yield import_module(f"{__name__}.{module}").router
