"""A real Chromium, and sites on loopback: one that is allowed, and traps that nothing may ever reach."""

import asyncio
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests import needs

from sitewright.errors import (
    AddressRefused,
    BadUrl,
    BrowserMissing,
    ConnectionFailed,
    FetchError,
    NotHtml,
    PageTooLarge,
    RenderFailed,
    RenderTimeout,
    RobotsForbid,
)
from sitewright.fetch import LiveWeb, Rendering, WebFetcher
from sitewright.fetch.browser import BrowserFetcher, BrowserOptions
from sitewright.fetch.data_calls import data_calls
from sitewright.fetch.fingerprint import needs_rendering
from sitewright.fetch.process_tree import alive, tree_of
from sitewright.parse import parse
from sitewright.types import FetchSettings, Limits, Page

pytestmark = needs.browser
SECONDS = 120.0
"""What a page may take, which on a busy machine is more than it needs."""
QUICK = BrowserOptions(quiet_seconds=0.2, settle_seconds=2.0, blocked=frozenset())
STORY = [f"Paragraph {number}: the bees came back to the old mill, and nobody knew why." for number in range(8)]


@dataclass
class Reply:
    body: bytes | str = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0.0


class Site(ThreadingHTTPServer):
    """Answers by its table of paths (queries left out) and remembers what it was asked."""

    daemon_threads = True

    def __init__(self, address: str = "127.0.0.1") -> None:
        super().__init__((address, 0), _Responder)
        self.host = address
        self.replies: dict[str, Reply] = {}
        self.asked: list[tuple[str, Mapping[str, str]]] = []
        self.connections = 0

    @property
    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]

    def url(self, path: str = "/") -> str:
        return f"http://{self.host}:{self.server_port}{path}"

    def page(self, path: str, html: str, **headers: str) -> str:
        served = {"Content-Type": "text/html; charset=utf-8", **headers}
        self.replies[path] = Reply(f"<!doctype html><title>T</title>{html}", headers=served)
        return self.url(path)

    def process_request(self, request: object, client_address: object) -> None:
        self.connections += 1
        super().process_request(request, client_address)  # type: ignore[arg-type]

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Responder(BaseHTTPRequestHandler):
    server: Site
    timeout = 5

    def do_GET(self) -> None:
        self.server.asked.append((self.path, dict(self.headers.items())))
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        reply = self.server.replies.get(self.path.partition("?")[0], Reply(b"nothing here", 404))
        time.sleep(reply.seconds)
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        for name, value in {"Content-Length": str(len(body)), **reply.headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.do_GET()

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


@pytest.fixture(scope="module")
def server() -> Iterator[Site]:
    with running(Site()) as started:
        yield started


@pytest.fixture
def site(server: Site) -> Site:
    """The allowed site, empty."""
    server.replies.clear()
    server.asked.clear()
    return server


class Shared:
    """One browser for the tests that need no other; they would spend half of their time starting one each."""

    def __init__(self, site: Site) -> None:
        self.runner = asyncio.Runner()
        self.fetcher = BrowserFetcher(settings_for(site), options=QUICK)

    def render(self, url: str) -> Rendering:
        return self.runner.run(self.fetcher.render(url))


SHARED: list[Shared] = []


@pytest.fixture(scope="module", autouse=True)
def shared(server: Site) -> Iterator[None]:
    one = Shared(server)
    one.runner.run(one.fetcher.__aenter__())
    SHARED.append(one)
    yield
    SHARED.clear()
    one.runner.run(one.fetcher.__aexit__())
    one.runner.close()


@pytest.fixture
def trap() -> Iterator[Site]:
    """A server at another address of this machine, which is not allowed: no connection may reach it."""
    with running(Site("127.0.0.2")) as started:
        for path in ("/", "/a.js", "/a.png", "/a.css", "/secret.json"):
            started.replies[path] = Reply("SECRET", headers={"Access-Control-Allow-Origin": "*"})
        yield started
        assert started.connections == 0


def settings_for(site: Site, seconds: float = SECONDS) -> FetchSettings:
    return FetchSettings(allow_hosts=(f"127.0.0.1:{site.server_port}",), seconds=seconds)


def render_until_it_goes(site: Site, url: str) -> None:
    """Render a page that goes elsewhere: on a busy machine it may be taken before it does."""
    for _ in range(20):
        render(site, url)


def render(
    site: Site,
    url: str,
    *,
    seconds: float = SECONDS,
    limits: Limits | None = None,
    options: BrowserOptions = QUICK,
) -> Rendering:
    if (seconds, limits, options) == (SECONDS, None, QUICK):
        return SHARED[0].render(url)

    async def run() -> Rendering:
        async with BrowserFetcher(settings_for(site, seconds), limits, options) as fetcher:
            return await fetcher.render(url)

    return asyncio.run(run())


def shown(rendering: Rendering) -> str:
    assert isinstance(rendering.page.body, bytes)
    return rendering.page.body.decode()


def scripted(site: Site) -> str:
    """Make a page that a script fills from a JSON call."""
    site.replies["/api/story"] = Reply(
        json.dumps({"story": {"title": "Bees", "paragraphs": STORY}}), headers={"Content-Type": "application/json"}
    )
    site.replies["/api/me"] = Reply('{"user": null}', headers={"Content-Type": "application/json"})
    return site.page(
        "/app",
        """<div id=root></div><script>
        fetch("/api/me");
        fetch("/api/story", {method: "POST", body: "id=7"}).then(answer => answer.json()).then(({story}) => {
          document.getElementById("root").innerHTML =
            "<h1>" + story.title + "</h1><article>" + story.paragraphs.map(text => `<p>${text}</p>`).join("") + "</article>";
        });</script>""",
    )


def test_a_page_that_needs_no_script(site: Site) -> None:
    url = site.page("/bees", "<p>Пчёлы")
    page = render(site, f"{url}#top").page
    assert (page.url, page.final_url, page.status, page.via) == (f"{url}#top", url, 200, "browser")
    assert "<p>Пчёлы</p>" in page.body.decode()  # type: ignore[union-attr]
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.fetched_at is not None
    assert parse(page).tree.select_one("p").text.strip() == "Пчёлы"  # type: ignore[union-attr]


def test_who_asks(site: Site) -> None:
    render(site, site.page("/", "<script>fetch('/b')</script>"))
    assert {headers["User-Agent"].partition("/")[0] for _, headers in site.asked} == {"Sitewright"}


def test_a_page_that_a_script_fills(site: Site) -> None:
    rendering = render(site, scripted(site))
    rendered = parse(rendering.page)
    with WebFetcher(settings_for(site)) as fetcher:
        static = parse(fetcher.fetch(site.url("/app")))
    assert needs_rendering(static, rendered, "item").choice == "browser"
    assert needs_rendering(rendered, rendered, "item").choice == "static"
    (call,) = data_calls(rendering.calls, rendered, "item")
    assert (call.url, call.method, call.sent) == (site.url("/api/story"), "POST", "id=7")
    assert call.share > 0.9
    assert call.shape == "{story: {title: text, paragraphs: 8 × text}}"


def test_a_list_that_grows_when_one_scrolls(site: Site) -> None:
    url = site.page(
        "/list",
        """<ul id=list></ul><div id=end>end</div><script>
        let shown = 0;
        function more() {
          if (shown >= 60) return;
          for (let n = 0; n < 20; n++)
            document.getElementById("list").insertAdjacentHTML("beforeend", `<li style="height:200px">item ${++shown}</li>`);
        }
        more();
        new IntersectionObserver(seen => seen[0].isIntersecting && fetch("/more?" + shown).then(more))
          .observe(document.getElementById("end"));</script>""",
    )
    site.replies["/more"] = Reply("{}")
    assert shown(render(site, url)).count("</li>") >= 60
    assert shown(render(site, url, options=BrowserOptions(scrolls=0, quiet_seconds=0.2))).count("</li>") < 60


@needs.thorough
@pytest.mark.parametrize(
    "script",
    [
        "setInterval(() => fetch('/x?' + Math.random()), 20)",
        "(async () => { while (true) await fetch('/slow?' + Math.random()) })()",
        "new EventSource('/slow')",
        "for (let n = 0; n < 1500; n++) fetch('/x?' + n)",
        "setInterval(() => document.body.insertAdjacentHTML('beforeend', '<p style=\"height:2000px\">more'), 50)",
    ],
)
def test_a_page_that_never_settles_is_taken_as_it_stands(site: Site, script: str) -> None:
    site.replies["/x"] = Reply("{}")
    site.replies["/slow"] = Reply("{}", seconds=1.0)
    before = time.monotonic()
    assert "<p>Bees" in shown(render(site, site.page("/", f"<p>Bees</p><script>{script}</script>")))
    assert time.monotonic() - before < SECONDS - 1  # else it would have been given up
    assert len(site.paths) <= QUICK.requests + 1


@needs.thorough
@pytest.mark.parametrize(
    "step",
    [
        "history.pushState(null, '', '/flood?' + number)",
        "location.hash = number",
        "fetch('/more?' + number).catch(() => 0)",
        "new Image().src = '/more?' + number",
        "navigator.sendBeacon('/more?' + number)",
    ],
)
def test_scripts_that_flood_the_browser_are_refused_where_they_ask(site: Site, step: str) -> None:
    """Without end; the page is taken as it stands, and what it asked for is bounded."""
    flood = f"let number = 0; setInterval(() => {{ for (let k = 0; k < 100; k++) {{ number++; {step}; }} }}, 0);"
    site.replies["/more"] = Reply("more")
    url = site.page("/flood", f"<h1>Bees</h1><script>{flood}</script>")
    assert "<h1>Bees" in shown(render(site, url, options=replace(QUICK, requests=50)))
    assert len(site.paths) <= 51


@pytest.mark.parametrize(
    "script",
    [
        "alert('a'); confirm('b'); prompt('c')",
        "onbeforeunload = event => event.preventDefault()",
        "print()",
        "for (let n = 0; n < 5; n++) open('/popup')",
        "navigator.serviceWorker && navigator.serviceWorker.register('/sw.js').catch(() => 0)",
        "Notification.requestPermission(); navigator.geolocation.getCurrentPosition(() => 0)",
        "document.body.requestFullscreen().catch(() => 0)",
    ],
)
def test_what_asks_a_person_is_passed_over(site: Site, script: str) -> None:
    html = f"<p>Bees</p><script>{script}</script><p id=after>after</p>"
    assert "after</p>" in shown(render(site, site.page("/", html)))


def test_pictures_fonts_and_advertisers_are_not_loaded(site: Site) -> None:
    html = """<img src=/a.png><video src=/a.mp4></video><style>@font-face {font-family: f; src: url(/a.woff)}
    p {font-family: f; background: url(/b.png)}</style><p>Bees</p><script src=https://x.doubleclick.net/a.js></script>"""
    rendered = shown(render(site, site.page("/", html), options=BrowserOptions(quiet_seconds=0.2)))
    assert '<img src="/a.png">' in rendered
    assert set(site.paths) == {"/"}


@needs.thorough
class TestBounds:
    def test_a_script_that_never_ends(self, site: Site) -> None:
        url = site.page("/", "<p>Bees</p><script>setTimeout(() => { while (true); }, 100)</script>")
        with pytest.raises(RenderTimeout, match="3 s"):
            render(site, url, seconds=3)

    def test_a_server_that_does_not_answer(self, site: Site) -> None:
        site.replies["/"] = Reply(seconds=5)
        with pytest.raises(RenderTimeout):
            render(site, site.url("/"), seconds=1)

    def test_a_script_that_does_not_come(self, site: Site) -> None:
        site.replies["/wait.js"] = Reply(seconds=25)
        url = site.page("/", "<p>Bees</p><script src=/wait.js></script><p>after</p>")
        assert "<p>Bees</p>" in shown(render(site, url, seconds=20, options=BrowserOptions(settle_seconds=1)))

    def test_a_page_too_large(self, site: Site) -> None:
        url = site.page("/", "<p id=p></p><script>document.getElementById('p').innerText = 'x'.repeat(200000)</script>")
        with pytest.raises(PageTooLarge, match="100,000"):
            render(site, url, limits=Limits(page_bytes=100_000))

    def test_a_page_that_loads_too_much(self, site: Site) -> None:
        site.replies["/big"] = Reply(b"x" * 300_000)
        url = site.page("/", "<p>Bees</p><script>for (let n = 0; n < 20; n++) fetch('/big?' + n)</script>")
        rendering = render(site, url, options=BrowserOptions(network_bytes=1_000_000, quiet_seconds=0.2))
        assert "Bees" in shown(rendering)
        assert len(site.paths) < 15


@needs.thorough
class TestFailures:
    def test_an_error_is_a_page_with_its_status(self, site: Site) -> None:
        page = render(site, site.url("/nowhere")).page
        assert page.status == 404
        site.replies["/empty"] = Reply(b"", 503)
        page = render(site, site.url("/empty")).page
        assert (page.status, page.body, page.final_url) == (503, b"", site.url("/empty"))

    def test_a_certificate_that_nobody_signed(self, tmp_path: Path) -> None:
        key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
        made = f"openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1 -keyout {key} -out {certificate}"
        subprocess.run(made.split(), check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        secure = Site()
        secure.socket = context.wrap_socket(secure.socket, server_side=True)
        with running(secure), pytest.raises(ConnectionFailed, match="CERT"):
            render(secure, secure.url("/").replace("http:", "https:"), seconds=SECONDS - 1)

    @pytest.mark.parametrize(
        "url", ["file:///etc/passwd", "chrome://version", "http://a:b@c/", "about:blank", "data:,x"]
    )
    def test_only_web_pages(self, site: Site, url: str) -> None:
        with pytest.raises(BadUrl):
            render(site, url)

    def test_a_download(self, site: Site) -> None:
        url = site.page("/file", "x", **{"Content-Disposition": "attachment; filename=a.html"})
        with pytest.raises(RenderFailed, match="download"):
            render(site, url)

    def test_what_is_no_page(self, site: Site) -> None:
        site.replies["/a.json"] = Reply("{}", headers={"Content-Type": "application/json"})
        with pytest.raises(NotHtml, match="application/json"):
            render(site, site.url("/a.json"))

    def test_nobody_listens(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        settings = FetchSettings(allow_hosts=(f"127.0.0.1:{port}",))

        async def run() -> None:
            async with BrowserFetcher(settings, options=QUICK) as fetcher:
                await fetcher.fetch(f"http://127.0.0.1:{port}/")

        with pytest.raises(ConnectionFailed):
            asyncio.run(run())

    def test_redirects_without_end(self, site: Site) -> None:
        site.replies["/a"] = Reply(b"", 302, {"Location": "/a"})
        with pytest.raises(FetchError) as caught:
            render(site, site.url("/a"))
        assert caught.value.code == "too_many_redirects"

    def test_no_browser(self, site: Site, tmp_path: Path) -> None:
        url = site.page("/", "")

        async def run(path: Path) -> None:
            settings = FetchSettings(allow_hosts=("127.0.0.1",), browser=str(path))
            async with BrowserFetcher(settings) as fetcher:
                await fetcher.render(url)

        for path in (tmp_path / "nothing", Path("/bin/true")):
            with pytest.raises(BrowserMissing, match=path.name):
                asyncio.run(run(path))

    def test_a_crash_ends_one_page_only(self, site: Site) -> None:
        good = site.page("/good", "<p>Bees")

        async def run() -> list[object]:
            async with BrowserFetcher(settings_for(site), options=QUICK) as fetcher:
                return [await caught(fetcher, url) for url in ("crash", good, "kill", good)]

        async def caught(fetcher: BrowserFetcher, url: str) -> object:
            if url == "kill":
                task = asyncio.create_task(fetcher.fetch(site.page("/slow", "<script src=/wait></script>")))
                await asyncio.sleep(1.0)
                assert fetcher._current is not None
                kill_browsers(fetcher._current._processes())
            else:
                task = asyncio.create_task(fetcher.fetch(site.page("/crash", CRASH) if url == "crash" else url))
            try:
                return await task
            except FetchError as error:
                return error.code

        site.replies["/wait"] = Reply(seconds=4)
        first, second, third, fourth = asyncio.run(run())
        assert first in {"render_failed", "render_timeout", "page_too_large"}
        assert third == "render_failed"
        for page in (second, fourth):
            assert b"Bees" in page.body  # type: ignore[attr-defined]


CRASH = (
    "<script>const all = []; setInterval(() => { for (;;) all.push(new Array(1e6).fill(Math.random())) }, 0)</script>"
)
"""Takes more memory than a tab may have."""


def kill_browsers(processes: tuple[object, ...]) -> None:
    for process in processes[1:]:  # the first is the driver
        os.kill(process.pid, signal.SIGKILL)  # type: ignore[attr-defined]


@needs.thorough
class TestGuard:
    def test_the_page_itself(self, site: Site, trap: Site) -> None:
        with pytest.raises(AddressRefused, match=r"127\.0\.0\.2"):
            render(site, trap.url("/"))

    @pytest.mark.parametrize("status", [301, 302, 307])
    def test_a_redirect(self, site: Site, trap: Site, status: int) -> None:
        site.replies["/"] = Reply(b"", status, {"Location": trap.url("/")})
        with pytest.raises(AddressRefused, match=r"127\.0\.0\.2"):
            render(site, site.url("/"))

    @pytest.mark.parametrize(
        "html",
        [
            "<meta http-equiv=refresh content='0; url={url}'>",
            "<script>location.href = '{url}'</script>",
            "<form method=post action='{url}' id=f></form><script>f.submit()</script>",
        ],
    )
    def test_a_page_that_goes_there(self, site: Site, trap: Site, html: str) -> None:
        url = site.page("/", html.format(url=trap.url("/")))
        with pytest.raises(AddressRefused, match=r"127\.0\.0\.2"):
            render_until_it_goes(site, url)

    @pytest.mark.parametrize(
        "html",
        [
            "<iframe src='{url}'></iframe>",
            "<iframe srcdoc=\"<script src='{url}'></script>\"></iframe>",
            "<object data='{url}'></object><embed src='{url}'>",
            "<script src='{url}'></script>",
            "<script type=module>import '{url}'</script>",
            "<img src='{url}'><img srcset='{url} 2x'><picture><source srcset='{url}'><img></picture>",
            "<link rel=stylesheet href='{url}'>",
            "<link rel=preload as=fetch href='{url}'><link rel=prefetch href='{url}'><link rel=preconnect href='{url}'>",
            "<link rel=icon href='{url}'><link rel=manifest href='{url}'><link rel=dns-prefetch href='{url}'>",
            "<style>@import '{url}'; body {{background: url({url})}}</style>",
            "<video src='{url}' autoplay></video><audio src='{url}' autoplay></audio>",
            "<script>fetch('{url}', {{mode: 'no-cors'}}).catch(() => 0)</script>",
            "<script>const x = new XMLHttpRequest(); x.open('GET', '{url}'); x.send()</script>",
            "<script>navigator.sendBeacon('{url}', 'x')</script>",
            "<a ping='{url}' href=#x id=a>x</a><script>a.click()</script>",
            "<script>new EventSource('{url}')</script>",
            "<script>new WebSocket('{url}'.replace('http', 'ws'))</script>",
            "<script>open('{url}')</script>",
            "<script>new Worker(URL.createObjectURL(new Blob([\"fetch('{url}').catch(() => 0)\"])))</script>",
            "<script>new Worker(URL.createObjectURL(new Blob([\"importScripts('{url}')\"])))</script>",
            "<script>new Worker(URL.createObjectURL(new Blob([\"new WebSocket('{url}'.replace('http', 'ws'))\"])))</script>",
            "<form target=i method=post action='{url}' id=f></form><iframe name=i></iframe><script>f.submit()</script>",
            '<script type=speculationrules>{{"prefetch": [{{"urls": ["{url}"]}}], "prerender": [{{"urls": ["{url}"]}}]}}</script>',
            "<svg><image href='{url}'/><use href='{url}#a'/></svg>",
            "<math><mtext><iframe src='{url}'></iframe></mtext></math>",
        ],
    )
    def test_what_a_page_loads(self, site: Site, trap: Site, html: str) -> None:
        page = site.page("/", "<p>Bees</p>" + html.format(url=trap.url("/a.js")))
        rendered = shown(render(site, page))
        assert "Bees" in rendered
        assert "SECRET" not in rendered

    @pytest.mark.parametrize("kind", ["script", "iframe", "img"])
    def test_a_redirect_of_what_a_page_loads(self, site: Site, trap: Site, kind: str) -> None:
        site.replies["/moved"] = Reply(b"", 302, {"Location": trap.url("/a.js")})
        page = site.page("/", f"<p>Bees</p><{kind} src=/moved></{kind}>")
        assert "Bees" in shown(render(site, page))
        assert "/moved" in site.paths

    @pytest.mark.parametrize(
        "host",
        ["localhost", "127.1", "2130706434", "0x7f.0.0.2", "0177.0.0.2", "[::ffff:127.0.0.2]", "127.0.0.2.", "[::1]"],
    )
    def test_other_names_of_this_machine(self, site: Site, trap: Site, host: str) -> None:
        """`localhost` is the allowed address under another name, which was not allowed."""
        other = f"http://{host}:{site.server_port if host == 'localhost' else trap.server_port}/secret.json"
        script = f"fetch('{other}').then(answer => answer.text()).then(text => document.body.append(text))"
        site.replies["/secret.json"] = Reply("SECRET", headers={"Access-Control-Allow-Origin": "*"})
        assert "SECRET" not in shown(render(site, site.page("/", f"<p>Bees</p><script>{script}</script>")))
        assert "/secret.json" not in site.paths

    def test_another_port_of_an_allowed_host(self, site: Site) -> None:
        with running(Site()) as other:
            page = site.page("/", f"<p>Bees</p><script src={other.url('/a.js')}></script>")
            render(site, page)
            assert other.connections == 0

    def test_what_is_not_http(self, site: Site, tmp_path: Path) -> None:
        secret = tmp_path / "secret.html"
        secret.write_text("SECRET", "utf-8")
        html = f"""<p>Bees</p><iframe src="{secret.as_uri()}"></iframe><script src="{secret.as_uri()}"></script>
        <object data="{secret.as_uri()}"></object><iframe src="view-source:{secret.as_uri()}"></iframe>
        <iframe src="chrome://version"></iframe><iframe src="ftp://127.0.0.2/"></iframe>
        <script>fetch("{secret.as_uri()}").then(a => a.text()).then(t => document.body.append(t)).catch(() => 0);
        open("{secret.as_uri()}"); location.href = "{secret.as_uri()}";</script>"""
        rendered = shown(render(site, site.page("/", html)))
        assert "Bees" in rendered
        assert "SECRET" not in rendered

    def test_no_packet_leaves_past_the_proxy(self, site: Site) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as trap:
            trap.bind(("127.0.0.2", 0))
            trap.settimeout(0.2)
            port = trap.getsockname()[1]
            script = f"""
            const frame = document.createElement("iframe"); document.body.append(frame);
            for (const scope of [window, frame.contentWindow]) try {{
              const peer = new scope.RTCPeerConnection({{iceServers: [{{urls: "stun:127.0.0.2:{port}"}}]}});
              peer.createDataChannel("x"); peer.createOffer().then(offer => peer.setLocalDescription(offer));
            }} catch {{}}
            try {{ new WebTransport("https://127.0.0.2:{port}/") }} catch {{}}
            new Worker(URL.createObjectURL(new Blob(['new WebTransport("https://127.0.0.2:{port}/")'])));"""
            page = site.page("/", f"<p>Bees</p><script>{script}</script>")
            render(site, page, options=BrowserOptions(quiet_seconds=1.5))
            with pytest.raises(TimeoutError):
                trap.recv(100)


class TestThroughTheOneSeam:
    """`LiveWeb`: what holds for pages that are fetched holds for pages that are rendered."""

    def web(self, site: Site, pause: float = 0.0) -> LiveWeb:
        settings = FetchSettings(allow_hosts=(f"127.0.0.1:{site.server_port}",), pause_seconds=pause)
        return LiveWeb(settings, browser=QUICK)

    def test_a_page_with_its_calls(self, site: Site) -> None:
        url = scripted(site)

        async def run() -> tuple[bool, Rendering, Page, Page]:
            async with self.web(site) as web:
                rendering = await web.render(url)
                return web.can_render, rendering, await web.fetch(url), await web.fetch(url, "browser")

        can_render, rendering, static, rendered = asyncio.run(run())
        assert can_render
        assert {call.url for call in rendering.calls} == {site.url("/api/story"), site.url("/api/me")}
        assert (static.via, rendered.via) == ("http", "browser")
        assert STORY[7].encode() not in static.body  # type: ignore[operator]
        assert STORY[7].encode() in rendered.body  # type: ignore[operator]
        assert site.paths.count("/robots.txt") == 1

    def test_robots_are_obeyed(self, site: Site) -> None:
        site.replies["/robots.txt"] = Reply("User-agent: *\nDisallow: /private\n")
        private = site.page("/private", "<p>Bees")
        site.replies["/moved"] = Reply("", 302, {"Location": "/private"})
        moving = site.page("/moving", "<script>location = '/private'</script>")

        async def run() -> None:
            async with self.web(site) as web:
                for url in (private, site.url("/moved"), moving):
                    with pytest.raises(RobotsForbid, match="/private"):
                        await web.render(url)
                assert (await web.fetch(site.page("/open", "<p>Bees"), "browser")).status == 200

        asyncio.run(run())

    def test_the_pause_of_a_host_is_kept_between_both_ways(self, site: Site) -> None:
        url = site.page("/", "<p>Bees")

        async def run() -> float:
            async with self.web(site, pause=1.0) as web:
                await web.render(url)  # starts the browser
                started = time.monotonic()
                await asyncio.gather(web.fetch(url), web.render(url), web.fetch(url))
                return time.monotonic() - started

        assert asyncio.run(run()) > 1.9

    def test_no_browser_starts_for_pages_that_are_fetched(self, site: Site) -> None:
        async def run() -> int:
            before = len(tree_of(os.getpid()))
            async with self.web(site) as web:
                await web.fetch(site.page("/", "<p>Bees"))
                assert web.can_render
                return len(tree_of(os.getpid())) - before

        assert asyncio.run(run()) == 0


@needs.thorough
class TestProcesses:
    def test_pages_of_three_browsers_leave_none_behind(self, site: Site) -> None:
        url = scripted(site)
        seen = set()

        async def run() -> None:
            options = BrowserOptions(pages_a_browser=8, pages_at_once=4, quiet_seconds=0.1, settle_seconds=2.0)
            async with BrowserFetcher(settings_for(site), options=options) as fetcher:

                async def one(number: int) -> None:
                    page = await fetcher.fetch(f"{url}?{number}")
                    assert STORY[7].encode() in page.body  # type: ignore[operator]
                    seen.update(tree_of(os.getpid()))

                await asyncio.gather(*map(one, range(24)))

        before = set(tree_of(os.getpid()))
        handles = len(list(Path("/proc/self/fd").iterdir()))
        asyncio.run(run())
        assert len(seen - before) > 3 * 5
        assert alive(seen - before) == []
        assert len(list(Path("/proc/self/fd").iterdir())) <= handles + 2

    def test_a_browser_that_grows_is_replaced(self, site: Site) -> None:
        url = site.page("/", "<p>Bees")

        async def run() -> tuple[object, object]:
            async with BrowserFetcher(settings_for(site), options=BrowserOptions(browser_megabytes=1)) as fetcher:
                await fetcher.fetch(url)
                first = fetcher._current
                await fetcher.fetch(url)
                return first, fetcher._current

        first, second = asyncio.run(run())
        assert first is not second

    def test_a_killed_program_leaves_none_behind(self, site: Site) -> None:
        url = site.page("/", "<script>setInterval(() => fetch('/x'), 100)</script>")
        script = f"""
import asyncio
from sitewright.fetch.browser import BrowserFetcher
from sitewright.types import FetchSettings
async def run():
    async with BrowserFetcher(FetchSettings(allow_hosts=("127.0.0.1",))) as fetcher:
        await fetcher.fetch({url!r})
        print("rendered", flush=True)
        await fetcher.fetch({url!r})
        await asyncio.sleep(60)
asyncio.run(run())"""
        with subprocess.Popen(
            [sys.executable, "-c", script], stdout=subprocess.PIPE, start_new_session=True
        ) as program:
            assert program.stdout is not None
            assert program.stdout.readline() == b"rendered\n"
            processes = tree_of(program.pid)
            program.kill()
        assert len(processes) > 4
        assert wait_for(lambda: not alive(processes))

    def test_outside_of_with_it_does_not_start(self) -> None:
        with pytest.raises(RuntimeError, match="async with"):
            asyncio.run(BrowserFetcher().fetch("https://example.com/"))


def wait_for(condition: Callable[[], bool], seconds: float = SECONDS) -> bool:
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.05)
    return condition()
