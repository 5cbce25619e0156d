"""A generated site in, a running web server on loopback out."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import unquote, urlsplit

from sitewright.demo.site import MISSING_PATH, Site, SitePage


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """Stay silent when a browser hangs up; anything else is a bug and is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Responder(BaseHTTPRequestHandler):
    server: _Server
    timeout = 5
    """A connection that a browser opened in advance and never used must not live on after the site."""

    def do_GET(self) -> None:
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        self._answer(with_body=False)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is that of the base class
        """Log nothing: the terminal belongs to whoever serves the site."""

    def _answer(self, *, with_body: bool) -> None:
        pages = self.server.site.pages
        page = pages.get(unquote(urlsplit(self.path).path))
        if page is None:
            self._send(HTTPStatus.NOT_FOUND, pages[MISSING_PATH], with_body)
        elif entity_tag(page) in self.headers.get("If-None-Match", ""):
            self._send(HTTPStatus.NOT_MODIFIED, page, with_body=False)
        else:
            self._send(HTTPStatus.OK, page, with_body)

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


@contextmanager
def serve(site: Site | Callable[[str], Site], port: int = 0) -> Iterator[str]:
    """Serve a site on loopback and yield its base URL; a function is called with that URL and returns the site.

    Absolute links need the port before there is a site:
    `with serve(lambda base_url: generate_site(base_url=base_url)) as base_url: ...`
    """
    with _Server(("127.0.0.1", port), _Responder) as server:
        base_url = f"http://127.0.0.1:{server.server_port}"
        server.site = site if isinstance(site, Site) else site(base_url)
        thread = Thread(
            target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="sitewright-demo", daemon=True
        )
        thread.start()
        try:
            yield base_url
        finally:
            server.shutdown()
            thread.join()


def entity_tag(page: SitePage) -> str:
    """Return the ETag of a page."""
    return f'"{sha256(page.html).hexdigest()[:20]}"'
