"""ExtractionMap and Document in, Record out; no I/O, no state between pages."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from turbohtml import Element, Node

from sitewright.domains import Domain, load_domain
from sitewright.extract.take import Taker
from sitewright.parse import Document, compile_selector, host_of, without
from sitewright.types import ExtractionMap, Record, Rule, Support, Template, Value
from sitewright.values import PARSERS, Context, Item, Parsed, load_zone

UNSUPPORTED = 0.9
"""The confidence of a rule that states no support, such as one written by hand."""


class Extractor:
    """A map, compiled once and applied to any number of pages."""

    def __init__(self, extraction_map: ExtractionMap) -> None:
        """Compile; a bad selector raises `SelectorError`."""
        self.map = extraction_map
        domain = load_domain(extraction_map.domain)
        self._templates = [_CompiledTemplate(template, domain) for template in extraction_map.templates]
        self._zone = load_zone(extraction_map.timezone)

    def extract(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> Record:
        """Read a page; `fields` limits what is read, `now` stands in where the page's fetch time is unknown."""
        moment = now or datetime.now(UTC)
        template = next((template for template in self._templates if template.recognises(document)), None)
        language = self.map.language or document.metadata.language
        values: dict[str, Value] = {}
        if template is not None:
            context = Context(
                document=document,
                now=document.fetched_at or moment,
                timezone=self._zone,
                language=language,
                date_formats=self.map.date_formats,
            )
            values = template.read(context, fields)
        return Record(
            site=self.map.site or host_of(document.url),
            urls=(document.url,),
            fields=values,
            domain=self.map.domain,
            language=language,
            template=template.name if template is not None else "",
            map_version=self.map.version,
            extracted_at=moment,
        )


def extract(extraction_map: ExtractionMap, document: Document, now: datetime | None = None) -> Record:
    """Read one page with a map; for many pages make one `Extractor`."""
    return Extractor(extraction_map).extract(document, now)


class _CompiledTemplate:
    def __init__(self, template: Template, domain: Domain) -> None:
        self.name = template.name
        self._url = re.compile(template.url) if template.url else None
        self._probe = compile_selector(template.probe) if template.probe else None
        self._fields: dict[str, list[_CompiledRule]] = {}
        for rule in template.rules:
            alternatives = self._fields.setdefault(rule.field, [])
            alternatives.append(_CompiledRule(rule, f"{template.name}/{rule.field}#{len(alternatives)}", domain))

    def recognises(self, document: Document) -> bool:
        """Tell whether a page is of this kind: its URL and what it shows both fit."""
        if self._url is not None and not self._url.search(document.url):
            return False
        return self._probe is None or self._probe.occurs(document.tree)

    def read(self, context: Context, wanted: frozenset[str]) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for field, alternatives in self._fields.items():
            if not wanted or field in wanted:
                for rule in alternatives:
                    if (value := rule.read(context)) is not None:
                        values[field] = value
                        break
        return values


class _CompiledRule:
    def __init__(self, rule: Rule, name: str, domain: Domain, *, inner: bool = False) -> None:
        self._rule = rule
        self._name = name
        self._confidence = support_confidence(rule.support)
        self._taker = Taker(rule)
        self._parse = PARSERS[rule.parse or domain.parser_of(rule.field, inner=inner)]
        self._fields = [_CompiledRule(part, name, domain, inner=True) for part in rule.fields]

    @property
    def field(self) -> str:
        return self._rule.field

    def read(self, context: Context) -> Value | None:
        parsed = self.parse(context.document.tree, context)
        if parsed is None:
            return None
        certainty = parsed.certainty
        confidence = self._confidence if certainty == 1.0 else round(self._confidence * certainty, 3)
        return Value(parsed.value, confidence, self._name)

    def parse(self, root: Node, context: Context) -> Parsed | None:
        """Read the value below a node; what `remove` names counts as not there."""
        items, removed = self._taker.take(root, context.document)
        if not items:
            return None
        if not removed:
            return self._parse_items(items, context)
        with without(removed):
            return self._parse_items(items, context)

    def _parse_items(self, items: Sequence[Item], context: Context) -> Parsed | None:
        """Read the value: with `many` from all items, else from the first that gives one."""
        if self._fields:
            return self._parse_objects(items, context)
        if self._rule.many:
            return self._parse(items, True, context)
        for item in items:
            if (parsed := self._parse([item], False, context)) is not None:
                return parsed
        return None

    def _parse_objects(self, items: Sequence[Item], context: Context) -> Parsed | None:
        objects = []
        for element in items:
            values = _read_fields(self._fields, element, context) if isinstance(element, Element) else None
            if values:
                objects.append(values)
                if not self._rule.many:
                    return Parsed(values)
        return Parsed(objects) if objects else None


def _read_fields(rules: Sequence[_CompiledRule], root: Node, context: Context) -> dict[str, object]:
    values: dict[str, object] = {}
    for rule in rules:
        if rule.field not in values and (parsed := rule.parse(root, context)) is not None:
            values[rule.field] = parsed.value
    return values


def support_confidence(support: Support | None) -> float:
    """Turn a rule's support into a confidence, one page of doubt on either side.

    >>> support_confidence(Support(9, 10)), support_confidence(None)
    (0.833, 0.9)
    """
    if support is None:
        return UNSUPPORTED
    agreement = 1.0 if support.agreement is None else support.agreement
    return round((support.found + 1) / (support.sampled + 2) * agreement, 3)
