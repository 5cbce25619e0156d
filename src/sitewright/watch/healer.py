"""A site that has changed in, its repaired map out, with how sure each change is.

Known articles are fetched again, and the values of their records are looked for on them; the newest pages, which only
the tagger knows, come from the archive. Sources are fetched again, too: their known links say where they list articles.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import zip_longest
from typing import NamedTuple

from sitewright.batch.observation import section_of
from sitewright.batch.places import StoredPlace
from sitewright.batch.proposal import Outlook, Proposal
from sitewright.batch.repairs import IndexHealed, KnownPage
from sitewright.batch.shapes import glance_of
from sitewright.domains import load_domain
from sitewright.errors import FetchError, MapError, NoArticles, PageError
from sitewright.fetch import PagePlace
from sitewright.maps import dump_map
from sitewright.parse import signature
from sitewright.store.database import Store
from sitewright.store.entries import (
    Incident,
    ProposedField,
    RecordQuery,
    ShownValue,
    StoredMap,
    StoredProposal,
    StoredRecord,
    StoredSite,
)
from sitewright.store.moments import moment_of
from sitewright.types import ExtractionMap, Failure, IndexPage, Page
from sitewright.watch.rendering import render_of_item
from sitewright.watch.tools import Tools

_KNOWN, _NEW = 10, 4
"""Known articles and new pages that a map is repaired from; more make it slower and hardly better."""
_RECORDS = 120
"""The newest records, of which articles are chosen."""
_AT_ONCE = 4
_MOST_MISSES = 12
"""Where so many known articles cannot be fetched, no others are asked for."""
_LEAST_FIELDS = 2
_LEAST_LISTED, _MOSTLY_LISTED = 3, 0.8
"""Selectors of a source are sure that find so much of so many known articles."""
_VALUE = 500
_TAGGER, _SOURCE = "tagger/", "index "


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptoms:
    """What seems to be wrong: since when, in which folders of the site, on which pages."""

    reason: str = ""
    since: datetime | None = None
    sections: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    lists_only: bool = False
    """Whether nothing is wrong with articles: only sources are repaired."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """A repaired map: as a whole, and with only the changes that are sure."""

    old: StoredMap
    whole: ExtractionMap
    sure: ExtractionMap
    fields: tuple[ProposedField, ...]
    warnings: tuple[str, ...] = ()

    @property
    def changed(self) -> frozenset[str]:
        """The fields, and sources, that change."""
        return frozenset(one.field for one in self.fields if one.changed)

    @property
    def sure_fields(self) -> frozenset[str]:
        """Those of them that may change by themselves."""
        return frozenset(one.field for one in self.fields if one.changed and one.sure)

    def text(self, extraction_map: ExtractionMap) -> str:
        """Return a repaired map as the text of its file."""
        return dump_map(extraction_map, like=self.old.text)

    def heals(self, incident: Incident) -> bool:
        """Tell whether an incident is over with the changes that are sure."""
        unsure = self.changed - self.sure_fields
        if incident.kind == "unlisted":
            return any(map(is_source, self.sure_fields)) and not any(map(is_source, unsure))
        if incident.kind == "handed over":
            required = set(load_domain(self.old.parsed().domain).required)
            return bool(required & self.sure_fields) and required.isdisjoint(unsure)
        return incident.field in self.sure_fields

    def proposal(self, symptoms: Symptoms, now: datetime, based_on: int | None = None) -> StoredProposal:
        """Return the whole of it, for a person to decide about."""
        version = based_on or self.old.version
        return StoredProposal(
            site=self.old.site,
            based_on=version,
            text=self.text(replace(self.whole, version=version + 1)),
            made_at=now,
            fields=self.fields,
            reason=symptoms.reason,
            since=symptoms.since,
            warnings=self.warnings,
        )


class Memory(NamedTuple):
    """An article, and the values that its record held."""

    url: str
    template: str
    values: Mapping[str, object]


class Healer:
    """Makes repairs of one site; nothing is stored."""

    def __init__(self, tools: Tools, site: StoredSite, versions: Sequence[StoredMap]) -> None:
        """Begin with all versions of the site's map, the newest last."""
        self._tools = tools
        self._site = site.name
        self._versions = versions
        self._old = versions[-1]
        self._map = self._old.parsed()
        self._lists = {signature(url) for url in (site.url, *(entry.url for entry in self._map.index))}

    async def repair(self, symptoms: Symptoms) -> Repair | Failure:
        """Learn how the site is to be read now; a failure says why that is not possible."""
        outcome = self._nothing() if symptoms.lists_only else await self._heal_fields(symptoms)
        sources = [healed async for healed in self._heal_sources()]
        if isinstance(outcome, Failure) and not any(one.changed for one, _ in sources):
            return outcome
        proposal = outcome if isinstance(outcome, Proposal) else None
        warnings = proposal.warnings if proposal is not None else (outcome.detail,)  # type: ignore[union-attr]
        fields = [_field(one, sure=proposal.is_sure(one)) for one in proposal.outlooks] if proposal is not None else []
        whole = proposal.extraction_map if proposal is not None else self._map
        sure = (proposal.sure_map if proposal is not None else None) or self._map
        return Repair(
            old=self._old,
            whole=_with_entries(whole, [healed.entry for _, healed in sources]),
            sure=_with_entries(sure, [healed.entry for one, healed in sources if one.sure]),
            fields=(*fields, *(one for one, _ in sources)),
            warnings=tuple(warnings),
        )

    # Fields

    def _nothing(self) -> Proposal:
        return Proposal(old=self._map, extraction_map=self._map, changes=(), outlooks=())

    async def _heal_fields(self, symptoms: Symptoms) -> Proposal | Failure:
        known = await self._fetch_known(await self._tools.keeper.ask(partial(_remembered, self._site, symptoms)))
        new = await self._tools.keeper.ask(lambda store: store.find_records(self._site, symptoms.pages[-_KNOWN:]))
        places = [self._place(stored) for stored in new]
        pages = [
            *known,
            *(KnownPage(place) for place in places[-max(_NEW, _KNOWN - len(known)) :] if place is not None),
        ]
        if not pages:
            return Failure(self._site, "heal", NoArticles.code, "no known article can be fetched again")
        return await self._tools.desk.heal_map(self._map, pages, self._tools.clock.now(), self._tools.sure)

    def _place(self, stored: StoredRecord) -> StoredPlace | None:
        if stored.location is None:
            return None
        return StoredPlace(self._tools.pages, stored.location, stored.record.urls[0])

    async def _fetch_known(self, memories: Sequence[Memory]) -> list[KnownPage]:
        """Fetch known articles as they are now; those that are gone are passed over."""
        found: list[KnownPage] = []
        asked = 0
        while asked < len(memories) and len(found) < _KNOWN and asked - len(found) < _MOST_MISSES:
            part = memories[asked : asked + _AT_ONCE]
            asked += len(part)
            pages = await asyncio.gather(*(self._fetch(memory.url) for memory in part))
            found += [
                KnownPage(PagePlace(page), memory.values)
                for memory, page in zip(part, pages, strict=True)
                if page is not None
            ]
        return found

    async def _fetch(self, url: str) -> Page | None:
        try:
            page = await self._tools.fetch(url, render_of_item(self._map, url))
        except (FetchError, PageError):
            return None
        is_there = page.status < 300 and signature(page.location) not in self._lists  # where gone ones often lead
        return page if is_there else None

    # Sources

    async def _heal_sources(self) -> AsyncIterator[tuple[ProposedField, IndexHealed]]:
        """Yield what becomes of the selectors of sources that have some."""
        entries = [entry for entry in self._map.index if entry.items]
        known = await self._tools.keeper.ask(partial(_listed, self._site)) if entries else frozenset()
        for entry in entries:
            healed = await self._heal_source(entry, known)
            if healed is not None and (healed.entry.items, healed.entry.next) != (entry.items, entry.next):
                yield self._judged(entry, healed), healed

    async def _heal_source(self, entry: IndexPage, known: frozenset[str]) -> IndexHealed | None:
        try:
            page = await self._tools.fetch(entry.url, entry.render or self._map.render)
        except (FetchError, PageError):
            return None
        healed = await self._tools.desk.heal_entry(entry, page, known) if page.status < 400 else None
        return healed if isinstance(healed, IndexHealed) else None

    def _judged(self, old: IndexPage, healed: IndexHealed) -> ProposedField:
        share = healed.found / healed.known if healed.known else 0.0
        edited = _is_by_person(old, self._versions)
        before, after = (", ".join(one.items) or "none" for one in (old, healed.entry))
        return ProposedField(
            field=f"{_SOURCE}{old.url}",
            confidence=round(share, 3),
            before=0.0,
            tagger=0.0,
            judged=healed.known,
            changed=True,
            sure=not edited and healed.known >= _LEAST_LISTED and share >= max(_MOSTLY_LISTED, self._tools.sure - 0.1),
            edited=edited,
            shown=(ShownValue(old.url, before, after, remembered=False),),
        )


async def propose_now(tools: Tools, site: StoredSite) -> StoredProposal | Failure:
    """Repair a site's map whatever its incidents say, and have the outcome wait for a person.

    Where nothing needs to be repaired, no field of the proposal changes, and it is not stored.
    """
    versions = await tools.keeper.ask(lambda store: store.map_versions(site.name))
    if not versions:
        return Failure(site.url, "heal", NoArticles.code, f"{site.name} has no map yet")
    opened = await tools.keeper.ask(lambda store: store.incidents(site.name))
    symptoms = Symptoms(
        reason="; ".join(dict.fromkeys(incident.diagnosis for incident in opened if incident.diagnosis)),
        since=min((incident.since for incident in opened), default=None),
        pages=tuple(dict.fromkeys(seen.url for incident in opened for seen in incident.affected)),
    )
    repair = await Healer(tools, site, versions).repair(symptoms)
    if isinstance(repair, Failure):
        return repair
    proposal = repair.proposal(symptoms, tools.clock.now())
    return await tools.keeper.ask(lambda store: store.put_proposal(proposal)) if repair.changed else proposal


def is_source(name: str) -> bool:
    """Tell whether a change is of a source's selectors, not of a field's rules."""
    return name.startswith(_SOURCE)


def _field(outlook: Outlook, *, sure: bool) -> ProposedField:
    return ProposedField(
        field=outlook.field,
        confidence=outlook.confidence,
        before=outlook.before,
        tagger=outlook.tagger,
        judged=outlook.judged,
        changed=outlook.changed,
        sure=sure,
        edited=outlook.edited,
        lost=outlook.lost,
        shown=tuple(
            ShownValue(one.url, _as_text(one.before), _as_text(one.after), one.remembered) for one in outlook.shown
        ),
    )


def _as_text(value: object | None) -> str:
    return glance_of(value, _VALUE) if value is not None else ""


def _with_entries(extraction_map: ExtractionMap, healed: Sequence[IndexPage]) -> ExtractionMap:
    """Return a map with the entries of some sources replaced."""
    by_url = {entry.url: entry for entry in healed}
    return replace(extraction_map, index=tuple(by_url.get(entry.url, entry) for entry in extraction_map.index))


def _is_by_person(entry: IndexPage, versions: Sequence[StoredMap]) -> bool:
    """Tell whether the selectors of a source came with a version that a person made."""
    author = versions[-1].made_by
    for version in reversed(versions):
        own = next((one for one in _entries(version) if one.url == entry.url), None)
        if own is None or (own.items, own.next) != (entry.items, entry.next):
            break
        author = version.made_by
    return author == "person"


def _entries(version: StoredMap) -> tuple[IndexPage, ...]:
    """Return the sources of a version of a map; none where it cannot be read any more."""
    try:
        return version.parsed().index
    except MapError:
        return ()


def _own_values(stored: StoredRecord) -> dict[str, object]:
    """Return the values that the map read: what the tagger took for them is no memory."""
    fields = stored.record.fields
    return {name: value.value for name, value in fields.items() if not value.rule.startswith(_TAGGER)}


def _remembered(site: str, symptoms: Symptoms, store: Store) -> list[Memory]:
    """Return what is known of articles from before it began that are worth fetching again.

    Those of affected folders come first, and of templates one after the other. They are spread over time: the latest
    may have been read wrongly already, and dates of one day tell nothing.
    """
    before = symptoms.since
    newest = store.records(RecordQuery(site=site, newest_first=True, shown_before=before, limit=_RECORDS))
    known = [
        Memory(stored.record.urls[0], stored.record.template, _own_values(stored))
        for stored in newest
        if before is None or (stored.record.extracted_at or stored.stored_at) < before
    ]
    by_template: dict[str, list[Memory]] = defaultdict(list)
    for memory in _without_repeated(known):
        if len(memory.values) >= _LEAST_FIELDS:
            by_template[memory.template].append(memory)
    several = zip_longest(*map(_spread, by_template.values()))
    order = [one for part in several for one in part if one is not None]
    return sorted(order, key=lambda memory: section_of(memory.url) not in symptoms.sections)


def _without_repeated(known: Sequence[Memory]) -> list[Memory]:
    """Drop texts that several articles have: they are the site's, not the articles'."""
    times = Counter((name, value) for one in known for name, value in one.values.items() if _is_text(value))
    return [
        one._replace(values={n: v for n, v in one.values.items() if not (_is_text(v) and times[n, v] > 1)})
        for one in known
    ]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and moment_of(value) is None


def _spread(memories: Sequence[Memory]) -> list[Memory]:
    """Return them in an order in which the first ones are spread over all of them, the latest not among them.

    >>> [memory.url for memory in _spread([Memory(str(n), "", {}) for n in range(25)])][:12]
    ['1', '3', '5', '7', '9', '11', '13', '15', '17', '19', '21', '23']
    """
    step = max(len(memories) // _KNOWN, 1)
    return [memory for start in reversed(range(step)) for memory in memories[start::step]]


def _listed(site: str, store: Store) -> frozenset[str]:
    """Return signatures of articles: those of the newest records, and those that sources listed last."""
    records = store.records(RecordQuery(site=site, newest_first=True, limit=_RECORDS))
    own = {signature(url) for stored in records for url in stored.record.urls}
    return frozenset(own.union(*(source.state.get("listed", ()) for source in store.index_pages(site))))
