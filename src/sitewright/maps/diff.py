"""Two maps in, what differs between them out: rule by rule, then site facts, then index pages."""

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from sitewright.checking import yaml
from sitewright.maps.plain import rule_to_plain, to_plain
from sitewright.types import ExtractionMap, Rule, Template

Kind = Literal["added", "removed", "changed"]

_ONE_LINE = 1_000_000
"""Wider than any map: YAML then never breaks a line."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: `template/field#n`, `template.entry`, a fact or `index url #n`; values as one-line YAML."""

    path: str
    kind: Kind
    before: str
    after: str


def compare_maps(old: ExtractionMap, new: ExtractionMap) -> list[Change]:
    """Return what changed; equal maps give none.

    >>> from sitewright.types import Rule, Template
    >>> def a_map(select):
    ...     return ExtractionMap(site="a.com", templates=(Template(name="a", rules=(Rule(field="t", select=select),)),))
    >>> compare_maps(a_map(("h1",)), a_map(("h2",)))
    [Change(path='a/t#0', kind='changed', before='{select: [h1]}', after='{select: [h2]}')]
    """
    before, after = to_plain(old), to_plain(new)
    return [
        *_changes(_template_entries(old.templates), _template_entries(new.templates)),
        *_moved("templates", [t.name for t in old.templates], [t.name for t in new.templates]),
        *_changes(_facts(before), _facts(after)),
        *_changes(_index_entries(before), _index_entries(after)),
        *_moved("index", list(_index_entries(before)), list(_index_entries(after))),
    ]


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterable[Change]:
    """Yield the differences of two tables, in the order of the old one, then what is new in its own order."""
    for path in [*old, *(path for path in new if path not in old)]:
        before, after = (_flow(table[path]) if path in table else "" for table in (old, new))
        if path not in new:
            yield Change(path, "removed", before, "")
        elif path not in old:
            yield Change(path, "added", "", after)
        elif before != after:
            yield Change(path, "changed", before, after)


def _moved(path: str, old: list[str], new: list[str]) -> Iterable[Change]:
    """Yield a change where what is in both maps stands in another order."""
    before, after = [name for name in old if name in new], [name for name in new if name in old]
    if before != after:
        yield Change(path, "changed", _flow(before), _flow(after))


def _template_entries(templates: Iterable[Template]) -> dict[str, Any]:
    """Return how each template is recognised, and its rules, by their paths."""
    entries: dict[str, Any] = {}
    for template in templates:
        entries[template.name] = {"name": template.name}
        for entry in ("url", "probe", "render"):
            if value := getattr(template, entry):
                entries[f"{template.name}.{entry}"] = value
        entries |= _rule_entries(template.name, template.rules)
    return entries


def _rule_entries(template: str, rules: Iterable[Rule]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for rule in rules:
        _put(entries, f"{template}/{rule.field}#", rule_to_plain(rule))
    return entries


def _facts(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key not in ("sitewright", "templates", "index")}


def _index_entries(plain: Mapping[str, Any]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    for page in plain.get("index", ()):
        _put(entries, f"index {page['url']} #", page)
    return entries


def _put(entries: dict[str, Any], path: str, value: Any) -> None:
    """Enter a value, numbered from 0 among those of the same path, as records name their rules."""
    number = 0
    while f"{path}{number}" in entries:
        number += 1
    entries[f"{path}{number}"] = value


def _flow(value: Any) -> str:
    """Return a value as YAML on one line."""
    out = io.StringIO()
    writer = yaml()
    writer.width = _ONE_LINE
    writer.dump(_as_flow(value), out)
    return out.getvalue().removesuffix("...\n").rstrip("\n")


def _as_flow(value: Any) -> Any:
    if isinstance(value, Mapping):
        mapping = CommentedMap((key, _as_flow(item)) for key, item in value.items())
        mapping.fa.set_flow_style()
        return mapping
    if isinstance(value, list):
        sequence = CommentedSeq(_as_flow(item) for item in value)
        sequence.fa.set_flow_style()
        return sequence
    return value
