"""crawl4ai's JSON-CSS and JSON-XPath schemas: JSON in, ExtractionMap out, and back.

A schema reads a list of objects, one for each match of `baseSelector`; one that stands for the whole page (`html`,
`body`) reads a page. Where a schema names a field twice, the later entry wins if it finds something.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from sitewright.checking import pattern_error
from sitewright.errors import SelectorError
from sitewright.maps.convert.conversion import Conversion, Losses, expected
from sitewright.maps.convert.foreign_json import ForeignEntry, dump_object, entries_of, load_object, text_of
from sitewright.maps.convert.names import field_name, guess_domain, item_template, template_name, unique
from sitewright.maps.convert.outline import by_field, first_template, note_domain, note_facts, note_rules, walk
from sitewright.maps.convert.patterns import with_group
from sitewright.maps.convert.translate import SELF, as_xpath, split_attribute, split_union
from sitewright.parse.selectors import is_xpath
from sitewright.types import ExtractionMap, Rule, Template

WANTED = 'a crawl4ai schema: {"name": …, "baseSelector": …, "fields": […]}'
SCHEMA = "a crawl4ai schema"

_PAGE = frozenset({"html", "body", ":root", "//html", "//body", "/html", "/html/body", "xpath:html"})
_COMBINED = re.compile(r"[^\s,]\s*[\s>+~]\s*[^\s,]")
_LISTS = frozenset({"list", "nested_list"})
_VALUES = frozenset({"text", "attribute", "html", "regex"})
_KNOWN_ENTRIES = frozenset({"name", "selector", "type", "attribute", "pattern", "group", "fields", "source"})


def read_crawl4ai(text: str, site: str = "") -> Conversion[ExtractionMap]:
    """Read a schema; it does not name its site."""
    plain = load_object(text, WANTED)
    base = text_of(plain, "baseSelector", "schema").strip()
    if "fields" not in plain:
        raise expected("fields", "missing", WANTED)
    if not site:
        raise expected("site", "a schema does not say it", "the name of the site")
    lost = Losses("a map")
    for key in plain.keys() - {"name", "baseSelector", "baseFields", "fields"}:
        lost.no_counterpart("schema", f"{key} has")
    reader = _Reader(lost, xpath=is_xpath(base))
    own = reader.rules(entries_of(plain, "baseFields", ""), "baseFields")
    rules = (*own, *reader.rules(entries_of(plain, "fields", ""), "fields"))
    name = text_of(plain, "name", "schema", default="items")
    return Conversion(_as_map(site, name, base, rules, lost), lost.all())


def _as_map(site: str, name: str, base: str, rules: tuple[Rule, ...], lost: Losses) -> ExtractionMap:
    if base in _PAGE:
        domain = guess_domain(rule.field for rule in rules)
        return ExtractionMap(site=site, domain=domain, templates=(Template(name=template_name(name), rules=rules),))
    if not lost.usable(base, "baseSelector"):
        raise expected("baseSelector", f"{base!r} is not a selector", "CSS or XPath")
    field = field_name(name)
    if field != name:
        lost.add("schema", f"its name {name!r} becomes the field {field}")
    domain = guess_domain([field, *(rule.field for rule in rules)])
    whole = Rule(field=field, select=(base,), many=True, fields=rules)
    return ExtractionMap(site=site, domain=domain, templates=(Template(name=item_template(domain), rules=(whole,)),))


class _Reader:
    """Reads the fields of a schema, whose selectors are all CSS or all XPath."""

    def __init__(self, lost: Losses, *, xpath: bool) -> None:
        self.lost = lost
        self.xpath = xpath

    def rules(self, entries: list[ForeignEntry], place: str) -> tuple[Rule, ...]:
        """Read fields in their order; of those with the same name the last is tried first."""
        grouped: dict[str, list[Rule]] = {}
        used: set[str] = set()
        names: dict[str, str] = {}
        for number, entry in enumerate(entries):
            here = f"{place}[{number}]"
            foreign = text_of(entry, "name", here)
            if foreign not in names:
                names[foreign] = unique(self._named(foreign, here), used)
            grouped.setdefault(foreign, [])[:0] = self._rule(names[foreign], entry, f"{here} {foreign}")
        return tuple(rule for rules in grouped.values() for rule in _merged(rules))

    def _named(self, foreign: str, place: str) -> str:
        name = field_name(foreign)
        if name != foreign:
            self.lost.add(f"{place} {foreign}", f"its field is named {name}")
        return name

    def _rule(self, name: str, entry: ForeignEntry, place: str) -> list[Rule]:
        self._note_entries(entry, place)
        kinds = _kinds(entry, place)
        select = self._select(entry, place)
        if kinds == ["computed"]:
            self.lost.no_counterpart(place, "computed fields have")
            return []
        if not select:
            return []
        if kinds[0] in _LISTS or kinds == ["nested"]:
            return self._nested(name, entry, select, place)
        if not set(kinds) <= _VALUES:
            self.lost.no_counterpart(place, f"type {' then '.join(kinds)} has")
            return []
        take, match = _take(kinds, entry, place), self._match(kinds, entry, place)
        return [Rule(field=name, select=select, take=take, match=match)] if self.lost.usable_take(take, place) else []

    def _nested(self, name: str, entry: ForeignEntry, select: tuple[str, ...], place: str) -> list[Rule]:
        many = entry["type"] in _LISTS
        entries = entries_of(entry, "fields", place)
        fields = self.rules(entries, f"{place} fields")
        if not fields:
            self.lost.add(place, "has no readable fields; it is left out")
            return []
        only = fields[0]
        if many and len(fields) == 1 and only.field == name and only.select == (SELF,) and not only.fields:
            return [Rule(field=name, select=select, many=True, take=only.take, match=only.match)]
        return [Rule(field=name, select=select, many=many, fields=fields)]

    def _select(self, entry: ForeignEntry, place: str) -> tuple[str, ...]:
        selector = text_of(entry, "selector", place, default="").strip()
        found = self._relative(selector) if selector else SELF
        if "source" in entry:
            found = self._from_sibling(text_of(entry, "source", place), found, place)
        return (found,) if found and self.lost.usable(found, place) else ()

    def _relative(self, selector: str) -> str:
        """Return a selector as crawl4ai runs it: an XPath always from the element on."""
        if selector.startswith(".") or not (self.xpath or is_xpath(selector)):
            return selector
        if "/" in selector:
            return f".{selector}" if selector.startswith("/") else f"./{selector}"
        return f".//{selector}" if re.fullmatch(r"[\w*]+(\[.*\])?", selector) else selector

    def _from_sibling(self, source: str, selector: str, place: str) -> str:
        """Return the path over the next sibling that `+ selector` names."""
        sibling = source.strip()
        try:
            step = as_xpath(sibling.removeprefix("+").strip(), "./following-sibling::") + "[1]"
            inner = "" if selector == SELF else as_xpath(selector, ".//").removeprefix(".")
        except SelectorError as error:
            self.lost.add(place, f"source: {error}; the field is left out")
            return ""
        if not sibling.startswith("+"):
            self.lost.no_counterpart(place, f"source {source!r} has")
            return ""
        return step + inner

    def _match(self, kinds: list[str], entry: ForeignEntry, place: str) -> str:
        if "regex" not in kinds:
            return ""
        pattern = text_of(entry, "pattern", place)
        group = entry.get("group", 1)
        if pattern_error(pattern) or group not in (0, 1):
            self.lost.add(
                place, f"pattern {pattern!r}, group {group!r} cannot be said in a map; the whole value is taken"
            )
            return ""
        return f"({pattern})" if group == 0 else pattern

    def _note_entries(self, entry: ForeignEntry, place: str) -> None:
        for key, value in entry.items():
            if key not in _KNOWN_ENTRIES and (key, value) != ("transform", "strip"):
                self.lost.no_counterpart(place, f"{key}: {value!r} has")


def _kinds(entry: ForeignEntry, place: str) -> list[str]:
    """Return the steps of a field's type, which may be one or a list of them."""
    kinds = entry.get("type")
    steps = [kinds] if isinstance(kinds, str) else kinds
    if not isinstance(steps, list) or not steps or not all(isinstance(step, str) for step in steps):
        raise expected(f"{place}.type", f"found {kinds!r}", "text, attribute, html, regex, nested, list or nested_list")
    return steps


def _take(kinds: list[str], entry: ForeignEntry, place: str) -> str:
    if "attribute" in kinds:
        return f"@{text_of(entry, 'attribute', place)}"
    return "html" if "html" in kinds else "text"


def _merged(rules: list[Rule]) -> list[Rule]:
    """Join alternatives that differ only in their selector into one rule."""
    merged: list[Rule] = []
    for rule in rules:
        last = merged[-1] if merged else None
        if last and not rule.many and not rule.fields and last == _with_select(rule, last.select):
            merged[-1] = _with_select(rule, (*last.select, *rule.select))
        else:
            merged.append(rule)
    return merged


def _with_select(rule: Rule, select: tuple[str, ...]) -> Rule:
    return Rule(field=rule.field, select=select, take=rule.take, many=rule.many, match=rule.match, fields=rule.fields)


def write_crawl4ai(extraction_map: ExtractionMap) -> Conversion[str]:
    """Write the first template as a schema: CSS where all its selectors are, else XPath."""
    lost = Losses(SCHEMA)
    template = first_template(extraction_map, lost)
    note_facts(extraction_map, lost)
    note_domain(extraction_map, template, lost)
    note_rules(template, extraction_map.domain, lost)
    if extraction_map.index:
        lost.no_counterpart("map", "index pages have")
    selectors = [selector for _, rule in walk(template.rules, "") for selector in rule.select if selector != SELF]
    writer = _Writer(lost, xpath=any(map(is_xpath, selectors)))
    return Conversion(dump_object(writer.schema(template, extraction_map.domain)), lost.all())


class _Writer:
    """Writes rules as fields of a schema, whose selectors must be all CSS or all XPath."""

    def __init__(self, lost: Losses, *, xpath: bool, nested: bool = False) -> None:
        self.lost = lost
        self.xpath = xpath
        self.nested = nested

    def schema(self, template: Template, domain: str) -> dict[str, Any]:
        """Write a list page by its items, any other page as a whole."""
        place = f"rule {template.name}"
        if len(template.rules) == 1 and template.rules[0].fields and template.rules[0].many:
            rule = template.rules[0]
            base, _ = self._selector(rule, f"{place}/{rule.field}")
            if base:
                if template.name != item_template(domain):
                    self.lost.add(f"template {template.name}", f"{SCHEMA} of a list keeps no template name")
                fields = self._inner_fields(rule, f"{place}/{rule.field}")
                return {"name": rule.field, "baseSelector": base.removeprefix("."), "fields": fields}
        base = "//html" if self.xpath else "html"
        return {"name": template.name, "baseSelector": base, "fields": self._fields(template.rules, place)}

    def _inner_fields(self, rule: Rule, place: str) -> list[dict[str, Any]]:
        return _Writer(self.lost, xpath=self.xpath, nested=True)._fields(rule.fields, place)

    def _fields(self, rules: Iterable[Rule], place: str) -> list[dict[str, Any]]:
        fields: list[dict[str, Any]] = []
        for name, alternatives in by_field(rules).items():
            here = f"{place}/{name}"
            plain = not any(rule.many or rule.fields for rule in alternatives)
            if len(alternatives) > 1 and not plain:
                self.lost.no_counterpart(here, "alternatives of lists and objects have")
            written = [entries for rule in alternatives if (entries := self._rule(rule, here))]
            # a later entry of the same name wins where it finds something, so the first alternative comes last
            fields += reversed([entry for entries in (written if plain else written[:1]) for entry in entries])
        return fields

    def _rule(self, rule: Rule, place: str) -> list[dict[str, Any]]:
        """Return the entries of a rule, one for each of its alternatives, in their order."""
        if rule.take.startswith("jsonld:"):
            self.lost.no_counterpart(place, "JSON-LD paths have")
            return []
        if rule.remove:
            self.lost.no_counterpart(place, "remove selectors have")
        if rule.many or rule.fields:
            return self._group(rule, place)
        return [self._value(rule, selector) for selector in rule.select if self._writable(selector, place, itself=True)]

    def _value(self, rule: Rule, selector: str) -> dict[str, Any]:
        written, attribute = self._written(selector)
        entry: dict[str, Any] = {"name": rule.field} | ({"selector": written} if written else {})
        return entry | _type_entries(attribute or rule.take, rule.match)

    def _group(self, rule: Rule, place: str) -> list[dict[str, Any]]:
        selector, attribute = self._selector(rule, place)
        if not selector:
            return []
        entry: dict[str, Any] = {"name": rule.field, "selector": selector}
        if rule.fields:
            kind = "nested_list" if rule.many else "nested"
            return [entry | {"type": kind, "fields": self._inner_fields(rule, place)}]
        self.lost.add(
            place, f"{SCHEMA} has no lists of plain values; each becomes an object with the entry {rule.field}"
        )
        only = {"name": rule.field} | _type_entries(attribute or rule.take, rule.match)
        return [entry | {"type": "list", "fields": [only]}]

    def _selector(self, rule: Rule, place: str) -> tuple[str, str]:
        """Return one selector for all of a rule's, and the attribute its path ends in."""
        parts = [self._written(selector) for selector in rule.select if self._writable(selector, place)]
        if len(parts) > 1 and not rule.many:
            self.lost.add(place, f"the order of its selectors is lost: {SCHEMA} takes what comes first on the page")
        if len({attribute for _, attribute in parts}) > 1:
            self.lost.no_counterpart(place, "selectors of different kinds have")
            parts = parts[:1]
        joint = " | " if self.xpath else ", "
        return joint.join(path for path, _ in parts), parts[0][1] if parts else ""

    def _writable(self, selector: str, place: str, *, itself: bool = False) -> bool:
        """Tell whether crawl4ai can run a selector; an XPath must be a path to elements."""
        if selector == SELF:
            if not itself:
                self.lost.no_counterpart(place, "the element itself as a list or object has")
            return itself
        try:
            paths = split_union(self._written(selector)[0]) if self.xpath else []
        except SelectorError as error:
            self.lost.add(place, f"{error}; it is left out")
            return False
        from_the_top = self.nested and is_xpath(selector) and selector.removeprefix("xpath:").startswith("/")
        if from_the_top or not all(_is_path(path, alone=len(paths) == 1) for path in paths):
            self.lost.no_counterpart(place, f"the selector {selector} has")
            return False
        if paths and self.nested and not is_xpath(selector) and _COMBINED.search(selector):
            self.lost.add(place, f"as XPath, {selector} is matched within its element only, not against the whole page")
        return True

    def _written(self, selector: str) -> tuple[str, str]:
        """Return a selector as the schema holds it (empty: the element itself) and the attribute it ends in."""
        if selector == SELF:
            return "", ""
        if not self.xpath:
            return selector, ""
        path, attribute = split_attribute(as_xpath(selector, ".//"))
        arms = (f".{arm}" if arm.startswith("/") else arm for arm in split_union(path))
        return " | ".join(arms), attribute


def _is_path(path: str, *, alone: bool) -> bool:
    """Tell whether crawl4ai can run an XPath: a path from the element on, that ends in elements."""
    ends_in_elements = not path.endswith("()") and (alone or not split_attribute(path)[1])
    return path.startswith("./") and not path.startswith("./html") and ends_in_elements


def _type_entries(take: str, match: str) -> dict[str, Any]:
    """Return type, attribute and pattern of a value; a pattern is a further step, and keeps its first group."""
    kinds = ["attribute" if take.startswith("@") else take]
    entries: dict[str, Any] = {"attribute": take.removeprefix("@")} if take.startswith("@") else {}
    if match:
        kinds = ["regex"] if kinds == ["text"] else [*kinds, "regex"]
        entries["pattern"] = with_group(match)
    return {"type": _one_or_list(kinds), **entries}


def _one_or_list(kinds: Sequence[str]) -> str | list[str]:
    return kinds[0] if len(kinds) == 1 else list(kinds)
