"""What somebody wants to be told of in, kept in the store; each with how it went so far out."""

import math
import re
import secrets
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar, get_args

from sitewright.actions.wanted import wanted_of
from sitewright.domains import load_domain
from sitewright.errors import InputError, NotThere
from sitewright.fetch.poster import Poster
from sitewright.store.alerts import Alert, AlertCounts, AlertKind, AlertWay, Notice
from sitewright.store.database import Store
from sitewright.store.offers import PricePoint
from sitewright.types import FetchSettings

KINDS: tuple[AlertKind, ...] = get_args(AlertKind)
WAYS: tuple[AlertWay, ...] = get_args(AlertWay)
MOST_ALERTS = 100
"""Of one account: each is looked after every few seconds."""
_LONGEST_LABEL = 120
_MAIL = re.compile(r"[^\s@<>,;:\"()\[\]\\]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])", re.IGNORECASE)
_Known = TypeVar("_Known", bound=str)
_OF_A_TIME = ("since", "until", "period", "stored", "show", "order")
"""What a view may ask for, and new records cannot be asked for by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedAlert:
    """What somebody wants to be told of, as they say it."""

    kind: str
    way: str
    target: str = ""
    label: str = ""
    query: Mapping[str, str] = field(default_factory=dict)
    """Of searches: as addresses have it (`q`, `site`, `topic`, `lang`); nothing: all new records."""
    site: str = ""
    id: str = ""
    """Of items: which record."""
    amount: float | None = None
    """Below which an item is to cost."""
    hour: int | None = None
    """Of digests: when, by the clock of this machine."""


@dataclass(frozen=True, slots=True)
class ShownAlert:
    """An alert, and how it went so far."""

    alert: Alert
    counts: AlertCounts


def make_alert(store: Store, account: str, wanted: WantedAlert, fetch: FetchSettings) -> Alert:
    """Keep what an account wants to be told of; what makes no sense is told."""
    kind, way = _one_of(wanted.kind, KINDS), _one_of(wanted.way, WAYS)
    if len(store.alerts.every(account)) >= MOST_ALERTS:
        raise InputError(f"{account} has {MOST_ALERTS} alerts already; remove one first")
    about, called = _ABOUT[kind](store, wanted)
    made = Alert(
        account=account,
        kind=kind,
        label=" ".join((wanted.label or called).split())[:_LONGEST_LABEL],
        way=way,
        about=about,
        target=_target(way, wanted.target.strip(), fetch),
        secret=_secret(way),
        made_at=datetime.now(UTC),
    )
    return store.alerts.put(made)


def _secret(way: AlertWay) -> str:
    """Draw what webhooks are signed by, as Standard Webhooks writes it; or what whoever asks for a feed has to know."""
    return f"whsec_{b64encode(secrets.token_bytes(32)).decode()}" if way == "webhook" else secrets.token_urlsafe(32)


def own_alert(store: Store, account: str | None, number: int) -> Alert:
    """Return an alert of an account (None: of anybody); one that is not there, or another's, is told."""
    found = store.alerts.find(number)
    if found is None or account not in (None, found.account):
        raise NotThere(f"there is no alert {number}")
    return found


def list_alerts(store: Store, account: str | None = None) -> list[ShownAlert]:
    """Return the alerts of an account (None: of all), the newest first."""
    found = store.alerts.every(account)
    counts = store.alerts.counts([one.number for one in found])
    return [ShownAlert(one, counts.get(one.number, AlertCounts())) for one in found]


def shown_alert(store: Store, alert: Alert) -> ShownAlert:
    """Return an alert with how it went so far."""
    return ShownAlert(alert, store.alerts.counts([alert.number]).get(alert.number, AlertCounts()))


def told_lately(store: Store, alert: Alert, limit: int = 50) -> list[Notice]:
    """Return what an alert told, or has to tell, the newest first."""
    return store.alerts.newest(alert.number, limit)


_About = tuple[dict[str, Any], str]
"""What it is about, as it is kept; and what it is called where nobody says."""


def _of_search(store: Store, wanted: WantedAlert) -> _About:  # noqa: ARG001 -- as all kinds
    chosen = {name: text for name, text in wanted_of(wanted.query).chosen.items() if name not in _OF_A_TIME}
    return {"query": chosen}, " ".join(chosen.values()) or "all new records"


def _of_price(store: Store, wanted: WantedAlert) -> _About:
    if wanted.amount is None or not math.isfinite(wanted.amount) or wanted.amount <= 0:
        raise InputError("say below which amount the price should be: a number above 0")
    now = _item(store, wanted)
    if now.price is None:
        raise InputError(f"{now.url} says no price so far")
    currency = now.price.currency
    about = {"site": wanted.site, "id": wanted.id, "amount": wanted.amount, "currency": currency}
    return about, f"{now.name} below {wanted.amount:g} {currency}".strip()


def _of_stock(store: Store, wanted: WantedAlert) -> _About:
    now = _item(store, wanted)
    if not load_domain(now.domain).stock:
        raise InputError(f"whether {now.url} can be had is not read")
    return {"site": wanted.site, "id": wanted.id}, f"{now.name} back in stock"


def _of_incidents(store: Store, wanted: WantedAlert) -> _About:
    if wanted.site and store.site(wanted.site) is None:
        raise InputError(f"there is no site {wanted.site} in the store")
    return {"site": wanted.site}, f"incidents of {wanted.site or 'all sites'}"


def _of_digest(store: Store, wanted: WantedAlert) -> _About:  # noqa: ARG001 -- as all kinds
    if wanted.hour is None or not 0 <= wanted.hour <= 23:
        raise InputError("say at what hour the digest should come: 0 to 23")
    return {"hour": wanted.hour}, f"digest at {wanted.hour}:00"


_ABOUT = {
    "search": _of_search,
    "cheaper": _of_price,
    "available": _of_stock,
    "incident": _of_incidents,
    "digest": _of_digest,
}


def _item(store: Store, wanted: WantedAlert) -> PricePoint:
    points = store.offers.of_item(wanted.site, wanted.id)
    if not points:
        raise InputError(f"nothing of the id {wanted.id or '(none)'} is sold by {wanted.site or '(no site)'}")
    return points[-1]


def _target(way: AlertWay, target: str, fetch: FetchSettings) -> str:
    if way == "feed":
        return ""
    if way == "mail":
        if not _MAIL.fullmatch(target):
            raise InputError(f"{target or 'nothing'} is not an address that mail is sent to")
        return target
    Poster(fetch).check(target)
    return target


def _one_of(text: str, known: tuple[_Known, ...]) -> _Known:
    for one in known:
        if one == text:
            return one
    raise InputError(f"there is no {text or 'such word'} here; there are {', '.join(known)}")
