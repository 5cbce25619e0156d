"""`sitewright demo --collect`: three newspapers that live on a fast clock, learned and watched by the collector."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sitewright.cli.demo.live import (
    START,
    Shelf,
    collected,
    collecting,
    learned_at,
    tell,
    until_learned,
    value_of,
    wanted,
)
from sitewright.demo import LivingPaper, PaperKind, ServedPaper, serve_papers
from sitewright.errors import BrowserMissing
from sitewright.fetch.chromium import find_chromium
from sitewright.parse.sites import site_name
from sitewright.store.database import Store, open_store
from sitewright.watch.clock import Clock

HOURS = 2.0
SPEED = 120.0
"""A minute of the demo is two hours."""
_ABOUT: dict[PaperKind, str] = {
    "static": "plain pages",
    "scripted": "pages that scripts build",
    "feed": "found through its feed only",
}


def run(console: Console, folder: Path, seed: int, hours: float) -> None:
    """Collect for some hours of the papers' time, and compare with what they published."""
    clock = Clock(speed=SPEED, start=START)
    kinds = _kinds(console)
    makers = [partial(LivingPaper, seed + number, kind=kind, start=START) for number, kind in enumerate(kinds)]
    shelf = Shelf(folder, "collected")
    shelf.clear()
    with serve_papers(makers, clock.now) as papers:
        for served in papers:
            console.print(f"[bold]{served.paper.name}[/bold] ({_ABOUT[served.paper.kind]}) lives at {served.base_url}")
        console.print(f"their clock runs {SPEED:.0f} times as fast: a minute is {SPEED / 60:.0f} hours\n")
        with suppress(KeyboardInterrupt):
            asyncio.run(_collect(console, papers, shelf, clock, timedelta(hours=hours)))
        now = clock.now()
    with open_store(shelf.store) as store:
        console.print(_table(store, papers, now))
    pages = sum(sum(served.requests.values()) for served in papers)
    unchanged = sum(sum(served.unchanged.values()) for served in papers)
    console.print(f"{pages:,} requests in all, {unchanged:,} of them answered with 304: not changed")


def _kinds(console: Console) -> list[PaperKind]:
    try:
        find_chromium("")
    except BrowserMissing:
        console.print(
            'the paper that scripts build is left out: there is no Chromium (or pip install "sitewright[browser]")',
            markup=False,
        )
        return ["static", "feed"]
    return ["static", "scripted", "feed"]


async def _collect(
    console: Console, papers: Sequence[ServedPaper], shelf: Shelf, clock: Clock, length: timedelta
) -> None:
    def say(site: str, line: str) -> None:
        tell(console, clock.now(), f"{site}: {line}")

    async with collecting(papers, shelf, clock, say) as (collector, working):
        await until_learned(collector, papers, working)
        await asyncio.wait([working], timeout=length.total_seconds() / clock.speed)


def _table(store: Store, papers: Sequence[ServedPaper], now: datetime) -> Table:
    table = Table(title="what was published since it was learned, and what was collected", title_justify="left")
    for column in ("paper", "kind", "published", "collected", "missed", "others", "titles right"):
        table.add_column(column, justify="left" if column in ("paper", "kind") else "right")
    for served in papers:
        table.add_row(*_row(store, served, now))
    return table


def _row(store: Store, served: ServedPaper, now: datetime) -> tuple[str, ...]:
    paper = served.paper
    everything = paper.published(now)
    expected = wanted(paper, learned_at(store, site_name(served.base_url)) or now, now)
    found = collected(store, served)
    known = found.keys() & everything.keys()
    right = [path for path in known if value_of(found[path], "title") == everything[path].title]
    counts = map(len, (expected, found, expected - found.keys(), found.keys() - everything.keys(), right))
    return (paper.name, paper.kind, *(f"{count:,}" for count in counts))
