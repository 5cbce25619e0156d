"""A map before and after a repair in; what of it is sure, which incidents it ends and what a person decides, out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sitewright.domains import load_domain
from sitewright.heal.fields import mixed_map
from sitewright.heal.symptoms import Symptoms
from sitewright.maps import dump_map
from sitewright.store.entries import Incident, ProposedField, StoredMap, StoredProposal
from sitewright.types import ExtractionMap, IndexPage, Rule

_SOURCE = "index "
_STILL_RIGHT = 0.5
"""Rules that are less often right than this on pages of now are not believed, also where no others are better."""


def source_name(url: str) -> str:
    """Return what the selectors of a source are called among the fields of a repair."""
    return f"{_SOURCE}{url}"


def is_source(name: str) -> bool:
    """Tell whether a change is of a source's selectors, not of a field's rules."""
    return name.startswith(_SOURCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairedMap:
    """A map's next version, and what becomes of each field, and source, by it."""

    old: ExtractionMap
    whole: ExtractionMap
    fields: tuple[ProposedField, ...] = ()
    disputed: frozenset[str] = frozenset()
    """Fields that do not change by themselves: on new pages they would not be what the tagger reads."""
    warnings: tuple[str, ...] = ()

    @property
    def changed(self) -> frozenset[str]:
        """The fields, and sources, that change."""
        return frozenset(one.field for one in self.fields if one.changed)

    @property
    def sure_fields(self) -> frozenset[str]:
        """Those of them that may change by themselves."""
        return frozenset(one.field for one in self.fields if one.changed and one.sure)

    @property
    def in_doubt(self) -> frozenset[str]:
        """The fields that are not read as they should be, and do not change by themselves."""
        required = load_domain(self.old.domain).required
        left = (one for one in self.fields if not is_source(one.field) and one.field not in self.sure_fields)
        return frozenset(
            one.field
            for one in left
            if one.changed or (one.before < _STILL_RIGHT and (one.field in required or not one.lost))
        )

    @property
    def lost(self) -> tuple[str, ...]:
        """The fields that are no longer on the pages."""
        return tuple(one.field for one in self.fields if one.lost)

    @property
    def sure(self) -> ExtractionMap:
        """The map with the changes that are sure, all else as it was; the old map where none is.

        What is lost is not expected of pages any more: who has nothing of it may be an article all the same.
        """
        sure = self.sure_fields
        rules = {name for name in sure if not is_source(name)}
        gone = frozenset(self.lost) - frozenset(load_domain(self.old.domain).required)
        kept = _not_expecting(mixed_map(self.old, self.whole, rules), gone) if rules else self.old
        return _with_entries(
            replace(kept, index=self.old.index), [entry for entry in self.whole.index if source_name(entry.url) in sure]
        )

    def with_sources(self, sources: Sequence[tuple[ProposedField, IndexPage]]) -> "RepairedMap":
        """Return it with repaired sources, too: what becomes of each, and its entry."""
        whole = _with_entries(self.whole, [entry for _, entry in sources])
        return replace(self, whole=whole, fields=(*self.fields, *(one for one, _ in sources)))

    def heals(self, incident: Incident) -> bool:
        """Tell whether an incident is over with the changes that are sure."""
        sure, unsure = self.sure_fields, self.changed - self.sure_fields
        if incident.kind == "unlisted":
            return any(map(is_source, sure)) and not any(map(is_source, unsure))
        if incident.kind == "handed over":  # what is left of it is told field by field
            return not all(map(is_source, sure))
        return incident.field in sure


def _not_expecting(extraction_map: ExtractionMap, fields: Collection[str]) -> ExtractionMap:
    """Return a map whose rules of some fields are said to find nothing on the pages of now."""
    templates = (
        replace(template, rules=tuple(_unfounded(rule) if rule.field in fields else rule for rule in template.rules))
        for template in extraction_map.templates
    )
    return replace(extraction_map, templates=tuple(templates))


def _unfounded(rule: Rule) -> Rule:
    return replace(rule, support=replace(rule.support, found=0)) if rule.support is not None else rule


def _with_entries(extraction_map: ExtractionMap, healed: Sequence[IndexPage]) -> ExtractionMap:
    """Return a map with the entries of some sources replaced."""
    by_url = {entry.url: entry for entry in healed}
    return replace(extraction_map, index=tuple(by_url.get(entry.url, entry) for entry in extraction_map.index))


def map_text(extraction_map: ExtractionMap, version: int, like: StoredMap) -> str:
    """Return a repaired map as the text of its file, with the comments of the one that it repairs."""
    return dump_map(replace(extraction_map, version=version), like=like.text)


def proposal_of(
    repaired: RepairedMap, stored: StoredMap, symptoms: Symptoms, now: datetime, based_on: int | None = None
) -> StoredProposal:
    """Return the whole of a repair, for a person to decide about.

    `stored` is the version that was repaired, `based_on` the newest one by now, where that is another.
    """
    version = based_on or stored.version
    return StoredProposal(
        site=stored.site,
        based_on=version,
        text=map_text(repaired.whole, version + 1, stored),
        made_at=now,
        fields=repaired.fields,
        reason=symptoms.reason,
        since=symptoms.since,
        warnings=repaired.warnings,
    )
