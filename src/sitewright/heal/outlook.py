"""A changed site and its map before and after in, what becomes of each field out: how sure it is, and its values."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sitewright.domains import load_domain
from sitewright.heal.changed_site import ChangedSite
from sitewright.heal.fields import is_read_otherwise, read_pages
from sitewright.heal.judging import (
    PageRead,
    confidence,
    read_by_old_rules,
    read_by_tagger,
    value_of,
)
from sitewright.heal.sure import is_sure
from sitewright.induce.beliefs import entry_key
from sitewright.notice.shapes import glance_of
from sitewright.store.entries import ProposedField, ShownValue
from sitewright.types import ExtractionMap, Record

_SHOWN_PAGES = 5
_LONGEST = 500
"""Characters of a value that a person is shown."""


def proposed_fields(
    site: ChangedSite, healed: ExtractionMap, left_out: Sequence[PageRead], least: float, disputed: frozenset[str]
) -> Iterator[ProposedField]:
    """Yield what becomes of each field; those change by themselves that are at least so sure, and not disputed."""
    after = read_pages(healed, site.pages)
    as_before, as_tagged = read_by_old_rules(site), read_by_tagger(site)
    for field in _ordered(site, healed):
        is_changed = is_read_otherwise(field, site.old, healed)
        found = [page for page in site.pages if field in page.search.found]
        judged = ProposedField(
            field=field,
            confidence=0.0 if field in site.lost else confidence(field, left_out),
            before=confidence(field, as_before),
            tagger=confidence(field, as_tagged),
            judged=len(found),
            distinct=len({_key(page.values[field]) for page in found}),
            changed=is_changed,
            sure=False,
            edited=is_changed and any(rule.edited for rule in site.old.rules if rule.field == field),
            lost=field in site.lost,
            shown=tuple(_shown(field, site, after)),
        )
        yield replace(judged, sure=is_sure(judged, least, disputed))


def _ordered(site: ChangedSite, healed: ExtractionMap) -> list[str]:
    """Return the fields in the order of the domain, then the map's own by name."""
    order = list(load_domain(site.old.domain).fields)
    fields = {*site.old.fields, *healed.fields, *site.lost}
    return sorted(fields, key=lambda name: (order.index(name) if name in order else len(order), name))


def _key(value: object) -> str:
    """Return what remembered values are compared by."""
    return "|".join(map(entry_key, value)) if isinstance(value, list) else entry_key(value)


def _shown(field: str, site: ChangedSite, after: Sequence[Record]) -> Iterator[ShownValue]:
    """Yield the field on some pages, those first whose values are remembered."""
    order = sorted(range(len(site.pages)), key=lambda n: field not in site.pages[n].values)
    for number in order[:_SHOWN_PAGES]:
        page = site.pages[number]
        before = page.values.get(field, value_of(page.by_old_rules, field))
        now = value_of(after[number], field)
        yield ShownValue(page.document.url, _as_text(before), _as_text(now), field in page.values)


def _as_text(value: object | None) -> str:
    return glance_of(value, _LONGEST) if value is not None else ""
