"""`WebFetcher` against real servers on loopback: one that answers by a table, one that speaks plain bytes."""

import asyncio
import gzip
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Self

import pytest

from sitewright.errors import (
    AddressRefused,
    BadUrl,
    ConnectionFailed,
    FetchTimeout,
    PageTooLarge,
    RobotsForbid,
    SettingsError,
    TooManyRedirects,
)
from sitewright.fetch import Fetcher, MemoryWeb, PageFetcher, WebFetcher, retry
from sitewright.types import FetchSettings, Limits, Page

pytestmark = pytest.mark.slow

HTML = b"<!doctype html><title>Bees</title>"
Talk = Callable[[socket.socket], object]


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


class Site(ThreadingHTTPServer):
    """Answers by its table of paths; what is not in it is a 404. Remembers what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Responder)
        self.replies: dict[str, Reply] = {}
        self.asked: list[tuple[str, Mapping[str, str]]] = []
        self.times: list[float] = []

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def url(self, path: str = "/", *, host: str = "127.0.0.1", scheme: str = "http") -> str:
        return f"{scheme}://{host}:{self.server_port}{path}"

    def redirect(self, path: str, location: str, status: int = 302) -> None:
        self.replies[path] = Reply(b"moved", status, {"Location": location})

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Responder(BaseHTTPRequestHandler):
    server: Site
    protocol_version = "HTTP/1.1"
    timeout = 5

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers.items())))
        self.server.times.append(time.monotonic())
        reply = self.server.replies.get(self.path, Reply(b"nothing here", 404))
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(reply.body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def running(site: Site) -> Iterator[Site]:
    thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        thread.join()
        site.server_close()


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once."""
    monkeypatch.setattr(retry, "_FIRST_PAUSE", 0.01)


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as started:
        yield started


@contextmanager
def talking(talk: Talk) -> Iterator[int]:
    """Give every connection to `talk`; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:  # closed
                    return
                threading.Thread(target=_talk, args=(connection, talk), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


def _talk(connection: socket.socket, talk: Talk) -> None:
    with connection, suppress(OSError):  # the other side has hung up
        talk(connection)


def fetcher(*, limits: Limits | None = None, seconds: float = 120.0, pause: float = 0.0, agent: str = "") -> WebFetcher:
    settings = FetchSettings(allow_hosts=("127.0.0.1",), seconds=seconds, pause_seconds=pause, user_agent=agent)
    return WebFetcher(settings, limits)


def fetch(url: str, **options: float) -> Page:
    return fetch_with(fetcher(**options), url)  # type: ignore[arg-type]


def fetch_with(fetching: WebFetcher, url: str) -> Page:
    with fetching:
        one: Fetcher = fetching
        return one.fetch(url)


def test_a_page(site: Site) -> None:
    site.replies["/bees?a=1"] = Reply(HTML, headers={"Content-Type": "text/html; charset=koi8-r"})
    before = datetime.now(UTC)
    page = fetch(site.url("/bees?a=1#top"))
    assert page.url == site.url("/bees?a=1#top")
    assert (page.final_url, page.status, page.body, page.via) == (site.url("/bees?a=1"), 200, HTML, "http")
    assert page.headers["Content-Type"] == "text/html; charset=koi8-r"
    assert page.fetched_at is not None
    assert before <= page.fetched_at <= before + timedelta(seconds=5)


def test_who_asks(site: Site) -> None:
    fetch(site.url())
    fetch_with(fetcher(agent="BeeBot/1.0\r\n X-Evil: ü"), site.url())
    agents = [headers["User-Agent"] for path, headers in site.asked if path == "/"]
    assert agents[0].startswith(f"Sitewright/{version('sitewright')} (")
    assert agents[1] == "BeeBot/1.0 X-Evil: ?"
    assert {headers["Host"] for _, headers in site.asked} == {f"127.0.0.1:{site.server_port}"}


@pytest.mark.parametrize("status", [204, 404, 410, 500, 503])
def test_an_error_is_a_page_with_its_status(site: Site, status: int) -> None:
    site.replies["/a"] = Reply(b"" if status == 204 else b"sorry", status)
    page = fetch(site.url("/a"))
    assert (page.status, page.body) == (status, b"" if status == 204 else b"sorry")


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(HTML, mtime=0)),
        ("x-gzip", gzip.compress(HTML, mtime=0)),
        ("GZIP", gzip.compress(HTML[:9], mtime=0) + gzip.compress(HTML[9:], mtime=0)),
        ("deflate", zlib.compress(HTML)),
        ("deflate", zlib.compress(HTML)[2:-4]),
        ("identity", HTML),
        ("deflate, gzip", gzip.compress(zlib.compress(HTML), mtime=0)),
    ],
)
def test_compressed_pages_are_unpacked(site: Site, encoding: str, body: bytes) -> None:
    site.replies["/a"] = Reply(body, headers={"Content-Encoding": encoding})
    page = fetch(site.url("/a"))
    assert page.body == HTML
    assert not {"content-encoding", "content-length"} & {name.lower() for name in page.headers}


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_what_cannot_be_unpacked_is_an_error(site: Site, encoding: str) -> None:
    site.replies["/a"] = Reply(b"\xff\xfe no such thing", headers={"Content-Encoding": encoding})
    with pytest.raises(ConnectionFailed, match=encoding):
        fetch(site.url("/a"))


BOMB = b"\0" * 3_000_000


@pytest.mark.parametrize(
    "reply",
    [
        Reply(BOMB),
        Reply(gzip.compress(BOMB), headers={"Content-Encoding": "gzip"}),
        Reply(zlib.compress(BOMB), headers={"Content-Encoding": "deflate"}),
        Reply(gzip.compress(gzip.compress(BOMB)), headers={"Content-Encoding": "gzip, gzip"}),
    ],
    ids=["plain", "gzip", "deflate", "twice"],
)
def test_a_page_too_large_is_not_read_to_its_end(site: Site, reply: Reply) -> None:
    site.replies["/a"] = reply
    with pytest.raises(PageTooLarge, match="100,000"):
        fetch_with(fetcher(limits=Limits(page_bytes=100_000)), site.url("/a"))


class TestRedirects:
    @pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
    def test_are_followed(self, site: Site, status: int) -> None:
        site.redirect("/a/b", "../c?d=1", status)
        site.replies["/c?d=1"] = Reply(HTML)
        page = fetch(site.url("/a/b"))
        assert (page.url, page.final_url, page.status, page.body) == (site.url("/a/b"), site.url("/c?d=1"), 200, HTML)

    @pytest.mark.parametrize(
        ("location", "expected"),
        [
            ("/b", "http://{host}/b"),
            ("b", "http://{host}/x/b"),
            ("?p=2", "http://{host}/x/a?p=2"),
            ("//{host}/b", "http://{host}/b"),
            ("http://{host}/b#c", "http://{host}/b"),
        ],
    )
    def test_may_be_relative(self, site: Site, location: str, expected: str) -> None:
        host = f"127.0.0.1:{site.server_port}"
        site.redirect("/x/a?p=1", location.format(host=host))
        assert fetch(site.url("/x/a?p=1")).final_url == expected.format(host=host)

    def test_to_addresses_in_utf_8(self, site: Site) -> None:
        site.redirect("/a", "/пчёлы".encode().decode("latin-1"))
        site.replies["/%D0%BF%D1%87%D1%91%D0%BB%D1%8B"] = Reply(HTML)
        assert fetch(site.url("/a")).body == HTML

    def test_ten_and_no_more(self, site: Site) -> None:
        for number in range(11):
            site.redirect(f"/{number}", f"/{number + 1}")
        site.replies["/11"] = Reply(HTML)
        assert fetch(site.url("/1")).body == HTML
        with pytest.raises(TooManyRedirects, match="more than 10 times"):
            fetch(site.url("/0"))

    def test_loops_end_at_once(self, site: Site) -> None:
        site.redirect("/a", "/b")
        site.redirect("/b", "/a#again")
        with pytest.raises(TooManyRedirects, match="leads back"):
            fetch(site.url("/a"))
        assert site.paths == ["/robots.txt", "/a", "/b"]

    def test_without_an_address_are_pages(self, site: Site) -> None:
        site.replies["/a"] = Reply(HTML, 302)
        page = fetch(site.url("/a"))
        assert (page.status, page.body) == (302, HTML)

    @pytest.mark.parametrize(
        "location", ["file:///etc/passwd", "ftp://example.com/", "http://[broken", "http://a:b@c/"]
    )
    def test_lead_only_to_web_pages(self, site: Site, location: str) -> None:
        site.redirect("/a", location)
        with pytest.raises(BadUrl):
            fetch(site.url("/a"))

    @pytest.mark.parametrize("host", ["localhost", "127.0.0.2", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254"])
    def test_do_not_lead_inside(self, site: Site, host: str) -> None:
        site.redirect("/a", site.url("/secret", host=host))
        with pytest.raises(AddressRefused):
            fetch(site.url("/a"))
        assert "/secret" not in site.paths


class TestGuard:
    def test_is_on_by_default(self, site: Site) -> None:
        with pytest.raises(AddressRefused, match=r"SITEWRIGHT_FETCH_ALLOW_HOSTS=127\.0\.0\.1"):
            fetch_with(WebFetcher(), site.url())
        assert site.asked == []

    @pytest.mark.parametrize("entry", ["{host}", "{host}:{port}", "{HOST}"])
    def test_lets_allowed_hosts_through(self, site: Site, entry: str) -> None:
        allowed = entry.format(host="localhost", HOST="LOCALHOST", port=site.server_port)
        settings = FetchSettings(allow_hosts=("other.example", allowed), pause_seconds=0)
        assert fetch_with(WebFetcher(settings), site.url(host="localhost")).status == 404

    def test_does_not_let_another_port_through(self, site: Site) -> None:
        with pytest.raises(AddressRefused):
            fetch_with(WebFetcher(FetchSettings(allow_hosts=("127.0.0.1:1",))), site.url())

    def test_connects_to_the_address_that_was_checked(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        lookups: list[object] = []

        def change_each_time(host: bytes, port: int, **_: object) -> list[tuple[object, ...]]:
            lookups.append(host)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

        monkeypatch.setattr(socket, "getaddrinfo", change_each_time)
        settings = FetchSettings(allow_hosts=("rebinding.example",), pause_seconds=0)
        page = fetch_with(WebFetcher(settings), site.url("/a", host="rebinding.example"))
        assert page.status == 404
        assert (len(lookups), len(site.asked)) == (1, 2)  # what was checked is used again, not looked up anew
        assert site.asked[-1][1]["Host"] == f"rebinding.example:{site.server_port}"


class TestRobots:
    def test_are_obeyed(self, site: Site) -> None:
        site.replies["/robots.txt"] = Reply(b"User-agent: sitewright\nDisallow: /secret\n")
        with fetcher() as fetching:
            assert fetching.fetch(site.url("/open")).status == 404
            with pytest.raises(RobotsForbid, match="/secret/a"):
                fetching.fetch(site.url("/secret/a"))
        assert site.paths == ["/robots.txt", "/open"]

    def test_are_obeyed_after_redirects(self, site: Site) -> None:
        site.replies["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /secret\n")
        site.redirect("/a", "/secret")
        with pytest.raises(RobotsForbid):
            fetch(site.url("/a"))
        assert "/secret" not in site.paths

    def test_may_be_fetched_themselves(self, site: Site) -> None:
        site.replies["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /\n")
        assert fetch(site.url("/robots.txt")).body == b"User-agent: *\nDisallow: /\n"

    @pytest.mark.parametrize("status", [500, 503, 429])
    def test_that_are_out_of_order_forbid_all(self, site: Site, status: int) -> None:
        site.replies["/robots.txt"] = Reply(b"", status)
        site.replies["/a"] = Reply(HTML)
        with pytest.raises(RobotsForbid, match="cannot be read for now"):
            fetch(site.url("/a"))

    @pytest.mark.parametrize(
        "reply",
        [
            Reply(b"", 404),
            Reply(b"", 403),
            Reply(b"", 401),
            Reply(b""),
            Reply(HTML + b"\nUser-agent: *\nDisallow: /"),
            Reply(b"", 302, {"Location": "/robots.txt"}),
            Reply(b"", 302, {"Location": "ftp://example.com/robots.txt"}),
        ],
        ids=["missing", "forbidden", "locked", "empty", "page", "loop", "elsewhere"],
    )
    def test_that_are_none_allow_all(self, site: Site, reply: Reply) -> None:
        site.replies["/robots.txt"] = reply
        site.replies["/a"] = Reply(HTML)
        assert fetch(site.url("/a")).body == HTML

    def test_that_are_endless_count_by_their_beginning(self, site: Site) -> None:
        site.replies["/robots.txt"] = Reply(b"User-agent: *\nDisallow: /a\n" + b" " * 5_000_000 + b"\nDisallow: /b\n")
        site.replies["/b"] = Reply(HTML)
        assert fetch(site.url("/b")).body == HTML
        with pytest.raises(RobotsForbid):
            fetch(site.url("/a"))

    def test_may_be_elsewhere(self, site: Site) -> None:
        site.redirect("/robots.txt", "/real-robots.txt")
        site.replies["/real-robots.txt"] = Reply(b"User-agent: *\nDisallow: /a\n")
        with pytest.raises(RobotsForbid):
            fetch(site.url("/a"))


class TestPause:
    def test_between_pages_of_a_host(self, site: Site) -> None:
        with fetcher(pause=0.3) as fetching:
            fetching.fetch(site.url("/1"))
            fetching.fetch(site.url("/2"))
        assert site.paths == ["/robots.txt", "/1", "/2"]
        assert site.times[2] - site.times[1] > 0.28

    def test_not_between_hosts(self, site: Site) -> None:
        settings = FetchSettings(allow_hosts=("127.0.0.1", "localhost"), pause_seconds=240)
        start = time.monotonic()
        with WebFetcher(settings) as fetching:
            fetching.fetch(site.url())
            fetching.fetch(site.url(host="localhost"))
        assert time.monotonic() - start < 120

    def test_as_long_as_the_site_asks_for(self, site: Site) -> None:
        site.replies["/robots.txt"] = Reply(b"User-agent: *\nCrawl-delay: 0.3\n")
        with fetcher() as fetching:
            fetching.fetch(site.url("/1"))
            fetching.fetch(site.url("/2"))
        assert site.times[2] - site.times[1] > 0.28


def drip(head: bytes, drop: bytes) -> Talk:
    """Send a beginning, then a little again and again."""

    def talk(connection: socket.socket) -> None:
        connection.sendall(head)
        for _ in range(1000):
            time.sleep(0.1)
            connection.sendall(drop)

    return talk


@pytest.mark.parametrize(
    "talk",
    [
        lambda _: time.sleep(120),
        drip(b"HTTP/1.1 200 ", b"O"),
        drip(b"HTTP/1.1 200 OK\r\n", b"X"),
        drip(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
        drip(b"HTTP/1.1 200 OK\r\n\r\n", b"a"),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n", b"a"),
        drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1\r\na\r\n"),
        drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["silent", "status", "header", "headers", "body", "length", "chunks", "continue"],
)
def test_a_server_that_takes_for_ever_is_left(talk: Talk) -> None:
    with talking(talk) as port:
        start = time.monotonic()
        with pytest.raises(FetchTimeout, match=r"fetch\.seconds"):
            fetch(f"http://127.0.0.1:{port}/", seconds=0.5)
        assert time.monotonic() - start > 0.4


def test_a_handshake_that_takes_for_ever_is_left() -> None:
    with talking(lambda _: time.sleep(120)) as port, pytest.raises(FetchTimeout):
        fetch(f"https://127.0.0.1:{port}/", seconds=0.5)


def say(answer: bytes) -> Talk:
    """Answer with these bytes, whatever is asked; robots.txt is not there."""

    def talk(connection: socket.socket) -> None:
        asked = connection.recv(65536)
        is_robots = asked.startswith(b"GET /robots.txt")
        connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n" if is_robots else answer)

    return talk


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\x00\x01\x02\x03",
        b"HHHH",
        b"SSH-2.0-OpenSSH_9.0\r\n",
        b"<html>no header at all</html>",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
    ],
)
def test_an_answer_that_is_none(answer: bytes) -> None:
    with talking(say(answer)) as port, pytest.raises(ConnectionFailed, match=r"127\.0\.0\.1|ends"):
        fetch(f"http://127.0.0.1:{port}/")


def test_an_answer_without_a_length_ends_with_the_connection() -> None:
    with talking(say(b"HTTP/1.0 200 OK\r\n\r\n" + HTML)) as port:
        assert fetch(f"http://127.0.0.1:{port}/").body == HTML


def test_chunks_are_put_together() -> None:
    chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nBees\r\n1;x=y\r\n!\r\n0\r\n\r\n"
    with talking(say(chunks)) as port:
        page = fetch(f"http://127.0.0.1:{port}/")
    assert page.body == b"Bees!"
    assert "Transfer-Encoding" not in page.headers


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(ConnectionFailed, match="refused"):
        fetch(f"http://127.0.0.1:{port}/")


class SlowWeb(MemoryWeb):
    """Notes when it is opened and closed; fetching takes for ever, and is noted when it is given up."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[str] = []
        self.asking, self.closed = threading.Event(), threading.Event()

    async def __aenter__(self) -> Self:
        self.noted.append("opened")
        return self

    async def __aexit__(self, *_: object) -> None:
        self.noted.append("closed")
        self.closed.set()

    async def fetch(self, url: str, *_: object, **__: object) -> Page:
        if "slow" not in url:
            return Page(url=url, body=b"quick")
        try:
            self.asking.set()
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            self.noted.append("given up")
            raise
        return Page(url=url, body=b"slow")


class TestTheWebBehindIt:
    def test_is_opened_with_the_first_page_and_closed_once(self) -> None:
        web = SlowWeb()
        with PageFetcher(web) as fetching:
            assert web.noted == []
            fetching.fetch("https://a.example/")
            fetching.fetch("https://a.example/")
            assert web.noted == ["opened"]
        fetching.close()
        assert web.noted == ["opened", "closed"]

    def test_is_never_opened_where_nothing_is_fetched(self) -> None:
        web = SlowWeb()
        with PageFetcher(web):
            pass
        assert web.noted == []

    def test_is_closed_where_nobody_does_it(self) -> None:
        web = SlowWeb()
        assert PageFetcher(web).fetch("https://a.example/").body == b"quick"
        assert web.closed.wait(20)

    def test_that_cannot_be_opened_says_why_and_may_be_tried_again(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        with WebFetcher(FetchSettings(cache=str(tmp_path / "file" / "b"))) as fetching:
            for _ in range(2):
                with pytest.raises(SettingsError, match=r"fetch\.cache"):
                    fetching.fetch("https://a.example/")

    def test_leaves_nothing_behind(self, site: Site) -> None:
        fetch(site.url())
        assert "sitewright-fetch" not in {thread.name for thread in threading.enumerate()}

    def test_is_no_matter_to_an_event_loop_of_the_caller(self, site: Site) -> None:
        site.replies["/a"] = Reply(HTML)

        async def within() -> Page:
            return fetch(site.url("/a"))

        assert asyncio.run(within()).body == HTML

    def test_gives_up_a_page_that_nobody_waits_for_any_more(self) -> None:
        """As after Ctrl-C; others are fetched then as before."""
        web = SlowWeb()

        def interrupt() -> None:
            web.asking.wait(20)
            os.kill(os.getpid(), signal.SIGINT)

        with PageFetcher(web) as fetching:
            fetching.fetch("https://a.example/")
            threading.Thread(target=interrupt, daemon=True).start()
            with pytest.raises(KeyboardInterrupt):
                fetching.fetch("https://slow.example/")
            assert fetching.fetch("https://a.example/").body == b"quick"
        assert web.noted[0] == "opened"
        assert {"given up", "closed"} < set(web.noted)


def test_a_program_that_closes_nothing_ends_all_the_same(site: Site) -> None:
    script = (
        "from sitewright.fetch import WebFetcher\nfrom sitewright.types import FetchSettings\n"
        f"fetcher = WebFetcher(FetchSettings(allow_hosts=('127.0.0.1',)))\nprint(fetcher.fetch({site.url()!r}).status)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == (b"404\n", b"", 0)
