"""Which items are wanted in, a page of them out, by what they cost: newest price, cheapest, most reduced first."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sqlalchemy import Connection, Engine, Float, RowMapping, Select, and_, func, or_, select, tuple_, type_coerce
from sqlalchemy.sql.elements import ColumnElement

from sitewright.store.engine import reading
from sitewright.store.offers import PricePoint, point_of, points_query
from sitewright.store.schema import item_keys, listings, prices, records, sites

Order = Literal["", "cheapest", "dearest", "reduced"]
ORDERS: tuple[Order, ...] = get_args(Order)
"""The newest price first; by what they cost; by how much less they cost than before."""
_MOST_TRAILS = 300
Item = tuple[str, str]
"""Site and id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WareQuery:
    """Which items are wanted; what is left empty does not matter."""

    sites: tuple[str, ...] = ()
    among: Sequence[Item] | None = None
    """Only these, where a search found some."""
    category: str = ""
    stock: str = ""
    order: Order = ""


@dataclass(frozen=True, slots=True)
class Ware:
    """An item, the number of its record and what it cost, the oldest price first."""

    site: str
    id: str
    record: int
    points: Sequence[PricePoint]


@dataclass(frozen=True, slots=True)
class WarePage:
    """Some items, and where the next ones begin (0: there are no more)."""

    wares: Sequence[Ware]
    next: int = 0


class Wares:
    """The items of a store that have prices; see `Store.wares`."""

    def __init__(self, engine: Engine) -> None:
        """Keep the engine of a store."""
        self._engine = engine

    def page(self, query: WareQuery, size: int, after: int = 0) -> WarePage:
        """Return items in the order of the query, those after the one whose newest price has a number."""
        with reading(self._engine) as connection:
            number, key = prices.c.number, _key(query.order)
            wanted = _newest().where(*_conditions(query), key.is_not(None))
            if after:
                last = connection.execute(select(key).where(number == after)).scalar()
                wanted = wanted.where(tuple_(key, number) > tuple_(last, after)) if last is not None else wanted
            rows = connection.execute(wanted.order_by(key, number).limit(size + 1)).mappings().all()
            points = _history(connection, rows[:size])
        found = [Ware(row["site"], row["id"], row["record"], points[row["site_id"], row["id"]]) for row in rows[:size]]
        return WarePage(found, rows[size - 1]["number"] if len(rows) > size else 0)

    def one(self, site: str, name: str) -> Ware | None:
        """Return an item; None where no price of it is known."""
        found = self.of([(site, name)])
        return found[0] if found else None

    def of(self, items: Sequence[Item]) -> list[Ware]:
        """Return items as they are named."""
        query = WareQuery(among=items)
        return list(self.page(query, len(items)).wares) if items else []

    def alike(self, site: str, name: str) -> list[Item]:
        """Return the items of all sites that share something with one by which items are told from others."""
        with reading(self._engine) as connection:
            of_all = select(item_keys.c.key).join_from(item_keys, sites)
            keys = connection.execute(of_all.where(sites.c.name == site, item_keys.c.id == name)).scalars().all()
            query = select(sites.c.name, item_keys.c.id).join_from(item_keys, sites).where(item_keys.c.key.in_(keys))
            return list(dict.fromkeys((row.name, row.id) for row in connection.execute(query)))

    def trails(self, site: str) -> list[tuple[str, ...]]:
        """Return the categories in which items of a site are listed."""
        with reading(self._engine) as connection:
            query = select(listings.c.trail).join_from(listings, sites).where(sites.c.name == site).distinct()
            found = connection.execute(query.order_by(listings.c.trail).limit(_MOST_TRAILS)).scalars()
            return [tuple(json.loads(trail)) for trail in found]

    def shops(self) -> list[str]:
        """Return the sites of which prices are known."""
        with reading(self._engine) as connection:
            some = select(prices.c.number).where(prices.c.site_id == sites.c.id).exists()
            return list(connection.execute(select(sites.c.name).where(some).order_by(sites.c.name)).scalars())


def _newest() -> Select[tuple[object, ...]]:
    """Select the newest price of each item, with its record."""
    newest = select(func.max(prices.c.number)).group_by(prices.c.site_id, prices.c.id)
    return (
        select(
            prices.c.number, prices.c.site_id, prices.c.id, sites.c.name.label("site"), records.c.number.label("record")
        )
        .join_from(prices, sites, prices.c.site_id == sites.c.id)
        .join(records, (records.c.site_id == prices.c.site_id) & (records.c.id == prices.c.id))
        .where(prices.c.number.in_(newest))
    )


def _key(order: Order) -> ColumnElement[float]:
    """Return what items are ordered by, the least first; those that have none are not among them."""
    before = prices.alias()
    earlier = and_(
        before.c.site_id == prices.c.site_id,
        before.c.id == prices.c.id,
        before.c.number < prices.c.number,
        before.c.currency == prices.c.currency,
        before.c.amount.is_not(None),
    )
    was = select(before.c.amount).where(earlier).order_by(before.c.number.desc()).limit(1).scalar_subquery()
    keys: dict[Order, ColumnElement[float]] = {
        "": -prices.c.number,
        "cheapest": prices.c.amount,
        "dearest": -prices.c.amount,
        "reduced": type_coerce(prices.c.amount / was, Float),
    }
    return keys[order]


def _conditions(query: WareQuery) -> list[ColumnElement[bool]]:
    found: list[ColumnElement[bool]] = []
    if query.sites:
        found.append(sites.c.name.in_(query.sites))
    if query.among is not None:
        by_site: dict[str, list[str]] = {}
        for site, name in query.among:
            by_site.setdefault(site, []).append(name)
        of_sites = (and_(sites.c.name == site, prices.c.id.in_(own)) for site, own in by_site.items())
        found.append(or_(prices.c.number < 0, *of_sites))
    if query.order == "reduced":
        found.append(_key(query.order) < 1)
    if query.stock:
        found.append(prices.c.stock == query.stock)
    if query.category:
        within = json.dumps(query.category, ensure_ascii=False)
        here = (listings.c.site_id == prices.c.site_id, listings.c.id == prices.c.id)
        named = listings.c.trail.contains(within, autoescape=True)
        found.append(select(listings.c.id).where(*here, named).exists())
    return found


def _history(connection: Connection, rows: Sequence[RowMapping]) -> dict[tuple[int, str], list[PricePoint]]:
    """Return what items cost, by the number of their site and their id."""
    found: dict[tuple[int, str], list[PricePoint]] = {(row["site_id"], row["id"]): [] for row in rows}
    query = points_query().order_by(prices.c.since, prices.c.number)
    for number in dict.fromkeys(site for site, _ in found):
        own = [name for site, name in found if site == number]
        meant = query.where(prices.c.site_id == number, prices.c.id.in_(own))
        for row in connection.execute(meant).mappings():
            found[number, row["id"]].append(point_of(row))
    return found
