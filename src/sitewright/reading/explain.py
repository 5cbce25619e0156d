"""A stored record, its page and the map that made it in; where on the page each value stands, and if still so, out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from html import escape
from typing import Literal

import orjson
from turbohtml import Element

from sitewright.domains import kinds, load_domain
from sitewright.errors import SitewrightError
from sitewright.extract import Extractor
from sitewright.maps.rules import find_rule
from sitewright.parse import Document, Json, parse
from sitewright.reading.item import read_page
from sitewright.reading.mapped import Doubt
from sitewright.reading.taggers import tagger_of
from sitewright.structure import CssPaths
from sitewright.tag.reader import PageReading
from sitewright.types import TAKE_TEXT, ExtractionMap, Failure, Limits, Page, Record, Rule, Value
from sitewright.values import PARSERS, page_context
from sitewright.values.as_json import json_of

TAGGER = "tagger/"
"""What the rule of a value begins with that no rule of a map gave."""
State = Literal["same", "differs", "gone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A place of a page that a value, or a part of it, was read from."""

    take: str
    """What was taken: `text`, `html`, `@attribute`; or where metadata states it (`jsonld:…`, `meta:og:title`)."""
    raw: Json
    """What was taken, before it was parsed."""
    path: str = ""
    """A selector that finds the element alone; empty where what was taken is none."""
    tag: str = ""
    """The element's own tag with its attributes, which some parsers read."""
    parser: str = ""
    part: str = ""
    """The part of the value, where rules make objects (`[0].url`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedField:
    """A value of a record: the rule that gave it, where it stands, and what is read today."""

    name: str
    stored: Value
    rule: Rule | None
    """None where the tagger gave it."""
    sources: tuple[Source, ...]
    now: Value | None
    """What the same map gives on the same page today; None: nothing."""

    @property
    def by_tagger(self) -> bool:
        """Whether the tagger gave it."""
        return self.stored.rule.startswith(TAGGER)

    @property
    def state(self) -> State:
        """Whether the same value is read today."""
        if self.now is None:
            return "gone"
        return "same" if self.now.value == self.stored.value else "differs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Where the values of a record are from, and what becomes of its page today."""

    fields: tuple[ExplainedField, ...]
    also: Mapping[str, Value] = field(default_factory=dict)
    """What is read today and not in the record."""
    failure: Failure | None = None
    """Why the page gives no record today."""


def explain_record(
    record: Record,
    page: Page,
    extraction_map: ExtractionMap,
    limits: Limits | None = None,
    doubts: frozenset[Doubt] = frozenset(),
) -> Explanation:
    """Read a page once more with the map that made its record, and tell where each value of the record is from.

    It is read as whoever reads it once more does: the tagger reads what the map lacks, or what is in doubt.
    """
    held = limits or Limits()
    now: Mapping[str, Value] = {}
    failure: Failure | None = None
    try:
        now = _plain(read_page(held, page, extraction_map, doubts).record.fields)
    except SitewrightError as error:
        failure = Failure(page.url, "extract", error.code, str(error))
    document = _parsed(page, held)
    finder = _Finder(extraction_map, document) if document is not None else None
    fields = tuple(
        ExplainedField(
            name=name,
            stored=value,
            rule=find_rule(extraction_map, value.rule),
            sources=tuple(finder.sources(name, value)) if finder is not None else (),
            now=now.get(name),
        )
        for name, value in _plain(record.fields).items()
    )
    also = {name: value for name, value in now.items() if name not in record.fields}
    return Explanation(fields=fields, also=also, failure=failure)


def _parsed(page: Page, limits: Limits) -> Document | None:
    try:
        return parse(page, limits)
    except SitewrightError:  # reading the page told why
        return None


def _plain(fields: Mapping[str, Value]) -> dict[str, Value]:
    """Return values as a store gives them back: those of JSON."""
    values = orjson.loads(json_of({name: value.value for name, value in fields.items()}))
    return {name: Value(values[name], value.confidence, value.rule) for name, value in fields.items()}


class _Finder:
    """Finds where on a page values stand; the tagger is loaded when it is first needed."""

    def __init__(self, extraction_map: ExtractionMap, document: Document) -> None:
        self._domain = extraction_map.domain
        self._extractor = Extractor(extraction_map)
        self._document = document
        self._paths = CssPaths()
        self._with_pictures = load_domain(self._domain).fields_of_kind(kinds.IMAGES)

    @cached_property
    def _reading(self) -> PageReading:
        return tagger_of(self._domain).read(self._document)

    def sources(self, name: str, value: Value) -> Iterator[Source]:
        """Yield the places of a value; none where they are not known."""
        if not value.rule.startswith(TAGGER):
            return self._of_rule(value.rule)
        return self._pictures(value.value) if name in self._with_pictures else self._tagged(name)

    def _of_rule(self, rule: str) -> Iterator[Source]:
        for trace in self._extractor.trace(self._document, rule):
            place = self._place(trace.element)
            yield Source(take=trace.take, raw=trace.raw, parser=trace.parser, part=trace.part, **place)

    def _tagged(self, name: str) -> Iterator[Source]:
        """Yield what the page displays, then what it states."""
        found = self._reading.findings.get(name)
        units = [self._reading.units[number] for number in found.units] if found is not None else []
        for unit in sorted(units, key=lambda unit: unit.place is None):
            yield Source(take=unit.source or TAKE_TEXT, raw=unit.text, **self._place(unit.element))

    def _pictures(self, value: object) -> Iterator[Source]:
        """Yield the pictures with the addresses of a value: the tagger does not keep which they were."""
        wanted = _addresses(value)
        context = page_context(self._document, datetime.now(UTC))
        for image in self._document.tree.select("img, amp-img"):
            parsed = PARSERS["image.v1"]([image], True, context)
            shown = _addresses(parsed.value) if parsed is not None else set()
            if not wanted.isdisjoint(shown):
                wanted -= shown
                yield Source(take=TAKE_TEXT, raw="", parser="image.v1", **self._place(image))

    def _place(self, element: Element | None) -> dict[str, str]:
        return {"path": self._paths.of(element), "tag": tag_of(element)} if element is not None else {}


def _addresses(pictures: object) -> set[str]:
    """Return the addresses of pictures as records hold them, or as stores give them back."""
    plain = orjson.loads(json_of({"": pictures}))[""]
    return {picture["url"] for picture in plain} if isinstance(plain, list) else set()


def tag_of(element: Element) -> str:
    """Return the tag that an element begins with.

    >>> from turbohtml import parse as parse_html
    >>> tag_of(parse_html("<p class='a b' title='\\"x\\"' hidden>text").select_one("p"))
    '<p class="a b" title="&quot;x&quot;" hidden>'
    """
    words = [element.tag]
    for name, stated in element.attrs.items():
        value = " ".join(stated) if isinstance(stated, list) else stated
        words.append(f'{name}="{escape(value)}"' if value else name)
    return f"<{' '.join(words)}>"
