"""A draft of a map, what the stored one reads and some pages in, out what the draft reads of them, value by value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import orjson

from sitewright.extract import Extractor
from sitewright.output.rows import row_of
from sitewright.parse import Document
from sitewright.types import ExtractionMap, Record
from sitewright.values.as_json import json_of

Before = Mapping[str, Any]
State = Literal["same", "changed", "gained", "lost"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueShown:
    """A field of one page: what the draft reads, what the stored map reads, and how they differ."""

    now: Any
    """None: nothing."""
    before: Any
    rule: str = ""
    """The rule of the draft that gave it."""

    @property
    def state(self) -> State:
        """How the value differs from the one before."""
        if self.now == self.before:
            return "same"
        if self.before is None:
            return "gained"
        return "lost" if self.now is None else "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageShown:
    """A page as the draft reads it; the map alone, without the tagger's help."""

    url: str
    template: str
    values: dict[str, ValueShown]


def read_before(stored: ExtractionMap, documents: Sequence[Document]) -> list[Before]:
    """Return what the stored map reads of each page, which stays the same while a draft changes."""
    extractor = Extractor(stored)
    return [_values(extractor.extract(document, _moment(document))) for document in documents]


def preview(draft: ExtractionMap, before: Sequence[Before], documents: Sequence[Document]) -> list[PageShown]:
    """Return what a draft reads of each page beside what was read before."""
    extractor = Extractor(draft)
    fields = dict.fromkeys((*draft.fields, *(name for own in before for name in own)))
    return [_shown(extractor, own, [*fields], document) for own, document in zip(before, documents, strict=True)]


def _moment(document: Document) -> datetime:
    return document.fetched_at or datetime.now(UTC)


def _shown(extractor: Extractor, before: Before, fields: Sequence[str], document: Document) -> PageShown:
    record = extractor.extract(document, _moment(document))
    after = _values(record)
    values = {
        name: ValueShown(
            now=after.get(name),
            before=before.get(name),
            rule=record.fields[name].rule if name in record.fields else "",
        )
        for name in fields
        if name in after or name in before
    }
    return PageShown(url=document.url, template=record.template, values=values)


def _values(record: Record) -> dict[str, Any]:
    row: dict[str, Any] = orjson.loads(json_of(row_of(record)))
    return {name: row[name] for name in record.fields}


def elements_of(draft: ExtractionMap, document: Document) -> dict[str, list[int]]:
    """Return, by field, the numbers of the elements that a draft reads a page's values from."""
    extractor, now = Extractor(draft), _moment(document)
    record = extractor.extract(document, now)
    return {
        name: [
            document.number_of(trace.element)
            for trace in extractor.trace(document, value.rule, now)
            if trace.element is not None
        ]
        for name, value in record.fields.items()
    }
