"""`sitewright demo --collect`: three newspapers that live on a fast clock, learned and watched by the collector."""

import asyncio
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from itertools import chain
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.cli.demo.live import (
    START,
    Shelf,
    collected,
    collecting,
    learned_at,
    tell,
    until_learned,
    wanted,
)
from sitewright.cli.demo.score import ReadStory, Score, score_of, story_of
from sitewright.cli.demo.scored import ABOUT, score_table, total_line
from sitewright.cli.show.next_steps import tell_next
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which papers are collected, for how long, and how fast."""

    seed: int = 1
    hours: float = HOURS
    speed: float = SPEED
    kinds: Sequence[PaperKind] = ()
    """Empty: all that can be collected here."""


def run(console: Console, folder: Path, plan: Plan) -> None:
    """Collect for some hours of the papers' time, and compare with what they published."""
    clock = Clock(speed=plan.speed, start=START)
    kinds = plan.kinds or _kinds(console)
    makers = [partial(LivingPaper, plan.seed + number, kind=kind, start=START) for number, kind in enumerate(kinds)]
    shelf = Shelf(folder, "collected")
    shelf.clear()
    with serve_papers(makers, clock.now) as papers:
        for served in papers:
            console.print(
                f"[bold]{served.paper.name}[/bold] ({_ABOUT[served.paper.kind]}) lives at {served.base_url}",
                highlight=False,
            )
        console.print(
            f"their clock runs {plan.speed:.0f} times as fast: a minute is {plan.speed / 60:.0f} hours\n",
            highlight=False,
        )
        with suppress(KeyboardInterrupt):
            asyncio.run(_collect(console, papers, shelf, clock, timedelta(hours=plan.hours)))
        now = clock.now()
    with open_store(shelf.store) as store:
        _show(console, store, papers, now)
    _say_next(console, shelf)


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


def _show(console: Console, store: Store, papers: Sequence[ServedPaper], now: datetime) -> None:
    """Print what was published and what was collected, and how right the records are."""
    stories = {served.base_url: list(_stories(store, served, now)) for served in papers}
    console.print("\nWhat was published since it was learned, and what was collected", style="bold", highlight=False)
    console.print(_table(store, papers, now, {url: score_of(read) for url, read in stories.items()}))
    score = score_of(chain.from_iterable(stories.values()))
    console.print(f"\nThe records against what the papers meant: {total_line(score)}", style="bold", highlight=False)
    console.print(score_table(score))
    console.print(Text(ABOUT, style="dim"))
    requests = sum(sum(served.requests.values()) for served in papers)
    unchanged = sum(sum(served.unchanged.values()) for served in papers)
    console.print(
        f"{requests:,} requests in all, {unchanged:,} of them answered with 304: not changed", highlight=False
    )


def _stories(store: Store, served: ServedPaper, now: datetime) -> Iterator[ReadStory]:
    everything = served.paper.published(now)
    for path, stored in collected(store, served).items():
        if path in everything:
            yield story_of(path, stored.record, everything[path])


def _table(store: Store, papers: Sequence[ServedPaper], now: datetime, scores: Mapping[str, Score]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for column in ("paper", "kind", "published", "collected", "missed", "others", "values right"):
        table.add_column(column, justify="left" if column in ("paper", "kind") else "right")
    for served in papers:
        table.add_row(*_row(store, served, now), _share(scores[served.base_url]))
    return table


def _row(store: Store, served: ServedPaper, now: datetime) -> tuple[str, ...]:
    paper = served.paper
    expected = wanted(paper, learned_at(store, site_name(served.base_url)) or now, now)
    found = collected(store, served)
    counts = map(len, (expected, found, expected - found.keys(), found.keys() - paper.published(now).keys()))
    return (paper.name, paper.kind, *(f"{count:,}" for count in counts))


def _share(score: Score) -> str:
    """Return how many values are right, of those that the paper has."""
    total = score.total
    meant = total["right"] + total["wrong"] + total["missing"]
    return f"{total['right'] / meant:.0%}" if meant else "-"


def _say_next(console: Console, shelf: Shelf) -> None:
    store = f"--store {shlex.quote(shelf.store)}"
    console.print(
        f"\n{shelf.folder}/ now holds {shelf.name}.db and {shelf.name}-pages/. Try next", style="bold", highlight=False
    )
    tell_next(
        console,
        (
            f"status {store}",
            f"export 127.0.0.2 -o {shelf.folder}/collected.csv {store}",
            f"map get 127.0.0.2 {store}",
            "demo --heal",
        ),
    )
