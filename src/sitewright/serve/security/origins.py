"""A request in, refused where it came by another name of this machine, or from another site's page.

Loopback is no protection by itself: any page may have its own host name resolve to 127.0.0.1, and any page may send
forms to http://127.0.0.1. So the header `Host` has to be one of a list, and what changes something has to come from us.
"""

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
_OWN = frozenset(("same-origin", "none"))


class OriginCheck:
    """Refuses foreign hosts and foreign origins; what is no browser sends neither `Origin` nor `Sec-Fetch-Site`."""

    def __init__(self, app: ASGIApp, called: frozenset[str]) -> None:
        self._app = app
        self._called = called

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 421 or 403."""
        if scope["type"] == "http" and (refused := self._refusal(Headers(scope=scope), scope["method"])):
            await refused(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _refusal(self, headers: Headers, method: str) -> PlainTextResponse | None:
        host = headers.get("host", "").lower()
        if host not in self._called:
            return PlainTextResponse(
                "This machine is not called so here. Add the name with: sitewright serve --name HOST:PORT\n", 421
            )
        if method not in SAFE and not _is_own(headers, host):
            return PlainTextResponse("This request comes from another site's page, so it is refused.\n", 403)
        return None


def _is_own(headers: Headers, host: str) -> bool:
    fetched_by = headers.get("sec-fetch-site")
    if fetched_by is not None and fetched_by not in _OWN:
        return False
    origin = headers.get("origin")
    return origin is None or origin.lower().partition("://")[2] == host
