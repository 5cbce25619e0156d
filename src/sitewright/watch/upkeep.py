"""The incidents of a site in, its map kept up out: repairs are made when they are due, and adopted or proposed."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import NamedTuple

from sitewright.heal.repaired import RepairedMap, is_source, map_text, proposal_of
from sitewright.heal.symptoms import Symptoms, symptoms_of
from sitewright.notice.baselines import key_of
from sitewright.notice.diagnosis import Diagnosis
from sitewright.parse import url_id
from sitewright.processes.places import StoredPlace
from sitewright.store.database import Store
from sitewright.store.entries import (
    Collected,
    Incident,
    StoredMap,
    StoredPage,
    StoredProposal,
    StoredRecord,
    StoredSite,
)
from sitewright.types import ExtractionMap, Failure
from sitewright.watch.events import Foreseen, incident_event, record_event
from sitewright.watch.healer import Healer
from sitewright.watch.health import Health
from sitewright.watch.held_state import HeldState
from sitewright.watch.inheritance import given_categories, with_categories_of
from sitewright.watch.map_history import load_history
from sitewright.watch.rereading import (
    Rereading,
    pages_since,
    wanted_rereading,
    with_rereading,
    without_rereading,
    wrong_since,
)
from sitewright.watch.story_pages import of_page_alone, read_again
from sitewright.watch.tools import Tools

_HEALED = {"heal", "new template"}
_AGAIN = [timedelta(hours=hours) for hours in (1, 4, 12, 24)]
"""When a repair is tried again that did not help."""
_LEAST_PAUSE = timedelta(minutes=10)
"""Before it is tried again because something else broke, too."""
_SUSPICIOUS, _ASKED, _ASKED_AGAIN = 2, 6, timedelta(hours=3)
"""Where so many new pages are hardly read, so many known articles are asked for again; not sooner than this."""
_NEARLY_ALL = 0.75
_READ_AT_ONCE = 64
TOGETHER = 10_000
"""So many records are written in one transaction."""


class _ReadAgain(NamedTuple):
    """A page that was read once more, and whether it clearly was made for the map that read it."""

    collected: Collected
    is_clear: bool

    def stays(self, stored: StoredRecord | None, wanted: Rereading) -> bool:
        """Tell whether the record that is there stays as it is."""
        own, at = self.collected.record, self.collected.page.fetched_at
        before = stored.record if stored is not None else None
        return wanted.keeps(before, own, at, is_clear=self.is_clear)

    def with_categories_of(self, stored: StoredRecord | None, given: Collection[str]) -> "_ReadAgain":
        """Return it with the category that the record that is there has from its source."""
        before = stored.record if stored is not None else None
        record = with_categories_of(before, self.collected.record, given)
        return self._replace(collected=replace(self.collected, record=record))


class Upkeep:
    """Repairs the map of a site; what it remembers is a part of the site's state."""

    def __init__(self, tools: Tools, site: StoredSite, held: HeldState, health: Health) -> None:
        self._tools = tools
        self._site = site
        self._held = held
        self._health = health

    async def tend(self, extraction_map: ExtractionMap) -> ExtractionMap:
        """Do what is due: keep what was learned, repair the map, read pages once more; return the map as it is then."""
        await self._ask_known()
        diagnoses = await self._health.save()
        await self._believe_again()
        wanted = [one for one in diagnoses if one.answer in _HEALED]
        if self._is_due(wanted):
            await self._heal(wanted)
            stored = await self._tools.store_thread.ask(lambda store: store.load_map(self._site.name))
            extraction_map = stored.parsed() if stored is not None else extraction_map
        if (pages := wanted_rereading(self._held.now)) is not None:
            await self._read_again(extraction_map, pages)
        return extraction_map

    async def _believe_again(self) -> None:
        """Have pages read once more whose fields the tagger read: their rules are believed again."""
        since = {one.field: one.since for one in self._health.take_ended() if one.field}
        if since:
            self._held.now = with_rereading(self._held.now, since)
            await self._held.save()

    async def _ask_known(self) -> None:
        """Where new pages are hardly read, see whether known articles still are: then the site has changed, not they.

        What these show counts as any page does, if the map does not read them any more; if it does, the new pages are
        of another kind, or only they have changed, and more of them will tell.
        """
        suspects, last, now = self._health.hardly_read, self._held.now.repair.asked, self._tools.clock.now()
        is_asked = last is not None and now - last < _ASKED_AGAIN
        if self._health.is_broken or is_asked or len(suspects) < _SUSPICIOUS:
            return
        self._held.change(repair=replace(self._held.now.repair, asked=now))
        await self._held.save()
        versions = await self._tools.store_thread.ask(lambda store: store.map_versions(self._site.name))
        if not versions:
            return
        begun = min(page.at for page in suspects)  # pages are not read in the order of fetching
        since = datetime.fromtimestamp(begun, UTC)
        known = await Healer(self._tools, self._site, versions).ask_known(since, _ASKED)
        changed = [page for page in known if page.handed]
        if len(changed) >= max(_SUSPICIOUS, _NEARLY_ALL * len(known)):
            first, *others = changed
            for page in (replace(first, at=begun), *others):  # it began with the first suspect
                self._health.note(page)

    # When

    def _is_due(self, wanted: Sequence[Diagnosis]) -> bool:
        """Tell whether it is time for a repair: something new is broken, or the last one is long enough ago."""
        last = self._held.now.repair
        keys = _keys(wanted)
        if not keys or last.at is None:
            return bool(keys)
        passed = self._tools.clock.now() - last.at
        if not keys <= set(last.keys):
            return passed >= _LEAST_PAUSE
        return passed >= _AGAIN[min(max(last.tries, 1), len(_AGAIN)) - 1]

    async def _note_try(self, wanted: Sequence[Diagnosis], *, helped: bool) -> None:
        last = self._held.now.repair
        left = {"/".join(key_of(incident)) for incident in self._health.open}  # what breaks again is something new
        keys = tuple(sorted(left if helped else _keys(wanted)))
        note = replace(last, at=self._tools.clock.now(), keys=keys, tries=0 if helped else last.tries + 1)
        self._held.change(repair=note)
        await self._held.save()

    # Repairs

    @property
    def _asks_first(self) -> bool:
        """Whether a person went back to an earlier version: nothing is adopted by itself then."""
        return self._held.now.repair.refused is not None

    async def _heal(self, wanted: Sequence[Diagnosis]) -> None:
        broken = [incident for one in wanted for incident in one.incidents]
        versions, decided = await self._tools.store_thread.ask(partial(_history, self._site.name))
        if not versions or _is_settled(decided, broken):
            await self._note_try(wanted, helped=False)
            return
        symptoms = symptoms_of(wanted)
        self._say(f"repairing the map: {symptoms.reason}")
        repaired = await Healer(self._tools, self._site, versions).repair(symptoms)
        if isinstance(repaired, Failure):
            self._say(f"not repaired: {repaired.detail}")
            await self._note_try(wanted, helped=False)
            return
        if not repaired.changed:
            self._say("nothing to repair: known articles are read as they were")
        healed = await self._adopt(repaired, versions[-1], broken, symptoms)
        await self._propose(repaired, versions[-1], symptoms, [one for one in broken if one not in healed])
        await self._note_try(wanted, helped=bool(healed))

    async def _adopt(
        self, repaired: RepairedMap, old: StoredMap, broken: Sequence[Incident], symptoms: Symptoms
    ) -> list[Incident]:
        """Make the changes that are sure the site's map; return the incidents that are over with it."""
        if not repaired.sure_fields or self._asks_first:
            return []
        healed = [incident for incident in broken if repaired.heals(incident)]
        await self._keep_doubting(repaired, healed, symptoms)
        fields = [name for name in repaired.sure_fields if not is_source(name)]
        wrong = wrong_since(fields, healed, self._tools.clock.now())
        state = with_rereading(self._held.now, wrong) if wrong else self._held.now
        numbers = [incident.number for incident in healed if incident.number is not None]
        text = map_text(repaired.sure, old.version + 1, old)

        def adopt(store: Store) -> int:
            now = self._tools.clock.now()
            with self._tools.ears.telling([Foreseen(self._site.name, at=now)]) as events:
                version = store.adopt_map(text, "healed", healed=numbers, state=state)
                events.extend(incident_event(replace(one, state="healed", closed_at=now), now) for one in healed)
            return version

        version = await self._tools.store_thread.ask(adopt)
        self._held.now = state
        self._health.close(healed, "healed")
        self._say(f"healed: map version {version}, new rules for {_named(repaired.sure_fields)}")
        return healed

    async def _keep_doubting(self, repaired: RepairedMap, healed: Sequence[Incident], symptoms: Symptoms) -> None:
        """Open incidents of the fields that are broken, too, and not sure: the tagger goes on reading them."""
        left = repaired.in_doubt
        templates = {incident.template for incident in healed if incident.kind == "handed over"}
        since = symptoms.since or self._tools.clock.now()
        known = {template.name for template in repaired.old.templates}
        opened = False
        for template in repaired.sure.templates if templates else ():
            if template.name in templates or "" in templates or template.name not in known:
                for name in left.intersection(rule.field for rule in template.rules):
                    opened |= self._health.open_waiting(template.name, name, since)
        if opened:
            await self._health.save()

    async def _propose(
        self, repaired: RepairedMap, old: StoredMap, symptoms: Symptoms, left: Sequence[Incident]
    ) -> None:
        """Have the changes wait that are not sure, or refused before."""
        waits = repaired.changed - (frozenset() if self._asks_first else repaired.sure_fields)
        if not waits:
            return
        newest = await self._tools.store_thread.ask(lambda store: store.load_map(self._site.name))
        proposal = proposal_of(
            repaired, old, symptoms, self._tools.clock.now(), newest.version if newest is not None else None
        )
        await self._tools.store_thread.ask(lambda store: store.put_proposal(proposal))
        self._health.mark(left, "waiting")
        await self._health.save()
        command = f"sitewright heal {self._site.name}"
        self._say(f"a repair of {_named(waits)} waits for a person: {command}")

    # Pages once more

    async def _read_again(self, extraction_map: ExtractionMap, wanted: Rereading) -> None:
        """Read the pages since a moment with the map as it is now, and write their records all at once."""
        name = self._site.name
        pages = await self._tools.store_thread.ask(lambda store: pages_since(store, name, wanted.first))
        history = await self._tools.store_thread.ask(lambda store: load_history(store, name))
        slots = asyncio.Semaphore(_READ_AT_ONCE)
        doubts, former = self._health.doubts, history.former(extraction_map)
        given = given_categories(extraction_map, self._site.state.category)

        async def read(page: StoredPage) -> _ReadAgain | None:
            place = StoredPlace(self._tools.pages, page.location, page.url)
            async with slots:
                outcome = await self._tools.readers.reread(place, extraction_map, doubts, former)
            if isinstance(outcome, Failure) or outcome.record is None:
                return None  # its record, if it has one, stays as it was
            collected = Collected(record=outcome.record, page=outcome.page, location=page.location)
            return _ReadAgain(collected, outcome.is_clear)

        def write(batch: Sequence[_ReadAgain], store: Store) -> int:
            known = store.find_records(name, (one.collected.record.urls[0] for one in batch))
            before = {url_id(stored.record.urls[0]): stored for stored in known}
            changed: list[Collected] = []
            for one in batch:
                url = one.collected.record.urls[0]
                alone = of_page_alone(store, url, before.get(url_id(url)), name)
                now = one.with_categories_of(alone, given)
                if not now.stays(alone, wanted):
                    changed.append(read_again(store, now.collected))
            with self._tools.ears.telling([Foreseen(name, one.record.urls[0]) for one in changed]) as events:
                there, at = store.commit_pages(changed), self._tools.clock.now()
                told = ((one.record, (name, url_id(one.record.urls[0])) not in there) for one in changed)
                events.extend(record_event(record, at, is_new=is_new) for record, is_new in told)
            return len(changed)

        written = 0
        for start in range(0, len(pages), TOGETHER):
            outcomes = await asyncio.gather(*map(read, pages[start : start + TOGETHER]))
            batch = [one for one in outcomes if one is not None]
            written += await self._tools.store_thread.ask(partial(write, batch))
        self._held.now = without_rereading(self._held.now)
        await self._held.save()
        if pages:
            self._say(f"{written} of {len(pages)} pages read once more with map version {extraction_map.version}")

    def _say(self, line: str) -> None:
        self._tools.say(self._site.name, line)


def _named(fields: Collection[str]) -> str:
    """Name fields, and how many sources."""
    sources = sum(map(is_source, fields))
    names = sorted(name for name in fields if not is_source(name))
    return ", ".join([*names, *([f"{sources} source{'s' * (sources > 1)}"] if sources else [])])


def _keys(wanted: Sequence[Diagnosis]) -> set[str]:
    return {"/".join(key_of(incident)) for one in wanted for incident in one.incidents}


def _history(site: str, store: Store) -> tuple[list[StoredMap], StoredProposal | None]:
    """Return the versions of a map, and the last proposal."""
    return store.map_versions(site), next(iter(store.proposals(site, waiting_only=False)), None)


def _is_settled(last: StoredProposal | None, broken: Sequence[Incident]) -> bool:
    """Tell whether a person rejected a repair, and nothing has broken since."""
    if last is None or last.state != "rejected" or last.decided_at is None:
        return False
    return all(incident.opened_at <= last.decided_at for incident in broken)
