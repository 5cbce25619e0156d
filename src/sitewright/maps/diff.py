"""Two maps in, what differs between them out: rule by rule, then site facts, then index pages."""

import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ruamel.yaml.comments import CommentedMap, CommentedSeq

from sitewright.checking import yaml
from sitewright.maps.plain import parts_to_plain, rule_to_plain, to_plain
from sitewright.maps.rules import RuleName, named_rules
from sitewright.types import ExtractionMap, Template

ChangeKind = Literal["added", "removed", "changed"]

_INDEX = "index "
_ONE_LINE = 1_000_000
"""Wider than any map: YAML then never breaks a line."""


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: `template/field#n`, `template.entry`, a fact or `index url #n`; values as one-line YAML."""

    path: str
    kind: ChangeKind
    before: str
    after: str

    @property
    def rule(self) -> RuleName | None:
        """The rule that it is about."""
        return None if self.is_of_index else RuleName.read(self.path)

    @property
    def is_of_index(self) -> bool:
        """Whether it is about a page that lists others."""
        return self.path.startswith(_INDEX)


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
        if path in old and path in new and old[path] == new[path]:
            continue  # to write all of a map takes longer than to read ten pages by it
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
        for entry in ("url", "probe", "render", "tagger"):
            if value := getattr(template, entry):
                entries[f"{template.name}.{entry}"] = list(value) if entry == "tagger" else value
        if template.parts is not None:
            entries[f"{template.name}.parts"] = parts_to_plain(template.parts)
        entries |= {str(name): rule_to_plain(rule) for name, rule in named_rules(template)}
    return entries


def _facts(plain: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in plain.items() if key not in ("sitewright", "templates", "index")}


def _index_entries(plain: Mapping[str, Any]) -> dict[str, Any]:
    """Return the index pages, numbered from 0 among those of the same address."""
    entries: dict[str, Any] = {}
    numbers: Counter[str] = Counter()
    for page in plain.get("index", ()):
        entries[f"{_INDEX}{page['url']} #{numbers[page['url']]}"] = page
        numbers[page["url"]] += 1
    return entries


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
