"""The text of a domain file in, its plain content out, or everything that is wrong with it."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from sitewright.checking import Found, NotYaml, bare, located, pattern_problem, read_tree, schema_problems
from sitewright.domains import kinds
from sitewright.domains.domain import RESERVED
from sitewright.domains.load import item_of
from sitewright.errors import DomainInvalid
from sitewright.types import LIST, NEXT, OTHER
from sitewright.values import PARSERS

_WHAT = "domain"
_KIND_OF_MEANING = {
    "heading": kinds.LINE, "summary": kinds.LINE, "main": kinds.TEXT, "published": kinds.DATE, "modified": kinds.DATE,
    "section": kinds.LIST,
}  # fmt: skip


def checked(text: str, file: str) -> Mapping[str, Any]:
    """Return what a domain file states, as plain dicts and lists; `DomainInvalid` lists all that is wrong with it."""
    try:
        tree = read_tree(text, file, _WHAT)
    except NotYaml as error:
        raise DomainInvalid([str(error)]) from error
    plain: Mapping[str, Any] = bare(tree)
    if found := located(tree, file, schema_problems(plain, schema()) or _meaning_problems(plain), _WHAT):
        raise DomainInvalid(found)
    return plain


@cache
def schema() -> Mapping[str, Any]:
    """Return the published JSON Schema of domain files."""
    loaded: Mapping[str, Any] = json.loads(files(__package__).joinpath("domain.schema.json").read_text("utf-8"))
    return loaded


def _meaning_problems(tree: Mapping[str, Any]) -> Iterator[Found]:
    """Yield what a schema cannot see: names that must exist, regular expressions, what does not go together."""
    item = item_of(tree.get("item", {}))
    if item.kind in {LIST, NEXT, OTHER}:
        yield ("item", "kind"), f"{item.kind!r} is what other pages are; expected a word for the items"
    if (levels := tree.get("levels")) and levels[-1] != item.kind:
        yield ("levels",), f"the last level is that of the items; expected {item.kind}, found {levels[-1]}"
    meanings: dict[str, str] = {}
    for name, spec in tree["fields"].items():
        for key, message in _field_problems(name, spec or {}, tree["fields"], meanings):
            yield ("fields", name, *key), message
    for number, group in enumerate(tree.get("same", ())):
        for place, name in enumerate(group):
            if name not in tree["fields"]:
                yield ("same", number, place), f"no field {name!r}"
    for name, parser in tree.get("inner", {}).items():
        yield from _parser_problem(("inner", name), parser)


def _field_problems(
    name: str, spec: Mapping[str, Any], fields: Mapping[str, Any], meanings: dict[str, str]
) -> Iterator[Found]:
    if name in RESERVED:
        yield (), f"{name!r} is taken: every record has an entry of this name"
    yield from _parser_problem(("parse",), spec.get("parse", "line.v1"))
    if (spec.get("kind") == kinds.OBJECTS) != ("parts" in spec):
        yield ("parts",) if "parts" in spec else (), f"parts are what values of kind {kinds.OBJECTS} are made of"
    for part, inner in spec.get("parts", {}).items():
        yield from _parser_problem(("parts", part, "parse"), inner.get("parse", "line.v1"))
        for side, pattern in inner.get("words", {}).items():
            yield from pattern_problem(("parts", part, "words", side), pattern)
    if spec.get("rival", name) not in fields:
        yield ("rival",), f"no field {spec['rival']!r}"
    for side, pattern in spec.get("words", {}).items():
        yield from pattern_problem(("words", side), pattern)
    if means := spec.get("means"):
        if means in meanings:
            yield ("means",), f"{meanings[means]} means {means} already; expected one field of that meaning"
        if spec.get("kind", kinds.LINE) != _KIND_OF_MEANING[means]:
            yield ("means",), f"a field that means {means} is of kind {_KIND_OF_MEANING[means]}"
        meanings.setdefault(means, name)


def _parser_problem(path: tuple[str, ...], parser: str) -> Iterator[Found]:
    if parser not in PARSERS:
        yield path, f"no such parser {parser!r}; expected one of {', '.join(PARSERS)}"
