"""A URL in, the Page that a browser shows there out, with the JSON calls that filled it."""

import asyncio
import time
from collections.abc import Coroutine, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sitewright.errors import BadUrl, FetchError, NotHtml, PageTooLarge, RenderFailed, RenderTimeout
from sitewright.fetch.advertisers import is_advertiser
from sitewright.fetch.browser_failures import failure_of
from sitewright.fetch.chromium import THROUGH_PROXY, Chromium, playwright_errors, start_chromium
from sitewright.fetch.data_calls import DataCall
from sitewright.fetch.guard import read_names
from sitewright.fetch.proxy import GuardedProxy, Traffic
from sitewright.fetch.site_access import Access, storage_state
from sitewright.fetch.site_headers import send_headers
from sitewright.fetch.target import read_target
from sitewright.fetch.turning import UNTURNED, Turned, Turning, turn_pictures
from sitewright.fetch.user_agent import user_agent_of
from sitewright.fetch.web import Rendering
from sitewright.types import FetchSettings, Limits, Page

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Request, Response, Route
    from playwright.async_api import Page as Tab

_CLOSE_SECONDS = 5.0
_POLL = 0.05
_LOADING = 0.4
"""The share of a page's time in which its markup must be there; what is there then is taken."""
_ENDLESS = frozenset(("eventsource", "websocket", "ping"))
"""Requests that are not waited for."""
_FLOOD = 3
"""So many times what a page may ask for is a flood, and the page is left; up to there only the rest is refused."""
_MOST_MOVES = 1000
"""Chromium lets scripts change addresses 200 times in half a minute."""
_MOST_CALLS = 50
_CALL_BYTES = 5_000_000
_EMPTY = "ERR_HTTP_RESPONSE_CODE_FAILURE"
"""What Chromium says of an error page without a body."""
_PAGE_TYPES = ("text/html", "application/xhtml+xml", "")
_SHIELD = (
    "for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport']) delete globalThis[name];"
)
"""The two ways to the network that are not the proxy's; Chromium is told to close them, too."""
_BOUNDED = """(most => {
  const bound = (owner, name, refuse) => {
    const real = owner && owner[name];
    let left = most;
    if (real) owner[name] = function (...given) { return left-- > 0 ? Reflect.apply(real, this, given) : refuse(); };
  };
  bound(globalThis, 'fetch', () => Promise.reject(new TypeError('too many requests')));
  bound(globalThis.XMLHttpRequest?.prototype, 'send', () => { throw new TypeError('too many requests'); });
  bound(globalThis.Navigator?.prototype, 'sendBeacon', () => false);
  const image = globalThis.HTMLImageElement?.prototype;
  const source = image && Object.getOwnPropertyDescriptor(image, 'src');
  if (source) {
    bound(source, 'set', () => undefined);
    Object.defineProperty(image, 'src', source);
  }
})"""
"""Has scripts that ask without end be refused where they ask, at no cost to anybody else."""
_SCROLL = """() => {
  const large = [...document.querySelectorAll('main, section, div, ul')].filter(node =>
    node.scrollHeight > node.clientHeight + 50 && node.clientHeight > innerHeight / 2 &&
    /auto|scroll/.test(getComputedStyle(node).overflowY));
  for (const node of large) node.scrollTop = node.scrollHeight;
  scrollTo(0, document.documentElement.scrollHeight);
}"""
_AMOUNT = "() => document.documentElement.scrollHeight + document.getElementsByTagName('*').length"
_LENGTH = "() => document.documentElement.outerHTML.length"


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserOptions:
    """How pages are rendered, and what a page and a browser may cost."""

    pages_at_once: int = 2
    pages_a_browser: int = 100
    """After so many pages a browser is replaced; browsers grow."""
    browser_megabytes: int = 1500
    """A browser that holds more is replaced, too; over 1,000 pages, four at once, none held 610."""
    quiet_seconds: float = 0.5
    """A page has settled when it has asked for nothing for so long (what Playwright and Puppeteer call idle)."""
    settle_seconds: float = 5.0
    """How long a page is waited for that never settles."""
    scrolls: int = 10
    """How often the end of a page is scrolled to while it grows; 0: never."""
    blocked: frozenset[str] = frozenset(("image", "font", "media"))
    """Kinds of resources that are not loaded, as Playwright names them."""
    block_advertisers: bool = True
    network_bytes: int = 50_000_000
    """What a page may load, with all its parts."""
    requests: int = 500


class BrowserFetcher:
    """Renders pages in Chromium, several at once; the first starts it, and `async with` leaves no process behind."""

    def __init__(
        self,
        settings: FetchSettings | None = None,
        limits: Limits | None = None,
        options: BrowserOptions | None = None,
    ) -> None:
        self._settings = settings or FetchSettings()
        self._limits = limits or Limits()
        self._options = options or BrowserOptions()
        self._user_agent = user_agent_of(self._settings)
        self._allowed = read_names(self._settings.allow_hosts)
        self._access = Access(self._settings.sites)
        self._slots = asyncio.Semaphore(self._options.pages_at_once)
        self._starting = asyncio.Lock()
        self._current: Chromium | None = None
        self._running: set[Chromium] = set()
        self._closing: set[asyncio.Task[None]] = set()
        """What is being closed, for which no page waits."""
        self._is_open = False

    async def __aenter__(self) -> "BrowserFetcher":
        self._is_open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self._is_open = False
        self._current = None
        await asyncio.gather(*self._closing)
        for chromium in list(self._running):
            await self._close(chromium)

    async def fetch(self, url: str) -> Page:
        """Return the page that a browser shows at a URL; robots.txt is for the caller to ask."""
        return (await self.render(url)).page

    async def render(self, url: str, turning: Turning | None = None) -> Rendering:
        """Render a URL, and turn its pictures if so wished; `FetchError` where there is no page to be had."""
        if not self._is_open:
            raise RuntimeError("a BrowserFetcher is used inside of `async with`")
        target = read_target(url)
        async with self._slots, GuardedProxy(self._allowed, self._options.network_bytes, self._access) as proxy:
            if not (self._access.of(target.host).proxy and not self._allowed.isdisjoint(target.names)):
                await proxy.check(target)
            chromium = await self._take()
            try:
                async with asyncio.timeout(self._settings.seconds + (turning.seconds if turning is not None else 0.0)):
                    return await self._visit(chromium, proxy, url, turning)
            except TimeoutError as error:
                chromium.is_broken = True  # a page that does not end holds it up for the others
                raise RenderTimeout(
                    f"{url}: took longer than {self._settings.seconds:g} s in the browser; try again later, or raise "
                    "fetch.seconds"
                ) from error
            finally:
                self._give_back(chromium)

    async def _visit(self, chromium: Chromium, proxy: GuardedProxy, url: str, turning: Turning | None) -> Rendering:
        open_tab: _OpenTab | None = None
        context: BrowserContext | None = None
        try:
            context = await chromium.browser.new_context(
                proxy={"server": proxy.url, "bypass": THROUGH_PROXY},
                user_agent=self._user_agent,
                accept_downloads=False,
                service_workers="block",
                viewport={"width": 1280, "height": 1600},
                storage_state=storage_state(self._access.of(read_target(url).host)),
            )
            tab = await context.new_page()
            await send_headers(context, tab, self._access)
            open_tab = _OpenTab(tab, self._options, self._limits, self._settings.seconds * _LOADING)
            await open_tab.prepare(context)
            rendering = await _unless_flooded(open_tab, url, turning)
            return replace(rendering, page=self._without_cookies(rendering.page))
        except playwright_errors() as error:
            chromium.is_broken = chromium.is_broken or not chromium.browser.is_connected()
            raise _failure(str(error), url, open_tab, proxy.traffic) from error
        finally:
            chromium.is_broken = chromium.is_broken or (open_tab is not None and open_tab.flooded.is_set())
            if context is not None:
                self._later(_close_context(context, chromium))

    def _without_cookies(self, page: Page) -> Page:
        host = urlsplit(page.location).hostname or ""
        return replace(page, headers=self._access.without_cookies(host, page.headers))

    async def _take(self) -> Chromium:
        """Return a browser that is fit for one more page."""
        async with self._starting:
            if self._current is None or self._is_worn(self._current):
                worn, self._current = self._current, None
                if worn is not None and not worn.in_use:
                    await self._close(worn)
                self._current = await start_chromium(self._settings.browser)
                self._running.add(self._current)
            self._current.in_use += 1
            self._current.pages += 1
            return self._current

    def _give_back(self, chromium: Chromium) -> None:
        chromium.in_use -= 1
        if not chromium.in_use and (chromium is not self._current or chromium.is_broken):
            self._current = None if chromium is self._current else self._current
            self._later(self._close(chromium))

    def _later(self, closing: Coroutine[Any, Any, None]) -> None:
        """Close something while the next page may begin: what hangs must not take the time of others."""
        task = asyncio.create_task(closing)
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    def _is_worn(self, chromium: Chromium) -> bool:
        return (
            chromium.is_broken
            or chromium.pages >= self._options.pages_a_browser
            or not chromium.browser.is_connected()
            or chromium.megabytes > self._options.browser_megabytes
        )

    async def _close(self, chromium: Chromium) -> None:
        self._running.discard(chromium)
        await chromium.close()


async def _close_context(context: "BrowserContext", chromium: Chromium) -> None:
    """Close all that belongs to a page; a browser that cannot is not used again."""
    try:
        async with asyncio.timeout(_CLOSE_SECONDS):
            await context.close()
    except TimeoutError:
        chromium.is_broken = True
    except playwright_errors():
        chromium.is_broken = not chromium.browser.is_connected()


async def _unless_flooded(open_tab: "_OpenTab", url: str, turning: Turning | None) -> Rendering:
    """Render a page; `RenderFailed` as soon as its scripts flood the browser."""
    rendering = asyncio.create_task(open_tab.render(url, turning))
    flooded = asyncio.create_task(open_tab.flooded.wait())
    try:
        await asyncio.wait((rendering, flooded), return_when=asyncio.FIRST_COMPLETED)
        if not rendering.done():
            told = "its scripts ask for things, or change its address, without end"
            raise RenderFailed(f"{url}: {told}; the page was left")
        return rendering.result()
    finally:
        rendering.cancel()
        flooded.cancel()
        await asyncio.gather(rendering, flooded, return_exceptions=True)


@dataclass(slots=True)
class _Watched:
    """What was seen of the requests of a page."""

    waiting: set["Request"] = field(default_factory=set)
    last: float = field(default_factory=time.monotonic)
    asked: int = 0
    """How many requests there were; `requests` are those that were let pass or refused."""
    requests: int = 0
    moves: int = 0
    """How often an address of the page or of its frames changed."""
    going_to: str = ""
    """Where the page itself was last asked for, redirects counted."""
    answer: "Response | None" = None
    """The last answer that became the page itself."""
    reading: set["asyncio.Task[None]"] = field(default_factory=set)
    calls: list[DataCall] = field(default_factory=list)
    crashed: bool = False
    downloads: bool = False


class _OpenTab:
    """One page in one tab."""

    def __init__(self, tab: "Tab", options: BrowserOptions, limits: Limits, load_seconds: float) -> None:
        self._tab = tab
        self._options = options
        self._limits = limits
        self._load_seconds = load_seconds
        self.watched = _Watched()
        self.flooded = asyncio.Event()

    async def prepare(self, context: "BrowserContext") -> None:
        """Listen to what the tab does, and stand in its way where it must not."""
        context.on("page", self._close_popup)
        self._tab.on("request", self._note_request)
        self._tab.on("requestfinished", self._note_end)
        self._tab.on("requestfailed", self._note_end)
        self._tab.on("response", self._note_response)
        self._tab.on("framenavigated", self._note_move)
        self._tab.on("crash", self._note_crash)
        self._tab.on("download", self._note_download)
        await context.add_init_script(_SHIELD)
        await context.add_init_script(f"{_BOUNDED}({self._options.requests})")
        await context.route("**/*", self._let_pass)

    async def render(self, url: str, turning: Turning | None) -> Rendering:
        """Go there, wait, scroll, turn pictures if so wished, and return what is shown."""
        try:
            await self._tab.goto(url, wait_until="commit", timeout=0)
        except playwright_errors() as error:
            if _EMPTY not in str(error) or self.watched.answer is None:
                raise
            return Rendering(await self._page(url, self.watched.answer.url, ""), ())
        with suppress(*playwright_errors()):  # a script that does not come: the page is taken as it stands
            await self._tab.wait_for_load_state("domcontentloaded", timeout=self._load_seconds * 1000)
        await self._settle(self._options.quiet_seconds, self._options.settle_seconds)
        await self._scroll()
        if self.watched.reading:
            await asyncio.wait(self.watched.reading, timeout=1.0)
        html, address = await self._html(), self._tab.url
        turned = await self._turn(turning) if turning is not None else UNTURNED
        if turned.shown > 1:
            html = await self._html()
        page = await self._page(url, address, html)
        return Rendering(page, tuple(self.watched.calls), turned)

    async def _turn(self, turning: Turning) -> Turned:
        """Turn the pictures of a gallery; where a control leads elsewhere, the page stays as it was."""
        moves = self.watched.going_to
        try:
            turned = await turn_pictures(self._tab, turning)
        except playwright_errors():
            return UNTURNED
        return turned if self.watched.going_to == moves else UNTURNED

    async def _page(self, url: str, final_url: str, html: str) -> Page:
        answer = self.watched.answer
        headers = {} if answer is None else await answer.all_headers()
        _refuse_other_types(headers)
        return Page(
            url=url,
            final_url=final_url.partition("#")[0],
            status=answer.status if answer is not None else 200,
            headers={**headers, "content-type": "text/html; charset=utf-8"},
            body=html.encode("utf-8", "replace"),
            fetched_at=datetime.now(UTC),
            via="browser",
        )

    async def _html(self) -> str:
        """Return the page as it stands now; a page on its way elsewhere is waited for."""
        for _ in range(3):
            with suppress(*playwright_errors()):
                return await self._read()
            await self._settle(self._options.quiet_seconds, self._options.settle_seconds)
        return await self._read()

    async def _read(self) -> str:
        if self._tab.url.startswith("chrome-error:"):
            raise playwright_errors()[0](f"net::ERR_FAILED at {self.watched.going_to}")
        length: int = await self._tab.evaluate(_LENGTH)
        if length > self._limits.page_bytes:
            raise PageTooLarge(
                f"{length:,} characters when rendered; at most {self._limits.page_bytes:,} bytes are read "
                "(limits.page_bytes)"
            )
        html: str = await self._tab.content()
        return html

    async def _settle(self, quiet: float, most: float) -> None:
        """Wait until nothing is asked for any more, but not for ever."""
        until = time.monotonic() + most
        while (now := time.monotonic()) < until and not self.watched.crashed and not self._tab.is_closed():
            if not self.watched.waiting and now - self.watched.last >= quiet:
                return
            await asyncio.sleep(_POLL)

    async def _scroll(self) -> None:
        """Scroll to the end for as long as the page grows there."""
        with suppress(*playwright_errors()):  # gone elsewhere, or crashed: reading it says so
            before = await self._tab.evaluate(_AMOUNT)
            for _ in range(self._options.scrolls):
                await self._tab.evaluate(_SCROLL)
                self.watched.last = time.monotonic()  # what scrolling starts may start a moment later
                await self._settle(self._options.quiet_seconds / 2, self._options.settle_seconds / 2)
                after = await self._tab.evaluate(_AMOUNT)
                if after <= before:
                    return
                before = after

    async def _let_pass(self, route: "Route", request: "Request") -> None:
        self.watched.requests += 1
        with suppress(*playwright_errors()):  # the page is gone
            if self._is_unwanted(request):
                await route.abort("blockedbyclient")
            else:
                await route.continue_()

    def _is_unwanted(self, request: "Request") -> bool:
        parts = urlsplit(request.url)
        return (
            self.watched.requests > self._options.requests
            or request.resource_type in self._options.blocked
            or parts.scheme not in {"http", "https", "data", "blob"}
            or (self._options.block_advertisers and is_advertiser(parts.hostname or ""))
        )

    async def _close_popup(self, tab: "Tab") -> None:
        if tab is not self._tab:
            with suppress(*playwright_errors()):
                await tab.close()

    def _note_move(self, _: object) -> None:
        self.watched.moves += 1
        if self.watched.moves > _MOST_MOVES:
            self.flooded.set()

    def _note_request(self, request: "Request") -> None:
        self.watched.last = time.monotonic()
        self.watched.asked += 1
        if self.watched.asked > _FLOOD * self._options.requests:
            self.flooded.set()
        if request.resource_type not in _ENDLESS:
            self.watched.waiting.add(request)
        if self._is_page_itself(request):
            self.watched.going_to = request.url

    def _note_end(self, request: "Request") -> None:
        self.watched.last = time.monotonic()
        self.watched.waiting.discard(request)

    def _note_response(self, response: "Response") -> None:
        request = response.request
        if self._is_page_itself(request):
            self.watched.answer = response
        elif request.resource_type in {"xhr", "fetch"} and len(self.watched.reading) < _MOST_CALLS:
            self.watched.reading.add(asyncio.get_running_loop().create_task(self._read_call(response)))

    async def _read_call(self, response: "Response") -> None:
        request = response.request
        with suppress(*playwright_errors()):
            body: bytes = await response.body()
            if response.ok and len(body) <= _CALL_BYTES and body.lstrip()[:1] in {b"{", b"["}:
                sent: str = request.post_data or ""
                self.watched.calls.append(DataCall(url=response.url, method=request.method, body=body, sent=sent))

    def _note_crash(self, _tab: "Tab") -> None:
        self.watched.crashed = True

    def _note_download(self, _download: object) -> None:
        self.watched.downloads = True

    def _is_page_itself(self, request: "Request") -> bool:
        return bool(request.is_navigation_request() and request.frame == self._tab.main_frame)


def _refuse_other_types(headers: Mapping[str, str]) -> None:
    served_as = headers.get("content-type", "").partition(";")[0].strip().lower()
    if served_as not in _PAGE_TYPES:
        raise NotHtml(f"the page is served as {served_as}, not as HTML; leave it out")


def _failure(message: str, url: str, open_tab: "_OpenTab | None", traffic: Traffic) -> FetchError:
    """Return what a failure of the browser means."""
    watched = open_tab.watched if open_tab else _Watched()
    refused = _refusal(watched.going_to or url, traffic)
    if refused is not None:
        return refused
    if watched.crashed or "crashed" in message.lower():
        return RenderFailed(f"{url} crashed the browser's tab; fetch it without a browser")
    if watched.downloads or "Download is starting" in message:
        return RenderFailed(f"{url} is a file to download, not a page; leave it out")
    return failure_of(message, url)


def _refusal(url: str, traffic: Traffic) -> FetchError | None:
    """Return why the proxy did not connect to a page's host, if it did not."""
    try:
        target = read_target(url)
    except BadUrl:
        return None
    return traffic.refused.get(f"{target.host}:{target.port}")
