"""What items cost in the database: each price with the time it held, when to ask again, where items are listed, which
are the same.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, Select, delete, func, select, update

from sitewright.domains import Domain, kinds, load_domain
from sitewright.parse import fold_words, url_id
from sitewright.store import leases
from sitewright.store.engine import reading, writing
from sitewright.store.entries import Collected, WaitingLink
from sitewright.store.schema import item_keys, listings, offers, prices, records, sites
from sitewright.store.statements import parts, site_id, site_ids, upsert
from sitewright.types import Record

_HOUR, _DAY = 3600.0, 86_400.0
SHORTEST, LONGEST = 1 * _HOUR, 14 * _DAY
"""Between two visits of an item."""
_PRIOR_CHANGES, _PRIOR_SECONDS = 1.0, 7 * _DAY
"""What is believed of an item that nothing is known of: its price changes once a week."""
_SHARE = 0.35
"""An item is visited again after this share of the time that passes between two changes of its price, on average: then
a price that is shown is still right five times in six (e^(-0.35/2))."""
_KEYS = ("site_id", "id")
_MOST_ALIKE = 100
Keys = Mapping[int, str]
"""What tells an item from others, by the place of the way among those of its domain."""


@dataclass(frozen=True, slots=True)
class Money:
    """An amount and its currency; empty where the page does not say which."""

    amount: float
    currency: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PricePoint:
    """What an item cost, from when until when that was seen; None: the page said no price."""

    site: str
    id: str
    url: str
    name: str
    since: datetime
    until: datetime
    price: Money | None
    old: Money | None = None
    stock: str = ""
    domain: str = ""
    number: int = 0
    """In the order in which prices were noted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceErrors:
    """Of how many items of a site the last visit gave no price."""

    items: int
    without: int

    @property
    def rate(self) -> float:
        """Their share."""
        return self.without / self.items if self.items else 0.0


class Offers:
    """The prices of a store; every method is one transaction."""

    def __init__(self, engine: Engine, clock: Callable[[], datetime]) -> None:
        """Keep the engine of a store; see `Store.offers`."""
        self._engine = engine
        self._clock = clock

    def due(self, site: str, *, limit: int) -> list[WaitingLink]:
        """Return the items of a site that are to be visited again, the longest due first."""
        now = self._clock()
        with reading(self._engine) as connection:
            own = (offers.c.site_id == site_id(connection, site), offers.c.next_due <= now)
            query = select(offers).where(*own).order_by(offers.c.next_due, offers.c.id).limit(limit)
            return [_revisit(row) for row in connection.execute(query).mappings()]

    def put_off(self, site: str, urls: Iterable[str]) -> None:
        """Have items wait for one more period: they are being visited, or cannot be now."""
        now = self._clock()
        with writing(self._engine) as connection:
            own = offers.c.site_id == site_id(connection, site)
            for part in parts([url_id(url) for url in urls]):
                rows = connection.execute(
                    select(offers.c.id, offers.c.period_seconds).where(own, offers.c.id.in_(part))
                )
                for name, seconds in rows.all():
                    later = now + timedelta(seconds=seconds)
                    connection.execute(update(offers).where(own, offers.c.id == name).values(next_due=later))

    def hasten(self, site: str, urls: Iterable[str]) -> None:
        """Have items be visited now."""
        now = self._clock()
        with writing(self._engine) as connection:
            own = offers.c.site_id == site_id(connection, site)
            for part in parts([url_id(url) for url in urls]):
                connection.execute(update(offers).where(own, offers.c.id.in_(part)).values(next_due=now))

    def drop(self, site: str, urls: Iterable[str]) -> None:
        """Visit items no more: they are gone. What they cost stays."""
        with writing(self._engine) as connection:
            own = offers.c.site_id == site_id(connection, site)
            for part in parts([url_id(url) for url in urls]):
                connection.execute(delete(offers).where(own, offers.c.id.in_(part)))

    def place(self, site: str, trail: Sequence[str], costs: Mapping[str, float | None]) -> int:
        """Note that items are listed in a category, told by the names on the way to it, and what they cost there.

        Those for which it names another amount than before are visited now; returns how many.
        """
        now, way = self._clock(), json.dumps(list(trail), ensure_ascii=False)
        amounts = {url_id(url): amount for url, amount in sorted(costs.items())}
        with writing(self._engine) as connection:
            number = site_id(connection, site)
            own = (listings.c.site_id == number, listings.c.trail == way, listings.c.id.in_(amounts))
            known = {row.id: row.amount for row in connection.execute(select(listings).where(*own))}
            rows = [
                {"site_id": number, "id": name, "trail": way, "first_seen": now, "amount": amount}
                for name, amount in amounts.items()
                if name not in known or known[name] != amount
            ]
            upsert(connection, listings, ("site_id", "id", "trail"), rows, ("amount",))
            changed = [
                name for name, before in known.items() if before is not None and amounts[name] not in (None, before)
            ]
            if changed:
                meant = (offers.c.site_id == number, offers.c.id.in_(changed))
                connection.execute(update(offers).where(*meant).values(next_due=now))
                leases.make_due(connection, number, now)
            return len(changed)

    def trails(self, site: str) -> dict[str, list[tuple[str, ...]]]:
        """Return by the id of an address in which categories it is listed."""
        with reading(self._engine) as connection:
            query = (
                select(listings).where(listings.c.site_id == site_id(connection, site)).order_by(listings.c.first_seen)
            )
            found: dict[str, list[tuple[str, ...]]] = {}
            for row in connection.execute(query):
                found.setdefault(row.id, []).append(tuple(json.loads(row.trail)))
            return found

    def history(self, chosen: Collection[str] = (), *, since: datetime | None = None) -> Iterator[PricePoint]:
        """Yield what the items of sites (none: of all) cost, item by item, the oldest price of each first."""
        query = points_query().order_by(prices.c.site_id, records.c.number, prices.c.since, prices.c.number)
        with reading(self._engine) as connection:
            if chosen:
                query = query.where(prices.c.site_id.in_(site_ids(connection, chosen).values()))
            if since is not None:
                query = query.where(prices.c.until >= since)
            rows = connection.execute(query).mappings().all()
        yield from map(point_of, rows)

    def of_item(self, site: str, name: str) -> list[PricePoint]:
        """Return what one item cost, the oldest price first."""
        with reading(self._engine) as connection:
            own = (sites.c.name == site, prices.c.id == name)
            query = points_query().where(*own).order_by(prices.c.since, prices.c.number)
            return list(map(point_of, connection.execute(query).mappings()))

    def newest(self) -> int:
        """Return the number of the price that was noted last; 0: there is none."""
        with reading(self._engine) as connection:
            return int(connection.execute(select(func.coalesce(func.max(prices.c.number), 0))).scalar_one())

    def changes(self, since: datetime, until: datetime, *, limit: int) -> list[tuple[PricePoint, PricePoint]]:
        """Return what cost another amount from a moment of that span on, before and after, the latest first."""
        earlier = prices.alias("earlier")
        last = (
            select(func.max(earlier.c.number))
            .where(earlier.c.site_id == prices.c.site_id, earlier.c.id == prices.c.id)
            .where(earlier.c.since < prices.c.since, earlier.c.amount.is_not(None))
            .correlate(prices)
            .scalar_subquery()
        )
        before = prices.alias("before")
        query = (
            points_query()
            .add_columns(before.c.number.label("before"))
            .join(before, before.c.number == last)
            .where(prices.c.since >= since, prices.c.since < until, prices.c.amount.is_not(None))
            .where(before.c.amount != prices.c.amount, before.c.currency == prices.c.currency)
            .order_by(prices.c.since.desc(), prices.c.number.desc())
            .limit(limit)
        )
        with reading(self._engine) as connection:
            rows = list(connection.execute(query).mappings())
            wanted = points_query().where(prices.c.number.in_([row["before"] for row in rows]))
            known = {row["number"]: point_of(row) for row in connection.execute(wanted).mappings()}
        return [(known[row["before"]], point_of(row)) for row in rows if row["before"] in known]

    def errors(self) -> dict[str, PriceErrors]:
        """Return of each site of how many items the last visit gave no price though the page should say one."""
        last = select(func.max(prices.c.number)).group_by(prices.c.site_id, prices.c.id)
        query = (
            select(
                sites.c.name, func.count(), func.count().filter(prices.c.amount.is_(None), prices.c.unstated.is_(False))
            )
            .join_from(prices, sites)
            .where(prices.c.number.in_(last))
            .group_by(sites.c.name)
        )
        with reading(self._engine) as connection:
            return {
                name: PriceErrors(items=items, without=without) for name, items, without in connection.execute(query)
            }

    def same(self, chosen: Collection[str] = ()) -> list[list[tuple[str, str]]]:
        """Return the items (site, id) that several sites (none: of all) have, those that are the same together."""
        with reading(self._engine) as connection:
            query = select(sites.c.name, item_keys.c.id, item_keys.c.rank, item_keys.c.key).join_from(item_keys, sites)
            if chosen:
                query = query.where(item_keys.c.site_id.in_(site_ids(connection, chosen).values()))
            known: dict[tuple[str, str], dict[int, str]] = {}
            for site, name, rank, key in connection.execute(query):
                known.setdefault((site, name), {})[rank] = key
        return joined(known)

    def twin(self, record: Record) -> str | None:
        """Return the first address of a stored item of the same site that is the same as one that was read."""
        keys, own = dict(keys_of(record)), [url_id(url) for url in record.urls]
        with reading(self._engine) as connection:
            here = item_keys.c.site_id == site_id(connection, record.site)
            meant = select(item_keys.c.id).where(here, item_keys.c.key.in_(keys.values()), ~item_keys.c.id.in_(own))
            held: dict[str, dict[int, str]] = {}
            for row in connection.execute(select(item_keys).where(here, item_keys.c.id.in_(meant.limit(_MOST_ALIKE)))):
                held.setdefault(row.id, {})[row.rank] = row.key
            same = [name for name, other in held.items() if are_same(keys, other)]
            number = site_id(connection, record.site)
            query = select(records.c.url).where(records.c.site_id == number, records.c.id.in_(same))
            return connection.execute(query.order_by(records.c.number).limit(1)).scalar()


def points_query() -> Select[Any]:
    """Select prices with what names their items."""
    return (
        select(prices, sites.c.name.label("site"), records.c.url, records.c.domain, records.c.fields)
        .join_from(prices, sites, prices.c.site_id == sites.c.id)
        .join(records, (records.c.site_id == prices.c.site_id) & (records.c.id == prices.c.id))
    )


def point_of(row: RowMapping) -> PricePoint:
    """Return a price as a row of the database has it."""
    domain = load_domain(row["domain"])
    name = (row["fields"] or {}).get(domain.heading, "")
    currency = row["currency"]
    return PricePoint(
        site=row["site"],
        id=row["id"],
        url=row["url"],
        name=str(name),
        since=row["since"],
        until=row["until"],
        price=Money(row["amount"], currency) if row["amount"] is not None else None,
        old=Money(row["old_amount"], currency) if row["old_amount"] is not None else None,
        stock=row["stock"],
        domain=row["domain"],
        number=row["number"],
    )


def _revisit(row: RowMapping) -> WaitingLink:
    return WaitingLink(
        url=row["url"], source="", found_at=row["first_at"], due=row["next_due"], tries=0, published=None
    )


def note(connection: Connection, batch: Sequence[Collected], ids: Mapping[str, int], now: datetime) -> datetime | None:
    """Keep what the items of records cost, and when to visit them again; return when the first of these is due."""
    first: datetime | None = None
    for one in batch:
        domain = load_domain(one.record.domain)
        if not domain.price:
            continue
        number, name = ids[one.record.site], url_id(one.record.urls[0])
        at = one.page.fetched_at or one.record.extracted_at or now
        change = _note_price(connection, number, name, at, _said(one, domain))
        due = _note_visit(connection, number, one, at, change)
        first = min(first, due) if first is not None else due
        rows = [{"site_id": number, "id": name, "rank": rank, "key": key} for rank, key in keys_of(one.record)]
        upsert(connection, item_keys, ("site_id", "id", "rank"), rows)
    return first


_Said = tuple[float | None, str, float | None, str, bool]
"""Amount, currency, former amount, whether it can be had, whether the page says that it states no price."""


def _said(one: Collected, domain: Domain) -> _Said:
    record = one.record
    names = domain.fields_of_kind(kinds.PRICE)
    price, old = (_money(record, names[place : place + 1]) for place in (0, 1))
    stock = str(record.fields[domain.stock].value) if domain.stock in record.fields else ""
    return (
        price.amount if price is not None else None,
        price.currency if price is not None else "",
        old.amount if old is not None else None,
        stock,
        one.unstated and price is None,
    )


def _money(record: Record, names: Sequence[str]) -> Money | None:
    value = next((record.fields[name].value for name in names if name in record.fields), None)
    if not isinstance(value, Mapping) or not isinstance(value.get("amount"), int | float):
        return None
    return Money(float(value["amount"]), str(value.get("currency", "")))


def _note_price(connection: Connection, site: int, name: str, at: datetime, said: _Said) -> bool:
    """Keep a price; return whether it is another one than before. What is read again of old pages is corrected."""
    own = (prices.c.site_id == site, prices.c.id == name)
    values = dict(zip(("amount", "currency", "old_amount", "stock", "unstated"), said, strict=True))
    last = connection.execute(select(prices).where(*own).order_by(prices.c.since.desc()).limit(1)).mappings().first()
    if last is not None and at <= last["until"]:
        held = (*own, prices.c.since == at)
        connection.execute(update(prices).where(*held).values(**values))
        return False
    if last is not None and all(last[key] == value for key, value in values.items()):
        connection.execute(update(prices).where(prices.c.number == last["number"]).values(until=at))
        return False
    connection.execute(prices.insert(), [{"site_id": site, "id": name, "since": at, "until": at, **values}])
    return last is not None and last["amount"] != values["amount"]


def _note_visit(connection: Connection, site: int, one: Collected, at: datetime, changed: bool) -> datetime:
    """Say when an item is visited again, by how often its price has changed so far."""
    name = url_id(one.record.urls[0])
    own = (offers.c.site_id == site, offers.c.id == name)
    known = connection.execute(select(offers).where(*own)).mappings().first()
    first_at = known["first_at"] if known is not None else at
    looks, changes = (known["looks"], known["changes"]) if known is not None else (0, 0)
    changes += changed
    seconds = period_of(changes, (at - first_at).total_seconds())
    due = (
        max(at + timedelta(seconds=seconds), known["next_due"])
        if known is not None and at < known["checked_at"]
        else at + timedelta(seconds=seconds)
    )
    row = {
        "site_id": site,
        "id": name,
        "url": one.record.urls[0],
        "first_at": first_at,
        "checked_at": max(at, known["checked_at"]) if known is not None else at,
        "next_due": due,
        "period_seconds": seconds,
        "looks": looks + 1,
        "changes": changes,
    }
    upsert(connection, offers, _KEYS, [row])
    return due


def period_of(changes: int, watched_seconds: float) -> float:
    """Return after how long to visit an item again whose price changed so often in that time.

    >>> [round(period_of(changes, 28 * 86_400) / 86_400, 2) for changes in (0, 1, 4, 28)]
    [12.25, 6.12, 2.45, 0.42]
    >>> round(period_of(0, 0) / 86_400, 2)
    2.45
    """
    rate = (changes + _PRIOR_CHANGES) / (max(watched_seconds, 0.0) + _PRIOR_SECONDS)
    return min(max(_SHARE / rate, SHORTEST), LONGEST)


def keys_of(record: Record) -> list[tuple[int, str]]:
    """Return what tells an item from others, the surest first, each with its place among the ways of its domain."""
    found = []
    for rank, group in enumerate(load_domain(record.domain).same):
        values = [_folded(record.fields[name].value) for name in group if name in record.fields]
        if len(values) == len(group) and all(values):
            text = "\x1f".join((*group, *values))
            found.append((rank, hashlib.blake2b(text.encode("utf-8"), digest_size=12).hexdigest()))
    return found


def _folded(value: object) -> str:
    """Return a value as it is compared: its words in order; of codes of digits the digits without zeros before."""
    words = " ".join(fold_words(str(value)))
    return words.lstrip("0") if words.isdecimal() else words


def are_same(one: Keys, other: Keys) -> bool:
    """Tell whether two items are the same: the surest of what is known of both decides.

    >>> are_same({0: "a", 2: "n"}, {0: "b", 2: "n"}), are_same({0: "a", 2: "n"}, {1: "m", 2: "n"})
    (False, True)
    """
    known = one.keys() & other.keys()
    return bool(known) and one[min(known)] == other[min(known)]


def joined(known: Mapping[tuple[str, str], Keys]) -> list[list[tuple[str, str]]]:
    """Put the items together that are the same, as far as several sites have them; the surest ways first.

    >>> joined({("a", "1"): {0: "k"}, ("b", "2"): {0: "k", 1: "l"}, ("c", "3"): {1: "l"}, ("a", "9"): {1: "m"}})
    [[('a', '1'), ('b', '2'), ('c', '3')]]
    """
    by_key: dict[tuple[int, str], list[tuple[str, str]]] = {}
    for item, keys in known.items():
        for rank, key in keys.items():
            by_key.setdefault((rank, key), []).append(item)
    groups: dict[tuple[str, str], list[tuple[str, str]]] = {item: [item] for item in known}
    for _, alike in sorted(by_key.items()):
        first = alike[0]
        for other in alike[1:]:
            group, further = groups[first], groups[other]
            if group is not further and are_same(known[first], known[other]):
                group.extend(further)
                groups.update(dict.fromkeys(further, group))
    several = {id(group): sorted(group) for group in groups.values() if len({site for site, _ in group}) > 1}
    return sorted(several.values())
