"""Rules of an old map and a new one, brought together field by field."""

from dataclasses import replace

from tests.heal.post import NOW, known_pages, new_design, read, values_of

from sitewright.heal.changed_site import look_at_site
from sitewright.heal.fields import is_read_otherwise, merged_map, mixed_map, with_old_rules
from sitewright.heal.rightness import rightness
from sitewright.induce import learn_samples
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Rule, Support, Template


def a_map(*templates: Template, version: int = 1) -> ExtractionMap:
    return ExtractionMap(site="example.com", version=version, templates=templates)


def template(name: str, **selectors: str) -> Template:
    return Template(name=name, rules=tuple(Rule(field=field, select=(css,)) for field, css in selectors.items()))


def selectors(extraction_map: ExtractionMap) -> dict[str, dict[str, str]]:
    return {one.name: {rule.field: rule.select[0] for rule in one.rules} for one in extraction_map.templates}


OLD = a_map(template("video", title="h3"), template("article", title="h1", text="p", tags="li"))
NEW = a_map(template("live", title="b"), template("article", title="h2", text="div", authors="i"), version=2)


def test_some_fields_are_new_and_all_others_as_before() -> None:
    mixed = mixed_map(OLD, NEW, {"title", "authors"})
    assert mixed.version == 2
    assert selectors(mixed) == {
        "live": {"title": "b", "text": "p", "tags": "li"},
        "article": {"title": "h2", "text": "p", "tags": "li", "authors": "i"},
    }


def test_a_template_that_is_left_without_rules_goes() -> None:
    assert selectors(mixed_map(a_map(), NEW, {"authors"})) == {"article": {"authors": "i"}}


def test_templates_that_are_new_keep_their_own_rules() -> None:
    assert selectors(with_old_rules(OLD, NEW, {"text"})) == {
        "live": {"title": "b"},
        "article": {"title": "h1", "text": "div", "tags": "li"},
    }


def test_a_rule_is_the_same_whoever_wrote_it_and_however_well_it_is_founded() -> None:
    (rule,) = OLD.templates[0].rules
    same = a_map(Template(name="video", rules=(replace(rule, edited=True, fragile=True, support=Support(1, 2)),)))
    assert not is_read_otherwise("title", a_map(OLD.templates[0]), same)
    assert is_read_otherwise("title", OLD, same)
    assert is_read_otherwise("title", a_map(OLD.templates[0]), a_map(template("video", title="h4")))


def test_templates_go_on_with_the_rules_that_read_their_pages_now(old_map: ExtractionMap, reader: PageReader) -> None:
    site = look_at_site(old_map, known_pages(), reader, NOW)
    learned = learn_samples([page.sample for page in site.pages], site.domain, NOW).extraction_map
    merged = merged_map(site, site.pages, learned)
    assert [one.name for one in merged.templates] == [one.name for one in old_map.templates]
    assert merged.version == old_map.version + 1
    assert rightness(values_of(9)["text"], read(merged, new_design(9)).get("text")) == 1.0
    without = merged_map(replace(site, lost=frozenset({"text"})), site.pages, learned)
    assert set(without.fields) == set(merged.fields) - {"text"}
