"""A path to Chromium in, a running browser out, which is closed for good when it has done its share."""

import asyncio
import os
import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sitewright.errors import BrowserMissing
from sitewright.fetch.process_tree import Process, end, find_process, megabytes_of, parent_of, tree_of

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_NOWHERE = "http://127.0.0.1:9"
"""The way out for what is not a page's (updates, reports): the discard port, where nobody listens."""
THROUGH_PROXY = "<-loopback>"
"""What goes past a proxy: nothing, not even (as Chromium would have it) what is for this machine."""
_LAUNCH_SECONDS = 30.0
_CLOSE_SECONDS = 5.0
_FLOODABLE = "--disable-ipc-flooding-protection"
"""What Playwright adds for its own tests: with it scripts may change the address of a page without end."""
_ARGUMENTS = (
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # names are looked up by the proxy alone
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--mute-audio",
    "--js-flags=--max-old-space-size=512",
)


_ENDED = "Connection closed while reading from the driver"


class Chromium:
    """A browser with its driver, and what it has done so far."""

    def __init__(self, playwright: "Playwright", browser: "Browser", pid: int | None) -> None:
        self.browser = browser
        self.pages = 0
        self.in_use = 0
        self.is_broken = False
        self._playwright = playwright
        self._driver = parent_of(pid) if pid is not None else None

    @property
    def megabytes(self) -> float:
        """The memory of all its processes; 0 where the system does not tell."""
        return megabytes_of(self._processes())

    async def close(self) -> None:
        """End all its processes, also one that hangs; one that is broken is not asked first."""
        processes = self._processes()
        if self.is_broken:
            say_nothing_of_ended_drivers()
            await asyncio.to_thread(end, processes, 0.0)
        with suppress(TimeoutError, *playwright_errors()):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self.browser.close()
        with suppress(TimeoutError, *playwright_errors()):
            async with asyncio.timeout(_CLOSE_SECONDS):
                await self._playwright.stop()
        await asyncio.to_thread(end, processes, _CLOSE_SECONDS)

    def _processes(self) -> tuple[Process, ...]:
        driver = self._driver
        return () if driver is None or driver == os.getpid() else tree_of(driver)


async def start_chromium(executable: str = "") -> Chromium:
    """Start a browser that can reach nothing but the proxies its pages are given."""
    path = find_chromium(executable)
    from playwright.async_api import async_playwright  # noqa: PLC0415 -- only who renders pages has it

    playwright = await async_playwright().start()
    mark = f"--sitewright-run={secrets.token_hex(8)}"
    try:
        browser = await playwright.chromium.launch(
            executable_path=path,
            headless=True,
            proxy={"server": _NOWHERE, "bypass": THROUGH_PROXY},
            args=[*_ARGUMENTS, mark],
            ignore_default_args=[_FLOODABLE],
            chromium_sandbox=os.geteuid() != 0,  # root cannot have it
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
            timeout=_LAUNCH_SECONDS * 1000,
        )
    except playwright_errors() as error:
        await playwright.stop()
        raise BrowserMissing(f"{path} does not start: {str(error).strip().splitlines()[0]}") from error
    return Chromium(playwright, browser, await asyncio.to_thread(find_process, mark))


def say_nothing_of_ended_drivers() -> None:
    """Leave untold, in the running loop, that calls to a driver which was ended have failed: nobody waits for them."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    if not isinstance(before, _Untold):
        loop.set_exception_handler(_Untold(before or type(loop).default_exception_handler))


class _Untold:
    """Hears of the errors of a loop, and tells of all but one."""

    def __init__(self, tell: Callable[[asyncio.AbstractEventLoop, dict[str, Any]], object]) -> None:
        self._tell = tell

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if _ENDED not in str(context.get("exception")):
            self._tell(loop, context)


def find_chromium(executable: str = "") -> str:
    """Return the path of the system's Chromium, or of the one named; `BrowserMissing` says what to install."""
    if find_spec("playwright") is None:
        raise BrowserMissing('playwright is not installed: pip install "sitewright[browser]"')
    found = next(filter(None, map(shutil.which, (executable,) if executable else NAMES)), None)
    if found is None:
        missing = f"{executable} (fetch.browser) is not a program" if executable else "there is no Chromium here"
        raise BrowserMissing(f"{missing}; install one (Debian: apt install chromium) or name its path in fetch.browser")
    return found


@cache
def playwright_errors() -> tuple[type[Exception], ...]:
    """Return what Playwright raises; only to be called where it is installed."""
    from playwright.async_api import Error  # noqa: PLC0415 -- as above

    return (Error,)
