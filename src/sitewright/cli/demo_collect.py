"""`sitewright demo --collect`: three newspapers that live on a fast clock, learned and watched by the collector."""

import asyncio
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sitewright.demo import LivingPaper, PaperKind, ServedPaper, serve_papers
from sitewright.errors import BrowserMissing
from sitewright.fetch.chromium import find_chromium
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, StoredRecord, WatchedPage
from sitewright.types import FetchSettings
from sitewright.watch.clock import Clock
from sitewright.watch.collector import Collector, CollectorOptions, open_collector
from sitewright.watch.names import site_name

SPEED = 120.0
"""A minute of the demo is two hours."""
_START = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
_ABOUT: dict[PaperKind, str] = {
    "static": "plain pages",
    "scripted": "pages that scripts build",
    "feed": "found through its feed only",
}
_GRACE = timedelta(hours=1)
"""What was published in the last hour may not have been seen yet."""


@dataclass(frozen=True, slots=True)
class _Watched:
    """A paper, and when its map was learned."""

    served: ServedPaper
    learned_at: datetime | None

    @property
    def site(self) -> str:
        return site_name(self.served.base_url)


def run(console: Console, folder: Path, seed: int, hours: float) -> None:
    """Collect for some hours of the papers' time, and compare with what they published."""
    clock = Clock(speed=SPEED, start=_START)
    kinds = _kinds(console)
    makers = [partial(LivingPaper, seed + number, kind=kind, start=_START) for number, kind in enumerate(kinds)]
    _clear(folder)
    with serve_papers(makers, clock.now) as papers:
        for served in papers:
            console.print(f"[bold]{served.paper.name}[/bold] ({_ABOUT[served.paper.kind]}) lives at {served.base_url}")
        console.print(f"their clock runs {SPEED:.0f} times as fast: a minute is {SPEED / 60:.0f} hours\n")
        with suppress(KeyboardInterrupt):
            asyncio.run(_collect(console, papers, folder, clock, timedelta(hours=hours)))


def _kinds(console: Console) -> list[PaperKind]:
    try:
        find_chromium("")
    except BrowserMissing:
        console.print(
            'the paper that scripts build is left out: there is no Chromium (or pip install "sitewright[browser]")'
        )
        return ["static", "feed"]
    return ["static", "scripted", "feed"]


def _clear(folder: Path) -> None:
    """Begin anew: papers of an earlier demo had other addresses."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("collected.db*"):
        path.unlink()
    shutil.rmtree(folder / "collected-pages", ignore_errors=True)


async def _collect(
    console: Console, papers: Sequence[ServedPaper], folder: Path, clock: Clock, length: timedelta
) -> None:
    hosts = tuple(served.base_url.partition("//")[2] for served in papers)
    options = CollectorOptions(
        store=f"sqlite:///{folder / 'collected.db'}",
        pages=str(folder / "collected-pages"),
        fetch=FetchSettings(allow_hosts=hosts, pause_seconds=0.0),
    )

    def say(site: str, line: str) -> None:
        console.print(f"{clock.now():%a %H:%M}  {site}: {line}", highlight=False, markup=False, soft_wrap=True)

    async with open_collector(options, clock=clock, say=say) as collector:
        for served in papers:
            name, front = site_name(served.base_url), f"{served.base_url}/"
            collector.store.add_site(name, url=front)
            collector.store.put_index_pages([WatchedPage(site=name, url=front)])
        working = asyncio.create_task(collector.run())
        watched = await _until_learned(collector, papers, clock, working)
        await asyncio.wait([working], timeout=length.total_seconds() / clock.speed)
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
        console.print(_table(collector.store, watched, clock.now()))
        pages = sum(sum(served.requests.values()) for served in papers)
        unchanged = sum(sum(served.unchanged.values()) for served in papers)
        console.print(f"{pages:,} requests in all, {unchanged:,} of them answered with 304: not changed")


async def _until_learned(
    collector: Collector, papers: Sequence[ServedPaper], clock: Clock, working: "asyncio.Task[None]"
) -> list[_Watched]:
    """Wait until every paper has its map, and note when."""
    learned: dict[str, datetime] = {}
    while len(learned) < len(papers) and not working.done():
        await asyncio.sleep(0.2)
        for site in (site_name(served.base_url) for served in papers):
            if site not in learned and collector.store.load_map(site) is not None:
                learned[site] = clock.now()
    return [_Watched(served, learned.get(site_name(served.base_url))) for served in papers]


def _table(store: Store, watched: Sequence[_Watched], now: datetime) -> Table:
    table = Table(title="what was published since it was learned, and what was collected", title_justify="left")
    for column in ("paper", "kind", "published", "collected", "missed", "others", "titles right"):
        table.add_column(column, justify="left" if column in ("paper", "kind") else "right")
    for one in watched:
        table.add_row(*_row(store, one, now))
    return table


def _row(store: Store, one: _Watched, now: datetime) -> tuple[str, ...]:
    base, paper = one.served.base_url, one.served.paper
    everything = paper.published(now)
    before = paper.published(one.learned_at or now)
    wanted = paper.published(now - _GRACE).keys() - before.keys() - paper.withdrawn(now)
    found = {stored.record.urls[0].removeprefix(base): stored for stored in store.records(RecordQuery(site=one.site))}
    right = [path for path, stored in found.items() if path in everything and _title(stored) == everything[path].title]
    counts = (len(wanted), len(found), len(wanted - found.keys()), len(found.keys() - everything.keys()), len(right))
    return (paper.name, paper.kind, *(f"{count:,}" for count in counts))


def _title(stored: StoredRecord) -> object:
    value = stored.record.fields.get("title")
    return value.value if value is not None else None
