"""Document in, Record out without a map: a tagger scores the page's units, decoding makes values of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from turbohtml import Element

from sitewright.domains import DEFAULT_DOMAIN, Domain, FieldSpec, kinds, load_domain, sane_fields
from sitewright.errors import ModelError
from sitewright.parse import Document, host_of
from sitewright.repeats import (
    Known,
    find_objects,
    find_pairs,
    item_fields,
    item_values,
    main_list,
    pair_rows,
    stated_objects,
    stated_pairs,
)
from sitewright.tag.decode import AS_STATED, THERE, Finding, Weighed, decode, judged_kind, line_scores, weigh
from sitewright.tag.images import Images, read_images
from sitewright.tag.judge import Judge
from sitewright.tag.kind_judge import KindJudge
from sitewright.tag.meanings import MeaningTagger, MeaningWeights
from sitewright.tag.models import JUDGE, KINDS, MEANINGS, PICTURES, TAGGER, has_model, model_file
from sitewright.tag.network import NetworkTagger
from sitewright.tag.picture_judge import PictureJudge
from sitewright.tag.scored_page import ScoredPage, scored_page
from sitewright.tag.scores import Scores, Tagger
from sitewright.tag.stated_tagger import StatedTagger
from sitewright.tag.units import Unit, UnitKind, read_units
from sitewright.types import LIST, Label, PageKind, Record, TaggedPage, TextLine, Value
from sitewright.values import PARSERS, Context, page_context, string_of

ONLY_STATED = "not displayed, stated: "
"""How the rule of a value begins to tell that the page states it and does not display it."""
LEAST_TEXT = 0.35
"""How likely the lines of a text must be on average, where word lists found them: of the hand-labelled shops of the
training folds a third of the pages show no description."""
SURELY = 0.8
"""A page is no item where it is a list by so much and shows entries."""
PAIRS_ARE = 0.8
"""How sure pairs are: of the products labelled by hand of folds 1 and 2 without any, none is given some."""
OBJECTS_ARE = 0.8
"""How sure objects are: what they are made of is seldom wrong, but some may be missing."""
HINTED = 0.4
"""How sure is what a page only hints at, or what nothing on it contradicts: too little to be worth a rule."""


@dataclass(frozen=True, slots=True)
class PageReading:
    """All that was seen on a page: its units, their scores, what they speak for, and what was made of them."""

    document: Document
    page: ScoredPage
    weighed: Mapping[str, Weighed]
    findings: Mapping[str, Finding]
    images: Images
    record: Record
    least: Mapping[str, float]
    """The probability by field from which on a value is given."""

    @property
    def units(self) -> Sequence[Unit]:
        """The units of the page."""
        return self.page.units

    @property
    def scores(self) -> Scores:
        """Their scores."""
        return self.page.scores

    @property
    def text_units(self) -> list[Unit]:
        """The units that the text was read from."""
        return _units_of(self.page, self.findings, self.page.domain.main_text)

    @property
    def title_unit(self) -> Unit | None:
        """The displayed headline."""
        return _headline(self.page, self.findings)

    @property
    def tagged(self) -> TaggedPage:
        """What rules are learned from: every value that units speak for, and every line with its say in the text."""
        lines = [
            TextLine(self.units[n].text, self._node(self.units[n]) or 0, round(score, 4))
            for n, score in line_scores(self.page, self.findings).items()
        ]
        return TaggedPage(
            url=self.document.url,
            kind=self.scores.kind,
            kind_score=kind_score(self.scores, self.page.domain.item.kind),
            labels=tuple(self._labels()),
            lines=tuple(lines),
            given=tuple(self._given()),
            least=self.least,
        )

    def _given(self) -> Iterator[Label]:
        for field, value in self.record.fields.items():
            if field != self.page.domain.main_text:
                found = self.findings.get(field)
                source = found.agrees[0] if found is not None and found.only_stated else ""
                yield Label(field=field, value=value.value, score=value.confidence, source=source)

    def _labels(self) -> Iterator[Label]:
        for field, weighed in self.weighed.items():
            stated = self._by_statement(field) if not self.page.domain.fields[field].many else frozenset()
            for candidate, likely in zip(weighed.candidates, weighed.likely, strict=True):
                score = round(max(float(likely), AS_STATED if candidate.units[0] in stated else 0.0), 4)
                for unit in (self.units[number] for number in candidate.units):
                    source = f"part of {unit.source}" if unit.source and unit.kind is UnitKind.PIECE else unit.source
                    yield Label(field=field, value=candidate.value, score=score, node=self._node(unit), source=source)
        for field in self.page.domain.fields_of_kind(kinds.IMAGES)[:1]:
            yield from self.images.labels(field, self.page)

    def _by_statement(self, field: str) -> frozenset[int]:
        """Return the units of a value that is given because the page states it: rules may rest on them."""
        found = self.findings.get(field)
        return frozenset(found.units) if found is not None and found.by_statement else frozenset()

    def _node(self, unit: Unit) -> int | None:
        if unit.element is None or unit.place is None:
            return None
        return self.document.number_of(unit.element)


def is_surely_list(scores: Scores, domain: Domain) -> bool:
    """Tell whether a page is a list rather than an item: what is displayed there once is about the list."""
    return scores.kind == LIST and scores.is_kind(domain.item.kind) <= 1 - SURELY


def kind_score(scores: Scores, item: PageKind) -> float:
    """Return how likely the page is an item, or none: of which kind a page is that is no item matters less."""
    likely = scores.is_kind(item)
    return round(likely if scores.kind == item else 1 - likely, 3)


class PageReader:
    """Reads any page of a domain."""

    def __init__(self, domain: str = DEFAULT_DOMAIN, tagger: Tagger | None = None) -> None:
        """Load the domain; without a tagger, its models, or where it has none, what believes the page's metadata."""
        self._domain = load_domain(domain)
        models = self._domain.models
        self._tagger = tagger or _tagger_of(self._domain)
        self._picture_judge = PictureJudge(model_file(models, PICTURES)) if has_model(models, PICTURES) else None
        is_fitted = has_model(models, JUDGE) and isinstance(self._tagger, NetworkTagger)
        self._judge = Judge(model_file(models, JUDGE)) if is_fitted else Judge.of(_limits(self._domain))
        self._kinds = KindJudge(model_file(models, KINDS)) if is_fitted and has_model(models, KINDS) else None
        self._least = {name: self._judge.least(name) for name in self._domain.fields if self._judge.knows(name)}
        self._judged_names = self._least.keys() & set(self._domain.fields_of_kind(kinds.NAMES))

    def extract(
        self,
        document: Document,
        now: datetime | None = None,
        fields: frozenset[str] = frozenset(),
        context: Context | None = None,
    ) -> Record:
        """Read a page; `fields` limits what is read, `now` stands in where the page's fetch time is unknown."""
        return self.read(document, now, fields, context).record

    def read(
        self,
        document: Document,
        now: datetime | None = None,
        fields: frozenset[str] = frozenset(),
        context: Context | None = None,
    ) -> PageReading:
        """Read a page and keep what was seen on the way; `context` is what is known of its site, if anything is."""
        moment = now or datetime.now(UTC)
        context = context or page_context(document, moment)
        units = read_units(document, self._domain)
        scores = self._tagger.score(document, units)
        page = judged_kind(scored_page(units, scores, context, self._domain), self._judge, self._kinds)
        weighed = weigh(page, self._judge)
        findings = decode(page, self._judge, weighed)
        values = {
            field: Value(found.value, found.confidence, explain(field, found, units))
            for field, found in findings.items()
        }
        images = self._images(page, findings)
        for name in self._domain.fields_of_kind(kinds.IMAGES)[:1]:
            if (value := images.value(name)) is not None:
                values[name] = value
        values |= self._pairs(document)
        values |= self.objects(document, context, values)
        entries = self._items(page, context)
        values = entries if entries and is_surely_list(page.scores, self._domain) else values | entries
        values = sane_fields(values, self._domain, document.url, judged=self._judged_names)
        if hinted := self._hinted(page, values):  # a shop that states its name as the brand means it
            judged = self._judged_names | hinted.keys()
            values = sane_fields(values | hinted, self._domain, document.url, judged=judged)
        record = Record(
            site=host_of(document.url),
            urls=(document.url,),
            fields={
                name: values[name] for name in self._domain.fields if name in values and (not fields or name in fields)
            },
            domain=self._domain.reference,
            language=context.language,
            kind=page.scores.kind,
            extracted_at=moment,
        )
        return PageReading(document, page, weighed, findings, images, record, self._least)

    def _items(self, page: ScoredPage, context: Context) -> dict[str, Value]:
        """Return the entries of the list that a page shows, where it is no item's page."""
        names = page.domain.fields_of_kind(kinds.ITEMS)[:1]
        kind = page.scores.kind
        if not names or kind == page.domain.item.kind or (found := main_list(context.document)) is None:
            return {}
        entries = item_values(found.items, item_fields(found.items, page.domain), page.domain, context)
        rule = f"tagger/{names[0]}: {found.selectors[-1]}"
        return (
            {names[0]: Value(entries, round(1 - page.scores.is_kind(page.domain.item.kind), 3), rule)}
            if entries
            else {}
        )

    def _hinted(self, page: ScoredPage, values: Mapping[str, Value]) -> dict[str, Value]:
        """Return what nothing tells for sure: what the page hints at, and what is meant by saying nothing of an item
        that has a price."""
        if page.scores.kind == LIST:
            return {}
        found: dict[str, Value] = {}
        for spec in self._domain.fields.values():
            if spec.name in values:
                continue
            if (hint := _first_hint(page.context, spec, self._domain)) is not None:
                found[spec.name] = hint
            elif spec.match.unsaid and self._domain.price in values:
                rule = f"tagger/{spec.name}: {ONLY_STATED}{self._domain.price}"
                found[spec.name] = Value(spec.match.unsaid, HINTED, rule)
        return found

    def _pairs(self, document: Document) -> dict[str, Value]:
        """Return the pairs of name and value that a page displays, or else states."""
        found: dict[str, Value] = {}
        for name in self._domain.fields_of_kind(kinds.PAIRS):
            spec = self._domain.fields[name]
            if (shown := find_pairs(document, spec.words)) is not None:
                found[name] = Value(pair_rows(shown), PAIRS_ARE, f"tagger/{name}: {shown.selector}")
            elif stated := stated_pairs(document, spec.sources, self._domain.types):
                found[name] = Value(stated, PAIRS_ARE, f"tagger/{name}: {ONLY_STATED}{spec.sources[0]}")
        return found

    def objects(
        self, document: Document, context: Context, values: Mapping[str, Value], fields: frozenset[str] = frozenset()
    ) -> dict[str, Value]:
        """Return the values that are objects, which no score is needed for; `fields`: only these."""
        found: dict[str, Value] = {}
        for name in self._domain.fields_of_kind(kinds.OBJECTS):
            if not fields or name in fields:
                spec = self._domain.fields[name]
                stated = stated_objects(document, spec, self._domain.types, context, self._known(values))
                shown = find_objects(document, spec, context)
                if shown is not None and (stated is None or len(shown.objects) > len(stated.objects)):
                    found[name] = Value(list(shown.objects), OBJECTS_ARE, f"tagger/{name}: {shown.place}")
                elif stated is not None:
                    found[name] = Value(
                        list(stated.objects), OBJECTS_ARE, f"tagger/{name}: {ONLY_STATED}{stated.place}"
                    )
        return found

    def _known(self, values: Mapping[str, Value]) -> Known:
        """Return what is known of a page's item before its objects are read."""
        heading, price = (values.get(name) for name in (self._domain.heading, self._domain.price))
        own = price.value if price is not None and isinstance(price.value, Mapping) else {}
        return Known(str(heading.value) if heading is not None else "", own)

    def _images(self, page: ScoredPage, findings: Mapping[str, Finding]) -> Images:
        for name in self._domain.fields_of_kind(kinds.IMAGES)[:1]:
            text = _units_of(page, findings, self._domain.main_text)
            spec = self._domain.fields[name]
            return read_images(page, text, _headline(page, findings), spec, self._picture_judge)
        return Images()


def _first_hint(context: Context, spec: FieldSpec, domain: Domain) -> Value | None:
    """Return what the first of a field's hints says that says anything."""
    for fact in context.document.metadata.facts(spec.hints, domain.types):
        if (parsed := PARSERS[spec.parse]([string_of(fact.value)], False, context)) is not None:
            return Value(parsed.value, HINTED, f"tagger/{spec.name}: {ONLY_STATED}{fact.source}")
    return None


def _tagger_of(domain: Domain) -> Tagger:
    """Return the tagger of a domain: its network, what goes by its words, or what believes the page's metadata."""
    if has_model(domain.models, TAGGER):
        return NetworkTagger(model_file(domain.models, TAGGER))
    if domain.has_word_lists:
        file = model_file(domain.models, MEANINGS) if has_model(domain.models, MEANINGS) else None
        return MeaningTagger(domain, MeaningWeights(file) if file is not None else None)
    if domain.models:
        raise ModelError(f"there are no models of {domain.models}")
    return StatedTagger(domain)


def _limits(domain: Domain) -> dict[str, dict[str, object]]:
    """Return from where on a page has a text at all, where no judge was fitted to tell."""
    main = domain.main_text
    return {key: {"least": LEAST_TEXT} for key in (main, f"{main}{THERE}")} if domain.has_word_lists else {}


def _units_of(page: ScoredPage, findings: Mapping[str, Finding], field: str) -> list[Unit]:
    return [page.units[number] for number in findings[field].units] if field in findings else []


def _headline(page: ScoredPage, findings: Mapping[str, Finding]) -> Unit | None:
    shown = (unit for unit in _units_of(page, findings, page.domain.heading) if unit.place is not None)
    return next(shown, None)


def explain(field: str, finding: Finding, units: Sequence[Unit]) -> str:
    """Tell where a value was found, and whether what the page states agrees.

    The form is `tagger/title: h1.headline; agrees: jsonld:headline, meta:og:title`.
    """
    displayed = [_where(units[number]) for number in finding.units if units[number].place is not None]
    sources = {
        "": list(dict.fromkeys(displayed)),
        "agrees: " if displayed else ONLY_STATED: finding.agrees,
        "differs: ": finding.differs,
    }
    parts = [word + ", ".join(found[:_NAMED]) for word, found in sources.items() if found]
    return f"tagger/{field}: {'; '.join(parts)}"


_NAMED = 3


def _where(unit: Unit) -> str:
    """Return how a person would point at a unit's element."""
    element: Element | None = unit.element
    if element is None:
        return ""
    names = element.attr("class")
    first = (names if isinstance(names, str) else " ".join(names or ())).split()[:1]
    return f"{element.tag}.{first[0]}" if first else element.tag
