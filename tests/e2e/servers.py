"""A small newspaper at a loopback address of its own, which answers as a test tells it and remembers what it was asked."""

import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from sitewright.demo import generate_site

HTML = {"Content-Type": "text/html; charset=utf-8"}


@dataclass
class Reply:
    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: HTML)
    pause: float = 0.0
    """Seconds after each byte of the body."""


Answer = Callable[[str], Reply]
"""What is answered to a path with its query."""


@dataclass(frozen=True)
class Asked:
    path: str
    """With its query."""
    at: float
    """By `time.monotonic`."""
    agent: str


class SiteServer(ThreadingHTTPServer):
    """Serves a paper that does not change, or what `answer` says."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, host: str, *, seed: int = 1, stories: int = 24, scheme: str = "http", name: str = "") -> None:
        super().__init__((host, 0), _Responder)
        self.host = name or host
        self.url = f"{scheme}://{self.host}:{self.server_port}/"
        self.paper = generate_site(seed, stories=stories, host=self.host, base_url=self.url)
        self.answer: Answer = self.good
        self.log: list[Asked] = []

    @property
    def asked(self) -> list[str]:
        return [one.path for one in self.log]

    @property
    def stories(self) -> Counter[str]:
        """The paths of all stories, each once."""
        return Counter(self.paper.truth.keys())

    @property
    def asked_stories(self) -> Counter[str]:
        """How often each story was asked for."""
        return Counter(urlsplit(path).path for path in self.asked if self.is_story(path))

    def good(self, path: str) -> Reply:
        """Answer as a newspaper does."""
        page = self.paper.page(urlsplit(path).path)
        return Reply(page.html, headers={"Content-Type": page.content_type}) if page else Reply("nothing here", 404)

    def is_story(self, path: str) -> bool:
        return urlsplit(path).path in self.paper.truth

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Responder(BaseHTTPRequestHandler):
    server: SiteServer
    timeout = 20

    def do_GET(self) -> None:
        self.server.log.append(Asked(self.path, time.monotonic(), self.headers.get("User-Agent", "")))
        reply = self.server.answer(self.path)
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        for part in _bytes_of(body) if reply.pause else (body,):
            self.wfile.write(part)
            time.sleep(reply.pause)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def _bytes_of(body: bytes) -> Iterable[bytes]:
    return (body[place : place + 1] for place in range(len(body)))


@contextmanager
def serving(*sites: SiteServer) -> Iterator[None]:
    """Serve sites, each in a thread of its own."""
    threads = [
        threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True) for site in sites
    ]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        for site, thread in zip(sites, threads, strict=True):
            site.shutdown()
            thread.join()
            site.server_close()
