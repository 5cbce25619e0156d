"""Scrapy behind one coroutine, against real servers on loopback."""

import asyncio
import gzip
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from sitewright.errors import (
    AddressRefused,
    BadUrl,
    ConnectionFailed,
    FetchTimeout,
    PageTooLarge,
    RobotsForbid,
    SitewrightError,
    TooManyRedirects,
)
from sitewright.fetch import Validators
from sitewright.fetch.crawler import Crawler
from sitewright.types import FetchSettings, Limits, Page

pytestmark = pytest.mark.slow

BEES = b"<!doctype html><title>Bees</title><p>They dance."


@dataclass
class Reply:
    body: bytes = BEES
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drip: float = 0.0


class Site(ThreadingHTTPServer):
    """Answers by a table, several replies of one path one after the other; remembers what it was asked."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Responder)
        self.replies: dict[str, list[Reply]] = {}
        self.asked: list[tuple[str, Mapping[str, str]]] = []
        self.times: list[float] = []

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server_port}{path}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked if path != "/robots.txt"]


class _Responder(BaseHTTPRequestHandler):
    server: Site
    protocol_version = "HTTP/1.1"
    timeout = 5

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        self.server.times.append(time.monotonic())
        replies = self.server.replies.get(self.path) or [Reply(b"nothing here", 404)]
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        etag = reply.headers.get("ETag")
        if etag and self.headers.get("If-None-Match") == etag:
            reply = Reply(b"", 304, {"ETag": etag})
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        for place in range(0, len(reply.body), 1 if reply.drip else len(reply.body) or 1):
            self.wfile.write(reply.body[place : place + 1] if reply.drip else reply.body)
            time.sleep(reply.drip)

    def handle(self) -> None:
        with suppress(OSError):  # the other side hangs up on what is too large or too slow
            super().handle()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as server:
        server.replies["/bees"] = [Reply(headers={"Content-Type": "text/html", "ETag": '"one"'})]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


QUICK = FetchSettings(allow_hosts=("127.0.0.1",), pause_seconds=0, seconds=5)


def fetched(
    work: Callable[[Crawler], Awaitable[Page]], settings: FetchSettings = QUICK, limits: Limits | None = None
) -> Page:
    async def run() -> Page:
        async with Crawler(settings, limits) as crawler:
            return await work(crawler)

    return asyncio.run(run())


def test_a_page_comes_with_what_is_known_of_it(site: Site) -> None:
    page = fetched(lambda crawler: crawler.fetch(site.url("/bees")))
    assert (page.status, page.body, page.via) == (200, BEES, "http")
    assert page.url == page.final_url == site.url("/bees")
    assert page.headers["Content-Type"] == "text/html"
    assert page.fetched_at is not None
    assert site.asked[0][0] == "/robots.txt"
    assert site.asked[1][1]["User-Agent"].startswith("Sitewright/")


def test_many_pages_at_once(site: Site) -> None:
    site.replies |= {f"/{number}": [Reply(f"page {number}".encode())] for number in range(60)}

    async def run() -> list[bytes | str]:
        async with Crawler(QUICK) as crawler:
            pages = await asyncio.gather(*(crawler.fetch(site.url(f"/{number}")) for number in range(60)))
        return [page.body for page in pages]

    assert asyncio.run(run()) == [f"page {number}".encode() for number in range(60)]
    assert [path for path, _ in site.asked].count("/robots.txt") == 1


def test_an_unchanged_page_costs_a_304(site: Site) -> None:
    async def twice(crawler: Crawler) -> Page:
        first = await crawler.fetch(site.url("/bees"))
        return await crawler.fetch(site.url("/bees"), Validators.of(first))

    page = fetched(twice)
    assert (page.status, page.body) == (304, b"")


def test_redirects_are_followed(site: Site) -> None:
    site.replies["/old"] = [Reply(b"", 301, {"Location": "/bees"})]
    page = fetched(lambda crawler: crawler.fetch(site.url("/old")))
    assert (page.url, page.final_url, page.body) == (site.url("/old"), site.url("/bees"), BEES)


def test_compressed_pages_are_unpacked(site: Site) -> None:
    site.replies["/packed"] = [Reply(gzip.compress(BEES), headers={"Content-Encoding": "gzip"})]
    assert fetched(lambda crawler: crawler.fetch(site.url("/packed"))).body == BEES


@pytest.mark.parametrize("status", [403, 404, 410])
def test_errors_of_servers_are_pages(site: Site, status: int) -> None:
    site.replies["/gone"] = [Reply(b"no", status)]
    assert fetched(lambda crawler: crawler.fetch(site.url("/gone"))).status == status


def test_what_may_pass_is_tried_again(site: Site) -> None:
    site.replies["/busy"] = [Reply(b"", 503, {"Retry-After": "0"}), Reply(b"", 429, {"Retry-After": "0"}), Reply()]
    page = fetched(lambda crawler: crawler.fetch(site.url("/busy")))
    assert (page.status, page.body) == (200, BEES)
    assert site.paths() == ["/busy"] * 3


@pytest.mark.parametrize("named", ["3600", "Wed, 21 Oct 2037 07:28:00 GMT"])
def test_who_asks_for_much_patience_is_not_asked_again(site: Site, named: str) -> None:
    site.replies["/busy"] = [Reply(b"later", 503, {"Retry-After": named})]
    page = fetched(lambda crawler: crawler.fetch(site.url("/busy")))
    assert (page.status, page.headers["Retry-After"]) == (503, named)
    assert site.paths() == ["/busy"]


def test_robots_are_obeyed(site: Site) -> None:
    site.replies["/robots.txt"] = [Reply(b"User-agent: *\nDisallow: /private/\n")]
    site.replies["/private/bees"] = [Reply()]
    with pytest.raises(RobotsForbid):
        fetched(lambda crawler: crawler.fetch(site.url("/private/bees")))
    assert site.paths() == []


def test_the_delay_that_robots_ask_for_is_kept(site: Site) -> None:
    site.replies["/robots.txt"] = [Reply(b"User-agent: *\nCrawl-delay: 1\n")]

    async def three(crawler: Crawler) -> Page:
        for _ in range(2):
            await crawler.fetch(site.url("/bees"))
        return await crawler.fetch(site.url("/bees"))

    fetched(three)
    assert site.times[-1] - site.times[-2] > 0.45  # Scrapy shakes its pauses by a half


@pytest.mark.parametrize(
    ("path", "error"),
    [("/loop", TooManyRedirects), ("/large", PageTooLarge), ("/bomb", PageTooLarge), ("/drip", FetchTimeout)],
)
def test_bad_servers(site: Site, path: str, error: type[SitewrightError]) -> None:
    site.replies |= {
        "/loop": [Reply(b"", 302, {"Location": "/loop?again"})],
        "/loop?again": [Reply(b"", 302, {"Location": "/loop"})],
        "/large": [Reply(b"x" * 200_000)],
        "/bomb": [Reply(gzip.compress(b"x" * 5_000_000), headers={"Content-Encoding": "gzip"})],
        "/drip": [Reply(b"x" * 600, drip=0.05)],
    }
    settings = FetchSettings(allow_hosts=("127.0.0.1",), pause_seconds=0, seconds=1)
    with pytest.raises(error):
        fetched(lambda crawler: crawler.fetch(site.url(path)), settings, Limits(page_bytes=100_000))


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://example.com/", "data:text/html,bees", "javascript:1", "bees", "http://"]
)
def test_what_is_no_web_address(url: str) -> None:
    with pytest.raises(BadUrl):
        fetched(lambda crawler: crawler.fetch(url))


def test_a_closed_port() -> None:
    with Site() as closed:
        port = closed.server_port
    with pytest.raises(ConnectionFailed):
        fetched(lambda crawler: crawler.fetch(f"http://127.0.0.1:{port}/"))


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "127.0.0.2",
        "127.1",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "2130706433",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0.0.0.0",  # noqa: S104
    ],
)
def test_addresses_inside_are_refused(site: Site, host: str) -> None:
    with pytest.raises((AddressRefused, BadUrl)):
        fetched(lambda crawler: crawler.fetch(site.url("/bees", host)))
    assert site.asked == []


def test_redirects_inside_are_refused(site: Site) -> None:
    site.replies["/out"] = [Reply(b"", 302, {"Location": site.url("/bees", "localhost")})]
    with pytest.raises(AddressRefused):
        fetched(lambda crawler: crawler.fetch(site.url("/out")))
    assert "/bees" not in site.paths()


@pytest.mark.parametrize("allowed", ["127.0.0.1", "127.0.0.1:{port}", "localhost", "localhost:{port}"])
def test_hosts_are_allowed_by_name(site: Site, allowed: str) -> None:
    name = allowed.format(port=site.server_port)
    settings = FetchSettings(allow_hosts=(name,), pause_seconds=0)
    host = name.partition(":")[0]
    assert fetched(lambda crawler: crawler.fetch(site.url("/bees", host)), settings).body == BEES
