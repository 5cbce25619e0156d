"""The text of a map file in, everything that is wrong with it out: file, line, entry, what was expected."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

from sitewright import checking
from sitewright.checking import Found, NotYaml, Path, bare, located, pattern_problem, schema_problems
from sitewright.domains import DEFAULT_DOMAIN, RESERVED, load_domain
from sitewright.errors import DomainError, MapSyntaxError, Problem
from sitewright.maps.plain import ARTICLES, ITEMS
from sitewright.parse.selectors import check_selector
from sitewright.types import TAKE_TEXT
from sitewright.values import PARSERS

_WHAT = "map"


@cache
def schema() -> Mapping[str, Any]:
    """Return the published JSON Schema of map files."""
    text = files("sitewright.maps").joinpath("map.schema.json").read_text("utf-8")
    loaded: Mapping[str, Any] = json.loads(text)
    return loaded


def read_tree(text: str, file: str) -> Any:
    """Parse YAML, keeping comments and line numbers."""
    try:
        return checking.read_tree(text, file, _WHAT)
    except NotYaml as error:
        raise MapSyntaxError(str(error)) from error


def problems(tree: Any, file: str) -> list[Problem]:
    """Return all that is wrong with a parsed map file, in the order of its lines."""
    plain = bare(tree)
    return located(tree, file, schema_problems(plain, schema()) or _meaning_problems(plain), _WHAT)


def notes(tree: Any, file: str) -> list[Problem]:
    """Return what is allowed in a sound map but perhaps not meant, in the order of its lines."""
    return located(tree, file, _doubts(bare(tree)), _WHAT)


def _meaning_problems(tree: Mapping[str, Any]) -> Iterator[Found]:
    """Yield what a schema cannot see: selectors, regular expressions, names that must exist."""
    yield from _fact_problems(tree)
    names: set[str] = set()
    for number, template in enumerate(tree["templates"]):
        if template["name"] in names:
            yield ("templates", number, "name"), f"a second template named {template['name']!r}"
        names.add(template["name"])
        yield from _template_problems(("templates", number), template)
    for number, page in enumerate(tree.get("index", ())):
        for entry in (ITEMS, ARTICLES, "lists", "next"):
            yield from _selector_problems(("index", number, entry), page.get(entry, ()))
        if ITEMS in page and ARTICLES in page:
            yield ("index", number, ARTICLES), f"the same as {ITEMS}; expected one of them"
        for entry in ("seed", "banned"):
            for place, part in enumerate(page.get(entry, ())):
                yield from pattern_problem(
                    ("index", number, entry, place), part.removeprefix("re:") if part.startswith("re:") else ""
                )


def _fact_problems(tree: Mapping[str, Any]) -> Iterator[Found]:
    yield from _domain_problems(tree)
    if tree.get("learned_at") and not _is_moment(tree["learned_at"]):
        yield ("learned_at",), f"{tree['learned_at']!r} is not a moment; expected one like 2025-05-18T14:00:00+00:00"
    if tree.get("timezone") and not _is_timezone(tree["timezone"]):
        yield ("timezone",), f"no such time zone {tree['timezone']!r}; expected a name like Europe/Moscow"
    for number, wanted in enumerate(tree.get("date_formats", ())):
        if message := _format_problem(wanted):
            yield ("date_formats", number), f"{wanted!r} is not a date format: {message}"


def _domain_problems(tree: Mapping[str, Any]) -> Iterator[Found]:
    try:
        load_domain(tree.get("domain", DEFAULT_DOMAIN))
    except DomainError as error:
        yield ("domain",), str(error)


def _template_problems(path: Path, template: Mapping[str, Any]) -> Iterator[Found]:
    yield from pattern_problem((*path, "url"), template.get("url", ""))
    if template.get("probe"):
        yield from _selector_problems((*path, "probe"), [template["probe"]])
    yield from _parts_problems((*path, "parts"), template.get("parts") or {})
    yield from _rules_problems((*path, "rules"), template["rules"])
    for field in sorted(RESERVED.intersection(template["rules"])):
        yield (*path, "rules", field), f"{field!r} is taken: every record has an entry of this name"


def _parts_problems(path: Path, parts: Mapping[str, Any]) -> Iterator[Found]:
    yield from _selector_problems((*path, "links"), parts.get("links", ()))
    pattern = parts.get("url", "")
    if pattern and (pattern.count("{page}") != 1 or pattern.count("{n}") + pattern.count("{a}") != 1):
        yield (
            (*path, "url"),
            f"{pattern!r} has to hold {{page}} and {{n}} (or {{a}}) once each, as in {{page}}?page={{n}}",
        )


def _rules_problems(path: Path, rules: Mapping[str, Any]) -> Iterator[Found]:
    for field, entry in rules.items():
        if isinstance(entry, list):
            for number, rule in enumerate(entry):
                yield from _rule_problems((*path, field, number), rule)
        else:
            yield from _rule_problems((*path, field), entry)


def _rule_problems(path: Path, rule: Mapping[str, Any]) -> Iterator[Found]:
    yield from _selector_problems((*path, "select"), rule.get("select", ()))
    yield from _selector_problems((*path, "remove"), rule.get("remove", ()))
    yield from pattern_problem((*path, "match"), rule.get("match", ""))
    if rule.get("parse") and rule["parse"] not in PARSERS:
        yield (*path, "parse"), f"no such parser {rule['parse']!r}; expected one of {', '.join(PARSERS)}"
    if rule.get("take", TAKE_TEXT).startswith((TAKE_TEXT, "html", "@")) and not rule.get("select"):
        yield path, "select is missing: only a jsonld take works without it"
    if rule.get("fields"):
        yield from _object_problems(path, rule)
    yield from _rules_problems((*path, "fields"), rule.get("fields", {}))


def _object_problems(path: Path, rule: Mapping[str, Any]) -> Iterator[Found]:
    """Yield what would turn the nodes that `fields` look into to strings."""
    if rule.get("take", TAKE_TEXT) != TAKE_TEXT:
        yield (*path, "take"), f"fields read nodes, and {rule['take']} gives none; expected no take, or text"
    if rule.get("match"):
        yield (*path, "match"), "fields read nodes, and match gives none; expected it at the fields themselves"


def _selector_problems(path: Path, selectors: Sequence[str]) -> Iterator[Found]:
    for number, selector in enumerate(selectors):
        if message := check_selector(selector):
            yield (*path, number), message


def _doubts(tree: Mapping[str, Any]) -> Iterator[Found]:
    domain = load_domain(tree.get("domain", DEFAULT_DOMAIN))
    read = {field for template in tree["templates"] for field in template["rules"]}
    for field in tree.get("min_confidence", {}):
        if field not in read:
            yield ("min_confidence", field), "no rule reads this field"
    for number, template in enumerate(tree["templates"]):
        for place, field in enumerate(template.get("tagger", ())):
            if field not in domain.fields:
                yield (
                    ("templates", number, "tagger", place),
                    f"not a field of {domain.name}: the tagger does not read it",
                )
        for field, entry in template["rules"].items():
            path: Path = ("templates", number, "rules", field)
            spec = domain.fields.get(field)
            if spec is None:
                yield path, f"not a field of {domain.name}; kept as it is"
            elif spec.many and not any(rule.get("many") for rule in (entry if isinstance(entry, list) else [entry])):
                yield path, "has often several values; without many: true only the first match is read"


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _format_problem(wanted: str) -> str:
    """Return what strptime has against a format; that an empty text does not match it is nothing."""
    if not any(code in wanted for code in ("%Y", "%y", "%G", "%c", "%x", "%D")):
        return "it names no year (%Y)"
    try:
        datetime.strptime("", wanted)
    except re.error as error:
        return str(error)
    except ValueError as error:
        return "" if "does not match" in str(error) else str(error)
    return ""


def _is_timezone(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True
