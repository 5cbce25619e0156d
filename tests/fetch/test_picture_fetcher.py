"""Pictures come from public addresses, within bounds, and are what their bytes are."""

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from sitewright.errors import AddressRefused, BadUrl, NotPicture, PageTooLarge, SitewrightError, TooManyRedirects
from sitewright.fetch.picture_fetcher import MOST_BYTES, Picture, PictureFetcher
from sitewright.types import FetchSettings

PNG = b"\x89PNG\r\n\x1a\n" + b"0" * 20


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status, body, location = {
            "/a.png": (200, PNG, ""),
            "/page": (200, b"<html><p>no picture", ""),
            "/large": (200, PNG + b"0" * MOST_BYTES, ""),
            "/on": (302, b"", "/a.png"),
            "/round": (302, b"", "/round"),
            "/inside": (302, b"", "http://127.0.0.2:9/"),
            "/file": (302, b"", "file:///etc/passwd"),
        }.get(self.path, (404, b"", ""))
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "image/png")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        try:
            self.wfile.write(body)
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def fetch(url: str, *allowed: str) -> Picture:
    async def once() -> Picture:
        fetcher = PictureFetcher(FetchSettings(allow_hosts=allowed))
        try:
            return await fetcher.fetch(url)
        finally:
            await fetcher.close()

    return asyncio.run(once())


def test_pictures_are_fetched(host: str) -> None:
    for path in ("/a.png", "/on"):
        assert fetch(f"http://{host}{path}", host) == Picture(PNG, "image/png")


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/page", NotPicture),
        ("/large", PageTooLarge),
        ("/round", TooManyRedirects),
        ("/inside", AddressRefused),
        ("/file", BadUrl),
        ("/gone", BadUrl),
    ],
)
def test_what_is_none_is_told(host: str, path: str, error: type[SitewrightError]) -> None:
    with pytest.raises(error):
        fetch(f"http://{host}{path}", host)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:{port}/a.png",
        "http://localhost:{port}/a.png",
        "http://[::1]:{port}/",
        "http://2130706433:{port}/",
    ],
)
def test_nothing_comes_from_inside(host: str, url: str) -> None:
    with pytest.raises(SitewrightError):
        fetch(url.format(port=host.partition(":")[2]))
