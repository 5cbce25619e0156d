"""A map and what was learned anew in, one map out: what a person wrote and what still holds stays, the rest is new."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sitewright.domains import load_domain
from sitewright.errors import MixedSites
from sitewright.induce import Learned, Sample
from sitewright.parse import owner_of
from sitewright.reading.samples import read_samples
from sitewright.types import ExtractionMap, Rule, Support, Template

_BETTER = 0.03
"""A new rule replaces one that still works only if it is right on so many more of the pages."""
_SPEAKS = 0.5
"""A template whose rules give fewer of their fields on a page is of another kind of page."""
_STILL_RIGHT = 0.5
"""An old rule that is right this often where it speaks stays as an alternative."""


def refine(old: ExtractionMap, learned: Learned, *, keep_edited: bool = True) -> ExtractionMap:
    """Return the old map's next version, refined by what was learned from other pages of the site."""
    new = learned.extraction_map
    if owner_of(new.site) != owner_of(old.site):
        raise MixedSites(f"the map is of {old.site}, the pages are of {new.site}")
    templates = list(old.templates)
    kinds = [record.template for record in read_samples(new, learned.samples)]
    for template in new.templates:
        samples = [sample for sample, kind in zip(learned.samples, kinds, strict=True) if kind == template.name]
        number = _same_kind(old, samples)
        if number is None:
            templates = with_template(templates, template, load_domain(old.domain).main_text)
        else:
            known = next(n for n, own in enumerate(templates) if own.name == old.templates[number].name)
            rules = Refinement(old, new, samples, keep_edited=keep_edited).rules(templates[known], template)
            own = templates[known]
            templates[known] = replace(
                own, rules=tuple(rules), tagger=_asked(own, template), parts=own.parts or template.parts
            )
    return replace(next_version(old, new, templates), date_formats=old.date_formats or new.date_formats)


def _asked(old: Template, new: Template) -> tuple[str, ...]:
    """Return the fields that the tagger goes on to read: those that no rule was learned for, and the new ones.

    What a person wrote a rule for is asked for only if that person says so.
    """
    ruled, edited = {rule.field for rule in new.rules}, {rule.field for rule in old.rules if rule.edited}
    before = (field for field in old.tagger if field not in ruled or field in edited)
    return tuple(dict.fromkeys((*before, *(field for field in new.tagger if field not in edited))))


def next_version(old: ExtractionMap, new: ExtractionMap, templates: Sequence[Template]) -> ExtractionMap:
    """Return the next version of a map: what it says of its site stays, dates are written as they are by now."""
    return replace(
        old,
        version=old.version + 1,
        learned_at=new.learned_at,
        language=old.language or new.language,
        timezone=old.timezone or new.timezone,
        date_formats=new.date_formats or old.date_formats,
        templates=tuple(templates),
    )


def _same_kind(old: ExtractionMap, samples: Sequence[Sample]) -> int | None:
    """Return the number of the template that reads most of these pages: it fits them, and its rules speak there."""
    records = read_samples(old, samples)
    for number, template in enumerate(old.templates):
        fields = {rule.field for rule in template.rules} - {rule.field for rule in template.rules if rule.edited}
        read = [record for record in records if record.template == template.name]
        if sum(len(record.fields) >= _SPEAKS * len(fields) for record in read) * 2 > len(samples):
            return number
    return None


def with_template(templates: Sequence[Template], new: Template, main_text: str) -> list[Template]:
    """Add a template: one that fits every page behind the others, or with a probe where there is such a one already."""
    named = replace(new, name=_free_name(new.name, templates))
    if new.url or new.probe:
        return [named, *templates]
    if not any(_fits_all(template) for template in templates):
        return [*templates, named]
    order = sorted(new.rules, key=lambda rule: rule.field != main_text)
    probe = next((rule.select[0] for rule in order if rule.select and not rule.select[0].startswith("meta")), "")
    return [replace(named, probe=probe), *templates] if probe else list(templates)


def _fits_all(template: Template) -> bool:
    return not template.url and not template.probe


def _free_name(name: str, templates: Sequence[Template]) -> str:
    taken = {template.name for template in templates}
    names = [name, *(f"{name}-{number}" for number in range(2, len(taken) + 3))]
    return next(free for free in names if free not in taken)


class Refinement:
    """One template, old and new, judged on the new pages."""

    def __init__(
        self,
        old: ExtractionMap,
        new: ExtractionMap,
        samples: Sequence[Sample],
        *,
        keep_edited: bool,
        better: float = _BETTER,
    ) -> None:
        """Take both maps, the pages of the template, and how much more right a new rule has to be."""
        self._old, self._new, self._samples, self._keep_edited, self._better = old, new, samples, keep_edited, better

    def rules(self, old: Template, new: Template) -> Iterator[Rule]:
        """Yield the rules that the template goes on with."""
        fields = dict.fromkeys(rule.field for rule in (*old.rules, *new.rules))
        for field in fields:
            before, after = ([rule for rule in t.rules if rule.field == field] for t in (old, new))
            if (self._keep_edited and any(rule.edited for rule in before)) or not after:
                yield from before
            elif not before or self._right(self._new, after) > self._right(self._old, before) + self._better:
                yield from after
                kept = [rule for rule in before if rule not in after and self._is_right(rule)]
                yield from (replace(self._supported(rule), edited=False) for rule in kept)
            else:
                yield from (replace(self._supported(rule), edited=False) for rule in before)

    def _values(self, site: ExtractionMap, rules: Sequence[Rule]) -> list[float | None]:
        """Return how right the rules are on each page; None where they give nothing."""
        alone = replace(site, templates=(Template(name="a", rules=tuple(rules)),))
        right = []
        for sample, record in zip(self._samples, read_samples(alone, self._samples), strict=True):
            found = record.fields.get(rules[0].field)
            right.append(None if found is None else sample.rightness(rules[0].field, found.value))
        return right

    def _right(self, site: ExtractionMap, rules: Sequence[Rule]) -> float:
        right = self._values(site, rules)
        return sum(value or 0.0 for value in right) / max(len(right), 1)

    def _is_right(self, rule: Rule) -> bool:
        """Tell whether an old rule may stay: it is right where it speaks, or silent on these pages."""
        spoken = [value for value in self._values(self._old, [rule]) if value is not None]
        return sum(spoken) >= _STILL_RIGHT * len(spoken)

    def _supported(self, rule: Rule) -> Rule:
        """Add what the new pages say to a rule's support."""
        right = [value for value in self._values(self._old, [rule]) if value is not None]
        before = rule.support or Support(0, 0)
        found, sampled = before.found + len(right), before.sampled + len(self._samples)
        weight = (before.agreement or 0.0) * before.found + sum(right)
        return replace(
            rule, support=Support(found, sampled, round(weight / found, 3) if found else None, before.length)
        )
