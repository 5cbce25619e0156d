"""A map's rules in, the Python expressions and functions that read them out; spiders and page objects share them."""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from sitewright.domains import load_domain
from sitewright.errors import SelectorError
from sitewright.maps.convert.conversion import Losses
from sitewright.maps.convert.names import identifier, unique
from sitewright.maps.convert.outline import by_field, note_facts, note_marks, walk
from sitewright.maps.convert.python_source import Expression, call, listing, mapping, quote, render
from sitewright.maps.convert.translate import as_xpath
from sitewright.parse.selectors import is_xpath
from sitewright.types import TAKE_TEXT, ExtractionMap, Rule, Template

_BEYOND_PARSEL = re.compile(
    r":nth-(?:last-)?child\([^)]*\sof\s|:(?:any-link|dir|required|optional|read-only|read-write|defined)(?![\w-])|"
    r":(?:not|is|where)\((?:[^()]*,|\s*[^\s()]+\s*[\s>+~])|(?:^|[\s>+~,(*\])]|[.#][\w-]+):[\w-]+-of-type"
)
"""CSS that maps know and cssselect 1.6 does not (tried one by one); what is caught needlessly still runs, as XPath."""


@cache
def carried_functions() -> str:
    """Return the functions that generated code carries, without the imports they need."""
    text = files("sitewright.maps.convert").joinpath("carried.py").read_text("utf-8")
    body = ast.parse(text).body
    first = next(node for node in body[1:] if not isinstance(node, ast.Import | ast.ImportFrom))
    return "\n".join(text.splitlines()[first.lineno - 1 :]) + "\n"


@cache
def _carried_names() -> frozenset[str]:
    """Return the names of the functions that generated code carries."""
    return frozenset(node.name for node in ast.parse(carried_functions()).body if isinstance(node, ast.FunctionDef))


def runnable(selectors: Iterable[str], place: str, lost: Losses) -> list[str]:
    """Return selectors that parsel can run: verbatim, or as XPath where its CSS falls short of a map's."""
    kept = []
    for selector in selectors:
        if is_xpath(selector) or not _BEYOND_PARSEL.search(selector):
            kept.append(selector)
            continue
        try:
            kept.append(as_xpath(selector, ".//"))
        except SelectorError:
            lost.add(place, f"parsel cannot run {selector}; it is left out")
        else:
            lost.add(place, f"parsel cannot run {selector}; it is written as XPath")
    return kept


@dataclass(slots=True)
class ReadingCode:
    """Collects the functions that read objects, while expressions are made from rules."""

    lost: Losses
    functions: list[str] = field(default_factory=list)
    used: set[str] = field(default_factory=lambda: set(_carried_names()))

    def alternatives(self, rules: list[Rule], node: str, name: str) -> Expression:
        """Return the expression of one field: its rules, tried in order."""
        values = [self._value(rule, node, name) for rule in rules]
        return values[0] if len(values) == 1 else call("either", values)

    def record(self, rules: tuple[Rule, ...], node: str, name: str) -> Expression:
        """Return the expression of an object with these fields."""
        fields = {key: self.alternatives(group, node, f"{name}_{key}") for key, group in by_field(rules).items()}
        return call("present", [mapping(fields)])

    def function(self, name: str, rules: tuple[Rule, ...], what: str) -> str:
        """Add a function that reads an object, and return its name."""
        chosen = unique(identifier(name), self.used)
        body = render(self.record(rules, "node", name), 4, "return ")
        head = f"def {chosen}(node: Selector) -> dict[str, Any]:"
        self.functions.append(f'{head}\n    """Read {what}."""\n{body}\n')
        return chosen

    def _value(self, rule: Rule, node: str, name: str) -> Expression:
        place = f"rule {name.removeprefix('read_')}"
        arguments: list[Expression] = [node, listing(runnable(rule.select, place, self.lost))]
        keywords: dict[str, Expression] = {}
        if rule.fields:
            arguments.append(self.function(name, rule.fields, "one object within a page"))
        elif rule.take != TAKE_TEXT:
            keywords["take"] = quote(rule.take)
        if rule.remove:
            keywords["remove"] = listing(runnable(rule.remove, place, self.lost))
        if rule.match and not rule.fields:
            keywords["match"] = quote(rule.match)
        kinds = ("read_object", "read_objects") if rule.fields else ("read_first", "read_all")
        return call(kinds[rule.many], arguments, keywords)


def probe_of(template: Template, lost: Losses) -> str:
    """Return the probe of a template as parsel can run it."""
    return "".join(runnable([template.probe], f"template {template.name}", lost))


def note_code(extraction_map: ExtractionMap, lost: Losses) -> None:
    """Note what generated code does not do: parse values, run a browser, know how well a rule is founded."""
    note_facts(extraction_map, lost)
    parser_of = load_domain(extraction_map.domain).parser_of
    parsers: dict[str, None] = {}
    for template in extraction_map.templates:
        if template.render:
            lost.no_counterpart(f"template {template.name}", f"render: {template.render} has")
        note_marks(template, lost)
        read = (rule for _, rule in walk(template.rules, "") if not rule.fields)
        parsers |= dict.fromkeys(rule.parse or parser_of(rule.field) for rule in read)
    if parsers:
        lost.add("map", f"value parsers ({', '.join(parsers)}) are not carried along; values are the page's own text")
