"""Servers on loopback that answer by a table and remember what they were asked: sites, and a proxy before them."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar
from urllib.parse import urlsplit


class Server(ThreadingHTTPServer):
    """A site: paths to headers of their answers; all have the same body."""

    daemon_threads = True

    def __init__(self, host: str, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__((host, 0), handler)
        self.host = host
        self.leads: dict[str, str] = {}
        """Paths that redirect, and where to."""
        self.sets: dict[str, str] = {}
        """Paths that set a cookie."""
        self.asked: list[tuple[str, Mapping[str, str]]] = []

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}:{self.server_port}{path}"

    def headers_of(self, path: str) -> Mapping[str, str]:
        """The headers, in lower case, of the last request for a path."""
        return next(
            {name.lower(): value for name, value in sent.items()} for at, sent in self.asked[::-1] if at == path
        )


class _Answers(BaseHTTPRequestHandler):
    server: Server
    body: ClassVar[bytes] = b"<!doctype html><title>Bees</title><p>They dance.</p>"

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        if self.path == "/robots.txt":
            self._send(404, {})
        elif self.path in self.server.leads:
            self._send(302, {"Location": self.server.leads[self.path]})
        else:
            own = {"Set-Cookie": self.server.sets[self.path]} if self.path in self.server.sets else {}
            self._send(200, {"Content-Type": "text/html", **own})

    def _send(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(self.body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(self.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


class _Passes(_Answers):
    """A proxy for http; it asks for a name and a password."""

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        if self.headers.get("Proxy-Authorization") != "Basic YmVlOnN0aW5n":  # bee:sting
            self._send(407, {"Proxy-Authenticate": "Basic"})
            return
        parts = urlsplit(self.path)
        connection = HTTPConnection(parts.hostname or "", parts.port or 80, timeout=10)
        own = {name: value for name, value in self.headers.items() if not name.lower().startswith("proxy-")}
        connection.request("GET", parts.path, headers=own)
        answer = connection.getresponse()
        body = answer.read()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        connection.close()


@contextmanager
def serving(host: str = "127.0.0.1", *, proxy: bool = False) -> Iterator[Server]:
    """Run a site, or a proxy, at an address of this machine."""
    server = Server(host, _Passes if proxy else _Answers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
