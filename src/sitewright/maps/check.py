"""The text of a map file in, everything that is wrong with it out: file, line, entry, what was expected."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from zoneinfo import ZoneInfo

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from sitewright.domains import domain_names, load_domain
from sitewright.errors import MapSyntaxError, Problem
from sitewright.parse.selectors import check_selector
from sitewright.values import PARSERS

Path = tuple[str | int, ...]

RESERVED = frozenset("url error error_code error_detail language confidence template via map_version id rules".split())
"""What a record says of itself; no field of a page can have these names."""
MAX_MAP_ENTRIES = 100_000
_NESTED = re.compile(r"(?:[\[{]\s*+){20}")
"""More opening brackets in a row than any map has; the YAML reader takes minutes over thousands of them."""

MAX_MAP_BYTES = 4_000_000
"""A map of 60 lines has 4 kB; a file a thousand times that is something else."""


@cache
def schema() -> Mapping[str, Any]:
    """Return the published JSON Schema of map files."""
    text = files("sitewright.maps").joinpath("map.schema.json").read_text("utf-8")
    loaded: Mapping[str, Any] = json.loads(text)
    return loaded


def yaml() -> YAML:
    """Return a YAML reader and writer that keeps comments and writes the house style."""
    round_trip = YAML(typ="rt")
    round_trip.width = 4096
    round_trip.preserve_quotes = True
    round_trip.indent(mapping=2, sequence=4, offset=2)
    return round_trip


def read_tree(text: str, file: str) -> Any:
    """Parse YAML, keeping comments and line numbers."""
    if len(text) > MAX_MAP_BYTES:
        raise MapSyntaxError(f"{file}:1: a map file has at most {MAX_MAP_BYTES:,} characters, this one {len(text):,}")
    if nested := _NESTED.search(text):
        line = text.count("\n", 0, nested.start()) + 1
        raise MapSyntaxError(f"{file}:{line}: brackets are nested too deep for a map")
    try:
        tree = yaml().load(text)
        _refuse_endless(tree, file)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else 1
        raise MapSyntaxError(f"{file}:{line}: not YAML: {error.problem or error.context}") from error
    except (YAMLError, ValueError, RecursionError, LookupError, TypeError, AttributeError) as error:  # odd tags
        raise MapSyntaxError(f"{file}:1: not YAML: {error}") from error
    return tree


def _refuse_endless(tree: Any, file: str) -> None:
    """Refuse aliases that stand for millions of entries or for what they are part of; each node is looked at once."""
    sizes: dict[int, int] = {}

    def size(node: Any) -> int:
        if isinstance(node, str) or not isinstance(node, (Mapping, Sequence)):
            return 1
        if id(node) not in sizes:
            sizes[id(node)] = 0  # until all it holds is counted
            children = node.values() if isinstance(node, Mapping) else node
            sizes[id(node)] = 1 + sum(map(size, children))
        if not sizes[id(node)]:
            raise MapSyntaxError(f"{file}:{_begin(node)}: an alias stands for what it is part of")
        return sizes[id(node)]

    if size(tree) > MAX_MAP_ENTRIES:
        raise MapSyntaxError(f"{file}:1: a map file has at most {MAX_MAP_ENTRIES:,} entries, aliases counted in full")


def _begin(node: Any) -> int:
    return node.lc.line + 1 if isinstance(node, CommentedBase) else 1


def problems(tree: Any, file: str) -> list[Problem]:
    """Return all that is wrong with a parsed map file, in the order of its lines."""
    plain = bare(tree)
    return _located(tree, file, _schema_problems(plain) or _meaning_problems(plain))


def notes(tree: Any, file: str) -> list[Problem]:
    """Return what is allowed in a sound map but perhaps not meant, in the order of its lines."""
    return _located(tree, file, _doubts(bare(tree)))


def bare(tree: Any) -> Any:
    """Return plain dicts, lists and scalars, without what YAML remembers about style; dates as text."""
    if isinstance(tree, Mapping):
        return {str(key): bare(item) for key, item in tree.items()}
    if isinstance(tree, Sequence) and not isinstance(tree, str):
        return [bare(item) for item in tree]
    if isinstance(tree, date):
        return tree.isoformat()
    if isinstance(tree, float):
        return int(tree) if tree.is_integer() else float(tree)
    return next((kind(tree) for kind in (str, bool, int) if isinstance(tree, kind)), tree)


def _located(tree: Any, file: str, found: Iterable[tuple[Path, str]]) -> list[Problem]:
    located = [Problem(file, line_of(tree, path), _dotted(path), message) for path, message in dict.fromkeys(found)]
    return sorted(located, key=lambda problem: (problem.line, problem.path))


def line_of(tree: Any, path: Path) -> int:
    """Return the line (from 1) on which the entry at `path` begins."""
    line = 1
    for key in path:
        place = getattr(tree, "lc", None)
        marks = place.data if isinstance(tree, CommentedBase) and place is not None else None
        if marks and key in marks:
            line = marks[key][0] + 1
        try:
            tree = tree[key]
        except (KeyError, IndexError, TypeError):
            break
    return line


def _schema_problems(tree: Any) -> list[tuple[Path, str]]:
    return [problem for error in _Validator(schema()).iter_errors(tree) for problem in _explain(error)]


def _whole_pattern(_validator: Any, pattern: str, instance: Any, _schema: Any) -> Iterator[ValidationError]:
    """Match all of a text: a `$` of JSON Schema is its end, one of Python also stands before a last line break."""
    if isinstance(instance, str) and not re.fullmatch(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


_Validator = extend(Draft202012Validator, {"pattern": _whole_pattern})  # type: ignore[no-untyped-call]


def _explain(error: ValidationError) -> Iterator[tuple[Path, str]]:
    path: Path = tuple(error.absolute_path)
    match error.validator:
        case "additionalProperties" if isinstance(error.instance, Mapping):
            known = sorted(error.schema.get("properties", {}))  # type: ignore[union-attr]
            for key in error.instance:
                if key not in known:
                    yield (*path, key), f"unknown entry {key!r}; expected one of {', '.join(known)}"
        case "required" if isinstance(error.instance, Mapping):
            missing = [name for name in error.validator_value if name not in error.instance]  # type: ignore[union-attr]
            yield path, f"missing {', '.join(missing)}"
        case "anyOf":
            yield path, "a rule needs select or take"
        case "type":
            yield path, f"expected {error.validator_value}, found {kind_of(error.instance)}"
        case "const" | "enum":
            allowed = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
            yield path, f"expected {' or '.join(map(str, allowed))}, found {error.instance!r}"
        case "pattern" if "propertyNames" in error.absolute_schema_path:
            yield (*path, str(error.instance)), f"{error.instance!r} is not a field's name: letters, digits, _ and -"
        case "pattern":
            wanted = error.schema.get("description") or error.validator_value  # type: ignore[union-attr]
            yield path, f"{error.instance!r} is not of the form {wanted}"
        case _:
            yield path, error.message


def kind_of(value: object) -> str:
    """Name the kind of a plain value, as it stands in YAML or JSON.

    >>> kind_of([]), kind_of({}), kind_of("x"), kind_of(None), kind_of(1.5), kind_of(True)
    ('a list', 'an object', 'text', 'nothing', 'a number', 'true/false')
    """
    return _KINDS.get(type(value), type(value).__name__)


_KINDS: Mapping[type, str] = {
    bool: "true/false",
    str: "text",
    int: "a number",
    float: "a number",
    type(None): "nothing",
    list: "a list",
    dict: "an object",
}


def _meaning_problems(tree: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield what a schema cannot see: selectors, regular expressions, names that must exist."""
    yield from _fact_problems(tree)
    names: set[str] = set()
    for number, template in enumerate(tree["templates"]):
        if template["name"] in names:
            yield ("templates", number, "name"), f"a second template named {template['name']!r}"
        names.add(template["name"])
        yield from _template_problems(("templates", number), template)
    for number, page in enumerate(tree.get("index", ())):
        for entry in ("articles", "next"):
            yield from _selector_problems(("index", number, entry), page.get(entry, ()))


def _fact_problems(tree: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    if tree.get("domain", "news") not in domain_names():
        yield ("domain",), f"no such domain {tree['domain']!r}; expected one of {', '.join(domain_names())}"
    if tree.get("learned_at") and not _is_moment(tree["learned_at"]):
        yield ("learned_at",), f"{tree['learned_at']!r} is not a moment; expected one like 2025-05-18T14:00:00+00:00"
    if tree.get("timezone") and not _is_timezone(tree["timezone"]):
        yield ("timezone",), f"no such time zone {tree['timezone']!r}; expected a name like Europe/Moscow"
    for number, wanted in enumerate(tree.get("date_formats", ())):
        if message := _format_problem(wanted):
            yield ("date_formats", number), f"{wanted!r} is not a date format: {message}"


def _template_problems(path: Path, template: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    yield from _pattern_problem((*path, "url"), template.get("url", ""))
    if template.get("probe"):
        yield from _selector_problems((*path, "probe"), [template["probe"]])
    yield from _rules_problems((*path, "rules"), template["rules"])
    for field in sorted(RESERVED.intersection(template["rules"])):
        yield (*path, "rules", field), f"{field!r} is taken: every record has an entry of this name"


def _rules_problems(path: Path, rules: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    for field, entry in rules.items():
        if isinstance(entry, list):
            for number, rule in enumerate(entry):
                yield from _rule_problems((*path, field, number), rule)
        else:
            yield from _rule_problems((*path, field), entry)


def _rule_problems(path: Path, rule: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    yield from _selector_problems((*path, "select"), rule.get("select", ()))
    yield from _selector_problems((*path, "remove"), rule.get("remove", ()))
    yield from _pattern_problem((*path, "match"), rule.get("match", ""))
    if rule.get("parse") and rule["parse"] not in PARSERS:
        yield (*path, "parse"), f"no such parser {rule['parse']!r}; expected one of {', '.join(PARSERS)}"
    if rule.get("take", "text").startswith(("text", "html", "@")) and not rule.get("select"):
        yield path, "select is missing: only a jsonld take works without it"
    if rule.get("fields"):
        yield from _object_problems(path, rule)
    yield from _rules_problems((*path, "fields"), rule.get("fields", {}))


def _object_problems(path: Path, rule: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield what would turn the nodes that `fields` look into to strings."""
    if rule.get("take", "text") != "text":
        yield (*path, "take"), f"fields read nodes, and {rule['take']} gives none; expected no take, or text"
    if rule.get("match"):
        yield (*path, "match"), "fields read nodes, and match gives none; expected it at the fields themselves"


def _selector_problems(path: Path, selectors: Sequence[str]) -> Iterator[tuple[Path, str]]:
    for number, selector in enumerate(selectors):
        if message := check_selector(selector):
            yield (*path, number), message


def _pattern_problem(path: Path, pattern: str) -> Iterator[tuple[Path, str]]:
    if message := pattern_error(pattern):
        yield path, f"{pattern!r} is not a regular expression: {message}"


def pattern_error(pattern: str) -> str:
    """Return what Python has against a regular expression; empty where it takes it.

    >>> pattern_error("(a"), pattern_error("a{99999999999}"), pattern_error("a+")
    ('missing ), unterminated subpattern at position 0', 'the repetition number is too large', '')
    """
    try:
        re.compile(pattern)
    except (re.error, OverflowError) as error:
        return str(error)
    except RecursionError:
        return "nested too deep"
    return ""


def _doubts(tree: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    domain = load_domain(tree.get("domain", "news"))
    for number, template in enumerate(tree["templates"]):
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


def _dotted(path: Path) -> str:
    return "".join(f"[{key}]" if isinstance(key, int) else f".{_on_one_line(key)}" for key in path).removeprefix(".")


def _on_one_line(key: str) -> str:
    return key if key.isprintable() else repr(key)[1:-1]
