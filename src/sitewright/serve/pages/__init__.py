"""The pages that people see, a module a page."""

from collections.abc import Iterator
from importlib import import_module

from fastapi import APIRouter

_MODULES = (
    "alerts", "bring", "digest", "editor", "explain", "feeds", "for_you", "frame", "front", "incidents", "live",
    "login", "marks", "new_site", "photos", "picture", "products", "queue", "records", "searches", "settings",
    "site", "sites", "story", "versions",
)  # fmt: skip
"""A page's module has its routes as `router`."""


def routers() -> Iterator[APIRouter]:
    """Yield the routes of all pages."""
    for module in _MODULES:
        yield import_module(f"{__name__}.{module}").router
