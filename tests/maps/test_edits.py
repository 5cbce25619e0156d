"""What a person does to rules of a map."""

from typing import Any

import pytest

from sitewright.errors import InputError
from sitewright.maps import parse_map
from sitewright.maps.edits import Edit, apply_edit
from sitewright.types import ExtractionMap

MAP = """\
sitewright: 1
site: a.example
templates:
  - name: article
    rules:
      title:
        - {select: [h1], support: {found: 8, sampled: 8}}
        - {select: [h2], support: {found: 2, sampled: 8}}
      tags: {select: [a.tag], many: true, support: {found: 8, sampled: 8}}
"""


@pytest.fixture
def known() -> ExtractionMap:
    return parse_map(MAP)


def done(known: ExtractionMap, **plain: Any) -> ExtractionMap:
    return apply_edit(known, Edit.read(plain))


def test_entries_are_set_and_the_rule_is_the_persons_from_then_on(known: ExtractionMap) -> None:
    changed = done(
        known, act="set", rule="article/title#0", entries={"select": ["h1.big", " "], "remove": ".kicker\n.sub"}
    )
    rule = changed.rules[0]
    assert (rule.select, rule.remove, rule.edited, rule.support) == (("h1.big",), (".kicker", ".sub"), True, None)
    assert changed.rules[1:] == known.rules[1:]


def test_rules_are_added_dropped_and_tried_first(known: ExtractionMap) -> None:
    added = done(known, act="add", rule="article/rating", entries={"select": ["b"], "many": False})
    assert [rule.field for rule in added.rules] == ["title", "title", "tags", "rating"]
    assert [rule.select for rule in done(known, act="drop", rule="article/title#0").rules] == [("h2",), ("a.tag",)]
    first = done(known, act="first", rule="article/title#1")
    assert [rule.select for rule in first.rules] == [("h2",), ("h1",), ("a.tag",)]
    assert first.rules[0].support == known.rules[1].support


def test_an_empty_take_is_the_text(known: ExtractionMap) -> None:
    assert done(known, act="set", rule="article/title#0", entries={"take": " "}).rules[0].take == "text"


@pytest.mark.parametrize(
    "plain",
    [
        {"act": "burn"},
        {"act": "set", "rule": "article/title#0", "entries": {"support": {}}},
        {"act": "set", "rule": "article/title#9"},
        {"act": "drop", "rule": "nowhere/title#0"},
        {"act": "add", "rule": "nowhere/title"},
        {"act": "add", "rule": "article/"},
        {"act": "set", "rule": "article/title#0", "entries": {"select": [1]}},
    ],
)
def test_what_cannot_be_done_is_told(known: ExtractionMap, plain: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        done(known, **plain)
