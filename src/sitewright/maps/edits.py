"""A map and what a person does to one of its rules, or to a page that lists others, in; the changed map out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from sitewright.errors import InputError
from sitewright.maps.rules import RuleName, named_rules
from sitewright.parse.selectors import check_selector
from sitewright.types import TAKE_TEXT, ExtractionMap, IndexPage, Rule, Template

Act = Literal["set", "add", "drop", "first", "index", "inner"]
ENTRIES = ("select", "remove", "take", "many", "match", "parse")
"""What of a rule can be set."""
INNER_ENTRIES = ("field", "select", "take")
"""What is said of a field that each item of a list has; without selectors it has it no more."""
INDEX_ENTRIES = ("items", "lists", "next", "weight")
"""What can be set of a page that lists others."""
_LISTS = frozenset({"select", "remove", "items", "lists", "next"})
_HEAVIEST = 100
_KNOWN = {"index": INDEX_ENTRIES, "inner": INNER_ENTRIES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """One thing that a person does: set entries of a rule, add a rule, drop one, or have it tried first.

    `inner` says how a field inside of each of a rule's items is read, `index` sets entries of a page that lists others.
    """

    act: Act
    rule: str = ""
    """By its name, as `article/title#0`; of one that is added, `article/title`; or the address of an index page."""
    entries: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, plain: Any) -> "Edit":
        """Read an edit from plain values; what is none is told.

        >>> Edit.read({"act": "set", "rule": "a/title#0", "entries": {"select": ["h1"]}}).entries
        {'select': ['h1']}
        """
        if not isinstance(plain, dict) or plain.get("act") not in get_args(Act):
            raise InputError("an edit sets, adds or drops a rule, or puts it first, or sets what an index page lists")
        entries, known = plain.get("entries", {}), _KNOWN.get(plain["act"], ENTRIES)
        if not isinstance(entries, dict) or not set(entries) <= set(known):
            raise InputError(f"what can be set: {', '.join(known)}")
        return cls(act=plain["act"], rule=str(plain.get("rule", "")), entries=entries)


def apply_edit(extraction_map: ExtractionMap, edit: Edit) -> ExtractionMap:
    """Return a map after an edit; a rule that is not there is told."""
    if edit.act == "index":
        return replace(extraction_map, index=_listed(extraction_map.index, edit))
    if edit.act == "add":
        template, _, wanted = edit.rule.rpartition("/")
        changed = _in_template(extraction_map, template, lambda rules: [*rules, _new(wanted, edit.entries)])
    else:
        name = RuleName.read(edit.rule)
        template = name.template if name is not None else ""
        changed = _in_template(extraction_map, template, lambda rules: _edited(rules, template, edit))
    return replace(extraction_map, templates=changed)


def _listed(pages: Sequence[IndexPage], edit: Edit) -> tuple[IndexPage, ...]:
    if all(page.url != edit.rule for page in pages):
        raise InputError(f"the map has no index page {edit.rule!r}")
    entries: dict[str, Any] = {name: _selectors(value) for name, value in edit.entries.items() if name in _LISTS}
    for selector in (one for own in entries.values() for one in own):
        if wrong := check_selector(selector):
            raise InputError(wrong)
    if "weight" in edit.entries:
        entries["weight"] = _weight(edit.entries["weight"])
    return tuple(replace(page, **entries) if page.url == edit.rule else page for page in pages)


def _weight(value: object) -> int:
    text = str(value)
    if not text.isdecimal() or not 1 <= int(text) <= _HEAVIEST:
        raise InputError(f"a weight is a number from 1 to {_HEAVIEST}")
    return int(text)


def _in_template(
    extraction_map: ExtractionMap, name: str, change: Callable[[Sequence[Rule]], Sequence[Rule]]
) -> tuple[Template, ...]:
    if all(template.name != name for template in extraction_map.templates):
        raise InputError(f"the map has no template {name!r}")
    return tuple(
        replace(template, rules=tuple(change(template.rules))) if template.name == name else template
        for template in extraction_map.templates
    )


def _edited(rules: Sequence[Rule], template: str, edit: Edit) -> list[Rule]:
    named = [(str(name), rule) for name, rule in named_rules(Template(name=template, rules=tuple(rules)))]
    found = next((rule for name, rule in named if name == edit.rule), None)
    if found is None:
        raise InputError(f"the map has no rule {edit.rule!r}")
    others = [rule for name, rule in named if name != edit.rule]
    if edit.act == "drop":
        return others
    if edit.act == "first":
        place = next((n for n, rule in enumerate(others) if rule.field == found.field), len(others))
        return [*others[:place], found, *others[place:]]
    change = _with_inner if edit.act == "inner" else _with
    return [change(rule, edit.entries) if name == edit.rule else rule for name, rule in named]


def _new(name: str, entries: Mapping[str, Any]) -> Rule:
    if not name:
        raise InputError("name the field that the rule is for")
    return _with(Rule(field=name), entries)


def _with_inner(rule: Rule, entries: Mapping[str, Any]) -> Rule:
    """Return a rule whose items have a field, or have it no more."""
    name = str(entries.get("field", "")).strip()
    if not name:
        raise InputError("name the field that each item has")
    inner = _with(Rule(field=name), {key: value for key, value in entries.items() if key != "field"})
    others = [own for own in rule.fields if own.field != name]
    fields = (*others, replace(inner, edited=False)) if inner.select else tuple(others)
    return replace(rule, fields=fields, many=True, support=None, edited=True, fragile=False)


def _with(rule: Rule, entries: Mapping[str, Any]) -> Rule:
    """Return a rule with other entries; what it was founded on says nothing of it any more."""
    values: dict[str, Any] = {}
    for name, value in entries.items():
        if name in _LISTS:
            values[name] = _selectors(value)
        else:
            values[name] = bool(value) if name == "many" else str(value).strip()
    if "take" in values:
        values["take"] = values["take"] or TAKE_TEXT
    return replace(rule, support=None, edited=True, fragile=False, **values)


def _selectors(value: Any) -> tuple[str, ...]:
    return tuple(text for one in _texts(value) if (text := one.strip()))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return value.split("\n")
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return value
    raise InputError("selectors are texts")
