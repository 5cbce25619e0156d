"""A record with its page, its map and where its values are from in; text for a person or JSON out."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sitewright.actions.explain import Explained
from sitewright.maps.plain import rule_to_plain
from sitewright.output.rows import Row
from sitewright.reading.explain import TAGGER, ExplainedField, Source
from sitewright.types import TAKE_TEXT, Rule
from sitewright.values.as_json import json_of
from sitewright.values.words import counted, moment, one_line, short, short_pair, value_line

_LONGEST = 100
_SHOWN = 3
"""So many places of a value are shown; the others are counted."""
_READING_ATTRIBUTES = frozenset({"date.v1", "image.v1", "url.v1"})
_ATTRIBUTES = re.compile(r" (?:datetime|href|src|srcset|data-[\w-]+)=")
"""These parsers read these attributes of elements instead of their text, so such tags are shown, too."""


def explained_json(explained: Explained) -> str:
    """Return everything in full, as one object."""
    record, told = explained.stored.record, explained.explanation
    row: Row = {
        "id": explained.stored.id,
        "urls": list(record.urls),
        "site": record.site,
        "page": _page_row(explained),
        "template": record.template,
        "map": {
            "version": explained.read_by.version,
            "made_by": explained.read_by.made_by,
            "made_at": explained.read_by.made_at,
        },
        "via": record.via,
        "extracted_at": record.extracted_at,
        "stored_at": explained.stored.stored_at,
        "same": explained.is_same,
        "failure": {"code": told.failure.code, "detail": told.failure.detail} if told.failure is not None else None,
        "fields": {field.name: _field_row(field) for field in told.fields},
        "also": {name: value.value for name, value in told.also.items()},
    }
    return json_of(row).decode("utf-8")


def _page_row(explained: Explained) -> Row:
    page, location = explained.page, explained.stored.location
    place = {"file": location.file, "offset": location.offset, "length": location.length} if location else {}
    return {
        **place,
        "url": page.url,
        "final_url": page.location,
        "status": page.status,
        "fetched_at": page.fetched_at,
        "fetched_via": page.via,
    }


def _field_row(field: ExplainedField) -> Row:
    now = field.now
    return {
        "value": field.stored.value,
        "confidence": field.stored.confidence,
        "read_by": "tagger" if field.by_tagger else "map",
        "rule": field.stored.rule,
        "definition": rule_to_plain(field.rule) if field.rule is not None else None,
        "from": [_source_row(source) for source in field.sources],
        "state": field.state,
        "now": {"value": now.value, "confidence": now.confidence, "rule": now.rule} if now is not None else None,
    }


def _source_row(source: Source) -> Row:
    row: Row = {"path": source.path, "tag": source.tag, "take": source.take, "raw": source.raw}
    return row | {name: text for name, text in (("parser", source.parser), ("part", source.part)) if text}


def explained_lines(explained: Explained) -> Iterator[str]:
    """Yield lines: what the record is, then each field, then whether all is as it was."""
    yield from _head(explained)
    for field in explained.explanation.fields:
        yield ""
        yield from _field(field)
    yield ""
    yield from _end(explained)


def _head(explained: Explained) -> Iterator[str]:
    stored, page, read_by = explained.stored, explained.page, explained.read_by
    first, *others = map(one_line, stored.record.urls)
    yield first
    for other in others:
        yield _entry("also", other)
    if page.url not in stored.record.urls:
        yield _entry("asked for", one_line(page.url))
    yield _entry("id", stored.id)
    yield _entry("site", stored.record.site)
    if stored.location is not None:
        yield _entry("page", f"{stored.location.file}, from byte {stored.location.offset:,}")
    yield _entry("fetched", f"{_moment(page.fetched_at)}, status {page.status}, via {page.via}")
    yield _entry("template", stored.record.template or "-")
    yield _entry("map", f"version {read_by.version}, {read_by.made_by}, {_moment(read_by.made_at)}")
    yield _entry("via", stored.record.via or "map")


def _entry(name: str, text: str) -> str:
    return f"    {name:<11}{text}"


def _field(field: ExplainedField) -> Iterator[str]:
    state = "same" if field.state == "same" else "differs now"
    yield f"{field.name}  {field.stored.confidence:.2f}, {state}"
    yield _entry("value", _short(field.stored.value))
    yield _entry("rule", _rule_words(field))
    for source in field.sources[:_SHOWN]:
        yield from _source(source)
    if len(field.sources) > _SHOWN:
        yield _entry("", f"and {counted(len(field.sources) - _SHOWN, 'more place')}")
    if not field.sources:
        yield _entry("from", "not known" if field.by_tagger else "nothing: the rule finds nothing on the page today")
    if (now := _now(field)) is not None:
        yield _entry("now", now)


def _now(field: ExplainedField) -> str | None:
    """Tell what is read today where it is something else, or reads otherwise."""
    if field.now is None:
        return "nothing"
    if field.state == "differs":
        before, after = short_pair(value_line(field.stored.value), value_line(field.now.value))
        return f"{before} → {after or 'nothing'}"
    if field.now.rule != field.stored.rule and not field.by_tagger:
        return f"read by {one_line(field.now.rule)}"
    return None


def _rule_words(field: ExplainedField) -> str:
    name = field.stored.rule
    if field.by_tagger:
        return f"none, the tagger read it: {_short(name.removeprefix(TAGGER).partition(': ')[2])}"
    if field.rule is None:
        return f"{name}, which is not in this version of the map"
    return f"{name}: {'; '.join(_parts(field.rule, field.sources))}"


def _parts(rule: Rule, sources: tuple[Source, ...]) -> Iterator[str]:
    if rule.select:
        yield one_line(", ".join(rule.select))
    yield from (f"without {one_line(selector)}" for selector in rule.remove)
    if rule.take != TAKE_TEXT:
        yield f"take {rule.take}"
    if rule.match:
        yield f"match {one_line(rule.match)}"
    if rule.many:
        yield "many"
    if rule.fields:
        yield f"fields {', '.join(inner.field for inner in rule.fields)}"
    elif parser := rule.parse or next((source.parser for source in sources), ""):
        yield f"parse {parser}"


def _source(source: Source) -> Iterator[str]:
    place = source.path or (source.take if source.take != TAKE_TEXT else "a text that the selector finds")
    attribute = f" {source.take}" if source.path and source.take.startswith("@") else ""
    part = f"{source.part}: " if source.part else ""
    yield _entry("from", f"{part}{place}{attribute}")
    if source.raw:
        yield _entry("", f'"{_short(source.raw)}"')
    by_attribute = source.take == TAKE_TEXT and source.parser in _READING_ATTRIBUTES and _ATTRIBUTES.search(source.tag)
    if source.tag and (by_attribute or not source.raw):
        yield _entry("", _short(source.tag))


def _end(explained: Explained) -> Iterator[str]:
    """Sum up what is different today."""
    told = explained.explanation
    version = f"map version {explained.read_by.version}"
    if told.failure is not None:
        yield f"{version} gives no record of this page today: {told.failure.code}: {told.failure.detail}"
        return
    if told.also:
        yield f"read today and not in the record: {', '.join(told.also)}"
    differing = sum(field.state != "same" for field in told.fields)
    if not differing:
        yield f"{version} gives the same today ({counted(len(told.fields), 'field')})"
    else:
        yield f"{version} gives something else today: {differing} of {counted(len(told.fields), 'field')}"


def _moment(at: datetime | None) -> str:
    return f"{moment(at)} UTC" if at is not None else "at a time that is not known"


def _short(value: Any) -> str:
    return short(value_line(value), _LONGEST)
