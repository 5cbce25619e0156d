"""Differences between maps."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from sitewright.maps.diff import Change, compare_maps
from sitewright.types import ExtractionMap, IndexPage, Rule, Support, Template

TITLE = Rule(field="title", select=("h1",))
TEXT = Rule(field="text", select=("p",), many=True, remove=(".ad",))
ARTICLE = Template(name="article", url="/news/", rules=(TITLE, TEXT))
INDEX = IndexPage(url="https://a.com/", items=("a.card",))
MAP = ExtractionMap(site="a.com", templates=(ARTICLE,), index=(INDEX,))


def with_rules(*rules: Rule) -> ExtractionMap:
    return replace(MAP, templates=(replace(ARTICLE, rules=rules),))


def test_equal_maps_differ_in_nothing() -> None:
    assert compare_maps(MAP, MAP) == []


@pytest.mark.parametrize(
    ("new", "changes"),
    [
        (
            with_rules(replace(TITLE, select=("h2",)), TEXT),
            [Change("article/title#0", "changed", "{select: [h1]}", "{select: [h2]}")],
        ),
        (
            with_rules(TITLE),
            [Change("article/text#0", "removed", "{select: [p], remove: [.ad], many: true}", "")],
        ),
        (
            with_rules(TITLE, TEXT, Rule(field="title", take="jsonld:Article.name")),
            [Change("article/title#1", "added", "", "{take: jsonld:Article.name}")],
        ),
        (
            with_rules(replace(TITLE, support=Support(3, 4)), TEXT),
            [
                Change(
                    "article/title#0",
                    "changed",
                    "{select: [h1]}",
                    "{select: [h1], support: {found: 3, sampled: 4}}",
                )
            ],
        ),
        (
            replace(MAP, templates=(replace(ARTICLE, url="", probe="h1"),)),
            [Change("article.url", "removed", "/news/", ""), Change("article.probe", "added", "", "h1")],
        ),
        (
            replace(MAP, templates=(replace(ARTICLE, tagger=("authors",)),)),
            [Change("article.tagger", "added", "", "[authors]")],
        ),
        (
            replace(MAP, templates=(ARTICLE, Template(name="gallery", rules=(TITLE,)))),
            [
                Change("gallery", "added", "", "{name: gallery}"),
                Change("gallery/title#0", "added", "", "{select: [h1]}"),
            ],
        ),
        (
            replace(MAP, language="ru", version=2, date_formats=("%d.%m.%Y",)),
            [
                Change("version", "changed", "1", "2"),
                Change("language", "added", "", "ru"),
                Change("date_formats", "added", "", "['%d.%m.%Y']"),
            ],
        ),
        (
            replace(MAP, index=(replace(INDEX, weight=5),)),
            [
                Change(
                    "index https://a.com/ #0",
                    "changed",
                    "{url: https://a.com/, items: [a.card]}",
                    "{url: https://a.com/, items: [a.card], weight: 5}",
                )
            ],
        ),
        (
            replace(MAP, learned_at=datetime(2024, 5, 1, tzinfo=UTC)),
            [Change("learned_at", "added", "", "'2024-05-01T00:00:00+00:00'")],
        ),
    ],
)
def test_each_difference_is_named(new: ExtractionMap, changes: list[Change]) -> None:
    assert compare_maps(MAP, new) == changes


def test_comparing_the_other_way_turns_every_change_round() -> None:
    new = replace(with_rules(replace(TITLE, select=("h2",))), language="de")
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    there = {(c.path, c.kind, c.before, c.after) for c in compare_maps(MAP, new)}
    back = {(c.path, turned[c.kind], c.after, c.before) for c in compare_maps(new, MAP)}
    assert there == back


def test_the_order_of_templates_is_a_difference() -> None:
    gallery = Template(name="gallery")
    old, new = (replace(MAP, templates=pair) for pair in ((ARTICLE, gallery), (gallery, ARTICLE)))
    assert compare_maps(old, new) == [Change("templates", "changed", "[article, gallery]", "[gallery, article]")]


def test_a_long_rule_stays_on_one_line() -> None:
    long = with_rules(replace(TITLE, select=tuple(f"div.a-long-name-{n} > h1" for n in range(400))))
    (change,) = compare_maps(with_rules(TITLE), long)
    assert "\n" not in change.after
    assert "a-long-name-399" in change.after
