"""`LiveWeb` against good and bad servers on loopback; what a browser shows is in tests/e2e/test_browser.py."""

import asyncio
import gzip
import shutil
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TypeVar

import pytest
from tests import needs

from sitewright.errors import (
    BadUrl,
    BrowserMissing,
    ConnectionFailed,
    FetchTimeout,
    HostNotFound,
    PageTooLarge,
    RobotsForbid,
    SettingsError,
    SitewrightError,
    TooManyRedirects,
)
from sitewright.fetch import LiveWeb, Validators, Web, retry, retry_after_of
from sitewright.types import FetchSettings, Limits, Page

pytestmark = pytest.mark.slow

BEES = b"<!doctype html><title>Bees</title><p>They dance."
FOR_EVER = 3600.0
"""Seconds that nobody here waits for: who has to is given up, and the test with him."""
PATIENCE = 120.0
"""Seconds for what takes hardly any, on a machine that is busy with other things."""
Work = TypeVar("Work")


@dataclass
class Reply:
    body: bytes = BEES
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    drip: float = 0.0
    """Seconds between two bytes."""
    hold: threading.Event | None = None
    """What is waited for before anything is sent."""


class Site(ThreadingHTTPServer):
    """Answers by a table, several replies of one path one after the other; remembers what it was asked, and when."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, address: str = "127.0.0.1") -> None:
        super().__init__((address, 0), _Responder)
        self.host = address
        self.replies: dict[str, list[Reply]] = {}
        self.asked: list[tuple[str, Mapping[str, str]]] = []
        self.times: list[float] = []
        self.connections = 0

    def get_request(self) -> tuple[socket.socket, object]:
        self.connections += 1
        return super().get_request()

    def url(self, path: str = "/", host: str = "", scheme: str = "http") -> str:
        return f"{scheme}://{host or self.host}:{self.server_port}{path}"

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Responder(BaseHTTPRequestHandler):
    server: Site
    protocol_version = "HTTP/1.1"
    timeout = 5

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers)))
        self.server.times.append(time.monotonic())
        replies = self.server.replies.get(self.path) or [Reply(b"nothing here", 404)]
        reply = replies.pop(0) if len(replies) > 1 else replies[0]
        if reply.hold is not None:
            reply.hold.wait(FOR_EVER)
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        for start in range(0, len(reply.body), 1 if reply.drip else len(reply.body) or 1):
            self.wfile.write(reply.body[start : start + 1] if reply.drip else reply.body)
            time.sleep(reply.drip)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


@contextmanager
def running(site: Site, context: ssl.SSLContext | None = None) -> Iterator[Site]:
    if context is not None:
        site.socket = context.wrap_socket(site.socket, server_side=True)
    thread = threading.Thread(target=site.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        site.shutdown()
        thread.join()
        site.server_close()


@pytest.fixture
def site() -> Iterator[Site]:
    with running(Site()) as started:
        started.replies["/bees"] = [Reply(headers={"Content-Type": "text/html", "ETag": '"one"'})]
        yield started


def settings_for(
    *hosts: str, pause: float = 0.0, seconds: float = PATIENCE, cache: str = "", browser: str = "/no/browser"
) -> FetchSettings:
    allowed = hosts or ("127.0.0.1",)
    return FetchSettings(allow_hosts=allowed, pause_seconds=pause, seconds=seconds, cache=cache, browser=browser)


QUICK = settings_for()


def with_web(
    work: Callable[[Web], Awaitable[Work]], settings: FetchSettings = QUICK, limits: Limits | None = None
) -> Work:
    async def run() -> Work:
        async with LiveWeb(settings, limits) as web:
            async with asyncio.timeout(PATIENCE):
                return await work(web)

    return asyncio.run(run())


def fetched(url: str, settings: FetchSettings = QUICK, limits: Limits | None = None) -> Page:
    return with_web(lambda web: web.fetch(url), settings, limits)


def failure(url: str, settings: FetchSettings = QUICK, limits: Limits | None = None) -> SitewrightError:
    """Return the error of a fetch, which is one sentence about the address."""
    with pytest.raises(SitewrightError) as caught:
        fetched(url, settings, limits)
    said = str(caught.value)
    assert "\n" not in said
    assert 20 < len(said) < 300
    assert not any(word in said for word in ("Error(", "Exception", "Errno", "object at", "ssl:default"))
    return caught.value


def test_importing_the_folder_takes_no_heavy_library() -> None:
    heavy = ("scrapy", "aiohttp", "playwright", "twisted")
    script = f"import sys, sitewright.fetch; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_a_page(site: Site) -> None:
    page = fetched(site.url("/bees"))
    assert (page.url, page.final_url, page.status, page.body, page.via) == (
        site.url("/bees"),
        site.url("/bees"),
        200,
        BEES,
        "http",
    )
    assert page.headers["Content-Type"] == "text/html"
    assert page.fetched_at is not None
    sent = site.asked[1][1]
    assert sent["User-Agent"].startswith("Sitewright/")
    assert not {"Accept-Language", "Cookie", "Referer", "Proxy-Authorization"} & sent.keys()


def test_an_unchanged_page_costs_a_304(site: Site) -> None:
    site.replies["/bees"].append(Reply(b"", 304, {"ETag": '"one"'}))

    async def twice(web: Web) -> Page:
        first = await web.fetch(site.url("/bees"))
        return await web.fetch(site.url("/bees"), validators=Validators.of(first))

    page = with_web(twice)
    assert (page.status, page.body) == (304, b"")
    assert site.asked[-1][1]["If-None-Match"] == '"one"'


class TestCache:
    async def times_asked(self, web: Web, site: Site, *cached: bool) -> int:
        for wanted in cached:
            assert (await web.fetch(site.url("/bees"), cached=wanted)).body == BEES
        return site.paths.count("/bees")

    @pytest.mark.parametrize("is_named", [False, True])
    def test_a_page_is_asked_for_once(self, site: Site, tmp_path: Path, is_named: bool) -> None:
        settings = settings_for(cache=str(tmp_path / "a" / "b") if is_named else "")
        assert with_web(lambda web: self.times_asked(web, site, True, True, True), settings) == 1
        assert with_web(lambda web: self.times_asked(web, site, True), settings) == (1 if is_named else 2)

    @pytest.mark.parametrize(("cached", "times"), [((False, True), 2), ((True, False), 2), ((True, False, True), 2)])
    def test_only_who_wants_it_reads_and_fills_it(self, site: Site, cached: tuple[bool, ...], times: int) -> None:
        assert with_web(lambda web: self.times_asked(web, site, *cached)) == times

    def test_a_page_has_the_time_at_which_it_was_fetched(self, site: Site) -> None:
        async def twice(web: Web) -> tuple[datetime, Page]:
            await web.fetch(site.url("/bees"), cached=True)
            between = datetime.now(UTC)
            return between, await web.fetch(site.url("/bees"), cached=True)

        before = datetime.now(UTC)
        between, page = with_web(twice)
        assert page.fetched_at is not None
        assert before < page.fetched_at < between

    def test_it_takes_no_turn(self, site: Site) -> None:
        assert with_web(lambda web: self.times_asked(web, site, *[True] * 5), settings_for(pause=FOR_EVER)) == 1

    def test_errors_are_not_kept(self, site: Site) -> None:
        site.replies["/new"] = [Reply(b"", 404), Reply()]

        async def twice(web: Web) -> list[int]:
            return [(await web.fetch(site.url("/new"), cached=True)).status for _ in range(2)]

        assert with_web(twice) == [404, 200]

    def test_a_folder_that_cannot_be_made(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_bytes(b"")
        with pytest.raises(SettingsError, match=r"fetch\.cache"):
            fetched("http://127.0.0.1/", settings_for(cache=str(tmp_path / "file" / "b")))

    def test_a_folder_that_is_damaged_costs_a_fetch(self, site: Site, tmp_path: Path) -> None:
        settings = settings_for(cache=str(tmp_path))
        with_web(lambda web: self.times_asked(web, site, True), settings)
        for file in tmp_path.rglob("*"):
            if file.is_file():
                file.write_bytes(b"x")
        assert with_web(lambda web: self.times_asked(web, site, True), settings) == 2


class TestTurns:
    """How much later than the start a request arrives is at least the pauses before it, however busy the machine is."""

    def test_of_one_host(self, site: Site) -> None:
        async def four(web: Web) -> None:
            await asyncio.gather(*(web.fetch(site.url(f"/{number}")) for number in range(4)))

        start = time.monotonic()
        with_web(four, settings_for(pause=0.3))
        arrived = [at - start for at in site.times[1:]]
        assert len(arrived) == 4
        assert all(at >= 0.3 * place for place, at in enumerate(arrived))

    def test_not_of_several(self, site: Site) -> None:
        with running(Site("127.0.0.2")) as other:

            async def both(web: Web) -> None:
                await asyncio.gather(web.fetch(site.url()), web.fetch(other.url()))

            with_web(both, settings_for("127.0.0.1", "127.0.0.2", pause=FOR_EVER))
            assert (site.paths, other.paths) == (["/robots.txt", "/"], ["/robots.txt", "/"])

    def test_as_long_as_robots_ask(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"User-agent: *\nCrawl-delay: 0.6\n")]

        async def some(web: Web) -> tuple[float, float]:
            before = web.delay_of(site.url())
            await web.fetch(site.url("/1"))
            await web.fetch(site.url("/2"))
            return before, web.delay_of(site.url("/3"))

        start = time.monotonic()
        assert with_web(some, settings_for(pause=0.1)) == (0.1, 0.6)
        assert site.times[-1] - start >= 0.6

    def test_not_more_than_half_a_minute(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"User-agent: *\nCrawl-delay: 86400\n")]

        async def delay(web: Web) -> float:
            await web.fetch(site.url())
            return web.delay_of(site.url())

        assert with_web(delay) == 30

    def test_one_for_all_steps_of_a_redirect(self, site: Site) -> None:
        site.replies["/old"] = [Reply(b"", 301, {"Location": "/older"})]
        site.replies["/older"] = [Reply(b"", 301, {"Location": "/bees"})]
        assert fetched(site.url("/old"), settings_for(pause=FOR_EVER)).body == BEES

    def test_of_a_host_that_others_lead_to(self, site: Site) -> None:
        hosts = [f"127.0.0.{number}" for number in range(2, 5)]
        with ExitStack() as stack:
            leading = [stack.enter_context(running(Site(host))) for host in hosts]
            for one in leading:
                one.replies["/"] = [Reply(b"", 302, {"Location": site.url(f"/{one.host}")})]

            async def three(web: Web) -> None:
                await asyncio.gather(*(web.fetch(one.url()) for one in leading))

            start = time.monotonic()
            with_web(three, settings_for("127.0.0.1", *hosts, pause=0.3))
        arrived = [at - start for path, at in zip(site.paths, site.times, strict=True) if path != "/robots.txt"]
        assert len(arrived) == 3
        assert all(at >= 0.3 * place for place, at in enumerate(arrived))

    def test_those_given_up_are_not_taken(self, site: Site) -> None:
        async def some(web: Web) -> None:
            await web.fetch(site.url("/first"))
            waiting = [asyncio.create_task(web.fetch(site.url(f"/{number}"))) for number in range(100)]
            await asyncio.sleep(0.1)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            await web.fetch(site.url("/last"))

        with_web(some, settings_for(pause=2 * PATIENCE / 100))
        assert len(site.paths) < 10  # on a busy machine, it may be somebody's turn before all are given up


class TestEnd:
    def test_what_is_under_way_is_given_up(self, site: Site) -> None:
        site.replies["/drip"] = [Reply(b"x" * 10_000, drip=0.05)]

        async def run() -> list[Page | BaseException]:
            async with LiveWeb(settings_for(seconds=FOR_EVER, pause=FOR_EVER)) as web:
                tasks = [asyncio.create_task(web.fetch(site.url("/drip"))) for _ in range(3)]
                while "/drip" not in site.paths:
                    await asyncio.sleep(0.02)
            return await asyncio.gather(*tasks, return_exceptions=True)

        errors = asyncio.run(asyncio.wait_for(run(), PATIENCE))
        assert {type(error) for error in errors} == {ConnectionFailed}

    def test_what_is_cancelled_gives_its_place_to_others(self, site: Site) -> None:
        site.replies["/drip"] = [Reply(b"x" * 10_000, drip=0.05)]

        async def some(web: Web) -> Page:
            for number in range(20):
                task = asyncio.create_task(web.fetch(site.url("/drip")))
                while site.paths.count("/drip") <= number:
                    await asyncio.sleep(0.01)
                task.cancel()
                await asyncio.wait([task])
            return await web.fetch(site.url("/bees"))

        assert with_web(some, settings_for(seconds=FOR_EVER)).body == BEES


class TestRobots:
    def test_that_forbid_everything(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"User-agent: *\nDisallow: /\n")]
        error = failure(site.url("/bees"))
        assert isinstance(error, RobotsForbid)
        assert "ask the site" in str(error)
        assert site.paths == ["/robots.txt"]

    def test_by_the_longest_rule_that_fits(self, site: Site) -> None:
        rules = b"User-agent: *\nDisallow: /b\nAllow: /bees$\nDisallow: /*?\nCrawl-delay: 0\n"
        site.replies["/robots.txt"] = [Reply(rules)]
        assert fetched(site.url("/bees")).body == BEES
        for path in ("/bears", "/bees/1", "/x?y"):
            assert isinstance(failure(site.url(path)), RobotsForbid)

    def test_that_are_five_megabytes_of_html(self, site: Site) -> None:
        page = b"<!doctype html><title>Not found</title>" + b"<p>User-agent: *\nDisallow: /\n</p>" * 160_000
        assert len(page) > 5_000_000
        site.replies["/robots.txt"] = [Reply(page, headers={"Content-Type": "text/html"})]
        assert fetched(site.url("/bees"), limits=Limits(page_bytes=100_000)).body == BEES

    def test_that_are_endless_count_by_their_beginning(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"User-agent: *\nDisallow: /bees\n" + b"# bees\n" * 800_000)]
        assert isinstance(failure(site.url("/bees")), RobotsForbid)

    @pytest.mark.parametrize("status", [500, 503, 429])
    def test_that_are_out_of_order_forbid_all(self, site: Site, status: int) -> None:
        site.replies["/robots.txt"] = [Reply(b"User-agent: *\nAllow: /\n", status, {"Retry-After": "3600"})]
        error = failure(site.url("/bees"))
        assert isinstance(error, RobotsForbid)
        assert "cannot be read for now" in str(error)
        assert "try again in 10 minutes" in str(error)
        assert "/bees" not in site.paths

    @pytest.mark.parametrize("status", [401, 403, 404, 410, 302])
    def test_that_are_not_there_allow_all(self, site: Site, status: int) -> None:
        site.replies["/robots.txt"] = [Reply(b"User-agent: *\nDisallow: /\n", status)]
        assert fetched(site.url("/bees")).body == BEES

    def test_that_lead_in_a_circle_allow_all(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"", 301, {"Location": "/robots.txt"})]
        assert fetched(site.url("/bees")).body == BEES

    def test_that_lead_elsewhere_count(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"", 301, {"Location": "/real.txt"})]
        site.replies["/real.txt"] = [Reply(b"User-agent: *\nDisallow: /bees\n")]
        assert isinstance(failure(site.url("/bees")), RobotsForbid)

    def test_that_do_not_come(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"x" * 10_000, drip=0.1)]
        error = failure(site.url("/bees"), settings_for(seconds=0.5))
        assert isinstance(error, FetchTimeout)
        assert "/robots.txt" in str(error)
        assert "/bees" not in site.paths

    def test_are_asked_once_for_many_pages(self, site: Site) -> None:
        async def many(web: Web) -> None:
            await asyncio.gather(*(web.fetch(site.url(f"/{number}")) for number in range(20)))

        with_web(many)
        assert site.paths.count("/robots.txt") == 1

    def test_are_obeyed_at_every_step(self, site: Site) -> None:
        site.replies["/robots.txt"] = [Reply(b"User-agent: *\nDisallow: /private\n")]
        site.replies["/a"] = [Reply(b"", 302, {"Location": "/private"})]
        assert isinstance(failure(site.url("/a")), RobotsForbid)
        assert "/private" not in site.paths


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"no", 403),
        Reply(b"gone", 410),
        Reply(b"slow down", 429, {"Retry-After": "3600"}),
        Reply(b"busy", 503, {"Retry-After": "3600"}),
        Reply(b"busy", 503, {"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}),
        Reply(b"%PDF-1.7", 200, {"Content-Type": "application/pdf"}),
        Reply(b"\x89PNG", 200, {"Content-Type": "text/html"}),
        Reply(BEES, 200, {"Content-Type": "nonsense;;charset="}),
        Reply(b"", 200),
        Reply(b"", 204),
        Reply(b"where?", 302),
        Reply(b"", 304, {"Location": "file:///x"}),
    ],
    ids=lambda reply: f"{reply.status} {reply.body[:9]!r}",
)
def test_what_servers_answer_is_a_page(site: Site, reply: Reply) -> None:
    site.replies["/a"] = [reply]
    page = fetched(site.url("/a"))
    assert (page.status, page.body) == (reply.status, reply.body)
    assert site.paths.count("/a") == 1


@pytest.mark.parametrize("status", [429, 503])
def test_who_is_busy_and_says_nothing_is_asked_three_times(site: Site, status: int) -> None:
    site.replies["/a"] = [Reply(b"", status)]
    start = time.monotonic()
    assert fetched(site.url("/a")).status == status
    assert site.paths.count("/a") == 3
    assert [at - start >= pauses for at, pauses in zip(site.times[1:], (0, 1, 3), strict=True)] == [True] * 3


def test_headers_that_are_not_ascii_and_long_ones(site: Site) -> None:
    site.replies["/a"] = [Reply(headers={"X-Name": "Bücher", "Content-Security-Policy": "x" * 20_000})]
    page = fetched(site.url("/a"))
    assert page.headers["X-Name"] == "Bücher"
    assert len(page.headers["Content-Security-Policy"]) == 20_000


class TestRedirects:
    def test_loops(self, site: Site) -> None:
        site.replies["/a"] = [Reply(b"", 302, {"Location": "/b"})]
        site.replies["/b"] = [Reply(b"", 302, {"Location": "/a"})]
        error = failure(site.url("/a"))
        assert isinstance(error, TooManyRedirects)
        assert "cookies" in str(error)
        assert site.paths == ["/robots.txt", "/a", "/b"]

    @pytest.mark.usefixtures("hurried")
    def test_loops_after_a_further_try(self, site: Site) -> None:
        site.replies["/a"] = [Reply(b"", 503), Reply(b"", 302, {"Location": "/a"})]
        assert isinstance(failure(site.url("/a")), TooManyRedirects)
        assert site.paths == ["/robots.txt", "/a", "/a"]

    def test_loops_with_other_cookies_each_time(self, site: Site) -> None:
        """They may end, so they are followed; ten times."""
        site.replies["/a"] = [
            Reply(b"", 302, {"Location": "/a", "Set-Cookie": f"seen={number}"}) for number in range(20)
        ]
        assert isinstance(failure(site.url("/a")), TooManyRedirects)
        assert site.paths.count("/a") == 11

    def test_chains_without_end(self, site: Site) -> None:
        for number in range(20):
            site.replies[f"/{number}"] = [Reply(b"", 302, {"Location": f"/{number + 1}"})]
        assert isinstance(failure(site.url("/0")), TooManyRedirects)
        assert len(site.asked) < 14

    @pytest.mark.parametrize("location", ["ftp://example.com/", "file:///etc/passwd", "http://[broken", "mailto:a@b"])
    def test_to_what_is_no_page(self, site: Site, location: str) -> None:
        site.replies["/a"] = [Reply(b"", 302, {"Location": location})]
        assert isinstance(failure(site.url("/a")), BadUrl)

    def test_with_a_cookie(self, site: Site) -> None:
        """Sites that set a cookie and lead back to the same page; the next page starts without it."""
        site.replies["/a"] = [Reply(b"", 302, {"Location": "/a", "Set-Cookie": "seen=1"}), Reply()]

        async def two(web: Web) -> Page:
            page = await web.fetch(site.url("/a"))
            await web.fetch(site.url("/bees"))
            return page

        assert with_web(two).body == BEES
        assert [sent.get("Cookie", "") for path, sent in site.asked if path != "/robots.txt"] == ["", "seen=1", ""]

    def test_by_markup(self, site: Site) -> None:
        refresh = b"<meta http-equiv=refresh content='%s; url=%s'><p>old"
        site.replies["/moved"] = [Reply(refresh % (b"0", b"/bees"), headers={"Content-Type": "text/html"})]
        site.replies["/front"] = [Reply(refresh % (b"300", b"/bees"), headers={"Content-Type": "text/html"})]
        site.replies["/odd"] = [Reply(refresh % (b"0", b"/bees"), headers={"Content-Type": "text/html; charset=rot13"})]
        site.replies["/none"] = [Reply(refresh % (b"0", b"http://[old"), headers={"Content-Type": "text/html"})]
        site.replies["/self"] = [Reply(refresh % (b"5", b"/self"), headers={"Content-Type": "text/html"})]
        assert fetched(site.url("/moved")).body == BEES
        for path in ("/front", "/self", "/odd", "/none"):
            assert b"old" in fetched(site.url(path)).body  # type: ignore[operator]


class TestSize:
    LIMITS = Limits(page_bytes=100_000)

    @pytest.mark.parametrize(
        "reply",
        [
            Reply(b"x" * 10_000_000),
            Reply(gzip.compress(b"x" * 20_000_000), headers={"Content-Encoding": "gzip"}),
            Reply(gzip.compress(gzip.compress(b"x" * 20_000_000)), headers={"Content-Encoding": "gzip, gzip"}),
        ],
        ids=["plain", "bomb", "bomb in a bomb"],
    )
    def test_too_large(self, site: Site, reply: Reply) -> None:
        site.replies["/a"] = [reply]
        error = failure(site.url("/a"), limits=self.LIMITS)
        assert isinstance(error, PageTooLarge)
        assert "limits.page_bytes" in str(error)
        assert site.url("/a") in str(error)
        assert site.paths.count("/a") == 1

    def test_a_front_page_of_ten_megabytes(self, site: Site) -> None:
        body = b"<!doctype html>" + b"<p>Bees dance.</p>" * 600_000
        assert len(body) > 10_000_000
        site.replies["/"] = [Reply(body, headers={"Content-Type": "text/html"})]
        assert fetched(site.url(), settings_for(seconds=20)).body == body

    @pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "gzip, br"])
    def test_what_cannot_be_unpacked(self, site: Site, encoding: str) -> None:
        site.replies["/a"] = [Reply(b"\xff\xfe no such thing", headers={"Content-Encoding": encoding})]
        error = failure(site.url("/a"))
        assert isinstance(error, ConnectionFailed)
        assert encoding.rpartition(" ")[2] in str(error)

    @pytest.mark.parametrize("encoding", ["utf-8", "none", "identity", ""])
    def test_what_is_not_packed(self, site: Site, encoding: str) -> None:
        site.replies["/a"] = [Reply(headers={"Content-Encoding": encoding})]
        assert fetched(site.url("/a")).body == BEES


class TestTime:
    def test_a_server_that_is_slow_does_not_hold_up_another(self, site: Site) -> None:
        with running(Site("127.0.0.2")) as other:
            site.replies["/slow"] = [Reply(hold=threading.Event())]
            other.replies["/"] = [Reply()]

            async def both(web: Web) -> bool:
                slow = asyncio.create_task(web.fetch(site.url("/slow")))
                for _ in range(10):
                    assert (await web.fetch(other.url())).status == 200
                return not slow.done()

            assert with_web(both, settings_for("127.0.0.1", "127.0.0.2", seconds=FOR_EVER))

    def test_a_server_that_drips_is_left(self, site: Site) -> None:
        site.replies["/drip"] = [Reply(b"x" * 10_000, drip=0.1)]
        start = time.monotonic()
        error = failure(site.url("/drip"), settings_for(seconds=1.5))
        assert isinstance(error, FetchTimeout)
        assert "fetch.seconds" in str(error)
        assert time.monotonic() - start >= 1.5

    def test_redirects_share_the_time_of_a_page(self, site: Site) -> None:
        for number in range(8):
            site.replies[f"/{number}"] = [Reply(b"12345678", 302, {"Location": f"/{number + 1}"}, drip=0.05)]
        assert isinstance(failure(site.url("/0"), settings_for(seconds=1.0)), FetchTimeout)
        assert "/8" not in site.paths

    def test_a_name_that_is_looked_up_for_ever(self, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
        real, release = socket.getaddrinfo, threading.Event()

        def look_up(host: bytes | str, *rest: object, **options: object) -> object:
            if "slow" in str(host):
                release.wait(FOR_EVER)
            return real("127.0.0.1", *rest, **options)  # type: ignore[arg-type]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)

        async def many(web: Web) -> None:
            slow = [asyncio.create_task(web.fetch(f"http://slow{number}.example/")) for number in range(40)]
            await asyncio.sleep(0.1)
            assert (await web.fetch(site.url("/bees", "quick.example"))).body == BEES
            assert not any(task.done() for task in slow)
            errors = await asyncio.gather(*slow, return_exceptions=True)
            release.set()
            assert {type(error) for error in errors} == {FetchTimeout}

        with_web(many, settings_for("quick.example", seconds=5))


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again at once."""
    monkeypatch.setattr(retry, "_FIRST_PAUSE", 0.01)


@pytest.mark.usefixtures("hurried")
class TestNoConnection:
    def test_a_host_that_does_not_exist(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*_: object, **__: object) -> None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        monkeypatch.setattr(socket, "getaddrinfo", fail)
        error = failure("http://nowhere.example/")
        assert isinstance(error, HostNotFound)
        assert "check the name" in str(error)

    def test_nobody_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        error = failure(f"http://127.0.0.1:{port}/")
        assert isinstance(error, ConnectionFailed)
        assert "nobody listens" in str(error)

    @pytest.mark.parametrize(
        ("answer", "words"),
        [
            (b"", "hung up"),
            (b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ncut", "hung up"),
            (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", "hung up"),
            (b"SSH-2.0-OpenSSH_9.0\r\n", "cannot be understood"),
            (b"\x00\x01\x02\x03\r\n\r\n", "cannot be understood"),
        ],
        ids=["empty", "cut", "cut chunk", "ssh", "noise"],
    )
    def test_an_answer_that_is_none(self, answer: bytes, words: str) -> None:
        with saying(answer) as port:
            error = failure(f"http://127.0.0.1:{port}/")
        assert isinstance(error, ConnectionFailed)
        assert words in str(error)

    @pytest.mark.parametrize("url", ["", "bees", "ftp://example.com/", "http://user:word@example.com/", "http://a b/"])
    def test_what_is_no_address(self, url: str) -> None:
        with pytest.raises(BadUrl):
            fetched(url)


@contextmanager
def saying(answer: bytes) -> Iterator[int]:
    """Answer every connection with these bytes, but robots.txt with a 404; yields the port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def accept() -> None:
            while True:
                try:
                    connection, _ = listener.accept()
                except OSError:  # closed
                    return
                with connection, suppress(OSError):
                    is_robots = connection.recv(65536).startswith(b"GET /robots.txt")
                    connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n" if is_robots else answer)

        threading.Thread(target=accept, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a certificate for `localhost`, which nobody signed, and its key."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        [program, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "certificate.pem"],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return folder


class TestSecureSites:
    @pytest.fixture
    def secure(self, certificate: Path) -> Iterator[Site]:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate / "certificate.pem", certificate / "key.pem")
        with running(Site(), context) as started:
            started.replies["/bees"] = [Reply()]
            yield started

    def test_are_read(self, secure: Site, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
        url = secure.url("/bees", "localhost", "https")
        page = fetched(url, settings_for("localhost"))
        assert (page.body, page.final_url) == (BEES, url)

    def test_that_nobody_vouches_for(self, secure: Site) -> None:
        error = failure(secure.url("/bees", "localhost", "https"), settings_for("localhost"))
        assert isinstance(error, ConnectionFailed)
        assert "certificate is not valid (self" in str(error)
        assert "SSL_CERT_FILE" in str(error)
        assert secure.connections == 1  # it is not tried again
        assert secure.asked == []

    def test_of_another_name(self, secure: Site, certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate / "certificate.pem"))
        error = failure(secure.url("/bees", scheme="https"))
        assert "certificate is not valid" in str(error)

    def test_that_speak_no_tls(self, site: Site) -> None:
        error = failure(site.url("/bees", scheme="https"))
        assert isinstance(error, ConnectionFailed)
        assert "http://" in str(error)


NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("status", "named", "seconds"),
    [
        (429, "120", 120),
        (503, " 7 ", 7),
        (503, format_datetime(NOW + timedelta(minutes=5), usegmt=True), 300),
        (503, format_datetime(NOW - timedelta(minutes=5), usegmt=True), 0),
        (503, "Wednesday, 06-May-26 12:01:00 GMT", 60),
        (503, "soon", 0),
        (503, "-5", 0),
        (503, "1.5", 0),
        (503, "٣", 0),
        (503, "", 0),
        (200, "120", 0),
        (404, "120", 0),
    ],
)
def test_how_long_a_busy_server_asks_to_wait(status: int, named: str, seconds: float) -> None:
    page = Page(url="https://example.com/", body=b"", status=status, headers={"retry-AFTER": named}, fetched_at=NOW)
    assert retry_after_of(page) == seconds


class TestWithoutABrowser:
    @needs.playwright
    def test_a_path_that_leads_nowhere(self, site: Site) -> None:
        async def run(web: Web) -> bool:
            with pytest.raises(BrowserMissing, match=r"/no/browser .*apt install chromium"):
                await web.render(site.url())
            with pytest.raises(BrowserMissing):
                await web.fetch(site.url(), "browser")
            return web.can_render

        assert with_web(run) is False
        assert site.asked == []

    def test_no_playwright(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "playwright", None)
        with pytest.raises(BrowserMissing, match=r"pip install"):
            with_web(lambda web: web.render("http://127.0.0.1/"), settings_for(browser=""))
        assert LiveWeb(settings_for(browser="")).can_render is False
