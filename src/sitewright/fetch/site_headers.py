"""A tab and what was set for sites in, the headers of each site on all that the tab asks of its hosts out.

Playwright would send headers to every host, and along with redirects. Chromium itself is asked instead: it stops at
every request, also at every step of a redirect, and goes on with the headers of the one host it is for.
"""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from sitewright.fetch.chromium import playwright_errors
from sitewright.fetch.site_access import Access

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession
    from playwright.async_api import Page as Tab


async def send_headers(context: "BrowserContext", tab: "Tab", access: Access) -> None:
    """Have a tab send the headers of sites to their hosts."""
    if not access.has_headers:
        return
    session = await context.new_cdp_session(tab)
    answering: set[asyncio.Task[None]] = set()

    def paused(event: dict[str, Any]) -> None:
        task = asyncio.get_running_loop().create_task(_go_on(session, event, access))
        answering.add(task)
        task.add_done_callback(answering.discard)

    session.on("Fetch.requestPaused", paused)
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})


async def _go_on(session: "CDPSession", event: dict[str, Any], access: Access) -> None:
    request = event["request"]
    own = access.of(urlsplit(request["url"]).hostname or "").headers
    answer: dict[str, Any] = {"requestId": event["requestId"]}
    if own:
        replaced = {name.lower() for name in own}
        usual = {name: value for name, value in request["headers"].items() if name.lower() not in replaced}
        answer["headers"] = [{"name": name, "value": value} for name, value in {**usual, **own}.items()]
    with suppress(*playwright_errors()):  # the page is gone
        await session.send("Fetch.continueRequest", answer)
