"""Pages in, a web server on loopback out, which leaves no thread behind."""

import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from threading import Thread
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

from sitewright.demo.catalogue import MISSING_PATH, SitePage

Connection = socket.socket | tuple[bytes, socket.socket]
"""What the standard library calls a request; over TCP it is always a socket."""


class Pages(Protocol):
    """What can be served; one with `takes_query` is asked for paths as they came, with what stands behind `?`."""

    def page(self, path: str) -> SitePage | None:
        """Return what is at a path now, if there is anything."""


@dataclass(frozen=True, slots=True)
class Request:
    """One request, as the server saw it."""

    path: str
    """Without its query."""
    status: int
    seconds: float
    """When, by `time.monotonic`."""


class LoopbackServer(ThreadingHTTPServer):
    """Serves `pages` and remembers what it was asked."""

    daemon_threads = False
    """`server_close` waits for them, and their connections are closed before."""
    request_queue_size = 64
    pages: Pages
    log: list[Request]

    def __init__(self, address: tuple[str, int]) -> None:
        """Take an address and a port, 0 for a free one."""
        self.log = []
        self._connections: set[object] = set()
        super().__init__(address, _Responder)

    @property
    def base_url(self) -> str:
        """Where it serves."""
        return f"http://{self.server_name}:{self.server_port}"

    def server_bind(self) -> None:
        """Bind without looking up the name of the address, which might ask a name server outside."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = str(self.server_address[0]), self.server_address[1]

    def process_request(self, request: Connection, client_address: Any) -> None:
        """Remember the connection, which its client may keep open."""
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Connection) -> None:
        """Forget a connection that ends."""
        self._connections.discard(request)
        super().shutdown_request(request)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Answer requests in other threads, all of which have ended afterwards."""
        thread = Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, name="sitewright-demo", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.shutdown()
            thread.join()
            self._hang_up()

    def _hang_up(self) -> None:
        for connection in list(self._connections):
            if isinstance(connection, socket.socket):
                with suppress(OSError):  # its client was faster
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent when a browser hangs up; anything else is a bug and is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Responder(BaseHTTPRequestHandler):
    server: LoopbackServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    """Head and body are two writes: on a connection that stays open the second would wait for an acknowledgement."""
    timeout = 5
    """A connection that a browser opened in advance and never used is not kept for ever."""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is that of the base class
        """Log nothing: the terminal belongs to whoever serves the site."""

    def _answer(self, *, with_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        status, page = self._find(self.path if getattr(self.server.pages, "takes_query", False) else path)
        self.server.log.append(Request(path, status, time.monotonic()))
        self._send(status, page, with_body and status is not HTTPStatus.NOT_MODIFIED)

    def _find(self, path: str) -> tuple[HTTPStatus, SitePage]:
        page = self.server.pages.page(path)
        if page is None:
            missing = self.server.pages.page(MISSING_PATH)
            return HTTPStatus.NOT_FOUND, missing or SitePage(MISSING_PATH, b"", "text/plain", "missing")
        known = self.headers.get("If-None-Match", "")
        return HTTPStatus.NOT_MODIFIED if entity_tag(page) in known else HTTPStatus.OK, page

    def _send(self, status: HTTPStatus, page: SitePage, with_body: bool) -> None:
        self.send_response(status)
        if status is HTTPStatus.OK:
            self.send_header("Cache-Control", "no-cache")
        if status is not HTTPStatus.NOT_FOUND:
            self.send_header("ETag", entity_tag(page))
        if status is not HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Type", page.content_type)
            self.send_header("Content-Length", str(len(page.html)))
        self.end_headers()
        if with_body:
            self.wfile.write(page.html)


def entity_tag(page: SitePage) -> str:
    """Return the ETag of a page."""
    return f'"{sha256(page.html).hexdigest()[:20]}"'
