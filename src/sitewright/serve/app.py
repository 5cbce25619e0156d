"""Options in, the whole service out: pages, API, and around them what keeps strangers out."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.responses import Response

from sitewright.actions.catalogues import open_catalogue
from sitewright.errors import (
    InputError,
    MapChanged,
    NotAllowed,
    NotThere,
    SettingsError,
    SitewrightError,
    StoreError,
)
from sitewright.serve import api, pages
from sitewright.serve.api.described import describe
from sitewright.serve.options import ServeOptions
from sitewright.serve.rendering import render
from sitewright.serve.security.body_size import BodySize
from sitewright.serve.security.entry import Entry
from sitewright.serve.security.headers import SafeHeaders
from sitewright.serve.security.origins import OriginCheck
from sitewright.serve.service import Service
from sitewright.store.database import Store

STATUSES = {NotThere: 404, MapChanged: 409, NotAllowed: 403, InputError: 400, StoreError: 503}
"""What errors are over HTTP; all others are the asker's, too: 400."""


def make_app(options: ServeOptions, store: Store) -> FastAPI:
    """Return the service over a store; refused where everybody could reach it and nobody had to log in."""
    service = Service(options, store, open_catalogue(store, options.store.url))
    refuse_open(service)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        try:
            yield
        finally:
            service.stop()
            await service.pictures.close()
            service.catalogue.close()

    app = FastAPI(
        title="Sitewright",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/v1/openapi.json",
        redirect_slashes=False,
    )
    app.state.service = service
    app.mount("/static", StaticFiles(directory=Path(str(files("sitewright.serve").joinpath("static")))), "static")
    for router in pages.routers():
        app.include_router(router, include_in_schema=False)
    for router in api.routers():
        app.include_router(router)
    for kind in (SitewrightError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _answer_error)
    describe(app)
    app.add_middleware(Entry, service=service)
    app.add_middleware(BodySize)
    app.add_middleware(OriginCheck, called=options.called)
    app.add_middleware(SafeHeaders)
    return app


def refuse_open(service: Service) -> None:
    """Refuse to serve other machines where no account and no token keeps anybody out."""
    if service.options.is_local or service.options.serve.token or service.has_accounts:
        return
    raise SettingsError(
        f"other machines reach {service.options.serve.host}, and nobody would have to log in; make an account with: "
        "sitewright account NAME, or set serve.token"
    )


async def _answer_error(request: Request, error: Exception) -> Response:
    status, code, detail = _told(error)
    if request.url.path.startswith("/api/") or "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"error": {"code": code, "detail": detail}}, status)
    return render(request, "error.html", status, status=status, code=code, detail=detail)


def _told(error: Exception) -> tuple[int, str, str]:
    if isinstance(error, SitewrightError):
        status = next((number for kind, number in STATUSES.items() if isinstance(error, kind)), 400)
        return status, error.code, str(error)
    if isinstance(error, RequestValidationError):
        parts = (f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        return 422, InputError.code, "; ".join(parts)
    if isinstance(error, HTTPException):
        return error.status_code, NotThere.code if error.status_code == 404 else InputError.code, str(error.detail)
    return 500, "internal_error", "something went wrong here"
