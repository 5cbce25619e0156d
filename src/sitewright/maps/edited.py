"""A map from a person and the one before it in, the same map out, in which the rules the person wrote are marked."""

from dataclasses import replace

from sitewright.maps.rules import named_rules, what_it_does
from sitewright.types import ExtractionMap, Rule, Template


def mark_edited(extraction_map: ExtractionMap, before: ExtractionMap | None = None) -> ExtractionMap:
    """Mark rules that differ from those before, so that learning again leaves them alone; marks that were there stay.

    In a template that was not there before, rules are a person's that state no support: what was learned states some.

    >>> def a_map(*rules):
    ...     return ExtractionMap(site="a.com", templates=(Template(name="a", rules=rules),))
    >>> learned = a_map(Rule(field="title", select=("h1",)), Rule(field="text", select=("p",)))
    >>> given = a_map(Rule(field="title", select=("h2",)), Rule(field="text", select=("p",)))
    >>> [rule.edited for rule in mark_edited(given, learned).rules]
    [True, False]
    """
    known = {template.name: template for template in before.templates} if before is not None else {}
    marked = (_marked(template, known.get(template.name)) for template in extraction_map.templates)
    return replace(extraction_map, templates=tuple(marked))


def _marked(template: Template, before: Template | None) -> Template:
    if before is None:
        rules = (replace(rule, edited=rule.edited or rule.support is None) for rule in template.rules)
        return replace(template, rules=tuple(rules))
    known = dict(named_rules(before))
    return replace(template, rules=tuple(_marked_rule(rule, known.get(name)) for name, rule in named_rules(template)))


def _marked_rule(rule: Rule, before: Rule | None) -> Rule:
    same = before is not None and what_it_does(before) == what_it_does(rule)
    return replace(rule, edited=rule.edited or not same or (before is not None and before.edited))
