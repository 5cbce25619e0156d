"""A store in, what its items cost out: now and before, by category, and from site to site where they are the same."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any

from sitewright.actions.sites import known_sites
from sitewright.domains import load_domain
from sitewright.errors import InputError
from sitewright.output.rows import row_of
from sitewright.parse import url_id
from sitewright.store.database import Store
from sitewright.store.entries import RecordQuery, StoredRecord
from sitewright.store.offers import Money, PricePoint

_ENTRIES = "items"


@dataclass(frozen=True, slots=True)
class ItemPrices:
    """An item, and what it cost, the oldest price first."""

    points: Sequence[PricePoint]

    @property
    def now(self) -> PricePoint:
        """What was seen last."""
        return self.points[-1]

    @property
    def lowest(self) -> PricePoint | None:
        """When it was cheapest, for the first time, in the currency that it has now; None: no price is known."""
        now = next((point.price for point in reversed(self.points) if point.price is not None), None)
        known = [point for point in self.points if now and point.price and point.price.currency == now.currency]
        return min(known, key=lambda point: point.price.amount if point.price else 0.0, default=None)

    @property
    def change(self) -> float | None:
        """By how much the price differs from the one before, as a share of that; None: there was none before."""
        known = [point.price for point in self.points if point.price is not None]
        if len(known) < 2 or known[-1].currency != known[-2].currency or not known[-2].amount:
            return None
        return known[-1].amount / known[-2].amount - 1


@dataclass(frozen=True, slots=True)
class Compared:
    """An item that several sites have, and what it costs there, the cheapest first."""

    offers: Sequence[ItemPrices]

    @property
    def span(self) -> float | None:
        """By how much the dearest is dearer than the cheapest, as a share; None: their currencies differ."""
        known = [offer.now.price for offer in self.offers if offer.now.price is not None]
        if len(known) < 2 or len({price.currency for price in known}) > 1 or not known[0].amount:
            return None
        return known[-1].amount / known[0].amount - 1


def prices_of(store: Store, names: Sequence[str] = (), *, since: datetime | None = None) -> list[ItemPrices]:
    """Return the prices of sites (none: of all), item by item; `since`: only those seen since then."""
    known = known_sites(store, names)
    points = store.offers.history([site.name for site in known], since=since)
    return [ItemPrices(tuple(own)) for _, own in groupby(points, key=lambda point: (point.site, point.id))]


def compared(store: Store, names: Sequence[str] = ()) -> list[Compared]:
    """Return the items that several sites have, those whose prices differ most first."""
    by_item = {(item.now.site, item.now.id): item for item in prices_of(store, names)}
    groups = ([by_item[one] for one in group if one in by_item] for group in store.offers.same(names))
    found = [Compared(sorted(group, key=_amount)) for group in groups if len(group) > 1]
    return sorted(found, key=lambda one: -(one.span or 0.0))


def _amount(item: ItemPrices) -> tuple[bool, float, str]:
    price = item.now.price
    return price is None, price.amount if price is not None else 0.0, item.now.site


def price_rows(items: Sequence[ItemPrices]) -> Iterator[dict[str, Any]]:
    """Yield a row for each price that was seen, as it is exported."""
    for item in items:
        for point in item.points:
            yield {
                "site": point.site,
                "url": point.url,
                "name": point.name,
                **_paid(point.price),
                "old_amount": point.old.amount if point.old is not None else None,
                "stock": point.stock or None,
                "since": point.since,
                "until": point.until,
            }


def _paid(price: Money | None) -> dict[str, Any]:
    return {
        "amount": price.amount if price is not None else None,
        "currency": (price.currency or None) if price is not None else None,
    }


def tree_of(store: Store, name: str) -> dict[str, Any]:
    """Return the items of a site as a tree: category, category below it, item.

    An item that is listed in several categories stands in each; one that none lists goes by the path that it states.
    """
    [site] = known_sites(store, [name])
    if not load_domain(site.domain).is_walked:
        raise InputError(f"{name} is of the domain {site.domain}, whose sites have no categories to walk")
    listed = store.offers.trails(name)
    pages = {url_id(page.url): page for page in store.index_pages(name)}
    urls = {page.state.trail: page.url for page in pages.values() if page.state.trail and not page.state.turned}
    root: dict[str, Any] = {"site": name, "url": site.url, "categories": {}, _ENTRIES: []}
    for trail in urls:
        _branch(root, trail, urls)
    for stored in store.records(RecordQuery(site=name)):
        for trail in _trails(stored, listed) or [()]:
            _branch(root, trail, urls)[_ENTRIES].append(row_of(stored.record))
    return _plain(root)


def _trails(stored: StoredRecord, listed: Mapping[str, Sequence[tuple[str, ...]]]) -> list[tuple[str, ...]]:
    """Return the categories of an item: those at the ends of the ways; the ones above them list it, too."""
    domain = load_domain(stored.record.domain)
    found = dict.fromkeys(trail for url in stored.record.urls for trail in listed.get(url_id(url), ()))
    ends = [trail for trail in found if not any(other[: len(trail)] == trail and other != trail for other in found)]
    stated = next(
        (stored.record.fields[one].value for one in domain.fields_of_kind("list") if one in stored.record.fields), ()
    )
    return ends or ([tuple(map(str, stated))] if isinstance(stated, list) and stated else [])


def _branch(root: dict[str, Any], trail: Sequence[str], urls: Mapping[tuple[str, ...], str]) -> dict[str, Any]:
    branch = root
    for depth, name in enumerate(trail, 1):
        if name not in branch["categories"]:
            url = urls.get(tuple(trail[:depth]))
            branch["categories"][name] = {"url": url, "categories": {}, _ENTRIES: []}
        branch = branch["categories"][name]
    return branch


def _plain(branch: Mapping[str, Any]) -> dict[str, Any]:
    """Return a branch as it is written: categories as a list, those without items left out."""
    shown = ((name, one, _plain(one)) for name, one in branch["categories"].items())
    below = [{"category": name, **plain} for name, one, plain in shown if one[_ENTRIES] or "categories" in plain]
    rest = {key: value for key, value in branch.items() if key not in ("categories", _ENTRIES) and value}
    return rest | ({"categories": below} if below else {}) | ({_ENTRIES: branch[_ENTRIES]} if branch[_ENTRIES] else {})


def currencies(items: Collection[ItemPrices]) -> Mapping[str, int]:
    """Count the items by the currency of their price."""
    found: dict[str, int] = defaultdict(int)
    for item in items:
        if item.now.price is not None:
            found[item.now.price.currency] += 1
    return found
