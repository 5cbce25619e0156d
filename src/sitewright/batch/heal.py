"""A map and pages of its site after a redesign in, a proposal out: the map's next version, and how sure it is.

Pages of known articles come with the values that their records held: rules are learned from where these stand now,
and judged by whether they give them on pages that they were not learned from. Other pages are known to the tagger only.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from sitewright.batch.proposal import LEAST_PAGES, SURE, Outlook, Proposal, Shown, mixed_map
from sitewright.batch.refine import Refinement, with_template
from sitewright.batch.rightness import f1, rightness
from sitewright.domains import Domain, FieldSpec, load_domain
from sitewright.errors import MixedSites, NoArticles, SitewrightError
from sitewright.extract import Extractor
from sitewright.induce import Learned, Recalled, Sample, learn_samples, owner_of, recall, usable_pages
from sitewright.induce.beliefs import entry_key
from sitewright.maps.diff import compare_maps
from sitewright.parse import Document, host_of
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Record, Rule, TaggedPage, Template
from sitewright.values import page_context

MOST_PAGES, LEAST_KEPT, MOST_ELEMENTS = 14, 6, 16_000
"""So many pages are looked at, fewer (but so many) where they have more elements together: a heal takes seconds."""
PARTS = 3
"""Rules are judged on each third of the pages, learned from the other two."""
_GONE = 0.25
"""A field is lost where so few of its remembered values, or fewer, are on the pages."""
_BETTER = 0.01
"""New rules replace old ones that still speak only if they are right on so many more of the pages."""
_AS_GOOD = -0.002
"""New rules are tried where they are at least as right on the pages they were learned from."""
_SPOKE = 0.5
"""A first rule that gave a value on so many of its pages, and gives none on any page now, is dead."""
_SHOWN_PAGES = 5
_DOUBT = 0.5
"""Half a page of doubt beside the pages that were seen."""
_BELIEVED, _MOST_DISPUTED = 0.5, 1 / 3
"""On one of three new pages the tagger may be wrong; a text is what it reads if they have half of it in common."""
_TAGGER_ONLY = 0.9
"""What agreement with the tagger is worth where nothing is remembered."""


_KINDS = {"": "line", "line.v1": "line", "date.v1": "date", "list.v1": "list", "authors.v1": "names"}
"""What fields are that the domain does not know, by the parsers of their rules."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A page as it is now, and the values that its record held; none of a new page, which only the tagger knows."""

    document: Document
    values: Mapping[str, object] | None = None


class _Known(NamedTuple):
    """A page, what is believed of it, and what was remembered."""

    sample: Sample
    record: Record
    """What the tagger reads."""
    recalled: Recalled
    values: Mapping[str, object]

    @property
    def document(self) -> Document:
        return self.sample.document


def heal(
    old: ExtractionMap,
    pages: Sequence[Remembered],
    reader: PageReader | None = None,
    now: datetime | None = None,
    sure: float = SURE,
) -> Proposal:
    """Propose a map for what its site looks like now."""
    moment = now or datetime.now(UTC)
    tagger = reader or PageReader(old.domain)
    warnings: list[str] = []
    domain = domain_of(old)
    known = _usable(old, [_known(page, domain, tagger, moment) for page in _enough(pages)], warnings)
    lost = _lost(known)
    ignored = lost | _unheard_of(domain, known)
    known = [_without(page, ignored, domain, moment) for page in known] if ignored else known
    learned = learn_samples([page.sample for page in known], domain, moment, told=warnings)
    judged = _judged(old, domain, known, lost, moment)
    healed = _where_better(old, _healed(old, learned, lost), known, judged, lost)
    outlooks = tuple(_outlooks(old, healed, known, judged, lost))
    return Proposal(
        old=old,
        extraction_map=healed,
        changes=tuple(compare_maps(old, healed)),
        outlooks=outlooks,
        sure=sure,
        disputed=_disputed(healed, domain, known),
        warnings=learned.warnings,
    )


def _enough(pages: Sequence[Remembered]) -> list[Remembered]:
    """Return as many pages as can be learned from in time: those first whose records held most, then new ones."""
    order = sorted(range(len(pages)), key=lambda number: -len(pages[number].values or ()))
    chosen: list[int] = []
    elements = 0
    for number in order[:MOST_PAGES]:
        elements += len(pages[number].document.elements)
        if elements > MOST_ELEMENTS and len(chosen) >= LEAST_KEPT:
            break
        chosen.append(number)
    return [pages[number] for number in sorted(chosen)]


def domain_of(extraction_map: ExtractionMap) -> Domain:
    """Return the fields of a map: those of its domain, and its own, of which its rules say what they are.

    Own fields of other kinds than lines, dates and lists (prices, addresses, objects) are not healed.
    """
    domain = load_domain(extraction_map.domain)
    own = {}
    for rule in extraction_map.rules:
        if rule.field not in domain.fields and rule.field not in own:
            kind = "object" if rule.fields else _KINDS.get(rule.parse, "other")
            kind = "list" if kind == "line" and rule.many else kind
            own[rule.field] = FieldSpec(name=rule.field, kind=kind, parse=rule.parse or "line.v1", many=rule.many)
    return replace(domain, fields={**domain.fields, **own})


def _known(page: Remembered, domain: Domain, reader: PageReader, moment: datetime) -> _Known:
    reading = reader.read(page.document, moment)
    values = page.values or {}
    recalled = recall(page.document, reading.tagged, values, domain, moment) if values else Recalled(reading.tagged)
    return _Known(_sample(page.document, recalled.tagged, domain, moment), reading.record, recalled, values)


def _usable(old: ExtractionMap, known: Sequence[_Known], warnings: list[str]) -> list[_Known]:
    """Return the pages that can be learned from; known articles that show nothing of what they were are none."""
    speaking = [page for page in known if not page.recalled.sought or page.recalled.found]
    if known and not speaking:
        raise NoArticles(f"none of the {len(known)} pages shows any of the values that their records held")
    if len(speaking) < len(known):
        warnings.append(f"{len(known) - len(speaking)} of {len(known)} pages show nothing of what their records held")
    own = [page for page in speaking if owner_of(host_of(page.document.url)) == owner_of(old.site)]
    if not own:
        raise MixedSites(f"none of the pages is of {old.site}")
    kept = usable_pages([(page.document, page.recalled.tagged) for page in own], load_domain(old.domain), warnings)
    documents = {id(document) for document, _ in kept}
    return [page for page in own if id(page.document) in documents]


def _sample(document: Document, tagged: TaggedPage, domain: Domain, moment: datetime) -> Sample:
    return Sample(document, tagged, domain, page_context(document, moment))


def _lost(known: Sequence[_Known]) -> frozenset[str]:
    """Return the fields whose remembered values are on next to none of the pages: nothing else is to fill them."""
    sought = Counter(field for page in known for field in page.recalled.sought)
    found = Counter(field for page in known for field in page.recalled.found)
    return frozenset(field for field, pages in sought.items() if pages >= 2 and found[field] <= _GONE * pages)


def _unheard_of(domain: Domain, known: Sequence[_Known]) -> frozenset[str]:
    """Return the fields that no record had, of enough records: nothing is learned of them, whatever the tagger sees."""
    remembered = [page.values for page in known if page.values]
    if len(remembered) < LEAST_PAGES:
        return frozenset()
    return frozenset(domain.fields).difference(*remembered)


def _without(page: _Known, lost: frozenset[str], domain: Domain, moment: datetime) -> _Known:
    """Forget all opinions on lost fields."""
    tagged = page.recalled.tagged
    labels = tuple(label for label in tagged.labels if label.field not in lost)
    lines = tuple(replace(line, score=0.0) for line in tagged.lines) if domain.main_text in lost else tagged.lines
    sample = _sample(page.document, replace(tagged, labels=labels, lines=lines), domain, moment)
    return page._replace(sample=sample)


def _healed(old: ExtractionMap, learned: Learned, lost: frozenset[str]) -> ExtractionMap:
    """Return the old map's next version: its templates go on with the rules that read their pages now."""
    new = learned.extraction_map
    before, after = (
        [record.template for record in _records(extraction_map, learned.samples)] for extraction_map in (old, new)
    )
    pages: dict[str, list[tuple[Sample, str]]] = defaultdict(list)
    for sample, old_name, new_name in zip(learned.samples, before, after, strict=True):
        pages[old_name].append((sample, new_name))
    used: set[str] = set()
    templates: list[Template] = []
    for template in old.templates:
        own = pages.get(template.name, [])
        successor = _successor(new, [name for _, name in own])
        if successor is not None:
            used.add(successor.name)
            samples = [sample for sample, name in own if name == successor.name]
            templates.append(_merged(old, new, samples, template, successor))
        else:
            templates.append(template)
    for template in reversed(new.templates):
        if template.name not in used and any(name == template.name for name in after):
            templates = with_template(templates, template)
    return replace(
        old,
        version=old.version + 1,
        learned_at=new.learned_at,
        language=old.language or new.language,
        timezone=old.timezone or new.timezone,
        date_formats=new.date_formats or old.date_formats,
        templates=tuple(kept for template in templates if (kept := _of_fields(template, lost)).rules),
    )


def _records(extraction_map: ExtractionMap, samples: Sequence[Sample]) -> list[Record]:
    extractor = Extractor(extraction_map)
    return [extractor.extract(sample.document, sample.context.now) for sample in samples]


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
    written = [_bare(rule) for rule in template.rules if rule.edited]
    return replace(template, rules=tuple(replace(rule, edited=_bare(rule) in written) for rule in rules))


def _bare(rule: Rule) -> Rule:
    """Return what a rule does, without what is known about it."""
    return replace(rule, support=None, edited=False, fragile=False)


def _of_fields(template: Template, lost: frozenset[str]) -> Template:
    return replace(template, rules=tuple(rule for rule in template.rules if rule.field not in lost))


class _Judged(NamedTuple):
    """What maps that were learned from the other pages give on a page."""

    page: _Known
    record: Record | None


def _judged(
    old: ExtractionMap, domain: Domain, known: Sequence[_Known], lost: frozenset[str], moment: datetime
) -> list[_Judged]:
    """Read each page with a map that was learned without it."""
    parts = min(PARTS, len(known))
    judged: list[_Judged] = []
    for part in range(parts):
        kept = [page.sample for number, page in enumerate(known) if number % parts != part]
        out = [page for number, page in enumerate(known) if number % parts == part]
        try:
            healed = _healed(old, learn_samples(kept, domain, moment), lost)
        except SitewrightError:
            judged += [_Judged(page, None) for page in out]
            continue
        judged += [
            _Judged(page, record) for page, record in zip(out, _records(healed, [p.sample for p in out]), strict=True)
        ]
    return judged


def _where_better(
    old: ExtractionMap,
    healed: ExtractionMap,
    known: Sequence[_Known],
    judged: Sequence[_Judged],
    lost: frozenset[str],
) -> ExtractionMap:
    """Return the healed map with the old rules of the fields that these still read as well.

    Where only back-ups still speak, new rules need not be better: what the first rule read, and they do not, is lost on
    pages that were not seen.
    """
    held_out = [(entry.page, entry.record) for entry in judged]
    records = _records(old, [page.sample for page in known])
    as_before = list(zip(known, records, strict=True))
    better = set(lost)
    for field in {*healed.fields, *old.fields} - lost:
        least = _confidence(field, as_before) + (0.0 if _is_dead(old, field, records) else _BETTER)
        if (confidence := _confidence(field, held_out)) >= least and confidence > 0:
            better.add(field)
    return _with_new(old, healed, mixed_map(old, healed, better))


def _with_new(old: ExtractionMap, healed: ExtractionMap, mixed: ExtractionMap) -> ExtractionMap:
    """Return a mixed map in which templates that are new have their own rules: the old ones were judged on others."""
    known = {template.name for template in old.templates}
    new = {template.name: template for template in healed.templates if template.name not in known}
    return replace(mixed, templates=tuple(new.get(template.name, template) for template in mixed.templates))


def _is_dead(old: ExtractionMap, field: str, records: Sequence[Record]) -> bool:
    """Tell whether the first rule of a field, which used to speak, gives nothing on any page."""
    spoke = False
    for template in old.templates:
        first = next((rule for rule in template.rules if rule.field == field), None)
        support = first.support if first is not None else None
        spoke |= support is not None and support.found >= _SPOKE * support.sampled
    given = [record.fields[field].rule for record in records if field in record.fields]
    return spoke and not any(name.endswith("#0") for name in given)


def _outlooks(
    old: ExtractionMap,
    healed: ExtractionMap,
    known: Sequence[_Known],
    judged: Sequence[_Judged],
    lost: frozenset[str],
) -> Iterator[Outlook]:
    order = list(load_domain(old.domain).fields)
    fields = {*old.fields, *healed.fields, *lost}
    samples = [page.sample for page in known]
    before, after = (_records(extraction_map, samples) for extraction_map in (old, healed))
    for field in sorted(fields, key=lambda name: (order.index(name) if name in order else len(order), name)):
        changed = _rules_of(old, field) != _rules_of(healed, field)
        held_out = [(entry.page, entry.record) for entry in judged]
        as_before = list(zip(known, before, strict=True))
        as_tagged = [(page, page.record) for page in known]
        yield Outlook(
            field=field,
            confidence=0.0 if field in lost else _confidence(field, held_out),
            before=_confidence(field, as_before),
            tagger=_confidence(field, as_tagged),
            judged=sum(field in page.recalled.found for page in known),
            distinct=len({_key(page.values[field]) for page in known if field in page.recalled.found}),
            changed=changed,
            edited=changed and any(rule.edited for rule in old.rules if rule.field == field),
            lost=field in lost,
            shown=tuple(_shown(field, known, before, after)),
        )


def _rules_of(extraction_map: ExtractionMap, field: str) -> list[tuple[str, Rule]]:
    """Return what is done to read a field, without what is known about it."""
    return [
        (template.name, _bare(rule))
        for template in extraction_map.templates
        for rule in template.rules
        if rule.field == field
    ]


def _disputed(healed: ExtractionMap, domain: Domain, known: Sequence[_Known]) -> frozenset[str]:
    """Return the required fields where one of them is not read as the tagger does on new pages: none may change then.

    Old rules that are right on all known pages may be wrong on pages of a template that no known article has.
    """
    required = frozenset(domain.required)
    new = [page for page in known if not page.values]
    readings = list(zip(new, _records(healed, [page.sample for page in new]), strict=True))
    disputed = any(
        sum(not _is_believed(page, field, record) for page, record in readings) > _MOST_DISPUTED * len(readings)
        for field in required
    )
    return required if disputed else frozenset()


def _is_believed(page: _Known, field: str, record: Record) -> bool:
    """Tell whether a value says what the tagger reads, if that reads any."""
    read = _value(page.record, field)
    return read is None or rightness(read, _value(record, field)) >= _BELIEVED


def _shown(field: str, known: Sequence[_Known], before: Sequence[Record], after: Sequence[Record]) -> Iterator[Shown]:
    """Yield the field on some pages, those first whose values are remembered."""
    order = sorted(range(len(known)), key=lambda n: field not in known[n].values)
    for number in order[: max(_SHOWN_PAGES, 1)]:
        page = known[number]
        given = _value(before[number], field)
        yield Shown(
            page.document.url,
            page.values.get(field, given),
            _value(after[number], field),
            field in page.values,
        )


def _key(value: object) -> str:
    """Return what remembered values are compared by."""
    return "|".join(map(entry_key, value)) if isinstance(value, list) else entry_key(value)


def _value(record: Record | None, field: str) -> object | None:
    found = record.fields.get(field) if record is not None else None
    return found.value if found is not None else None


def _confidence(field: str, readings: Sequence[tuple[_Known, Record | None]]) -> float:
    """Return how right a field's values are: by what is remembered, else by the tagger's view."""
    judged = [(page, _value(record, field)) for page, record in readings]
    known = [(page, value) for page, value in judged if field in page.recalled.found]
    if known:
        right = [rightness(page.values[field], value) for page, value in known]
        # A record without the field says that the page has none, unless the tagger believes in what is given.
        extra = [
            page.sample.rightness(field, value)
            for page, value in judged
            if page.values and field not in page.values and value is not None
        ]
        wrong = sum(1 - min(1.0, believed) for believed in extra)
        return round((sum(right) + _DOUBT * (not wrong)) / (len(right) + wrong + _DOUBT), 3) if right else 0.0
    return round(_TAGGER_ONLY * _expected_f1(field, judged), 3)


def _expected_f1(field: str, judged: Sequence[tuple[_Known, object | None]]) -> float:
    """Return how right a field's values are expected to be, by what the tagger believes of the pages."""
    given = [page.sample.rightness(field, value) for page, value in judged if value is not None]
    if any(field == page.sample.domain.main_text for page, _ in judged):
        return sum(given) / len(judged)
    expected = sum(page.sample.beliefs(field).best for page, _ in judged)
    return f1(sum(given), len(given), expected)
