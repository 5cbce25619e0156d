"""Pages and what reads them in, pages of a report out: what was found on each, and what was left out."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any

import orjson

from sitewright.extract import Extractor
from sitewright.induce import Learned
from sitewright.induce import Sample as Sampled
from sitewright.maps.rules import RuleName, find_rule, named_rules
from sitewright.output.report import ReportField, ReportLine, ReportPage, ReportRule
from sitewright.output.rows import Row, row_of
from sitewright.parse import Document, clean_line
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
    return _page(record, findings, taken)


def page_by_map(reader: Extractor | MapReader, document: Document, now: datetime, fields: frozenset[str]) -> ReportPage:
    """Read a page with a map, and tell where on it each value stands."""
    record = reader.extract(document, now, fields)
    return _page(record, {}, _taken_by_values(record, document, now, reader.map))


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
    for sample, record in zip(learned.samples, records, strict=True):
        found = _page(record, {}, _taken_by_values(record, sample.document, sample.context.now, extraction_map))
        fields = [_judged(field, record, sample, extraction_map) for field in found.fields]
        missed = [_missed(name, sample) for name in extraction_map.fields if name not in record.fields]
        yield replace(found, fields=(*fields, *filter(None, missed)))


def _judged(found: ReportField, record: Record, sample: Sampled, extraction_map: ExtractionMap) -> ReportField:
    """Add the rule itself to a value, and what the tagger says where it says something else."""
    where = f"{found.where}: {rule_text(extraction_map, found.where)}"
    right = sample.rightness(found.name, record.fields[found.name].value)
    opinion = _opinion(sample, found.name)
    if opinion is None or right >= _OTHER_OPINION * opinion[1]:
        return replace(found, where=where, agrees=("the tagger",) if right >= _OTHER_OPINION else ())
    return replace(found, where=where, differs=(f"the tagger ({opinion[1]:.2f}): {opinion[0]}",))


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


def rules_of(extraction_map: ExtractionMap) -> list[ReportRule]:
    """Return the rules of a map as a report lists them."""
    return [_listed(name, rule) for template in extraction_map.templates for name, rule in named_rules(template)]


def _listed(name: RuleName, rule: Rule) -> ReportRule:
    support = rule.support or Support(0, 0)
    return ReportRule(
        name=str(name),
        field=rule.field,
        where=_words(rule),
        found=support.found,
        sampled=support.sampled,
        agreement=support.agreement,
        fragile=rule.fragile,
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


def _page(record: Record, findings: Mapping[str, Finding], taken: "_Taken") -> ReportPage:
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
        fields=tuple(fields),
        lines=tuple(taken.lines(list(record.fields))),
    )


def _values(record: Record) -> Row:
    """Return the values as output files have them."""
    row: Row = orjson.loads(json_of(row_of(record)))
    return {name: row[name] for name in record.fields}


class _Taken:
    """The runs of a page, and for which fields each was taken."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self._runs = {n: unit.text for n, unit in enumerate(units) if unit.run == n and unit.place is not None}
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

    def lines(self, order: Sequence[str]) -> Iterator[ReportLine]:
        """Yield all runs in document order, fields in the order of the record."""
        for run, text in self._runs.items():
            fields = self._fields.get(run, ())
            yield ReportLine(text, tuple(name for name in order if name in fields))


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
