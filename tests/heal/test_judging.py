"""How right the fields of a map are, by what is remembered of pages and by what the tagger reads."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.heal.post import MORE, NOW, PAGES, field_of, known_pages, new_design, old_design, read, shown, values_of

from sitewright.heal.changed_site import ChangedSite, FoundPage, look_at_site
from sitewright.heal.judging import (
    PageRead,
    better_fields,
    confidence,
    disputed_fields,
    read_by_old_rules,
    read_by_others,
)
from sitewright.heal.known import KnownPage
from sitewright.heal.repair import heal
from sitewright.heal.repaired import RepairedMap
from sitewright.parse import Document, parse
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Page, Record, Rule, Template, Value


def test_required_fields_that_are_not_what_the_tagger_reads_on_new_pages_are_not_sure(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    """Known articles are as they were; new ones have no headline that the old rules know, but a title with more in it."""
    old = [KnownPage(old_design(number), values_of(number)) for number in range(PAGES)]
    new = [KnownPage(renamed_site(number)) for number in range(PAGES, PAGES + MORE)]
    found = heal(old_map, [*old, *new], reader, NOW)
    titles = [read(found.sure, page.page).get("title") for page in new]
    right = [values_of(number)["title"] for number in range(PAGES, PAGES + MORE)]
    assert found.disputed == {"title", "text"} or titles == right
    assert not any(field_of(found, field).sure for field in found.disputed)


def renamed_site(number: int) -> Document:
    page = new_design(number)
    title = shown(number)["title"]
    html = page.tree.html.replace(f"<title>{title} | Post", f"<title>The Post: {title}")
    return parse(Page(url=page.url, body=html))


# How right a field is


def read_as(found: Sequence[FoundPage], values: Sequence[object | None], field: str = "title") -> list[PageRead]:
    return [
        PageRead(page, Record(site="", urls=("",), fields={field: Value(value, 1.0, "")} if value is not None else {}))
        for page, value in zip(found, values, strict=True)
    ]


@pytest.fixture(scope="module")
def site(old_map: ExtractionMap, reader: PageReader) -> ChangedSite:
    return look_at_site(old_map, known_pages(pages=4), reader, NOW)


def test_values_are_right_that_records_held(site: ChangedSite) -> None:
    titles = [values_of(number)["title"] for number in range(4)]
    assert confidence("title", read_as(site.pages, titles)) == 1.0
    assert confidence("title", read_as(site.pages, [*titles[:2], None, None])) == pytest.approx(2.5 / 4.5, abs=1e-3)
    assert confidence("title", [PageRead(page, None) for page in site.pages]) == pytest.approx(0.5 / 4.5, abs=1e-3)


def test_a_value_where_the_record_had_none_is_wrong(site: ChangedSite) -> None:
    pages = [replace(page, values={**page.values}) for page in site.pages]
    del pages[3].values["title"]  # type: ignore[attr-defined]
    pages[3] = replace(pages[3], search=replace(pages[3].search, found=pages[3].search.found - {"title"}))
    titles = [values_of(number)["title"] for number in range(3)]
    none = confidence("title", read_as(pages, [*titles, None]))
    extra = confidence("title", read_as(pages, [*titles, "Switch to Brightwave broadband today"]))
    assert none == 1.0 > extra


def test_where_nothing_is_remembered_the_tagger_is_asked(old_map: ExtractionMap, reader: PageReader) -> None:
    site = look_at_site(old_map, [KnownPage(new_design(number)) for number in range(4)], reader, NOW)
    right = confidence("title", read_as(site.pages, [values_of(number)["title"] for number in range(4)]))
    wrong = confidence("title", read_as(site.pages, ["All rights."] * 4))
    assert 0.9 >= right > wrong


def test_every_page_is_read_by_a_map_that_was_learned_without_it(site: ChangedSite) -> None:
    read = read_by_others(site)
    assert {id(one.page) for one in read} == {id(page) for page in site.pages}
    assert all(one.record is not None for one in read)
    nothing = replace(site, domain=replace(site.domain, fields={}))
    assert [one.record for one in read_by_others(nothing)] == [None] * 4, "nothing can be learned of no fields"


def test_fields_whose_old_rules_still_read_as_well_are_not_better(old_map: ExtractionMap, reader: PageReader) -> None:
    site = look_at_site(old_map, [KnownPage(old_design(n), values_of(n)) for n in range(6)], reader, NOW)
    assert better_fields(site, old_map, read_by_old_rules(site)) == set()
    changed = look_at_site(old_map, known_pages(pages=6), reader, NOW)
    right = [
        PageRead(page, Record(site="", urls=("",), fields={n: Value(v, 1.0, "") for n, v in page.values.items()}))
        for page in changed.pages
    ]
    assert better_fields(changed, old_map, right) >= {"text", "tags", "published"}


def test_on_new_pages_required_fields_are_what_the_tagger_reads(repaired: RepairedMap, reader: PageReader) -> None:
    site = look_at_site(repaired.old, [KnownPage(new_design(number)) for number in range(4)], reader, NOW)
    assert disputed_fields(site, repaired.whole) == frozenset()
    wrong = replace(repaired.whole, templates=(Template(name="a", rules=(Rule(field="title", select=(".foot",)),)),))
    assert disputed_fields(site, wrong) == {"title", "text"}


def test_the_word_of_the_tagger_counts_less_where_it_is_wrong_on_known_pages(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    """It takes another title for that of every page, known or new."""
    pages = [*known_pages(pages=4), *(KnownPage(new_design(number)) for number in range(4, 8))]
    site = look_at_site(old_map, pages, reader, NOW)
    healed = heal(old_map, pages, reader, NOW).whole
    assert disputed_fields(site, healed) == frozenset()

    def misread(page: FoundPage) -> FoundPage:
        fields = {**page.by_tagger.fields, "title": Value("The Post of today", 0.9, "tagger/title")}
        return replace(page, by_tagger=replace(page.by_tagger, fields=fields))

    everywhere = replace(site, pages=[misread(page) for page in site.pages])
    on_new_ones = replace(site, pages=[page if page.values else misread(page) for page in site.pages])
    assert disputed_fields(everywhere, healed) == frozenset()
    assert disputed_fields(on_new_ones, healed) == {"title", "text"}


def test_entries_of_lists_that_no_page_has_any_more_are_not_missed(old_map: ExtractionMap, reader: PageReader) -> None:
    def known(number: int, *more: str) -> KnownPage[Document]:
        values = values_of(number)
        return KnownPage(new_design(number), {**values, "tags": [*values["tags"], *more]})

    some = look_at_site(old_map, [known(number, "Unshown") for number in range(4)], reader, NOW)
    right = [values_of(number)["tags"] for number in range(4)]
    assert all(len(tags) >= 1 for tags in right)
    assert confidence("tags", read_as(some.pages, right, "tags")) == 1.0
    assert confidence("tags", read_as(some.pages, [["Unshown"]] * 4, "tags")) < 0.5
    most = look_at_site(old_map, [known(number, *map(str, range(9))) for number in range(4)], reader, NOW)
    assert confidence("tags", read_as(most.pages, right, "tags")) < 0.7
