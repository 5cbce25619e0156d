"""The old map of a site and one learned from its pages in, the old map's next version out: rules merged by field."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from sitewright.heal.changed_site import ChangedSite, FoundPage
from sitewright.induce import Sample
from sitewright.maps.rules import what_it_does
from sitewright.reading.refine import Refinement, next_version, with_template
from sitewright.reading.samples import read_samples
from sitewright.types import ExtractionMap, Record, Rule, Template

_AS_GOOD = -0.002
"""New rules are tried where they are at least as right on the pages they were learned from."""


def merged_map(site: ChangedSite, pages: Sequence[FoundPage], new: ExtractionMap) -> ExtractionMap:
    """Return the old map's next version: its templates go on with the rules that read their pages now.

    `new` was learned from `pages`.
    """
    old = site.old
    after = [record.template for record in read_pages(new, pages)]
    used: set[str] = set()
    templates: list[Template] = []
    for template in old.templates:
        own = [pair for pair in zip(pages, after, strict=True) if pair[0].by_old_rules.template == template.name]
        successor = _successor(new, [name for _, name in own])
        if successor is not None:
            used.add(successor.name)
            samples = [page.sample for page, name in own if name == successor.name]
            templates.append(_merged(old, new, samples, template, successor))
        else:
            templates.append(template)
    for template in reversed(new.templates):
        if template.name not in used and template.name in after:
            templates = with_template(templates, template, site.domain.main_text)
    return next_version(
        old, new, [kept for template in templates if (kept := _without_fields(template, site.lost)).rules]
    )


def read_pages(extraction_map: ExtractionMap, pages: Sequence[FoundPage]) -> list[Record]:
    """Read pages with a map."""
    return read_samples(extraction_map, (page.sample for page in pages))


def _successor(new: ExtractionMap, names: Sequence[str]) -> Template | None:
    """Return the new template of most of the pages."""
    counts = Counter(name for name in names if name)
    best = max(counts, key=lambda name: counts[name], default="")
    return next((template for template in new.templates if template.name == best), None)


def _merged(
    old: ExtractionMap, new: ExtractionMap, samples: Sequence[Sample], template: Template, successor: Template
) -> Template:
    """Return a template with the rules that it goes on with; what a person wrote and what stays is still theirs."""
    rules = Refinement(old, new, samples, keep_edited=False, better=_AS_GOOD).rules(template, successor)
    written = [what_it_does(rule) for rule in template.rules if rule.edited]
    return replace(
        template,
        rules=tuple(replace(rule, edited=what_it_does(rule) in written) for rule in rules),
    )


def _without_fields(template: Template, lost: frozenset[str]) -> Template:
    return replace(template, rules=tuple(rule for rule in template.rules if rule.field not in lost))


def is_read_otherwise(field: str, old: ExtractionMap, new: ExtractionMap) -> bool:
    """Tell whether two maps read a field in different ways."""
    return _rules_of(old, field) != _rules_of(new, field)


def _rules_of(extraction_map: ExtractionMap, field: str) -> list[tuple[str, Rule]]:
    return [
        (template.name, what_it_does(rule))
        for template in extraction_map.templates
        for rule in template.rules
        if rule.field == field
    ]


def with_old_rules(old: ExtractionMap, merged: ExtractionMap, better: Collection[str]) -> ExtractionMap:
    """Return a merged map with the new rules of only those fields for which they are better.

    Templates that are new have their own rules: the old ones were judged on others.
    """
    mixed = mixed_map(old, merged, better)
    known = {template.name for template in old.templates}
    new = {template.name: template for template in merged.templates if template.name not in known}
    return replace(mixed, templates=tuple(new.get(template.name, template) for template in mixed.templates))


def mixed_map(old: ExtractionMap, new: ExtractionMap, fields: Collection[str]) -> ExtractionMap:
    """Return a map with the new rules of some fields and the old rules of all others.

    Pages of a template that is new were read by the last of the old ones, which fits them all.
    """
    before = {template.name: template for template in old.templates}
    last = old.templates[-1] if old.templates else None
    templates = (_mixed(before.get(template.name, last), template, fields) for template in new.templates)
    return replace(new, templates=tuple(template for template in templates if template.rules))


def _mixed(old: Template | None, new: Template, fields: Collection[str]) -> Template:
    """Return a template with the new rules of some fields and the old rules of all others, in their order."""
    before = old.rules if old is not None else ()
    order = dict.fromkeys(rule.field for rule in (*before, *new.rules))
    chosen = [rule for f in order for rule in (new.rules if f in fields else before) if rule.field == f]
    return replace(new, rules=tuple(chosen))
