"""What a healed map is proposed with: how sure each of its fields is, values before and after, and what is accepted."""

from dataclasses import dataclass, replace

from sitewright.maps.diff import Change
from sitewright.types import ExtractionMap, Template

SURE = 0.9
"""A field changes by itself from this confidence on."""
LEAST_PAGES = 3
"""So many pages with remembered values must speak for a rule that is accepted by itself."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A value before and after, on one page."""

    url: str
    before: object | None
    after: object | None
    remembered: bool
    """Whether `before` is what the record held; else it is what the old rules give now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What becomes of one field."""

    field: str
    confidence: float
    """How right the new rules are on pages that they were not learned from, 0..1."""
    before: float
    """How right the old rules are on the new pages."""
    tagger: float
    """How right the tagger is there."""
    judged: int
    """On how many pages with remembered values that was seen; none: by the tagger's view alone."""
    distinct: int
    """How many different values were remembered: one that all pages share may as well be the template's."""
    changed: bool
    edited: bool = False
    """Whether rules that a person wrote are changed."""
    lost: bool = False
    """Whether its remembered values are no longer on the pages: it has no rules now."""
    shown: tuple[Shown, ...] = ()

    @property
    def runner_up(self) -> float:
        """How right the best other way is to read the field."""
        return max(self.before, self.tagger)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A map's next version, what changes by it, and how sure each field is."""

    old: ExtractionMap
    extraction_map: ExtractionMap
    changes: tuple[Change, ...]
    outlooks: tuple[Outlook, ...]
    sure: float = SURE
    disputed: frozenset[str] = frozenset()
    """Fields that do not change by themselves: on new pages they would not be what the tagger reads."""
    warnings: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """The fields that are no longer on the pages."""
        return tuple(outlook.field for outlook in self.outlooks if outlook.lost)

    def is_sure(self, outlook: Outlook) -> bool:
        """Tell whether a field may change by itself."""
        if outlook.edited or outlook.lost or outlook.field in self.disputed:
            return False
        if outlook.distinct < 2 and outlook.tagger < self.sure:
            return False
        return outlook.judged >= LEAST_PAGES and outlook.confidence >= max(self.sure, outlook.before)

    @property
    def acceptable(self) -> bool:
        """Whether all that changes is sure."""
        changed = [outlook for outlook in self.outlooks if outlook.changed]
        return bool(changed) and all(map(self.is_sure, changed))

    @property
    def sure_map(self) -> ExtractionMap | None:
        """The map with the changes that are sure, all other rules as they were; None where none is sure."""
        fields = {outlook.field for outlook in self.outlooks if outlook.changed and self.is_sure(outlook)}
        if not fields:
            return None
        return mixed_map(self.old, self.extraction_map, fields)


def mixed_map(old: ExtractionMap, new: ExtractionMap, fields: set[str]) -> ExtractionMap:
    """Return a map with the new rules of some fields and the old rules of all others.

    Pages of a template that is new were read by the last of the old ones, which fits them all.
    """
    before = {template.name: template for template in old.templates}
    last = old.templates[-1] if old.templates else None
    templates = (_mixed(before.get(template.name, last), template, fields) for template in new.templates)
    return replace(new, templates=tuple(template for template in templates if template.rules))


def _mixed(old: Template | None, new: Template, fields: set[str]) -> Template:
    """Return a template with the new rules of some fields and the old rules of all others, in their order."""
    before = old.rules if old is not None else ()
    order = dict.fromkeys(rule.field for rule in (*before, *new.rules))
    chosen = [rule for f in order for rule in (new.rules if f in fields else before) if rule.field == f]
    return replace(new, rules=tuple(chosen))
