"""Living papers in, a store in which a collector watched them on a fast clock out: what demos that collect share."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from rich.console import Console

from sitewright.actions.add_sites import SiteOptions, add_site
from sitewright.demo import LivingPaper, ServedPaper
from sitewright.parse.sites import site_name
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, StoredRecord, WatchedPage
from sitewright.types import FetchSettings
from sitewright.watch.clock import Clock
from sitewright.watch.collector import Collector, CollectorOptions, open_collector
from sitewright.watch.tools import Say

START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
OF_SHOPS = "shop"
"""The domain of the shops that demos make up."""
_GRACE = timedelta(hours=1)
"""What was published in the last hour may not have been seen yet."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where a demo leaves its store and its pages: in a folder, under a name."""

    folder: Path
    name: str

    @property
    def database(self) -> Path:
        """The file of the store."""
        return self.folder / f"{self.name}.db"

    @property
    def store(self) -> str:
        """The address of the store."""
        return f"sqlite:///{self.database}"

    @property
    def pages(self) -> str:
        """The folder of the web archive."""
        return str(self.folder / f"{self.name}-pages")

    def clear(self) -> None:
        """Begin anew: papers of an earlier demo had other addresses."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for path in self.folder.glob(f"{self.name}.db*"):
            path.unlink()
        shutil.rmtree(self.pages, ignore_errors=True)


@asynccontextmanager
async def collecting(
    papers: Sequence[ServedPaper], shelf: Shelf, clock: Clock, say: Say, shops: Sequence[str] = ()
) -> AsyncIterator[tuple[Collector, "asyncio.Task[None]"]]:
    """Collect papers, and shops at some addresses, of which nothing else is known, until the end of the block."""
    options = _options(shelf, [*(served.base_url for served in papers), *shops])
    async with open_collector(options, clock=clock, say=say) as collector:
        for served in papers:
            name, front = site_name(served.base_url), f"{served.base_url}/"
            collector.store.add_site(name, url=front)
            collector.store.put_index_pages([WatchedPage(site=name, url=front)])
        for address in shops:
            add_site(collector.store, f"{address}/", SiteOptions(domain=OF_SHOPS))
        working = asyncio.create_task(collector.run())
        try:
            yield collector, working
        finally:
            working.cancel()
            with suppress(asyncio.CancelledError):
                await working


async def collect_once(addresses: Sequence[str], shelf: Shelf, clock: Clock, say: Say) -> None:
    """Collect sites that the store knows, until nothing of them is due."""
    async with open_collector(_options(shelf, addresses), clock=clock, say=say) as collector:
        await collector.run([site_name(address) for address in addresses], once=True)


def _options(shelf: Shelf, addresses: Sequence[str]) -> CollectorOptions:
    hosts = tuple(address.partition("//")[2] for address in addresses)
    fetch = FetchSettings(allow_hosts=hosts, pause_seconds=0.0)
    return CollectorOptions(store=shelf.store, pages=shelf.pages, fetch=fetch)


async def until_learned(collector: Collector, papers: Sequence[ServedPaper], working: "asyncio.Task[None]") -> None:
    """Wait until every paper has its map, or the collector ends."""
    sites = {site_name(served.base_url) for served in papers}
    while not working.done() and not all(learned_at(collector.store, site) for site in sites):
        await asyncio.sleep(0.2)


def learned_at(store: Store, site: str) -> datetime | None:
    """Return when the first map of a site was learned; None: it has none."""
    return next((version.made_at for version in store.map_versions(site)), None)


def collected(store: Store, served: ServedPaper) -> dict[str, StoredRecord]:
    """Return the records of a paper by their addresses, without the paper's."""
    records = store.records(RecordQuery(site=site_name(served.base_url)))
    return {stored.record.urls[0].removeprefix(served.base_url): stored for stored in records}


def wanted(paper: LivingPaper, since: datetime, now: datetime) -> set[str]:
    """Return the paths of stories that a collector should have found: published since a moment, and still there."""
    return paper.published(now - _GRACE).keys() - paper.published(since).keys() - paper.withdrawn(now)


def tell(console: Console, at: datetime, line: str, *, style: str = "") -> None:
    """Print a line of what happens, with the papers' time."""
    console.print(f"{at:%a %H:%M}  {line}", style=style, highlight=False, markup=False, soft_wrap=True)
