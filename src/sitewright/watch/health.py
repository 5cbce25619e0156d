"""The pages of a visit in, the site's incidents out: what was usual is loaded, compared with, and kept."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from sitewright.domains import DEFAULT_DOMAIN
from sitewright.notice.baselines import SITE, SiteBaseline, load_baseline
from sitewright.notice.diagnosis import Diagnosis
from sitewright.notice.incidents import IncidentLog
from sitewright.notice.observation import Observation, observe
from sitewright.notice.signals import PageFacts, Signal
from sitewright.notice.words import told
from sitewright.reading.mapped import Doubt
from sitewright.store.database import Store
from sitewright.store.entries import Incident, IncidentState, RecordQuery, StoredRecord
from sitewright.watch.events import Foreseen, incident_event
from sitewright.watch.tools import Tools

_LEARNED_FROM = 300
"""Records that a site's baseline is learned from, where it was collected before there was any, or it is damaged."""


class Health:
    """What is usual on a site, and what is not: through one visit."""

    def __init__(self, tools: Tools, site: str, domain: str = DEFAULT_DOMAIN) -> None:
        self._tools = tools
        self._site = site
        self._domain = domain
        self._baseline = SiteBaseline()
        self._log = IncidentLog(site, domain=domain)
        self._ended: list[Incident] = []

    async def load(self) -> None:
        """Go on from what the store knows; baselines that cannot be read begin anew, from the records."""
        states, incidents = await self._tools.store_thread.ask(partial(_kept, self._site))
        self._baseline, unread = load_baseline(states)
        for name in unread:
            self._tools.say(
                self._site, f"what was usual on pages of template {name or 'any'} is unreadable: learned anew"
            )
        if unread or not states:
            since = min((incident.since for incident in incidents if incident.is_open), default=None)
            records = await self._tools.store_thread.ask(partial(_records_before, self._site, since))
            learned = SiteBaseline()
            for stored in records:
                learned.observe(observe(stored.record, _read_at(stored).timestamp()), only_learn=True)
            self._baseline.take_on(learned, unread or (SITE, *learned.templates))
        self._baseline.reconcile(incidents)
        self._log = IncidentLog(self._site, incidents, self._domain)

    @property
    def open(self) -> list[Incident]:
        """The incidents that are open."""
        return self._log.open

    @property
    def doubts(self) -> frozenset[Doubt]:
        """The fields whose rules are not believed at present."""
        return doubts_of(self._log.open)

    @property
    def hardly_read(self) -> list[PageFacts]:
        """The last pages in a row that the map reads next to nothing of, the first one first."""
        return self._baseline.hardly_read()

    @property
    def is_in_doubt(self) -> bool:
        """Whether articles may not be read as they should be: there is an incident about them, or a suspicion."""
        return self.is_broken or bool(self.hardly_read)

    @property
    def is_broken(self) -> bool:
        """Whether there is an incident about articles, not only about where they are listed."""
        return any(one.kind != "unlisted" for one in self._log.open)

    def note(self, page: Observation, *, only_learn: bool = False) -> None:
        """Take in a page."""
        self._take(self._baseline.observe(page, only_learn=only_learn))

    def note_signal(self, signal: Signal) -> None:
        """Take in what was noticed elsewhere."""
        self._take([signal])

    def close(self, incidents: Iterable[Incident], state: IncidentState) -> None:
        """Take note that incidents were closed in the store."""
        for incident in incidents:
            closed = replace(incident, state=state, closed_at=self._tools.clock.now())
            self._log.forget(closed)
            self._baseline.settle(closed)

    def open_waiting(self, template: str, name: str, since: datetime) -> bool:
        """Open an incident of a field that no test raised, and whose repair waits; False where there is one."""
        incident = Incident(
            site=self._site,
            template=template,
            field=name,
            kind="lost",
            since=since,
            opened_at=self._tools.clock.now(),
            state="waiting",
            diagnosis="it broke with the whole pages, and its repair is not sure",
            answer="heal",
        )
        is_new = self._log.add(incident)
        if is_new:
            self._baseline.reconcile([incident])
            self._tools.say(self._site, told(incident))
        return is_new

    def take_ended(self) -> list[Incident]:
        """Return the incidents that ended by themselves since the last time."""
        ended, self._ended = self._ended, []
        return ended

    def mark(self, incidents: Iterable[Incident], state: IncidentState) -> None:
        """Change the state of open incidents."""
        for incident in incidents:
            self._log.mark(incident, state)

    async def save(self) -> list[Diagnosis]:
        """Keep what was learned and the incidents that changed; return what seems to have happened, of those open."""
        diagnoses = self._log.explain(self._baseline)
        changes, states = self._log.take_changes(), self._baseline.take_states()
        if changes or states:
            stored = await self._tools.store_thread.ask(partial(self._write, changes, states))
            for incident in stored:
                self._log.stored(incident)
        return self._log.renewed(diagnoses)

    def _write(self, changes: Sequence[Incident], states: Mapping[str, object], store: Store) -> list[Incident]:
        """Store what changed, and tell of the incidents that began or ended; return these as they are stored."""
        now = self._tools.clock.now()
        since = min((one.closed_at or one.opened_at for one in changes), default=now)
        about = [Foreseen(self._site, at=since)] if changes else []
        with self._tools.ears.telling(about) as events:
            stored = _save(self._site, changes, states, store)
            told_of = [new for old, new in zip(changes, stored, strict=True) if old.number is None or not new.is_open]
            events.extend(incident_event(incident, now) for incident in told_of)
        return stored

    def _take(self, signals: Sequence[Signal]) -> None:
        for incident in self._log.note(signals, self._baseline) if signals else ():
            self._tools.say(self._site, told(incident))
            if not incident.is_open:
                self._ended.append(incident)


def doubts_of(incidents: Iterable[Incident]) -> frozenset[Doubt]:
    """Return the fields whose rules are not believed, by open incidents, on pages since then."""
    return frozenset(Doubt(one.template, one.field, one.since) for one in incidents if one.field)


def _kept(site: str, store: Store) -> tuple[dict[str, object], list[Incident]]:
    return store.load_baselines(site), store.incidents(site, open_only=False)


def _hid_pages(incident: Incident) -> bool:
    """Tell whether pages were there, but not their content: an error page in the place of each."""
    return incident.answer == "wait" and incident.kind != "failing"


def _records_before(site: str, since: datetime | None, store: Store) -> list[StoredRecord]:
    """Return the newest records in the order of reading; those since something is wrong do not tell what is usual."""
    query = RecordQuery(site=site, newest_first=True, shown_before=since, limit=_LEARNED_FROM)
    usual = (stored for stored in store.records(query) if since is None or _read_at(stored) < since)
    return sorted(usual, key=_read_at)


def _read_at(stored: StoredRecord) -> datetime:
    return stored.record.extracted_at or stored.stored_at


def _save(site: str, changes: Sequence[Incident], states: Mapping[str, object], store: Store) -> list[Incident]:
    """Write incidents and baselines; where the site showed something else for a time, its pages are fetched again."""
    for incident in changes:
        if incident.state == "over" and incident.closed_at is not None and _hid_pages(incident):
            store.recollect(site, incident.since, incident.closed_at)  # the last one read was not the last one fetched
    stored = [store.put_incident(incident) for incident in changes]
    store.save_baselines(site, states)
    return stored
