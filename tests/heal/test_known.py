"""Known pages, and how many of them are enough."""

from functools import cache

from sitewright.heal.known import LEAST_KEPT, MOST_ELEMENTS, MOST_PAGES, KnownPage, enough_pages
from sitewright.parse import Document, parse
from sitewright.types import Page


@cache
def page_with(elements: int) -> Document:
    return parse(Page(url="https://example.com/a", body="<b></b>" * elements))


def known(number_of_values: int, elements: int = 10) -> KnownPage[Document]:
    values = {str(number): number for number in range(number_of_values)}
    return KnownPage(page_with(elements), values or None)


def test_a_page_keeps_its_values_in_every_form() -> None:
    known = KnownPage("https://example.com/a", {"title": "Bees"})
    assert known.then(5) == KnownPage(5, {"title": "Bees"})


def test_pages_whose_records_held_most_are_taken_in_the_order_in_which_they_came() -> None:
    pages = [known(0), *(known(1 + number % 2) for number in range(MOST_PAGES)), known(3)]
    chosen = enough_pages(pages)
    assert len(chosen) == MOST_PAGES
    assert [len(page.values or ()) for page in chosen].count(0) == 0
    places = [next(n for n, page in enumerate(pages) if page is one) for one in chosen]
    assert places == sorted(places)
    assert chosen[-1] is pages[-1]


def test_large_pages_are_fewer_but_not_too_few() -> None:
    assert len(enough_pages([known(2, MOST_ELEMENTS // 8)] * 12)) in range(LEAST_KEPT, 9)
    assert len(enough_pages([known(2, MOST_ELEMENTS)] * 12)) == LEAST_KEPT


def test_nothing_is_enough_of_nothing() -> None:
    assert enough_pages([]) == []
