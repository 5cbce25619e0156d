"""What becomes of each field by a repair: how right it is, and its values before and after."""

from tests.heal.post import NOW, PAGES, edited, field_of, known_pages, new_design, old_design, values_of

from sitewright.heal.known import KnownPage
from sitewright.heal.repair import heal
from sitewright.heal.repaired import RepairedMap
from sitewright.parse import Document, parse
from sitewright.tag import PageReader
from sitewright.types import ExtractionMap, Page


def test_values_are_shown_before_and_after_on_five_pages(repaired: RepairedMap) -> None:
    rows = field_of(repaired, "authors").shown
    assert len(rows) >= 5
    assert all(row.remembered and row.before == row.after for row in rows)


def test_a_value_that_all_pages_share_is_not_sure_where_the_tagger_does_not_see_it(
    old_map: ExtractionMap, reader: PageReader
) -> None:
    pages = [KnownPage(agency_page(n), {**values_of(n), "authors": ["Corwick Press"]}) for n in range(PAGES)]
    found = heal(old_map, pages, reader, NOW)
    assert field_of(found, "authors").distinct == 1
    assert not field_of(found, "authors").sure
    assert field_of(found, "tags").sure


def agency_page(number: int) -> Document:
    """Return a story without a byline, of a site whose footer names the agency that all its stories are of."""
    page = new_design(number, '<span class="who">{author}</span>')
    body = page.tree.html.replace("All rights.", "<a class='imprint' href='/imprint'>Corwick Press</a>")
    return parse(Page(url=page.url, body=body))


def test_rules_that_a_person_wrote_change_only_in_the_proposal(old_map: ExtractionMap, reader: PageReader) -> None:
    written = edited(old_map, "authors")
    found = heal(written, known_pages(), reader, NOW)
    assert field_of(found, "authors").edited
    assert not field_of(found, "authors").sure
    assert frozenset() < found.sure_fields < found.changed
    kept = [rule for rule in found.sure.rules if rule.field == "authors"]
    assert kept == [rule for rule in written.rules if rule.field == "authors"]


def test_rules_that_still_read_their_pages_stay_a_persons(old_map: ExtractionMap, reader: PageReader) -> None:
    pages = [KnownPage(old_design(number), values_of(number)) for number in range(PAGES)]
    found = heal(edited(old_map, "authors"), pages, reader, NOW)
    assert found.changed == frozenset()
    assert all(rule.edited for rule in found.whole.rules if rule.field == "authors")
