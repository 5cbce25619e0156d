"""A request in, refused where it sends more than anything here has use for."""

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 8_000_000
"""A map with its comments has 20 kB, a list of ten thousand sites 1 MB."""
_TOLD = "This is more than can be taken in at once (8 MB).\n"


class _TooLarge(Exception):
    """More came than was announced, or than is taken."""


class BodySize:
    """Counts what comes in, whatever was announced."""

    def __init__(self, app: ASGIApp, most: int = MOST_BYTES) -> None:
        self._app = app
        self._most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or answer 413."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        announced = Headers(scope=scope).get("content-length", "")
        if announced.isdecimal() and int(announced) > self._most:
            await PlainTextResponse(_TOLD, 413)(scope, receive, send)
            return
        left = self._most

        async def count() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise _TooLarge
            return message

        try:
            await self._app(scope, count, send)
        except _TooLarge:
            await PlainTextResponse(_TOLD, 413)(scope, receive, send)
