"""`sitewright demo --reader`: papers in several languages and a shop, collected, a reader over them in a browser."""

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from rich.console import Console

from sitewright.cli.demo.live import Shelf, collecting, tell, until_learned
from sitewright.demo import LivingPaper, serve_papers
from sitewright.demo.shops import DemoShop, serve_shops
from sitewright.errors import MissingExtra
from sitewright.parse.sites import site_name
from sitewright.store.database import Store, open_store
from sitewright.types import FetchSettings, ServeSettings, StoreSettings
from sitewright.watch.clock import Clock

_SPEED = 60.0
"""A minute is an hour until the present is reached, so that there is news while one reads."""
_BEHIND = timedelta(hours=3)
_LANGUAGES = ("en", "fr", "ru", "ar")
_ENOUGH = 20
"""Records of each paper, before the reader opens."""
_PATIENCE = 120.0
_PRODUCTS = 60
_FIRST_SHOP = 20
"""Its host, behind those of the papers: 127.0.0.20."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which papers are made up, and where the reader is."""

    seed: int = 1
    port: int = 0
    """0: a free one."""
    languages: Sequence[str] = _LANGUAGES


class CatchingUp(Clock):
    """Runs fast from a moment in the past until the present, and then as the clock on the wall."""

    def now(self) -> datetime:
        """Return the time, in UTC; never one that is still to come, since the reader goes by the clock on the wall."""
        now, present = super().now(), datetime.now(UTC)
        if now < present:
            return now
        self.speed, self._is_outside = 1.0, True
        return present


def run(console: Console, folder: Path, plan: Plan) -> None:
    """Collect the papers and the shop, and serve the reader until it is ended; the papers go on publishing."""
    try:
        from sitewright.serve.options import ServeOptions  # noqa: PLC0415 -- an extra
        from sitewright.serve.run import serve_beside  # noqa: PLC0415 -- an extra
    except ModuleNotFoundError as error:
        raise MissingExtra('the reader needs FastAPI, Jinja and uvicorn: pip install "sitewright[serve]"') from error
    start = datetime.now(UTC).replace(second=0, microsecond=0) - _BEHIND
    clock = CatchingUp(speed=_SPEED, start=start)
    makers = [
        partial(LivingPaper, plan.seed + number, language=language, start=start)
        for number, language in enumerate(plan.languages)
    ]
    shelf = Shelf(folder, "reader")
    shelf.clear()
    make_shop = partial(DemoShop, plan.seed, start=start, products=_PRODUCTS)
    with (
        serve_papers(makers, clock.now) as papers,
        serve_shops([make_shop], clock.now, first=_FIRST_SHOP) as [shop],
    ):
        lives = [(served.paper.name, served.base_url) for served in papers] + [(shop.shop.name, shop.base_url)]
        for name, address in lives:
            console.print(f"[bold]{name}[/bold] lives at {address}", highlight=False)
        hosts = tuple(address.partition("//")[2] for _, address in lives)

        async def read() -> None:
            async with collecting(papers, shelf, clock, _silent, [shop.base_url]) as (collector, working):
                tell(console, clock.now(), "learning them, which takes half a minute or so …")
                await until_learned(collector, papers, working)
                await _until_enough(collector.store, [address for _, address in lives])
                with open_store(shelf.store) as store, socket.create_server(("127.0.0.1", plan.port)) as listening:
                    port = int(listening.getsockname()[1])
                    console.print(f"\nOpen http://127.0.0.1:{port}/ in a browser; Ctrl-C ends it.", highlight=False)
                    kept = StoreSettings(url=shelf.store, pages=shelf.pages)
                    fetch = FetchSettings(allow_hosts=hosts, pause_seconds=0.0)
                    options = ServeOptions(serve=ServeSettings(port=port), store=kept, fetch=fetch)
                    await serve_beside(options, store, listening)

        with suppress(KeyboardInterrupt):
            asyncio.run(read())


def _silent(_site: str, _line: str) -> None:
    """Say nothing: the pages tell it all."""


async def _until_enough(store: Store, addresses: Sequence[str]) -> None:
    """Wait until there is something to read of each paper, and something to buy."""
    names = {site_name(address) for address in addresses}
    with suppress(TimeoutError):
        async with asyncio.timeout(_PATIENCE):
            while True:
                counts = {one.site.name: one.records for one in store.site_summaries()}
                if all(counts.get(name, 0) >= _ENOUGH for name in names):
                    return
                await asyncio.sleep(0.5)
