"""A site in a new design: its map is repaired by what its records held."""

from dataclasses import replace

from tests.heal.post import MORE, NOW, PAGES, SECTIONS, field_of, known_pages, new_design, old_design, read, values_of

from sitewright.heal.known import KnownPage
from sitewright.heal.repair import heal
from sitewright.heal.repaired import RepairedMap
from sitewright.heal.rightness import rightness
from sitewright.maps import dump_map, parse_map
from sitewright.maps.diff import compare_maps
from sitewright.parse import Document, parse
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Page, Rule


def test_pages_not_seen_are_read_as_before(repaired: RepairedMap) -> None:
    for number in range(PAGES, PAGES + MORE):
        given = read(repaired.whole, new_design(number))
        wrong = [name for name, value in values_of(number).items() if rightness(value, given.get(name)) < 1.0]
        assert wrong == []


def test_lists_are_whole(repaired: RepairedMap) -> None:
    assert [read(repaired.whole, new_design(n))["tags"] for n in range(9, 12)] == [
        values_of(n)["tags"] for n in range(9, 12)
    ]


def test_the_proposal_is_the_next_version_and_says_what_changes(old_map: ExtractionMap, repaired: RepairedMap) -> None:
    assert repaired.whole.version == old_map.version + 1
    assert parse_map(dump_map(repaired.whole)).rules == repaired.whole.rules
    changed = {change.path for change in compare_maps(old_map, repaired.whole)}
    assert {"article/text#0", "article/tags#0", "version"} <= changed
    tags = field_of(repaired, "tags")
    assert tags.changed
    assert tags.judged == PAGES
    assert tags.confidence > 0.9 > tags.before


def test_what_is_sure_is_acceptable(repaired: RepairedMap) -> None:
    assert repaired.changed == repaired.sure_fields != frozenset()
    assert read(repaired.sure, new_design(9)) == read(repaired.whole, new_design(9))


def test_too_few_pages_are_never_sure(old_map: ExtractionMap, reader: PageReader) -> None:
    few = heal(old_map, known_pages(pages=2), reader, NOW)
    assert few.sure_fields == frozenset()
    assert few.sure == old_map


def test_a_field_that_was_removed_is_lost_and_nothing_else_takes_its_place(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    found = heal(old_map, known_pages('<span class="when">{day}</span>'), reader, NOW)
    assert "published" in found.lost
    assert "published" not in found.whole.fields
    assert frozenset() < found.sure_fields < found.changed
    assert "text" in found.whole.fields


def test_a_value_in_the_menu_of_every_page_does_not_mislead(repaired: RepairedMap) -> None:
    selectors = [rule.select for rule in repaired.whole.rules if rule.field == "categories"]
    assert not any("bar" in text for select in selectors for text in select)
    assert [read(repaired.whole, new_design(n))["categories"] for n in (8, 9, 10)] == [
        values_of(n)["categories"] for n in (8, 9, 10)
    ]


def test_new_pages_are_learned_from_too(old_map: ExtractionMap, reader: PageReader) -> None:
    new = [KnownPage(new_design(number)) for number in range(PAGES, PAGES + MORE)]
    found = heal(old_map, [*known_pages(pages=4), *new], reader, NOW)
    assert rightness(values_of(13)["tags"], read(found.whole, new_design(13)).get("tags")) == 1.0


def test_a_field_of_the_maps_own_is_healed_too(old_map: ExtractionMap, reader: PageReader) -> None:
    main = old_map.templates[-1]
    own = Rule(field="desk", select=("main > a.section",), parse="line.v1")
    link = Rule(field="link", select=("a.section",), take="@href", parse="url.v1")
    wider = replace(old_map, templates=(replace(main, rules=(*main.rules, own, link)),))
    more = {number: {"desk": SECTIONS[number % 3], "link": "https://www.example.com/x"} for number in range(PAGES)}
    pages = [KnownPage(page.page, {**(page.values or {}), **more[n]}) for n, page in enumerate(known_pages())]
    found = heal(wider, pages, reader, NOW)
    assert read(found.whole, new_design(9))["desk"] == SECTIONS[9 % 3]
    assert [rule for rule in found.whole.rules if rule.field == "link"] == [link]
    assert found.lost == ()


def of_another_kind(number: int) -> Document:
    """Return a story that is built nearly like the others: other names stand around headline and text."""
    page = old_design(number)
    html = page.tree.html.replace('<h1 class="headline"', '<h2 class="live-title"').replace("</h1>", "</h2>")
    html = html.replace('<div class="story"', '<section class="live-text"').replace("</div><ul", "</section><ul")
    return parse(Page(url=page.url, body=html))


def test_new_pages_of_another_kind_are_read_where_known_ones_are_as_they_were(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    known = [KnownPage(old_design(number), values_of(number)) for number in range(PAGES)]
    new = [KnownPage(of_another_kind(number)) for number in range(PAGES, PAGES + MORE + 1)]
    assert not any({"title", "text"} & read(old_map, page.page).keys() for page in new)
    found = heal(old_map, [*known, *new], reader, NOW)
    assert {"title", "text"} <= found.sure_fields
    for number, page in enumerate([*known, *new]):
        fields, right = read(found.sure, page.page), values_of(number)
        assert {name: rightness(right[name], fields.get(name)) for name in right} == dict.fromkeys(right, 1.0)
