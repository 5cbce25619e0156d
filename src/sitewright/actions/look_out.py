"""A store and its catalogue in, what alerts have to tell by now kept in the store out; each thing once."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sitewright.actions.catalogues import Library
from sitewright.actions.same_stories import stories_of
from sitewright.actions.wanted import wanted_of
from sitewright.domains import load_domain
from sitewright.notice.words import told
from sitewright.store.alerts import Alert, AlertKind
from sitewright.store.catalogue.card import Card
from sitewright.store.entries import Incident
from sitewright.store.offers import PricePoint
from sitewright.store.states import JsonRow

_AT_ONCE = 200
_OVERLAP = 1_000
"""So many numbers back is looked again: a transaction of PostgreSQL may end after one that began later."""
_PATIENCE = timedelta(seconds=60)
"""So long a new record waits until it is known which others tell the same."""
_LATE = timedelta(hours=20)
"""A digest that could not be made at its hour is made until so much later."""


class Lookout:
    """Looks what alerts have to tell; it remembers what it saw, so that nothing is looked at in vain."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._cards, self._prices = -1, -1
        self._seen: set[int] = set()
        self._ways: dict[AlertKind, Callable[[Alert, datetime], int]] = {
            "search": self._search,
            "cheaper": self._item,
            "available": self._item,
            "incident": self._incidents,
            "digest": self._digest,
        }

    def look(self, now: datetime) -> int:
        """Keep what is to be told as of now; return how much of it is new."""
        every = self._library.store.alerts.every()
        if not every:
            return 0
        cards, prices = self._library.catalogue.last_number(), self._library.store.offers.newest()
        same_prices, self._cards, self._prices = prices == self._prices, cards, prices
        done = [self._ways[one.kind](one, now) for one in every if not self._in_vain(one, same_prices=same_prices)]
        self._seen = {one.number for one in every}
        return sum(done)

    def _in_vain(self, alert: Alert, *, same_prices: bool) -> bool:
        """Tell whether nothing has happened since this was looked at that it could tell of."""
        if alert.kind == "search":
            return alert.reached >= self._cards
        return alert.kind in {"cheaper", "available"} and same_prices and alert.number in self._seen

    # Records

    def _search(self, alert: Alert, now: datetime) -> int:
        query = wanted_of(alert.about.get("query", {})).view(now).query
        start, found = max(alert.begun, alert.reached - _OVERLAP), 0
        while True:
            cards = self._library.catalogue.behind(start, query, _AT_ONCE)
            ready = self._ready(cards, now)
            is_all = len(cards) < _AT_ONCE and len(ready) == len(cards)
            start = self._cards if is_all else ready[-1].number if ready else start
            found += self._keep(alert, ready, max(start, alert.reached))
            if len(ready) < _AT_ONCE:
                return found

    def _ready(self, cards: Sequence[Card], now: datetime) -> Sequence[Card]:
        """Return the cards up to the first of which it is not known yet which others tell the same."""
        placed = self._library.catalogue.placed([card.number for card in cards])
        may_wait = now - _PATIENCE
        fresh = (card.stored_at > may_wait and card.number not in placed for card in cards)
        return cards[: next((place for place, waits in enumerate(fresh) if waits), len(cards))]

    def _keep(self, alert: Alert, cards: Sequence[Card], reached: int) -> int:
        """Keep a notice a story: of what other sites have told already nothing is new."""
        same = stories_of(self._library.catalogue, [card.number for card in cards])
        keys = {card.number: {str(card.number), *map(str, same.get(card.number, ()))} for card in cards}
        known = self._library.store.alerts.known(alert.number, set().union(*keys.values()))
        found: dict[str, JsonRow] = {}
        for card in cards:
            if known.isdisjoint(keys[card.number]):
                known.add(str(card.number))
                found[str(card.number)] = _about_card(card)
        return self._library.store.alerts.keep(alert, found, reached)

    # Items

    def _item(self, alert: Alert, now: datetime) -> int:  # noqa: ARG002 -- as all kinds
        points = self._library.store.offers.of_item(str(alert.about["site"]), str(alert.about["id"]))
        first = cheaper_since(points, alert.about) if alert.kind == "cheaper" else back_since(points)
        if first is None:
            return 0
        return self._library.store.alerts.keep(alert, {str(first.number): _about_item(points, alert.about)})

    # Incidents and days

    def _incidents(self, alert: Alert, now: datetime) -> int:  # noqa: ARG002 -- as all kinds
        found = self._library.store.incidents_since(alert.made_at)
        site = alert.about.get("site")
        about = {str(one.number): _about_incident(one) for one in found if not site or one.site == site}
        return self._library.store.alerts.keep(alert, about) if about else 0

    def _digest(self, alert: Alert, now: datetime) -> int:
        here = now.astimezone()
        due = here.replace(hour=int(alert.about["hour"]), minute=0, second=0, microsecond=0)
        due = due if due <= here else due - timedelta(days=1)
        if due <= alert.made_at or here - due > _LATE:
            return 0
        key, until = f"{due:%Y-%m-%d}", due.astimezone(now.tzinfo)
        if self._library.store.alerts.known(alert.number, [key]):
            return 0
        about = {"day": key, "since": (until - timedelta(days=1)).isoformat(), "until": until.isoformat()}
        return self._library.store.alerts.keep(alert, {key: about})


def cheaper_since(points: Sequence[PricePoint], about: JsonRow) -> PricePoint | None:
    """Return the price with which an item became as cheap as it is to be; None where it is not."""
    first = None
    for point in points:
        if point.price is not None:
            is_below = point.price.currency == about["currency"] and point.price.amount < float(about["amount"])
            first = (first or point) if is_below else None
    return first


def back_since(points: Sequence[PricePoint]) -> PricePoint | None:
    """Return when an item could be had again that could not; None where it cannot, or always could."""
    known = [(point, load_domain(point.domain).can_be_had(point.stock)) for point in points if point.stock]
    first, was_out = None, False
    for point, can_be_had in known:
        first = (first or point) if can_be_had and was_out else None
        was_out = was_out or not can_be_had
    return first


def _about_card(card: Card) -> JsonRow:
    return {
        "record": card.number,
        "site": card.site,
        "id": card.id,
        "url": card.url,
        "heading": card.heading,
        "summary": card.summary,
        "shown_at": card.shown_at.isoformat(),
    }


def _about_item(points: Sequence[PricePoint], about: JsonRow) -> JsonRow:
    now = points[-1]
    before = next((one.price.amount for one in reversed(points[:-1]) if one.price is not None), None)
    return {
        "site": now.site,
        "id": now.id,
        "url": now.url,
        "heading": now.name or now.url,
        "amount": now.price.amount if now.price is not None else None,
        "currency": now.price.currency if now.price is not None else "",
        "before": before,
        "below": about.get("amount"),
        "stock": now.stock,
        "since": now.since.isoformat(),
    }


def _about_incident(one: Incident) -> JsonRow:
    return {
        "incident": one.number,
        "site": one.site,
        "template": one.template,
        "field": one.field,
        "kind": one.kind,
        "since": one.since.isoformat(),
        "pages": one.pages,
        "diagnosis": one.diagnosis,
        "heading": f"{one.site}: {told(one)}",
    }
