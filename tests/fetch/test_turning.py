"""Galleries that show one picture at a time are turned by their own control in a real Chromium."""

import asyncio
import random
import re
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from bench.galleries import outcomes
from tests import needs

from sitewright.fetch.browser import BrowserFetcher, BrowserOptions
from sitewright.fetch.turning import Turned, Turning
from sitewright.fetch.web import Rendering
from sitewright.types import FetchSettings

pytestmark = [needs.browser, pytest.mark.slow]
WORDS = frozenset({"next", "weiter"})
FIGURE = "<figure><img id=pic width=600 height=400 src=/p/sea-1.jpg><figcaption id=cap>Day 1</figcaption></figure>"
TURN = "pic.src = `/p/sea-${n}.jpg`; cap.textContent = `Day ${n}`;"
PAGES = {
    "/one-box": f"<h1>Sea</h1><main>{FIGURE}<button onclick='go()'>Weiter</button></main>"
    f"<script>let n = 1; const go = () => {{ if (n < 5) n++; {TURN} }};</script>",
    "/around": "<main><h1>Sea</h1><p class=lead>All about it.</p><div><img id=pic width=600 height=400 "
    "src=/p/sea-1.jpg><a href='#' class=arrow-next id=on></a></div><div><p id=cap>Day 1</p></div></main><script>let n = 1;"
    f"on.onclick = () => setTimeout(() => {{ n = n % 5 + 1; {TURN} }}, 50);</script>",
    "/slow": f"<main>{FIGURE}<button onclick='go()'>Next</button> <b>1/4</b></main><script>let n = 1;"
    f"const go = () => setTimeout(() => {{ if (n < 3) n++; {TURN} }}, 2000);</script>",
    "/endless": f"<main>{FIGURE}<button onclick='go()'>Next</button></main><script>let n = 1;"
    f"const go = () => {{ n++; {TURN} }};</script>",
    "/teasers": "<main><h1>Sea</h1></main><div>" + "".join(f"<a href=/other-{n}><img width=90 height=90 src=/t{n}.jpg></a>" for n in range(3))
    + "<button onclick='document.title = 1'>Next</button></div>",
    "/away": f"<main>{FIGURE}<button onclick='location.href = `/one-box`'>Next</button></main>",
    "/none": f"<main>{FIGURE}</main>",
}  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        body = PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def host() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def rendered(host: str) -> dict[str, Rendering]:
    async def all_of_them() -> dict[str, Rendering]:
        settings = FetchSettings(allow_hosts=(host,), seconds=120.0)
        async with BrowserFetcher(settings, options=BrowserOptions(quiet_seconds=0.2)) as browser:
            turning = Turning(words=WORDS, most=8, seconds=60.0)
            return {path: await browser.render(f"http://{host}{path}", turning) for path in PAGES}

    return asyncio.run(all_of_them())


def shown(rendering: Rendering) -> list[str]:
    """Return the pictures and the words below them, in the order of the page."""
    body = rendering.page.body
    html = body.decode() if isinstance(body, bytes) else body
    return ["".join(pair) for pair in re.findall(r"(sea-\d)\.jpg|>(Day \d)<", html.partition("<script")[0])]


def in_turn(pages: int) -> list[str]:
    return [text for page in range(1, pages + 1) for text in (f"sea-{page}", f"Day {page}")]


def test_what_is_counted_is_waited_for_and_may_be_missing(rendered: dict[str, Rendering]) -> None:
    assert rendered["/slow"].turned == Turned(3, more=True)
    assert shown(rendered["/slow"]) == in_turn(3)


@pytest.mark.parametrize("path", ["/one-box", "/around"])
def test_all_pictures_stand_on_the_page_in_order(rendered: dict[str, Rendering], path: str) -> None:
    assert rendered[path].turned == Turned(5)
    assert shown(rendered[path]) == in_turn(5)
    body = rendered[path].page.body
    assert isinstance(body, bytes)
    assert body.count(b"<h1>") == 1


def test_what_has_no_end_is_bounded_and_says_so(rendered: dict[str, Rendering]) -> None:
    assert rendered["/endless"].turned == Turned(8, more=True)
    assert shown(rendered["/endless"]) == in_turn(8)


@pytest.mark.parametrize("path", ["/teasers", "/none"])
def test_pages_without_such_a_control_stay_as_they_are(rendered: dict[str, Rendering], path: str) -> None:
    assert rendered[path].turned.shown == 0
    assert shown(rendered[path]) == ([] if path == "/teasers" else in_turn(1))


def test_a_control_that_leads_away_leaves_the_page_as_it_was(rendered: dict[str, Rendering], host: str) -> None:
    page = rendered["/away"].page
    assert (page.location, shown(rendered["/away"])) == (f"http://{host}/away", in_turn(1))


def test_galleries_of_all_kinds_are_collected_as_whole_sets() -> None:
    for outcome in outcomes(("state", "script"), 1, random.Random(3)):
        assert not isinstance(outcome, str)
        assert (outcome.found, outcome.wanted) == (1, 1)
