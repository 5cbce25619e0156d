"""An index page in a new design: its selectors are healed by the articles that are known."""

from collections.abc import Sequence

import pytest
from tests.heal.post import SECTIONS, values_of

from sitewright.heal.lists import heal_index
from sitewright.links import find_paging, select_links
from sitewright.parse import Document, parse, signature
from sitewright.types import IndexPage, Page

PAGING = '<p class="turn"><b>2</b> <a class="onward" href="/latest?page=3">Next</a></p>'


ENTRY = IndexPage(url="https://www.example.com/latest", items=("li.teaser > a",), next=("a.older",), weight=3)


def index_page(design: str, first: int, paging: str) -> Document:
    item = {
        "old": '<li class="teaser"><a class="teaser-link" href="/news/{n}">{title}</a></li>',
        "new": '<div class="card-x"><div class="card-head"><a href="/news/{n}">{title}</a></div></div>',
    }[design]
    items = "".join(item.format(n=n, title=values_of(n)["title"]) for n in range(first, first + 12))
    menu = "".join(f'<a href="/{name}">{name}</a>' for name in (*SECTIONS, "About us", "Imprint", "Contact"))
    html = f'<html lang=en><body><nav class="menu-{design}">{menu}</nav><main>{items}</main>{paging}</body></html>'
    return parse(Page(url="https://www.example.com/latest?page=2", body=html))


def articles(document: Document, entry: IndexPage) -> set[str]:
    return {link.url for link in select_links(document, entry).links if link.role == "article"}


def test_selectors_of_an_index_are_healed_by_known_articles() -> None:
    pages = [index_page("new", first, PAGING) for first in (0, 6)]
    known_urls = [f"http://example.com/news/{n}" for n in range(10)]
    healed = heal_index(ENTRY, pages, known_urls)
    assert healed is not None
    later = index_page("new", 20, PAGING)
    assert articles(later, healed) == {f"https://www.example.com/news/{n}" for n in range(20, 32)}
    assert (healed.url, healed.weight) == (ENTRY.url, 3)


def test_signatures_are_as_good_as_addresses() -> None:
    pages = [index_page("new", 0, PAGING)]
    names = [signature(f"https://www.example.com/news/{n}") for n in range(12)]
    assert heal_index(ENTRY, pages, names) == heal_index(
        ENTRY, pages, [f"https://www.example.com/news/{n}" for n in range(12)]
    )


def test_the_link_to_the_next_page_is_healed() -> None:
    pages = [index_page("new", first, PAGING) for first in (0, 6)]
    assert find_paging(pages[0]).next is not None
    healed = heal_index(ENTRY, pages, [f"https://www.example.com/news/{n}" for n in range(12)])
    assert healed is not None
    assert healed.next == ("a.onward",)


def test_an_index_that_still_works_stays() -> None:
    paging = PAGING.replace("onward", "older")
    pages = [index_page("old", first, paging) for first in (0, 6)]
    assert heal_index(ENTRY, pages, [f"https://www.example.com/news/{n}" for n in range(12)]) == ENTRY


@pytest.mark.parametrize("pages", [[], [parse(Page(url="https://www.example.com/latest", body="<p>Soon</p>"))]])
def test_an_index_without_links_has_no_selectors(pages: Sequence[Document]) -> None:
    assert heal_index(ENTRY, pages, ["https://www.example.com/news/1"]) is None
