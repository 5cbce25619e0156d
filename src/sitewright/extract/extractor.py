"""ExtractionMap and Document in, Record out; no I/O, no state between pages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from turbohtml import Element, Node

from sitewright.domains import Domain, load_domain, sane_fields
from sitewright.extract.take import Selection, Taker
from sitewright.maps.rules import named_rules
from sitewright.parse import Document, Json, compile_selector, host_of, without
from sitewright.parse.patterns import fits
from sitewright.types import ExtractionMap, Record, Rule, Support, Template, Value
from sitewright.values import PARSERS, Context, Parsed, Taken, load_zone, string_of

UNSUPPORTED = 0.9
"""The confidence of a rule that states no support, such as one written by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """One thing that a rule made a value of, before it was parsed."""

    element: Element | None
    """None for JSON-LD, and for XPath that ends in a text or an attribute."""
    take: str
    """What was taken, as in the rule."""
    raw: Json
    """The text, attribute or markup (of JSON-LD the value) that the parser was given."""
    parser: str
    part: str = ""
    """The part of the value that it gave, where the rule makes objects: `url`, of a list of them `[0].url`."""


class Extractor:
    """A map, compiled once and applied to any number of pages."""

    def __init__(self, extraction_map: ExtractionMap, skipped: frozenset[str] = frozenset()) -> None:
        """Compile; a bad selector raises `SelectorError`. Rules with names in `skipped` count as not there."""
        self.map = extraction_map
        self._domain = domain = load_domain(extraction_map.domain)
        floors = dict(extraction_map.min_confidence)
        self._templates = [
            _CompiledTemplate(template, domain, floors, skipped) for template in extraction_map.templates
        ]
        self._zone = load_zone(extraction_map.timezone)

    def extract(self, document: Document, now: datetime | None = None, fields: frozenset[str] = frozenset()) -> Record:
        """Read a page; `fields` limits what is read, `now` stands in where the page's fetch time is unknown."""
        moment = now or datetime.now(UTC)
        template = next((template for template in self._templates if template.recognises(document)), None)
        context = self.context(document, moment)
        read = template.read(context, fields) if template is not None else {}
        return Record(
            site=self.map.site or host_of(document.url),
            urls=(document.url,),
            fields=sane_fields(read, self._domain, document.url),
            domain=self.map.domain,
            language=context.language,
            template=template.name if template is not None else "",
            map_version=self.map.version,
            extracted_at=moment,
        )

    def trace(self, document: Document, rule: str, now: datetime | None = None) -> list[Trace]:
        """Return what a rule, by its name (`article/title#0`), makes its value of; nothing where it gives none.

        Whether the page is one of the rule's template does not matter.
        """
        context = self.context(document, now or datetime.now(UTC))
        named = (found for template in self._templates if (found := template.rule(rule)) is not None)
        return [trace for compiled in named for trace in compiled.trace(document.tree, context)]

    def context(self, document: Document, moment: datetime) -> Context:
        """Return what the map knows of the site of a page: how its dates are written, in which zone."""
        return Context(
            document=document,
            now=document.fetched_at or moment,
            timezone=self._zone,
            language=self.map.language or document.metadata.language,
            date_formats=self.map.date_formats,
        )


def extract(extraction_map: ExtractionMap, document: Document, now: datetime | None = None) -> Record:
    """Read one page with a map; for many pages make one `Extractor`."""
    return Extractor(extraction_map).extract(document, now)


class _CompiledTemplate:
    def __init__(
        self, template: Template, domain: Domain, floors: Mapping[str, float], skipped: frozenset[str]
    ) -> None:
        self.name = template.name
        self._floors = floors
        self._url = template.url
        self._probe = compile_selector(template.probe) if template.probe else None
        self._fields: dict[str, list[_CompiledRule]] = {}
        for name, rule in named_rules(template):
            if str(name) not in skipped:
                self._fields.setdefault(rule.field, []).append(_CompiledRule(rule, str(name), domain))

    def recognises(self, document: Document) -> bool:
        """Tell whether a page is of this kind: its URL and what it shows both fit."""
        if self._url and not fits(self._url, document.url):
            return False
        return self._probe is None or self._probe.occurs(document.tree)

    def rule(self, name: str) -> "_CompiledRule | None":
        """Return the rule of a name."""
        own = (rule for alternatives in self._fields.values() for rule in alternatives)
        return next((rule for rule in own if rule.name == name), None)

    def read(self, context: Context, wanted: frozenset[str]) -> dict[str, Value]:
        """Read the fields; all are sought first, since the engine looks through the tree anew after each change."""
        fields = [item for item in self._fields.items() if not wanted or item[0] in wanted]
        found = [alternatives[0].find(context) for _, alternatives in fields]
        values: dict[str, Value] = {}
        for (field, alternatives), selection in zip(fields, found, strict=True):
            least = self._floors.get(field, 0.0)
            for rule in alternatives:
                own = selection if rule is alternatives[0] else rule.find(context)
                if (value := rule.read(own, context)) is not None and value.confidence >= least:
                    values[field] = value
                    break
        return values


class _CompiledRule:
    def __init__(self, rule: Rule, name: str, domain: Domain, *, inner: bool = False) -> None:
        self._rule = rule
        self.name = name
        self._confidence = support_confidence(rule.support)
        self._taker = Taker(rule)
        self._parser = rule.parse or domain.parser_of(rule.field, inner=inner)
        self._parse = PARSERS[self._parser]
        self._fields = [_CompiledRule(part, name, domain, inner=True) for part in rule.fields]

    @property
    def field(self) -> str:
        return self._rule.field

    def find(self, context: Context) -> Selection:
        """Return what the rule selects on a page, whole."""
        return self._taker.find(context.document.tree, context.document)

    def read(self, selection: Selection, context: Context) -> Value | None:
        """Read the value of what `find` returned."""
        parsed = self._parse_selection(selection, context)
        if parsed is None:
            return None
        certainty = parsed.certainty
        confidence = self._confidence if certainty == 1.0 else round(self._confidence * certainty, 3)
        return Value(parsed.value, confidence, self.name)

    def parse(self, root: Node, context: Context) -> Parsed | None:
        """Read the value below a node; what `remove` names counts as not there."""
        return self._parse_selection(self._taker.find(root, context.document), context)

    def _parse_selection(self, selection: Selection, context: Context) -> Parsed | None:
        items, removed = self._taker.take(selection)
        if not items:
            return None
        if not removed:
            return self._parse_items(items, context)
        with without(removed):
            return self._parse_items(items, context)

    def _parse_items(self, items: Sequence[Taken], context: Context) -> Parsed | None:
        """Read the value: with `many` from all items, else from the first that gives one."""
        if self._fields:
            return self._parse_objects(items, context)
        if self._rule.many:
            return self._parse(items, True, context)
        for item in items:
            if (parsed := self._parse([item], False, context)) is not None:
                return parsed
        return None

    def _parse_objects(self, items: Sequence[Taken], context: Context) -> Parsed | None:
        objects = []
        for element in items:
            values = _read_fields(self._fields, element, context) if isinstance(element, Element) else None
            if values:
                objects.append(values)
                if not self._rule.many:
                    return Parsed(values)
        return Parsed(objects) if objects else None

    def trace(self, root: Node, context: Context) -> list[Trace]:
        """Return what the value is made of, thing by thing; with `many`, those that give nothing are left out."""
        found, removed = self._taker.find(root, context.document)
        traces: list[Trace] = []
        with without(removed):
            given = 0
            for one in found:
                items = self._taker.reduced([one])
                if items and self._parse_items(items, context) is not None:
                    traces += self._trace_one(one, items[0], given, context)
                    given += 1
                    if not self._rule.many:
                        break
        return traces

    def _trace_one(self, found: Taken, item: Taken, number: int, context: Context) -> Iterator[Trace]:
        element = found if isinstance(found, Element) else None
        if element is None or not self._fields:
            raw = string_of(item) if isinstance(item, Element) else item
            yield Trace(element=element, take=self._rule.take, raw=raw, parser=self._parser)
            return
        start = f"[{number}]." if self._rule.many else ""
        for field, traces in _trace_fields(self._fields, element, context).items():
            for trace in traces:
                inner = f".{trace.part}" if trace.part and not trace.part.startswith("[") else trace.part
                yield replace(trace, part=f"{start}{field}{inner}")


def _trace_fields(rules: Sequence[_CompiledRule], root: Node, context: Context) -> dict[str, list[Trace]]:
    traces: dict[str, list[Trace]] = {}
    for rule in rules:
        if rule.field not in traces and (own := rule.trace(root, context)):
            traces[rule.field] = own
    return traces


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
