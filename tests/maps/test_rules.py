"""Names of rules, and rules found by them."""

import pytest

from sitewright.maps.rules import RuleName, find_rule, named_rules, what_it_does
from sitewright.types import ExtractionMap, Rule, Support, Template

TITLE, SECOND, TEXT = Rule(field="title", select=("h1",)), Rule(field="title", select=("h2",)), Rule(field="text")
MAP = ExtractionMap(site="a.com", templates=(Template(name="a/b", rules=(TITLE, TEXT, SECOND)), Template(name="c")))


def test_rules_are_numbered_among_those_of_their_field() -> None:
    assert [str(name) for name, _ in named_rules(MAP.templates[0])] == ["a/b/title#0", "a/b/text#0", "a/b/title#1"]


@pytest.mark.parametrize(("name", "rule"), [("a/b/title#1", SECOND), ("a/b/text#0", TEXT), ("c/title#0", None)])
def test_a_rule_is_found_by_its_name(name: str, rule: Rule | None) -> None:
    assert find_rule(MAP, name) == rule


@pytest.mark.parametrize("text", ["", "title", "a/title", "a/title#", "tagger/title", "index https://a.com/b #0"])
def test_what_is_no_name(text: str) -> None:
    assert RuleName.read(text) is None
    assert find_rule(MAP, text) is None


@pytest.mark.parametrize("name", [RuleName("a", "title", 0), RuleName("a/b", "own_field", 12)])
def test_a_name_is_read_as_it_was_written(name: RuleName) -> None:
    assert RuleName.read(str(name)) == name


def test_what_a_rule_does_is_the_same_whoever_wrote_it() -> None:
    inner = Rule(field="url", support=Support(1, 1))
    learned = Rule(field="items", fields=(inner,), support=Support(3, 3), fragile=True)
    assert what_it_does(learned) == what_it_does(Rule(field="items", fields=(Rule(field="url"),), edited=True))
