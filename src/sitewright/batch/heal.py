"""A map and pages of its site after a redesign in, a proposal out: the map's next version, and how sure it is.

Pages of known articles come with the values that their records held: rules are learned from where these stand now,
and judged by whether they give them on pages that they were not learned from. Other pages are known to the tagger only.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import NamedTuple

from sitewright.batch.refine import Refinement, with_template
from sitewright.domains import load_domain
from sitewright.errors import MixedSites, SitewrightError
from sitewright.extract import Extractor
from sitewright.induce import Learned, Recalled, Sample, learn_samples, moment_of, owner_of, recall
from sitewright.induce.beliefs import days_of, entry_key
from sitewright.maps.diff import Change, compare_maps
from sitewright.parse import Document, clean_lines, fold_words, host_of
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Record, Rule, TaggedPage, Template
from sitewright.values import page_context

SURE = 0.9
"""A field changes by itself from this confidence on."""
LEAST_PAGES = 3
"""So many pages with remembered values must speak for a rule that is accepted by itself."""
PARTS = 3
"""Rules are judged on each third of the pages, learned from the other two."""
_GONE = 0.25
"""A field is lost where so few of its remembered values, or fewer, are on the pages."""
_SHOWN_PAGES = 5
_DOUBT = 0.5
"""Half a page of doubt beside the pages that were seen."""
_TAGGER_ONLY = 0.9
"""What agreement with the tagger is worth where nothing is remembered."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """A page as it is now, and the values that its record held; none of a new page, which only the tagger knows."""

    document: Document
    values: Mapping[str, object] | None = None


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
    warnings: tuple[str, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """The fields that are no longer on the pages."""
        return tuple(outlook.field for outlook in self.outlooks if outlook.lost)

    def is_sure(self, outlook: Outlook) -> bool:
        """Tell whether a field may change by itself."""
        if outlook.edited or outlook.lost:
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
        before = {template.name: template for template in self.old.templates}
        templates = tuple(_mixed(before.get(new.name), new, fields) for new in self.extraction_map.templates)
        return replace(self.extraction_map, templates=tuple(template for template in templates if template.rules))


def _mixed(old: Template | None, new: Template, fields: set[str]) -> Template:
    """Return a template with the new rules of some fields and the old rules of all others."""
    kept = [rule for rule in (old.rules if old is not None else ()) if rule.field not in fields]
    return replace(new, rules=(*(rule for rule in new.rules if rule.field in fields), *kept))


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
    if not any(owner_of(host_of(page.document.url)) == owner_of(old.site) for page in pages):
        raise MixedSites(f"none of the pages is of {old.site}")
    known = [_known(page, old.domain, reader or PageReader(old.domain), moment) for page in pages]
    lost = _lost(known)
    known = [_without(page, lost, old.domain, moment) for page in known] if lost else known
    learned = learn_samples([page.sample for page in known], old.domain, moment)
    healed = _healed(old, learned, lost)
    judged = _judged(old, known, lost, moment)
    outlooks = tuple(_outlooks(old, healed, known, judged, lost))
    return Proposal(
        old=old,
        extraction_map=healed,
        changes=tuple(compare_maps(old, healed)),
        outlooks=outlooks,
        sure=sure,
        warnings=learned.warnings,
    )


def _known(page: Remembered, domain: str, reader: PageReader, moment: datetime) -> _Known:
    reading = reader.read(page.document, moment)
    values = page.values or {}
    recalled = recall(page.document, reading.tagged, values, domain, moment) if values else Recalled(reading.tagged)
    return _Known(_sample(page.document, recalled.tagged, domain, moment), reading.record, recalled, values)


def _sample(document: Document, tagged: TaggedPage, domain: str, moment: datetime) -> Sample:
    return Sample(document, tagged, load_domain(domain), page_context(document, moment))


def _lost(known: Sequence[_Known]) -> frozenset[str]:
    """Return the fields whose remembered values are on next to none of the pages: nothing else is to fill them."""
    sought = Counter(field for page in known for field in page.recalled.sought)
    found = Counter(field for page in known for field in page.recalled.found)
    return frozenset(field for field, pages in sought.items() if pages >= 2 and found[field] <= _GONE * pages)


def _without(page: _Known, lost: frozenset[str], domain: str, moment: datetime) -> _Known:
    """Forget all opinions on lost fields."""
    tagged = page.recalled.tagged
    labels = tuple(label for label in tagged.labels if label.field not in lost)
    lines = tuple(replace(line, score=0.0) for line in tagged.lines) if "text" in lost else tagged.lines
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
            template = _merged(old, new, samples, template, successor)
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
    rules = Refinement(old, new, samples, keep_edited=False).rules(template, successor)
    return replace(template, rules=tuple(rules))


def _of_fields(template: Template, lost: frozenset[str]) -> Template:
    return replace(template, rules=tuple(rule for rule in template.rules if rule.field not in lost))


class _Judged(NamedTuple):
    """What maps that were learned from the other pages give on a page."""

    page: _Known
    record: Record | None


def _judged(old: ExtractionMap, known: Sequence[_Known], lost: frozenset[str], moment: datetime) -> list[_Judged]:
    """Read each page with a map that was learned without it."""
    parts = min(PARTS, len(known))
    judged: list[_Judged] = []
    for part in range(parts):
        kept = [page.sample for number, page in enumerate(known) if number % parts != part]
        out = [page for number, page in enumerate(known) if number % parts == part]
        try:
            healed = _healed(old, learn_samples(kept, old.domain, moment), lost)
        except SitewrightError:
            judged += [_Judged(page, None) for page in out]
            continue
        judged += [
            _Judged(page, record) for page, record in zip(out, _records(healed, [p.sample for p in out]), strict=True)
        ]
    return judged


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
            changed=changed,
            edited=changed and any(rule.edited for rule in old.rules if rule.field == field),
            lost=field in lost,
            shown=tuple(_shown(field, known, before, after)),
        )


def _rules_of(extraction_map: ExtractionMap, field: str) -> list[tuple[str, Rule]]:
    """Return what is done to read a field, without what is known about it."""
    return [
        (template.name, replace(rule, support=None, edited=False))
        for template in extraction_map.templates
        for rule in template.rules
        if rule.field == field
    ]


def _shown(
    field: str, known: Sequence[_Known], before: Sequence[Record], after: Sequence[Record]
) -> Iterator[Shown]:
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
    given = [page.sample.rightness(field, value) for page, value in judged if value is not None]
    return round(_TAGGER_ONLY * sum(given) / len(given), 3) if given else 0.0


def rightness(remembered: object, value: object | None) -> float:
    """Return how nearly a value says what a record held: lists and texts by F1, all else wholly or not.

    >>> rightness(["Bees", "Honey"], ["honey"]), rightness("Why bees dance", "Why bees dance!")
    (0.6666666666666666, 1.0)
    """
    if value is None:
        return 0.0
    if isinstance(remembered, list):
        known, given = ({entry_key(entry) for entry in entries} for entries in (remembered, value))  # type: ignore[attr-defined]
        return _f1(len(known & given), len(known), len(given))
    if isinstance(value, datetime) or days_of(value):
        return float(bool(days_of(moment_of(remembered)) & days_of(value)))
    if "\n" in str(remembered) or "\n" in str(value):
        return _text_f1(str(remembered), str(value))
    return float(entry_key(remembered) == entry_key(value))


def _f1(both: float, one: float, other: float) -> float:
    return 2 * both / (one + other) if one + other else 0.0


def _text_f1(one: str, other: str) -> float:
    """Return the F1 between two texts, by the words of the lines that both have."""
    known, given = ({line: len(fold_words(line)) for line in clean_lines(text)} for text in (one, other))
    both = sum(count for line, count in given.items() if line in known)
    return _f1(both, sum(known.values()), sum(given.values()))
