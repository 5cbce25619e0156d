"""Pages that are to be read once more in, a note in their site's state out; and which records are replaced then."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from sitewright.errors import NotItem
from sitewright.parse import signature
from sitewright.store.database import Store
from sitewright.store.entries import Incident, StoredPage
from sitewright.store.pages import newest_pages
from sitewright.store.states import SiteState
from sitewright.types import Record, Value
from sitewright.values.as_json import json_of

ALL = ""
"""Stands for all fields."""
_TAGGER = "tagger/"
_BEFORE, _PAGES_BEFORE = timedelta(days=1), 20
"""Pages so long before something was noticed, and so many, may be affected by it already."""
_UNREAD = timedelta(days=14)
"""The same, of those that were taken for no article."""


@dataclass(frozen=True, slots=True)
class Rereading:
    """Since when the rules of which field were wrong: pages fetched since then are to be read once more.

    >>> known = Rereading({"title": datetime(2024, 5, 7, tzinfo=UTC), ALL: datetime(2024, 5, 8, tzinfo=UTC)})
    >>> [known.was_wrong(name, datetime(2024, 5, 7, 12, tzinfo=UTC)) for name in ("title", "text")]
    [True, False]
    """

    since: Mapping[str, datetime]

    @property
    def first(self) -> datetime:
        """The moment of the first page."""
        return min(self.since.values())

    def was_wrong(self, field: str, at: datetime) -> bool:
        """Tell whether the rules of a field were wrong when a page was fetched."""
        return any(name in self.since and self.since[name] <= at for name in (field, ALL))

    def keeps(self, before: Record | None, after: Record, at: datetime | None, *, is_clear: bool = False) -> bool:
        """Tell whether the record of a page stays as it is: its rules were right, and the new ones read otherwise.

        So it is with pages from before the site changed, or from between two changes; not where it `is_clear` that
        the page was made for the version of the map that reads it now, and the record is of another one.
        """
        if before is None or (is_clear and before.map_version != after.map_version):
            return False
        return (at is not None and at < self.first) or bool(self.worse(before, after, at))

    def worse(
        self, before: Record, after: Record, at: datetime | None, at_stake: Collection[str] | None = None
    ) -> list[str]:
        """Return the fields of which rules gave the right value, and something else is read now.

        `at_stake` are those that may get worse (None: any).
        """
        fetched = at or datetime.now(UTC)
        own = [name for name, value in before.fields.items() if not value.rule.startswith(_TAGGER)]
        right = [name for name in own if (at_stake is None or name in at_stake) and not self.was_wrong(name, fetched)]
        return [name for name in right if not _is_same(before.fields[name], after.fields.get(name))]


def _is_same(before: Value, after: Value | None) -> bool:
    """Tell whether two values are the same; a moment is, too, whose zone is known by now."""
    if after is None:
        return False
    clock = _clock(before.value)
    is_moment = clock is not None and clock == _clock(after.value)
    return is_moment or json_of({"": before.value}) == json_of({"": after.value})


def _clock(value: object) -> datetime | None:
    """Return what a clock on the wall shows; None for what is no moment."""
    try:
        return datetime.fromisoformat(str(value)).replace(tzinfo=None)
    except ValueError:
        return None


def pages_since(store: Store, site: str, since: datetime) -> list[StoredPage]:
    """Return the pages that may have changed since a moment: those since then, some before it, and those unread.

    Something is noticed when it is on several pages, so the first of them may lie before it. Pages that were taken for
    no articles count, too: pages that are hardly read look like that.
    """
    failures = (stored.failure for stored in store.failures(site))
    unread = {signature(failure.url) for failure in failures if failure.code == NotItem.code}
    known = sorted(newest_pages(store.pages(site)), key=lambda page: page.fetched_at or since)
    before = [page for page in known if page.fetched_at is not None and page.fetched_at < since]
    lately = {page.url for page in before[-_PAGES_BEFORE:]}
    first = since - _BEFORE
    return [
        page
        for page in known
        if (at := page.fetched_at or since) >= first
        or page.url in lately
        or (at >= since - _UNREAD and signature(page.url) in unread)
    ]


def wrong_since(fields: Iterable[str], healed: Sequence[Incident], now: datetime) -> dict[str, datetime]:
    """Return since when which rules were wrong: by the incidents of fields, or those of whole pages."""
    own = {incident.field: incident.since for incident in healed if incident.field}
    whole = [incident.since for incident in healed if not incident.field]
    since = min(whole or own.values(), default=now)
    wrong = {name: own.get(name, since) for name in fields}
    return wrong | ({ALL: since} if any(incident.kind == "handed over" for incident in healed) else {})


def with_rereading(state: SiteState, since: Mapping[str, datetime]) -> SiteState:
    """Return a site's state with the wish to have pages read once more with its newest map, beside earlier wishes.

    >>> first, second = datetime(2024, 5, 6, tzinfo=UTC), datetime(2024, 5, 7, tzinfo=UTC)
    >>> state = with_rereading(with_rereading(SiteState(), {"title": first}), {"title": second, "text": second})
    >>> [(name, moment.day) for name, moment in state.reread.items()]
    [('title', 6), ('text', 7)]
    """
    known = state.reread
    together = {name: min(since.get(name, moment), moment) for name, moment in {**since, **known}.items()}
    return replace(state, reread=together)


def wanted_rereading(state: SiteState) -> Rereading | None:
    """Return which pages are to be read once more; None: none are."""
    return Rereading(state.reread) if state.reread else None


def without_rereading(state: SiteState) -> SiteState:
    """Return a site's state with all pages read."""
    return replace(state, reread={})
