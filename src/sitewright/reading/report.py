"""Pages and what reads them in, pages of a report out: what was found on each, and what was left out."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from typing import Any

import orjson
from turbohtml import Element

from sitewright.extract import Extractor
from sitewright.induce import Learned
from sitewright.induce import Sample as Sampled
from sitewright.maps.rules import RuleName, find_rule, named_rules
from sitewright.output.frame import FramedPage, Mark, frame_of
from sitewright.output.report import ReportField, ReportLine, ReportPage, ReportRule
from sitewright.output.rows import Row, row_of
from sitewright.parse import Document, Json, clean_line
from sitewright.reading.mapped import MapReader
from sitewright.tag import PageReader
from sitewright.tag.decode import Finding
from sitewright.tag.units import Unit, read_units
from sitewright.types import TAKE_TEXT, ExtractionMap, Record, Rule, Support
from sitewright.values import Context
from sitewright.values.as_json import json_of
from sitewright.values.dates import parse_date

_PART_OF_ENTRY = 20
"""A run at least this long that stands inside of a value is a part of it; shorter ones occur by chance."""
_PART_OF_RUN = 1 / 4
"""The share of a run that values have to make up: a byline counts, a sentence that names the author does not."""
_LONGEST_DATE = 100
_OTHER_OPINION = 0.5
"""A value that the tagger believes in less than half as much as in its own is one that it disagrees with."""


def page_by_tagger(reader: PageReader, document: Document, now: datetime, fields: frozenset[str]) -> ReportPage:
    """Read a page by itself, and tell where on it each value stands."""
    reading = reader.read(document, now, fields)
    record, units = reading.record, reading.units
    findings = {name: found for name, found in reading.findings.items() if name in record.fields}
    taken = _Taken(units)
    for name, found in findings.items():
        taken.add(name, (units[number].run for number in found.units))
    taken.add_values({name: value for name, value in _values(record).items() if name not in findings})
    marks = _Marks(document)
    for name, found in findings.items():
        marks.add(name, (units[number].element for number in found.units if units[number].place is not None))
    marks.add_shown(taken, list(record.fields))
    return _page(record, findings, taken, marks)


def page_by_map(reader: Extractor | MapReader, document: Document, now: datetime, fields: frozenset[str]) -> ReportPage:
    """Read a page with a map, and tell where on it each value stands."""
    record = reader.extract(document, now, fields)
    extractor = reader if isinstance(reader, Extractor) else reader.extractor
    return _page_of_rules(record, extractor, document, now)


def page_of_record(record: Record, document: Document, read_by: ExtractionMap) -> FramedPage:
    """Outline on a page what a record was read from; what the tagger read of it is found by its values."""
    now = record.extracted_at or document.fetched_at or datetime.now(UTC)
    return _page_of_rules(record, Extractor(read_by), document, now).frame or frame_of(document, {})


def _page_of_rules(record: Record, extractor: Extractor, document: Document, now: datetime) -> ReportPage:
    """Tell of a record where on its page the rules found its values, and what else shows them."""
    taken = _taken_by_values(record, document, now, extractor.map)
    marks = _Marks(document)
    for name, value in record.fields.items():
        marks.add(name, (trace.element for trace in extractor.trace(document, value.rule, now)))
    marks.add_shown(taken, list(record.fields))
    page = _page(record, {}, taken, marks)
    selected = (replace(found, selector=rule_text(extractor.map, found.where)) for found in page.fields)
    return replace(page, fields=tuple(selected))


def _taken_by_values(record: Record, document: Document, now: datetime, read_by: ExtractionMap) -> "_Taken":
    """Return the lines of a page that a record's values stand in."""
    units = read_units(document, record.domain)
    taken = _Taken(units)
    taken.add_values(_values(record))
    context = Context(
        document=document,
        now=document.fetched_at or now,
        language=record.language,
        date_formats=read_by.date_formats,
    )
    for name, value in record.fields.items():
        if isinstance(value.value, date):  # which moments are, too
            taken.add(name, _runs_with_date(units, value.value, context))
    return taken


def report_of_learning(
    learned: Learned, extraction_map: ExtractionMap, records: Sequence[Record]
) -> Iterator[ReportPage]:
    """Yield the sampled pages, of which the map read `records`; and where the tagger is of another opinion."""
    extractor = Extractor(extraction_map)
    for sample, record in zip(learned.samples, records, strict=True):
        found = _page_of_rules(record, extractor, sample.document, sample.context.now)
        fields = [_judged(field, record, sample) for field in found.fields]
        missed = [_missed(name, sample) for name in extraction_map.fields if name not in record.fields]
        yield replace(found, fields=(*fields, *filter(None, missed)))


def _judged(found: ReportField, record: Record, sample: Sampled) -> ReportField:
    """Add to a value what the tagger says, where it says something else."""
    right = sample.rightness(found.name, record.fields[found.name].value)
    opinion = _opinion(sample, found.name)
    if opinion is None or right >= _OTHER_OPINION * opinion[1]:
        return replace(found, agrees=("the tagger",) if right >= _OTHER_OPINION else ())
    return replace(found, differs=(f"the tagger ({opinion[1]:.2f}): {opinion[0]}",))


def _missed(name: str, sample: Sampled) -> ReportField | None:
    """Return a field that the map does not give and the tagger believes to be there."""
    opinion = _opinion(sample, name)
    if opinion is None or opinion[1] < _OTHER_OPINION:
        return None
    told = f"the tagger ({opinion[1]:.2f}): {opinion[0]}"
    return ReportField(name=name, value="", confidence=0.0, where="no rule gives it", differs=(told,))


def _opinion(sample: Sampled, name: str) -> tuple[str, float] | None:
    """Return what the tagger thinks likeliest, and how likely."""
    best = max(sample.labels(name), key=lambda label: label.score, default=None)
    return (str(best.value), best.score) if best is not None else None


def rules_of(extraction_map: ExtractionMap, documents: Sequence[Document] = ()) -> list[ReportRule]:
    """Return the rules of a map as a report lists them, with what each finds on the first page where it does."""
    extractor = Extractor(extraction_map)
    return [
        _listed(name, rule, _found_by(extractor, str(name), documents))
        for template in extraction_map.templates
        for name, rule in named_rules(template)
    ]


def _found_by(extractor: Extractor, name: str, documents: Sequence[Document]) -> Json:
    for document in documents:
        if traces := extractor.trace(document, name):
            raw = [trace.raw for trace in traces]
            return raw[0] if len(raw) == 1 else raw
    return None


def _listed(name: RuleName, rule: Rule, sample: Json) -> ReportRule:
    support = rule.support or Support(0, 0)
    return ReportRule(
        name=str(name),
        field=rule.field,
        where=_words(rule),
        found=support.found,
        sampled=support.sampled,
        agreement=support.agreement,
        fragile=rule.fragile,
        sample=sample,
    )


def rule_text(extraction_map: ExtractionMap, name: str) -> str:
    """Return a rule in words a person can search the page for, by its name (`article/title#0`)."""
    rule = find_rule(extraction_map, name)
    return _words(rule) if rule is not None else ""


def _words(rule: Rule) -> str:
    parts = [
        ", ".join(rule.select),
        rule.take if rule.take != TAKE_TEXT else "",
        *(f"without {r}" for r in rule.remove),
    ]
    return " ".join(filter(None, parts))


def _page(record: Record, findings: Mapping[str, Finding], taken: "_Taken", marks: "_Marks") -> ReportPage:
    values = _values(record)
    fields = [
        ReportField(
            name=name,
            value=values[name],
            confidence=value.confidence,
            where=value.rule.partition("; ")[0] if name in findings else value.rule,
            agrees=findings[name].agrees if name in findings else (),
            differs=findings[name].differs if name in findings else (),
        )
        for name, value in record.fields.items()
    ]
    return ReportPage(
        url=record.urls[0],
        kind=record.template or record.kind or "",
        language=record.language,
        fields=tuple(fields),
        lines=tuple(taken.lines(list(record.fields))),
        frame=marks.frame(list(record.fields)),
    )


def _values(record: Record) -> Row:
    """Return the values as output files have them."""
    row: Row = orjson.loads(json_of(row_of(record)))
    return {name: row[name] for name in record.fields}


class _Taken:
    """The runs of a page, and for which fields each was taken."""

    def __init__(self, units: Sequence[Unit]) -> None:
        whole = {n: unit for n, unit in enumerate(units) if unit.run == n and unit.place is not None}
        self._runs = {n: unit.text for n, unit in whole.items()}
        self._elements = {n: unit.element for n, unit in whole.items() if unit.element is not None}
        self._fields: dict[int, set[str]] = {}

    def add(self, name: str, runs: Iterable[int]) -> None:
        """Note that these runs gave a field."""
        for run in runs:
            self._fields.setdefault(run, set()).add(name)

    def add_values(self, values: Mapping[str, Any]) -> None:
        """Note for each field the runs whose text stands in its value: which element gave it is not known."""
        folded = {run: text.casefold() for run, text in self._runs.items()}
        for name, value in values.items():
            entries = frozenset(filter(None, (clean_line(entry).casefold() for entry in _entries(value))))
            self.add(name, [run for run, text in folded.items() if _is_from(text, entries)])

    def elements(self, name: str) -> Iterator[Element]:
        """Yield the elements whose text was taken for a field."""
        return (element for run, element in self._elements.items() if name in self._fields.get(run, ()))

    def lines(self, order: Sequence[str]) -> Iterator[ReportLine]:
        """Yield all runs in document order, fields in the order of the record."""
        for run, text in self._runs.items():
            fields = self._fields.get(run, ())
            yield ReportLine(text, tuple(name for name in order if name in fields))


class _Marks:
    """The elements of a page that are outlined, and for which fields."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._fields: dict[Element, set[str]] = {}
        self._stated: set[str] = set()

    def add(self, name: str, elements: Iterable[Element | None]) -> None:
        """Outline elements for a field; what is not in the body cannot be seen."""
        body = self._document.tree.select_one("body")
        for element in elements:
            if element is not None and any(above is body for above in element.ancestors):
                self._fields.setdefault(element, set()).add(name)

    def add_shown(self, taken: "_Taken", names: Sequence[str]) -> None:
        """Outline, of fields that come from metadata, what shows the same."""
        marked = set[str]().union(*self._fields.values())
        for name in names:
            if name not in marked:
                self._stated.add(name)
                self.add(name, taken.elements(name))

    def frame(self, order: Sequence[str]) -> FramedPage:
        """Return the page as a report shows it."""
        marks = {}
        for element, fields in self._fields.items():
            names = tuple(name for name in order if name in fields)
            marks[element] = Mark(names, stated=self._stated.issuperset(names))
        return frame_of(self._document, {element: mark for element, mark in marks.items() if mark.fields})


def _entries(value: Any) -> Iterator[str]:
    """Yield the texts of a value; addresses are none.

    >>> list(_entries({"url": "https://example.com", "names": ["Ann\\nLee", 3]}))
    ['Ann', 'Lee']
    """
    if isinstance(value, str):
        yield from value.split("\n")
    elif isinstance(value, list):
        for entry in value:
            yield from _entries(entry)
    elif isinstance(value, dict):
        for name, entry in value.items():
            if name != "url":
                yield from _entries(entry)


def _is_from(run: str, entries: frozenset[str]) -> bool:
    """Tell whether a run gave (some of) a value's texts.

    >>> _is_from("by ann lee", frozenset({"ann lee"}))
    True
    >>> _is_from("what ann lee said about the bees", frozenset({"ann lee"}))
    False
    """
    if run in entries:
        return True
    if len(run) >= _PART_OF_ENTRY and any(run in entry for entry in entries):
        return True
    return sum(len(entry) for entry in entries if entry in run) >= len(run) * _PART_OF_RUN


def _runs_with_date(units: Sequence[Unit], moment: date, context: Context) -> Iterator[int]:
    """Yield the runs that name the day."""
    day = re.compile(rf"(?<!\d)0?{moment.day}(?!\d)")
    for unit in units:
        if unit.place is not None and len(unit.text) <= _LONGEST_DATE and day.search(unit.text):
            parsed = parse_date(unit.text, context)
            if parsed is not None and str(parsed.value)[:10] == str(moment)[:10]:
                yield unit.run
