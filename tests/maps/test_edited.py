"""What a person changed in a map is marked, and nothing else."""

import pytest

from sitewright.maps import parse_map
from sitewright.maps.edited import mark_edited
from sitewright.types import ExtractionMap


def a_map(rules: str, name: str = "a") -> ExtractionMap:
    return parse_map(f"sitewright: 1\nsite: a.com\ntemplates:\n  - {{name: {name}, rules: {{{rules}}}}}\n")


def marked(extraction_map: ExtractionMap) -> list[str]:
    return [rule.field for rule in extraction_map.rules if rule.edited]


LEARNED = "title: {select: [h1], support: {found: 3, sampled: 3}}, text: {select: [p], many: true}"


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (LEARNED, []),
        (LEARNED.replace("h1", "h2"), ["title"]),
        (LEARNED.replace("found: 3", "found: 2"), []),
        (LEARNED.replace("select: [h1]", "select: [h1], fragile: true"), []),
        (LEARNED.replace("many: true", "many: false"), ["text"]),
        (f"{LEARNED}, tags: {{select: [b]}}", ["tags"]),
        (LEARNED.partition(", text")[0], []),
        ("text: {select: [p], many: true}, title: {select: [h1]}", []),
        ("title: [{select: [h2]}, {select: [h1]}], text: {select: [p], many: true}", ["title", "title"]),
        ("title: {select: [h1], edited: true}, text: {select: [p], many: true}", ["title"]),
    ],
)
def test_rules_that_differ_are_marked(given: str, wanted: list[str]) -> None:
    after = mark_edited(a_map(given), a_map(LEARNED))
    assert marked(after) == wanted
    assert marked(mark_edited(a_map(given), after)) == wanted


def test_rules_within_a_rule_count() -> None:
    before = "images: {select: [i], many: true, fields: {url: {select: [a]}}}"
    assert marked(mark_edited(a_map(before), a_map(before))) == []
    assert marked(mark_edited(a_map(before.replace("[a]", "[b]")), a_map(before))) == ["images"]


def test_in_a_new_template_what_was_not_learned_is_marked() -> None:
    assert marked(mark_edited(a_map(LEARNED, "b"), a_map(LEARNED))) == ["text"]
    assert marked(mark_edited(a_map(LEARNED))) == ["text"]
