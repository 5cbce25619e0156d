"""Two maps in, what is read in another way out."""

from dataclasses import replace

from sitewright.maps.diff import Change, compare_maps
from sitewright.maps.rules import what_it_does
from sitewright.types import ExtractionMap


def real_changes(before: ExtractionMap, after: ExtractionMap) -> list[Change]:
    """Return what another map does in another way: not that only its number, date or the support of rules differ.

    >>> from sitewright.types import Rule, Support, Template
    >>> def a_map(version, *rules):
    ...     return ExtractionMap(site="a.com", version=version, templates=(Template(name="a", rules=rules),))
    >>> old = a_map(1, Rule(field="t", select=("h1",)), Rule(field="u", select=("h2",)))
    >>> new = a_map(2, Rule(field="t", select=("h1",), support=Support(3, 3)), Rule(field="u", select=("h3",)))
    >>> [change.path for change in real_changes(old, new)]
    ['a/u#0']
    """
    real = {change.path for change in compare_maps(bare(before), bare(after))}
    return [change for change in compare_maps(before, after) if change.path in real]


def bare(extraction_map: ExtractionMap) -> ExtractionMap:
    """Return what a map does and who wrote its rules, without number, date and how well they are founded."""
    templates = (
        replace(template, rules=tuple(replace(what_it_does(rule), edited=rule.edited) for rule in template.rules))
        for template in extraction_map.templates
    )
    return replace(extraction_map, version=1, learned_at=None, templates=tuple(templates))
