"""What people look for among items with prices in, the items out: what each costs, cost before, and costs elsewhere."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sitewright.actions.prices import ItemPrices
from sitewright.domains import load_domain
from sitewright.errors import NotThere
from sitewright.store.catalogue.card import Card, card_of
from sitewright.store.catalogue.catalogue import CardQuery, Catalogue
from sitewright.store.database import Store
from sitewright.store.offers import are_same, keys_of
from sitewright.store.wares import Item, Order, Ware, WareQuery

_MOST_FOUND = 1000
"""Items that a search takes into account, the best first."""
_AT_ONCE = 200
_COLUMNS = ("site", "url", "name", "amount", "currency", "old_amount", "stock", "since", "until")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What somebody looks for."""

    words: str = ""
    site: str = ""
    category: str = ""
    stock: str = ""
    order: Order = ""


@dataclass(frozen=True, slots=True)
class ShownWare:
    """An item as it is shown: its card, what it cost, the fields of its record."""

    card: Card
    prices: ItemPrices
    fields: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ShownWares:
    """Some items, and where the next ones begin (0: there are no more)."""

    wares: Sequence[ShownWare]
    next: int


def find_wares(store: Store, catalogue: Catalogue, sought: Sought, size: int, after: int = 0) -> ShownWares:
    """Return the items that are looked for."""
    query = WareQuery(
        sites=(sought.site,) if sought.site else (),
        among=_found(catalogue, sought) if sought.words else None,
        category=sought.category,
        stock=sought.stock,
        order=sought.order,
    )
    page = store.wares.page(query, size, after)
    return ShownWares(_shown(store, page.wares), page.next)


def _found(catalogue: Catalogue, sought: Sought) -> list[Item]:
    query = CardQuery(words=sought.words, sites=(sought.site,) if sought.site else (), best_first=True)
    found: list[Item] = []
    place = None
    while len(found) < _MOST_FOUND:
        page = catalogue.page(query, _AT_ONCE, place)
        found += [(card.site, card.id) for card in page.cards if load_domain(card.domain).price]
        place = page.next
        if place is None:
            break
    return found[:_MOST_FOUND]


def _shown(store: Store, wares: Sequence[Ware]) -> list[ShownWare]:
    records = {one.number: one for one in store.records_by_number([ware.record for ware in wares])}
    return [
        ShownWare(
            card_of(records[ware.record]),
            ItemPrices(ware.points),
            {name: value.value for name, value in records[ware.record].record.fields.items()},
        )
        for ware in wares
        if ware.record in records
    ]


def show_ware(store: Store, site: str, name: str) -> ShownWare:
    """Return one item; `NotThere` where no price of it is known."""
    shown = _shown(store, [ware for ware in (store.wares.one(site, name),) if ware is not None])
    if not shown:
        raise NotThere(f"no prices of {name} on {site} are known")
    return shown[0]


def offers_elsewhere(store: Store, site: str, name: str) -> list[ShownWare]:
    """Return the same item as other sites offer it, the cheapest first."""
    near = store.wares.of([item for item in store.wares.alike(site, name) if item[0] != site])
    own = next((keys for _, keys in _keyed(store, store.wares.of([(site, name)]))), {})
    same = [ware for ware, keys in _keyed(store, near) if are_same(own, keys)]
    return sorted(_shown(store, same), key=lambda one: _cost(one.prices))


def _keyed(store: Store, wares: Sequence[Ware]) -> list[tuple[Ware, Mapping[int, str]]]:
    """Return items with what tells them from others."""
    records = {one.number: one.record for one in store.records_by_number([ware.record for ware in wares])}
    return [(ware, dict(keys_of(records[ware.record]))) for ware in wares if ware.record in records]


def _cost(prices: ItemPrices) -> tuple[bool, float]:
    price = prices.now.price
    return price is None, price.amount if price is not None else 0.0


def csv_of(rows: Iterable[Mapping[str, object]]) -> str:
    """Return prices as a table for spreadsheets, which take no cell of it for a formula."""
    held = io.StringIO()
    writer = csv.DictWriter(held, _COLUMNS)
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _cell(row[name]) for name in _COLUMNS})
    return held.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return value.isoformat()
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t") else value
