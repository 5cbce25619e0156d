"""Which pages of a changed site can be learned from, and what is found of what their records held."""

from dataclasses import replace

import pytest
from tests.heal.post import NOW, field_of, known_pages, new_design, values_of, wall

from sitewright.domains import load_domain
from sitewright.errors import MixedSites, NoArticles, TooFewPages
from sitewright.heal.changed_site import domain_of, look_at_site
from sitewright.heal.known import KnownPage
from sitewright.heal.repair import heal
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Rule, Template


def test_walls_in_front_of_articles_are_left_out(old_map: ExtractionMap, reader: PageReader) -> None:
    found = heal(old_map, [*known_pages(pages=6), *(KnownPage(wall(n), values_of(n)) for n in (6, 7))], reader, NOW)
    assert field_of(found, "text").judged == 6
    assert any("2 of 8 pages show nothing" in warning for warning in found.warnings)


def test_nothing_is_proposed_where_every_page_is_a_wall(old_map: ExtractionMap, reader: PageReader) -> None:
    with pytest.raises(NoArticles):
        heal(old_map, [KnownPage(wall(number), values_of(number)) for number in range(4)], reader, NOW)


@pytest.mark.parametrize(("pages", "error"), [(1, TooFewPages), (0, MixedSites)])
def test_nothing_is_proposed_from_too_little(
    old_map: ExtractionMap, reader: PageReader, pages: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        heal(old_map, known_pages(pages=pages), reader, NOW)


def test_pages_of_another_site_are_refused(old_map: ExtractionMap, reader: PageReader) -> None:
    with pytest.raises(MixedSites):
        heal(replace(old_map, site="example.org"), known_pages(), reader, NOW)


def test_what_is_found_of_what_records_held(old_map: ExtractionMap, reader: PageReader) -> None:
    pages = [*known_pages('<span class="when">{day}</span>', pages=5), KnownPage(new_design(5))]
    site = look_at_site(old_map, pages, reader, NOW)
    assert site.lost == {"published"}
    assert [page.search.sought - page.search.found for page in site.pages] == [{"published"}] * 5 + [frozenset()]
    assert [page.values for page in site.pages] == [values_of(number) for number in range(5)] + [{}]
    assert not any(page.sample.labels("published") for page in site.pages), "nothing else is to fill it"


def test_fields_that_no_record_had_are_not_learned(old_map: ExtractionMap, reader: PageReader) -> None:
    def without(number: int) -> dict[str, object]:
        return {name: value for name, value in values_of(number).items() if name != "tags"}

    site = look_at_site(old_map, [KnownPage(new_design(n), without(n)) for n in range(5)], reader, NOW)
    assert "tags" not in site.lost
    assert not any(page.sample.labels("tags") for page in site.pages)


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (Rule(field="desk", select=("b",)), "line"),
        (Rule(field="desk", select=("b",), many=True), "list"),
        (Rule(field="desk", select=("b",), parse="date.v1"), "date"),
        (Rule(field="desk", select=("b",), parse="authors.v1", many=True), "names"),
        (Rule(field="desk", select=("b",), parse="price.v1"), "other"),
        (Rule(field="desk", select=("b",), fields=(Rule(field="name", select=("i",)),)), "object"),
    ],
    ids=lambda one: one.parse if isinstance(one, Rule) else one,
)
def test_fields_of_a_maps_own_are_what_their_rules_make_of_them(rule: Rule, kind: str) -> None:
    domain = domain_of(ExtractionMap(site="a.com", templates=(Template(name="a", rules=(rule,)),)))
    assert domain.fields["desk"].kind == kind
    assert {**load_domain("news").fields, "desk": domain.fields["desk"]} == domain.fields
