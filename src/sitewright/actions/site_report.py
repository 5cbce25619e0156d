"""A site in, all that its page shows out: how it is, its sources, its figures over time, its failures, its maps."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from sitewright.actions.maps import MapVersion, list_versions
from sitewright.actions.status import SiteDetails, SiteHealth, details_of, status_of
from sitewright.errors import NotThere
from sitewright.store.catalogue.catalogue import Catalogue
from sitewright.store.database import Store
from sitewright.store.entries import Incident, StoredFailure, WaitingLink
from sitewright.values.words import counted

_HOURS = 48
_DAYS = 30
_WAITING = 20
_FAILED_DAYS = 14
_CODES = 4
"""So many codes are told apart by colours."""


@dataclass(frozen=True, slots=True)
class FieldLine:
    """How often a field of a template was found, day by day (None: there were no records that day)."""

    template: str
    field: str
    shares: Sequence[float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteReport:
    """What there is to know of a site."""

    health: SiteHealth
    details: SiteDetails
    hours: Sequence[int]
    """New records, hour by hour, up to this one."""
    days: Sequence[date]
    lines: Sequence[FieldLine]
    codes: Sequence[tuple[str, int]]
    """Failures by their code, the most frequent first."""
    failed: Sequence[tuple[str, Sequence[int]]]
    """How many addresses failed last on which day, by code; those beyond the most frequent codes together."""
    failures: Sequence[StoredFailure]
    versions: Sequence[MapVersion]
    incidents: Sequence[Incident]
    """The open and the last closed ones."""
    waiting: Sequence[WaitingLink]

    @property
    def is_busy(self) -> bool:
        """Whether somebody works on it now."""
        until = self.health.summary.site.lease_until
        return until is not None and until > datetime.now(UTC)


def health_of(store: Store, name: str) -> SiteHealth:
    """Return how a site is; one that is not there is told."""
    if store.site(name) is None:
        raise NotThere(f"there is no site {name} in the store")
    (found,) = status_of(store, [name])
    return found


def report_of(store: Store, catalogue: Catalogue, name: str, now: datetime | None = None) -> SiteReport:
    """Return the report of a site."""
    at = now or datetime.now(UTC)
    health = health_of(store, name)
    failures = store.failures(name)
    days = [at.date() - timedelta(days=back) for back in range(_DAYS - 1, -1, -1)]
    return SiteReport(
        health=health,
        details=details_of(store, name, at),
        hours=_hours(catalogue, name, at),
        days=days,
        lines=field_lines(store.daily_fills(name, days[0]), days),
        codes=Counter(one.failure.code for one in failures).most_common(),
        failed=failures_by_day(failures, days[-_FAILED_DAYS:]),
        failures=failures,
        versions=list(reversed(list_versions(store, name))) if health.newest_map is not None else [],
        incidents=store.incidents(name, open_only=False)[:20],
        waiting=store.due_links(name, limit=_WAITING),
    )


def reasons_of(health: SiteHealth) -> list[str]:
    """Return why a site needs somebody, in words; the most pressing first."""
    if health.summary.site.paused_at is not None:
        return ["paused"]
    if health.newest_map is None:
        return ["not learned yet"]
    found = ["none of its sources can be read"] if health.is_failing else []
    found += [f"{one.field or 'pages'}: {one.diagnosis or one.kind}" for one in health.incidents[:2]]
    found += ["a repair waits"] if health.proposal is not None else []
    if health.failing_sources and not health.is_failing:
        found.append(f"{counted(health.failing_sources, 'source')} cannot be read")
    return found


def rank_of(health: SiteHealth) -> int:
    """Return how pressing a site is: the lower, the more."""
    if health.summary.site.paused_at is not None:
        return 5
    checks = (health.is_failing, bool(health.incidents), health.newest_map is None, health.proposal is not None)
    return next((rank for rank, is_so in enumerate(checks) if is_so), 4)


def failures_by_day(failures: Sequence[StoredFailure], days: Sequence[date]) -> list[tuple[str, list[int]]]:
    """Return how many addresses failed last on which day, by code, the most frequent first; all others are `…`."""
    most = [code for code, _ in Counter(one.failure.code for one in failures).most_common(_CODES)]
    named = [(one.failure.code if one.failure.code in most else "…", one.at.date()) for one in failures]
    counts = Counter(named)
    codes = [*most, *({"…"} & {code for code, _ in named})]
    return [(code, [counts[code, day] for day in days]) for code in codes]


def field_lines(counts: Sequence[tuple[str, str, date, int]], days: Sequence[date]) -> list[FieldLine]:
    """Return the share of records with each field, day by day, given how many had it (field "": how many there were).

    >>> day = date(2024, 5, 1)
    >>> field_lines([("a", "", day, 4), ("a", "b", day, 3)], [day])[0].shares
    [0.75]
    """
    totals = {(template, day): count for template, field, day, count in counts if not field}
    found: dict[tuple[str, str], dict[date, int]] = defaultdict(dict)
    for template, field, day, count in counts:
        if field:
            found[template, field][day] = count
    return [
        FieldLine(t, f, [_share(by_day, totals, t, day) for day in days]) for (t, f), by_day in sorted(found.items())
    ]


def _share(
    by_day: Mapping[date, int], totals: Mapping[tuple[str, date], int], template: str, day: date
) -> float | None:
    total = totals.get((template, day), 0)
    return by_day.get(day, 0) / total if total else None


def _hours(catalogue: Catalogue, name: str, now: datetime) -> list[int]:
    since = now.replace(minute=0, second=0, microsecond=0) - timedelta(hours=_HOURS - 1)
    counted_in = Counter(int((at - since).total_seconds() // 3600) for at in catalogue.stored_since(name, since))
    return [counted_in.get(hour, 0) for hour in range(_HOURS)]
