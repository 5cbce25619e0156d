"""The versions of a site's map in, which of them read its former designs out, and what may be said of old records.

A person's change is a wish for all pages. A repair is not: it was made for pages since the site changed, and those from
before go on being read by the version that was made for them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from sitewright.errors import SitewrightError
from sitewright.maps import parse_map
from sitewright.maps.changes import real_changes
from sitewright.maps.rules import what_it_does
from sitewright.reading.designs import Design
from sitewright.reading.mapped import Doubt
from sitewright.store.database import Store
from sitewright.store.entries import Incident, StoredMap
from sitewright.types import ExtractionMap, Rule
from sitewright.watch.rereading import ALL, Rereading

_MOST_FORMER = 4
"""Former designs that pages are compared with, the latest ones."""
_MOST_PARSED = 128


@dataclass(frozen=True, slots=True)
class MapHistory:
    """All versions of a site's map, the first one first, and which of them are repairs."""

    versions: Sequence[StoredMap] = ()
    repairs: frozenset[int] = frozenset()
    incidents: Sequence[Incident] = ()

    def former(self, newest: ExtractionMap) -> tuple[Design, ...]:
        """Return the designs before the one that a version reads, with the last maps before each repair."""
        known = [_rules(newest)]
        found: list[Design] = []
        for stored in reversed(self.versions):
            if stored.version + 1 in self.repairs and stored.version < newest.version:
                earlier = _parsed(stored)
                if earlier is not None and _rules(earlier) not in known:
                    known.append(_rules(earlier))
                    found.append(Design(earlier, self._left_broken(stored)))
        return tuple(found[:_MOST_FORMER])

    def _left_broken(self, stored: StoredMap) -> frozenset[Doubt]:
        """Return what was broken when a version was made, and went on to be: its repair was not sure then."""
        return frozenset(
            Doubt(incident.template, incident.field)
            for incident in self.incidents
            if incident.field and incident.opened_at <= stored.made_at
            if incident.closed_at is None or incident.closed_at > stored.made_at
        )

    def repaired(self, before: int | None, after: int | None) -> frozenset[str]:
        """Return the fields that are read otherwise between two versions by repairs, and by no person."""
        if before is None or after is None or before >= after:
            return frozenset()
        own = [stored for stored in self.versions if before <= stored.version <= after]
        maps = [_parsed(stored) for stored in own]
        by_repair: set[str] = set()
        by_person: set[str] = set()
        for stored, one, other in zip(own[1:], maps, maps[1:], strict=False):
            if one is None or other is None:
                return frozenset()  # nobody can tell
            (by_repair if stored.version in self.repairs else by_person).update(_changed(one, other))
        return frozenset(by_repair - by_person)


def load_history(store: Store, site: str) -> MapHistory:
    """Return the versions of a site's map, with the repairs among them: those that were adopted, by whom ever."""
    versions = store.map_versions(site)
    accepted = {one.based_on + 1 for one in store.proposals(site, waiting_only=False) if one.state == "accepted"}
    healed = {stored.version for stored in versions if stored.made_by == "healed"}
    return MapHistory(versions, frozenset(healed | accepted), store.incidents(site, open_only=False))


def wrong_by_now(store: Store, site: str) -> Rereading:
    """Return since when rules were wrong that have been repaired."""
    incidents = (one for one in store.incidents(site, open_only=False) if one.state == "healed")
    moments = [(one.field or ALL, one.since) for one in incidents if one.field or one.kind == "handed over"]
    for proposal in store.proposals(site, waiting_only=False):
        if proposal.state == "accepted":
            moments += [(one.field, proposal.since or proposal.made_at) for one in proposal.fields if one.changed]
    return Rereading({name: min(at for own, at in moments if own == name) for name, _ in moments})


def _changed(one: ExtractionMap, other: ExtractionMap) -> set[str]:
    return {change.rule.field for change in real_changes(one, other) if change.rule is not None}


def _rules(extraction_map: ExtractionMap) -> list[tuple[str, str, str, tuple[str, ...], list[Rule]]]:
    """Return what tells whether two maps read pages alike."""
    return [
        (own.name, own.url, own.probe, own.tagger, list(map(what_it_does, own.rules)))
        for own in extraction_map.templates
    ]


def _parsed(stored: StoredMap) -> ExtractionMap | None:
    """Return the map of a version; None where it cannot be read any more."""
    try:
        return _parsed_text(stored.text, stored.version)
    except SitewrightError:
        return None


@lru_cache(maxsize=_MOST_PARSED)
def _parsed_text(text: str, version: int) -> ExtractionMap:
    """Return a map; reading its file takes longer than reading a page."""
    return replace(parse_map(text), version=version)
