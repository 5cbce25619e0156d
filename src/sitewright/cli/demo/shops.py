"""`sitewright demo --shop`: shops of several kinds and languages, collected twice, and scored by what they meant."""

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from sitewright.actions.add_sites import SiteOptions, add_site
from sitewright.actions.prices import compared
from sitewright.cli.demo.live import OF_SHOPS, Shelf, collect_once, tell
from sitewright.cli.show.next_steps import tell_next
from sitewright.demo.shops import DemoShop, Review, ServedShop, ShopKind, Truth, serve_shops
from sitewright.errors import BrowserMissing
from sitewright.fetch.chromium import find_chromium
from sitewright.parse.sites import site_name
from sitewright.store.database import Store, open_store
from sitewright.store.entries import RecordQuery
from sitewright.values.words import counted
from sitewright.watch.clock import Clock

START = datetime.fromisoformat("2026-03-16T06:00:00+00:00")
LATER = timedelta(days=8)
"""Prices have changed for the last time by then."""
_FIELDS = ("name", "price", "old_price", "availability", "brand", "sku", "gtin", "categories", "variants", "reviews")
_ABOUT: Mapping[ShopKind, str] = {
    "plain": "plain pages",
    "ecshop": "in the style of ECShop",
    "scripted": "pages that scripts fill",
}

_MARK: Mapping[ShopKind, str] = {"plain": "plain", "ecshop": "ECShop", "scripted": "scripts"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which shops are made up."""

    seed: int = 1
    products: int | None = None
    browser: bool = True
    """Whether there is one that scripts fill, where a browser is here to show it."""


class _StandingClock(Clock):
    """Stands at a moment until it is moved."""

    def __init__(self, at: datetime) -> None:
        super().__init__(start=at)
        self.at = at

    def now(self) -> datetime:
        return self.at


def run(console: Console, folder: Path, plan: Plan) -> None:
    """Collect the shops as they are, and once more when their prices have changed; show how right what was read is."""
    clock, shelf = _StandingClock(START), Shelf(folder, "shops")
    shelf.clear()
    with serve_shops(_makers(console, plan), clock.now) as shops:
        for served in shops:
            about = f"{_ABOUT[served.shop.kind]}, {served.shop.words.language}, {served.shop.words.currency}"
            console.print(f"[bold]{served.shop.name}[/bold] ({about}) is at {served.base_url}", highlight=False)
        with open_store(shelf.store, clock=clock.now) as store:
            for served in shops:
                add_site(store, f"{served.base_url}/", SiteOptions(domain=OF_SHOPS))

        def say(site: str, line: str) -> None:
            if not line.endswith("new"):
                tell(console, clock.now(), f"{site}: {line}")

        for _ in range(2):
            asyncio.run(collect_once([served.base_url for served in shops], shelf, clock, say))
            before, clock.at = clock.at, clock.at + LATER
        now = before
    with open_store(shelf.store) as store:
        console.print("\nWhat was collected, against what the shops meant", style="bold", highlight=False)
        console.print(_table(store, shops, now))
        same = compared(store)
        console.print(f"{counted(len(same), 'product')} known of more than one shop", highlight=False)
    named = f"--store {shelf.store}"
    tell_next(console, (f"prices --changed {named}", f"prices --compare {named}", f"status {named}"))


def _makers(console: Console, plan: Plan) -> list[partial[DemoShop]]:
    own = partial(DemoShop, plan.seed, start=START, products=plan.products)
    makers = [partial(own, kind="plain", language="en"), partial(own, kind="plain", language="de")]
    makers.append(partial(own, kind="ecshop", language="zh"))
    try:
        if plan.browser:
            find_chromium("")
            makers.append(partial(own, kind="scripted", language="en", margin=12))
    except BrowserMissing:
        console.print("the shop that scripts fill is left out: there is no Chromium", markup=False)
    return makers


def _table(store: Store, shops: Sequence[ServedShop], now: datetime) -> Table:
    """Return a column a shop: what is scored stands below one another, so that a narrow terminal shows it whole."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("")
    for served in shops:
        table.add_column(f"{served.shop.name} ({_MARK[served.shop.kind]})", justify="right")
    scores = [_scores(store, served, served.shop.truth(now)) for served in shops]
    for name in scores[0]:
        table.add_row(name, *(own[name] for own in scores))
    return table


def _scores(store: Store, served: ServedShop, truth: Mapping[str, Truth]) -> dict[str, str]:
    site, right, found = site_name(served.base_url), Counter[str](), 0
    records = list(store.records(RecordQuery(site=site)))
    for stored in records:
        meant = truth.get(stored.record.urls[0].removeprefix(served.base_url))
        found += meant is not None
        for name in _FIELDS if meant is not None else ():
            read = stored.record.fields.get(name)
            right[name] += _plain(getattr(meant, name)) == (_plain(read.value) if read is not None else None)
    kept = sum(1 for _ in store.offers.history([site]))
    counts = {"products": len(truth), "collected": found, "others": len(records) - found, "prices kept": kept}
    return {name: f"{count:,}" for name, count in counts.items()} | {
        f"{name} right": f"{right[name] / len(truth):.0%}" for name in _FIELDS
    }


def _plain(value: object) -> object:
    """Return what a shop means, or what was read, as both compare: of variants names, of reviews who said what."""
    if isinstance(value, Review):
        return {"author": value.author, "stars": value.stars, "text": value.text}
    if isinstance(value, dict) and "amount" not in value:
        kept = {name: value[name] for name in ("author", "stars", "text") if name in value}
        return kept or value.get("name")
    return [_plain(one) for one in value] if isinstance(value, tuple | list) else value
