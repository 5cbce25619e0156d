"""A request in, let in with its visitor, or sent to the log-in page: the one door."""

import hmac
import re
import secrets
from http.cookies import SimpleCookie
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sitewright.actions.accounts import find_session
from sitewright.serve.security.visitor import Visitor, form_token
from sitewright.serve.service import Service

SESSION, VISIT = "sitewright_session", "sitewright_visit"
OPEN = ("/login", "/static/", "/healthz")
"""What anybody may ask for: the log-in page and what it looks like."""
_BY_TOKEN = re.compile(r"/alerts/\d{1,18}\.atom")
"""What asks for a token of its own, in its address: programs that read feeds know no other way."""
_HERE = Visitor(name="owner", role="admin")
"""Whoever sits at this machine, where no account and no token was made."""


class Entry:
    """Finds out who is asking: by a token, by a session, or because only this machine can ask."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on with its visitor, or answer 401."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        cookies = {name: one.value for name, one in SimpleCookie(headers.get("cookie", "")).items()}
        visit = cookies.get(VISIT, "")
        fresh = "" if visit else secrets.token_urlsafe(16)
        visitor = self._by_own_token(headers) or await run_in_threadpool(
            self._visitor, headers, cookies, visit or fresh
        )
        if visitor is None and not (scope["path"].startswith(OPEN) or _BY_TOKEN.fullmatch(scope["path"])):
            await _refusal(scope, headers)(scope, receive, send)
            return
        guest = Visitor(name="", role="reader", form_token=form_token(self._service.secret, visit or fresh))
        scope.setdefault("state", {})["visitor"] = visitor or guest
        await self._app(scope, receive, self._remembering(send, fresh) if fresh else send)

    def _visitor(self, headers: Headers, cookies: dict[str, str], visit: str) -> Visitor | None:
        token = form_token(self._service.secret, visit)
        if (given := _given_token(headers)) is not None:
            found = find_session(self._service.store, given)
            return Visitor(name=found.account, role=found.role, session=found.id) if found is not None else None
        if session := cookies.get(SESSION):
            found = find_session(self._service.store, session)
            if found is not None:
                return Visitor(name=found.account, role=found.role, form_token=token, session=found.id)
        if self._service.is_open:
            return Visitor(name=_HERE.name, role=_HERE.role, form_token=token)
        return None

    def _by_own_token(self, headers: Headers) -> Visitor | None:
        """Return a program that knows the token of the settings; nothing has to be looked up for it."""
        own, given = self._service.options.serve.token, _given_token(headers)
        is_own = own and given and hmac.compare_digest(own.encode(), given.encode())
        return Visitor(name="token", role="admin") if is_own else None

    def _remembering(self, send: Send, fresh: str) -> Send:
        async def add(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).append("set-cookie", cookie(VISIT, fresh))
            await send(message)

        return add


def _given_token(headers: Headers) -> str | None:
    scheme, _, given = headers.get("authorization", "").partition(" ")
    return given.strip() if scheme.lower() == "bearer" else None


def cookie(name: str, value: str, seconds: int = 31_536_000) -> str:
    """Return a cookie that no script reads and no other site's page sends."""
    return f"{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Strict"


def _refusal(scope: Scope, headers: Headers) -> Response:
    if scope["path"].startswith("/api/") or "text/html" not in headers.get("accept", ""):
        error = {"code": "not_logged_in", "detail": "send a token: Authorization: Bearer …"}
        return JSONResponse({"error": error}, 401, {"www-authenticate": "Bearer"})
    query = scope.get("query_string", b"").decode("latin-1")
    place = scope["path"] + (f"?{query}" if query else "")
    return RedirectResponse(f"/login?to={quote(place, safe='')}", 303)
