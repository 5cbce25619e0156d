"""The query of an address in, which cards it asks for out; and back: every view has an address that says all of it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from sitewright.actions.read_cards import View
from sitewright.store.catalogue.catalogue import CardQuery

_PERIODS = {"day": 1, "week": 7, "month": 31}
_LONGEST = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What an address asks for, as it stands there."""

    words: str = ""
    site: str = ""
    topic: str = ""
    language: str = ""
    period: str = ""
    stored: str = ""
    """`day`, `week` or `month`: what was stored since then, whenever it appeared."""
    since: str = ""
    until: str = ""
    show: str = ""
    """`unread`, `starred`, or all."""
    order: str = ""
    """`best` (of words), `top`, or the newest first."""

    @property
    def is_plain(self) -> bool:
        """Whether nothing is asked for but what is new."""
        return self == Wanted()

    @property
    def chosen(self) -> dict[str, str]:
        """What is asked for, by the names that addresses have for it."""
        return {name: value for name, own in _NAMES.items() if (value := getattr(self, own))}

    def address(self, path: str, **other: Any) -> str:
        """Return the address of this, or of what differs from it in some things (empty: without them)."""
        known = self.chosen | {name: str(value) for name, value in other.items()}
        query = urlencode({name: value for name, value in known.items() if value})
        return f"{path}?{query}" if query else path

    def view(self, now: datetime | None = None) -> View:
        """Return what it means."""
        days = _PERIODS.get(self.period)
        since = (now or datetime.now(UTC)) - timedelta(days=days) if days is not None else _day(self.since)
        until, stored = _day(self.until), _PERIODS.get(self.stored)
        return View(
            query=CardQuery(
                words=self.words,
                sites=(self.site,) if self.site else (),
                language=self.language,
                topic=self.topic,
                since=since,
                until=until + timedelta(days=1) if until is not None else None,
                stored_since=(now or datetime.now(UTC)) - timedelta(days=stored) if stored is not None else None,
                best_first=self.order == "best",
            ),
            top=self.order == "top",
            unread_only=self.show == "unread",
            starred_only=self.show == "starred",
        )


_NAMES = {
    "q": "words", "site": "site", "topic": "topic", "lang": "language", "period": "period", "stored": "stored",
    "since": "since",
    "until": "until", "show": "show", "order": "order",
}  # fmt: skip


def wanted_of(query: Mapping[str, str]) -> Wanted:
    """Return what a query asks for."""
    return replace(Wanted(), **{own: query.get(name, "").strip()[:_LONGEST] for name, own in _NAMES.items()})


def _day(text: str) -> datetime | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
