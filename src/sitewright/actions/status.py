"""A store and its sites in, how they are out: whether all is well, how much there is, what failed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sitewright.actions.sites import known_sites
from sitewright.store.database import Store
from sitewright.store.entries import (
    FillRate,
    Incident,
    RecordQuery,
    SiteSummary,
    StoredFailure,
    StoredMap,
    StoredProposal,
    WatchedPage,
)
from sitewright.store.offers import PriceErrors
from sitewright.types import Failure
from sitewright.values.words import counted

_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
_LAST_FAILURES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteHealth:
    """How a site is."""

    summary: SiteSummary
    in_a_day: int
    """Records that were stored, or read once more, within the last 24 hours."""
    in_a_week: int
    newest_map: StoredMap | None
    """None: the site is not learned yet."""
    incidents: Sequence[Incident]
    """The open ones."""
    proposal: StoredProposal | None
    """The repaired map that waits."""
    sources: Sequence[WatchedPage]
    price_errors: PriceErrors | None = None
    """How many of its items gave no price though they should; None: its items have none."""

    @property
    def failing_sources(self) -> int:
        """How many of its sources could not be read when they were looked at last."""
        return sum(bool(source.state.failures) for source in self.sources)

    @property
    def is_failing(self) -> bool:
        """Whether none of the sources that were looked at could be read."""
        looked_at = sum(source.last_fetched is not None for source in self.sources)
        return 0 < looked_at <= self.failing_sources

    @property
    def words(self) -> list[str]:
        """What is to be said of it; nothing where all is well."""
        if self.newest_map is None:
            return ["not learned yet"]
        number = len(self.incidents)
        return [
            *(["failing"] if self.is_failing else []),
            *([counted(number, "incident")] if number else []),
            *(["proposal waits"] if self.proposal is not None else []),
        ]


@dataclass(frozen=True, slots=True)
class FieldFill:
    """How often a field was found in the records of a template: in all of them, and in those of the last week."""

    overall: FillRate
    lately: FillRate | None
    """None: there are no records of the template from the last week."""


@dataclass(frozen=True, slots=True)
class SiteDetails:
    """What else is known of a site."""

    fills: Sequence[FieldFill]
    failures: Sequence[StoredFailure]
    """The last ones."""


def status_of(store: Store, names: Sequence[str] = ()) -> list[SiteHealth]:
    """Return how all sites of a store are, or those named; one that is not there is told."""
    wanted = {site.name for site in known_sites(store, names)} if names else None
    chosen = [summary for summary in store.site_summaries() if wanted is None or summary.site.name in wanted]
    return healths_of(store, chosen)


def not_learned(store: Store, names: Sequence[str]) -> dict[str, Failure | None]:
    """Return the sites that have no map, with the reason, where one is known."""
    return {name: _why_not_learned(store, name) for name in names if store.load_map(name) is None}


def _why_not_learned(store: Store, name: str) -> Failure | None:
    return next((stored.failure for stored in store.failures(name) if stored.failure.stage == "learn"), None)


def healths_of(store: Store, summaries: Sequence[SiteSummary], now: datetime | None = None) -> list[SiteHealth]:
    """Return how sites are at this moment."""
    at = now or datetime.now(UTC)
    incidents: dict[str, list[Incident]] = defaultdict(list)
    for incident in store.incidents():
        incidents[incident.site].append(incident)
    errors = store.offers.errors()
    proposals = {proposal.site: proposal for proposal in store.proposals()}
    return [
        SiteHealth(
            summary=summary,
            in_a_day=store.count_records(RecordQuery(site=summary.site.name, stored_since=at - _DAY)),
            in_a_week=store.count_records(RecordQuery(site=summary.site.name, stored_since=at - _WEEK)),
            newest_map=store.load_map(summary.site.name),
            incidents=incidents[summary.site.name],
            proposal=proposals.get(summary.site.name),
            sources=store.index_pages(summary.site.name),
            price_errors=errors.get(summary.site.name),
        )
        for summary in summaries
    ]


def details_of(store: Store, name: str, now: datetime | None = None) -> SiteDetails:
    """Return how often fields were found, and what failed last."""
    week_ago = ((now or datetime.now(UTC)) - _WEEK).date()
    return SiteDetails(
        fills=_fills(store.fill_rates(name), store.fill_rates(name, week_ago)),
        failures=store.failures(name)[:_LAST_FAILURES],
    )


def _fills(overall: Sequence[FillRate], lately: Sequence[FillRate]) -> list[FieldFill]:
    """Put rates side by side; a field that was not found lately has a rate of 0 where there were records."""
    known = {(rate.template, rate.field): rate for rate in lately}
    records = {rate.template: rate.records for rate in lately}
    return [
        FieldFill(rate, known.get((rate.template, rate.field)) or _none_of(rate, records.get(rate.template, 0)))
        for rate in overall
    ]


def _none_of(rate: FillRate, records: int) -> FillRate | None:
    if not records:
        return None
    return FillRate(template=rate.template, field=rate.field, records=records, filled=0, confidence=0.0)
