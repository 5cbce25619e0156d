"""Signals of baselines in, incidents with their evidence out: a breach opens one, what follows adds to it."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from sitewright.domains import DEFAULT_DOMAIN
from sitewright.notice.baselines import AlarmKey, SiteBaseline, key_of
from sitewright.notice.diagnosis import Diagnosis, diagnose
from sitewright.notice.signals import Occurrence, Signal
from sitewright.store.entries import Incident, IncidentKind, IncidentState, Sighting

MOST_SIGHTINGS = 20
"""Affected pages that are kept of an incident: the first ones, which tell since when, and the last."""


class IncidentLog:
    """The open incidents of a site; those that changed are to be put into the store."""

    def __init__(self, site: str, open_incidents: Iterable[Incident] = (), domain: str = DEFAULT_DOMAIN) -> None:
        self._site = site
        self._domain = domain
        self._open = {key_of(incident): incident for incident in open_incidents if incident.is_open}
        self._changed: dict[AlarmKey, Incident] = {}

    @property
    def open(self) -> list[Incident]:
        """The incidents that are open."""
        return list(self._open.values())

    def note(self, signals: Sequence[Signal], baseline: SiteBaseline) -> list[Incident]:
        """Take in what was noticed with a page; return the incidents that were opened or closed by it."""
        told: list[AlarmKey] = []
        for signal in signals:
            key = key_of(signal)
            known = self._open.get(key)
            incident = _with(known, signal) if known is not None else self._opened(signal)
            if incident is None:
                continue
            self._put(key, incident)
            if known is None or not incident.is_open:
                told.append(key)
        if told:
            self.explain(baseline)
        return [self._changed[key] for key in told]

    def explain(self, baseline: SiteBaseline) -> list[Diagnosis]:
        """Say anew of all open incidents what seems to have happened, and draw how often their fields are there."""
        found = diagnose(baseline.recent, self.open, baseline.usual_fields(), self._domain)
        said = {key_of(incident): diagnosis for diagnosis in found for incident in diagnosis.incidents}
        for key, incident in list(self._open.items()):
            if incident.state == "waiting" and incident.diagnosis:
                continue  # what a person reads about stays as it was
            points = baseline.fill_over_time(key.template, key.field)
            explained = replace(
                incident,
                diagnosis=said[key].reason,
                answer=said[key].answer,
                fill=tuple((_moment(at), round(share, 3)) for at, share in points),
            )
            if explained != incident:
                self._put(key, explained)
        return found

    def renewed(self, diagnoses: Iterable[Diagnosis]) -> list[Diagnosis]:
        """Return diagnoses with their incidents as these are by now: explained, and with their numbers in the store."""
        return [
            replace(one, incidents=tuple(self._open.get(key_of(own), own) for own in one.incidents))
            for one in diagnoses
        ]

    def take_changes(self) -> list[Incident]:
        """Return the incidents that changed since the last time; `stored` wants to know their numbers."""
        changed, self._changed = list(self._changed.values()), {}
        return changed

    def stored(self, incident: Incident) -> None:
        """Take on the number that the store gave an incident."""
        key = key_of(incident)
        for held in (self._open, self._changed):
            if key in held and held[key].number is None:
                held[key] = replace(held[key], number=incident.number)

    def add(self, incident: Incident) -> bool:
        """Add an open incident; False where there is one about the same."""
        key = key_of(incident)
        if key in self._open:
            return False
        self._put(key, incident)
        return True

    def mark(self, incident: Incident, state: IncidentState) -> None:
        """Change the state of an open incident."""
        key = key_of(incident)
        known = self._open.get(key)
        if known is not None and known.state != state:
            self._put(key, replace(known, state=state))

    def forget(self, incident: Incident) -> None:
        """Drop an incident that was closed in the store."""
        key = key_of(incident)
        self._open.pop(key, None)
        self._changed.pop(key, None)

    def _opened(self, signal: Signal) -> Incident | None:
        """Open an incident; one whose beginning was not seen (the store lost it) begins with this page."""
        if signal.what == "closed" or not signal.pages:
            return None
        return Incident(
            site=self._site,
            template=signal.template,
            field=signal.field,
            kind=signal.kind,
            since=_moment(min(page.at for page in signal.pages)),  # pages are not read in the order of fetching
            opened_at=_moment(signal.pages[-1].at),
            pages=len(signal.pages),
            affected=_sightings(signal.pages),
            before=_sightings(signal.old),
        )

    def _put(self, key: AlarmKey, incident: Incident) -> None:
        self._changed[key] = incident
        if incident.is_open:
            self._open[key] = incident
        else:
            self._open.pop(key, None)


def _with(incident: Incident, signal: Signal) -> Incident:
    """Return an incident with what a signal adds to it."""
    if signal.what == "closed":
        return replace(incident, state="over", closed_at=_moment(signal.at))
    more = _sightings(signal.pages)
    kept = (*incident.affected, *more)
    if len(kept) > MOST_SIGHTINGS:
        half = MOST_SIGHTINGS // 2
        kept = (*kept[:half], *kept[-half:])
    also: tuple[IncidentKind, ...] = incident.also
    if signal.kind != incident.kind and signal.kind not in also:
        also = (*also, signal.kind)
    since = min(incident.since, *(seen.at for seen in more)) if more else incident.since
    return replace(incident, since=since, pages=incident.pages + len(more), affected=kept, also=also)


def _sightings(pages: Iterable[Occurrence]) -> tuple[Sighting, ...]:
    return tuple(Sighting(_moment(page.at), page.url, page.value) for page in pages)


def _moment(at: float) -> datetime:
    return datetime.fromtimestamp(at, UTC)
