"""A library and a span of time in, what it brought out: new stories, those worth reading first, incidents, prices."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlencode

from sitewright.actions.catalogues import Library
from sitewright.actions.read_cards import ShownCard, View, show_cards
from sitewright.notice.words import told
from sitewright.output.letter import Letter, LetterLine, Section
from sitewright.store.catalogue.catalogue import CardQuery
from sitewright.store.entries import Incident
from sitewright.store.offers import Money, PricePoint
from sitewright.values.words import counted, moment

_DAY = timedelta(days=1)
_STORIES, _PRICES, _INCIDENTS = 12, 20, 20
_ALL_INCIDENTS = 1_000


@dataclass(frozen=True, slots=True)
class Span:
    """From a moment until before another."""

    since: datetime
    until: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What a span of time brought."""

    span: Span
    sites: Sequence[tuple[str, int]]
    """How many new records each site has, the most first."""
    stories: Sequence[ShownCard]
    """Those worth reading first, each with what speaks for it."""
    incidents: Sequence[Incident]
    prices: Sequence[tuple[PricePoint, PricePoint]]
    """Before and after, the latest first."""

    @property
    def count(self) -> int:
        """How many new records there are in all."""
        return sum(count for _, count in self.sites)


def day_span(day: date) -> Span:
    """Return a day, in UTC.

    >>> day_span(date(2026, 11, 19)).until
    datetime.datetime(2026, 11, 20, 0, 0, tzinfo=datetime.timezone.utc)
    """
    start = datetime(day.year, day.month, day.day, tzinfo=UTC)
    return Span(start, start + _DAY)


def last_day(until: datetime) -> Span:
    """Return the 24 hours before a moment."""
    return Span(until - _DAY, until)


def digest_of(library: Library, span: Span, account: str = "") -> Digest:
    """Return what a span of time brought, without the stories that an account hides."""
    query = CardQuery(since=span.since, until=span.until)
    top = View(query=query, top=True, as_of=span.until)
    found = library.store.incidents_since(span.since, limit=_ALL_INCIDENTS)
    return Digest(
        span=span,
        sites=library.catalogue.count_by_site(span.since, span.until),
        stories=show_cards(library, account, top, size=_STORIES).cards,
        incidents=[one for one in found if one.opened_at < span.until][-_INCIDENTS:],
        prices=library.store.offers.changes(span.since, span.until, limit=_PRICES),
    )


def letter_of_digest(home: str, digest: Digest) -> Letter:
    """Return a digest as a letter."""
    where = f"{home}/digest?{urlencode({'until': digest.span.until.isoformat()})}" if home else ""
    sections = [
        Section("Worth reading first", [_story_line(home, one) for one in digest.stories]),
        Section("Incidents", [_incident_line(home, one) for one in digest.incidents]),
        Section("Prices", [_price_line(*pair) for pair in digest.prices]),
        Section("New by site", [LetterLine(heading=site, detail=counted(n, "story")) for site, n in digest.sites]),
    ]
    new = f"{digest.count:,} new"
    return Letter(
        subject=f"Sitewright {moment(digest.span.until)[:10]}: {new}, {counted(len(digest.incidents), 'incident')}",
        sections=[section for section in sections if section.lines] or [Section("Nothing new", ())],
        more=where,
    )


def digest_row(digest: Digest) -> dict[str, Any]:
    """Return a digest as programs have it."""
    return {
        "since": digest.span.since,
        "until": digest.span.until,
        "count": digest.count,
        "sites": [{"site": site, "count": count} for site, count in digest.sites],
        "stories": [
            {
                "number": one.card.number,
                "site": one.card.site,
                "id": one.card.id,
                "url": one.card.url,
                "heading": one.card.heading,
                "summary": one.card.summary,
                "reason": reason_of(one),
                "others": [{"site": other.site, "id": other.id, "url": other.url} for other in one.others],
            }
            for one in digest.stories
        ],
        "incidents": [
            {"number": one.number, "site": one.site, "told": told(one), "state": one.state, "since": one.since}
            for one in digest.incidents
        ],
        "prices": [
            {
                "site": after.site,
                "id": after.id,
                "url": after.url,
                "heading": after.name,
                "amount": after.price.amount if after.price is not None else None,
                "before": before.price.amount if before.price is not None else None,
                "currency": after.price.currency if after.price is not None else "",
                "since": after.since,
            }
            for before, after in digest.prices
        ],
    }


def reason_of(one: ShownCard) -> str:
    """Return in words what speaks for a story most."""
    pictures = max(card.pictures for card in (one.card, *one.others))
    words = {
        "sites": f"{len(one.others) + 1} sites carry it",
        "pictures": f"{pictures} picture{'' if pictures == 1 else 's'}",
        "source": "listed by a source of weight",
    }
    return words.get(one.why, "new")


def span_of(about: Mapping[str, Any]) -> Span:
    """Return the span that a notice is about."""
    return Span(datetime.fromisoformat(str(about["since"])), datetime.fromisoformat(str(about["until"])))


def _story_line(home: str, one: ShownCard) -> LetterLine:
    card = one.card
    url = f"{home}/story/{quote(card.site)}/{card.id}" if home else card.url
    return LetterLine(heading=card.heading, detail=f"{card.site} · {reason_of(one)}", url=url)


def _incident_line(home: str, one: Incident) -> LetterLine:
    return LetterLine(heading=f"{one.site}: {told(one)}", url=f"{home}/incident/{one.number}" if home else "")


def _price_line(before: PricePoint, after: PricePoint) -> LetterLine:
    return LetterLine(
        heading=f"{after.name}: {_money(before.price)} → {_money(after.price)}", detail=after.site, url=after.url
    )


def _money(price: Money | None) -> str:
    return f"{price.amount:.2f} {price.currency}".strip() if price is not None else "–"
