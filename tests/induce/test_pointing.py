"""What a person points at on pages of a site: selectors for it alone, and for all of its kind."""

import pytest
from turbohtml import Element

from sitewright.induce.pointing import Place, propose_selectors
from sitewright.induce.tree import PageTree
from sitewright.parse import parse
from sitewright.types import Page

PAGE = """
<header class="top"><h1 class="headline"><span class="kicker">Sport</span> Match {n}</h1></header>
<ul class="tags"><li><a class="tag" href="/t/a">A{n}</a></li><li><a class="tag" href="/t/b">B</a></li></ul>
<div class="copy"><p>One {n}.</p><p>Two.</p><p class="ad">Buy.</p></div>
"""


@pytest.fixture
def trees() -> list[PageTree]:
    return [PageTree(parse(Page(url=f"https://a.example/{n}", body=PAGE.format(n=n)))) for n in range(4)]


def place(trees: list[PageTree], selector: str, number: int = 0, page: int = 0) -> Place:
    element: Element = trees[page].document.tree.select(selector)[number]
    return Place(page, trees[page].document.number_of(element))


def test_one_element_is_found_alone_on_every_page(trees: list[PageTree]) -> None:
    best = propose_selectors(trees, [place(trees, "h1")])[0]
    assert (best.many, best.found, best.fragile) == (False, (1, 1, 1, 1), False)
    assert "headline" in best.selector


def test_all_of_its_kind_come_behind(trees: list[PageTree]) -> None:
    lists = [one for one in propose_selectors(trees, [place(trees, "a.tag")]) if one.many]
    assert lists[0].found == (2, 2, 2, 2)


def test_two_of_a_kind_can_only_be_a_list(trees: list[PageTree]) -> None:
    found = propose_selectors(trees, [place(trees, "a.tag"), place(trees, "a.tag", 1)])
    assert found
    assert all(one.many for one in found)


def test_what_is_not_wanted_is_not_found(trees: list[PageTree]) -> None:
    wanted, unwanted = [place(trees, ".copy p"), place(trees, ".copy p", 1)], [place(trees, "p.ad", page=2)]
    assert any(mask == 3 for one in propose_selectors(trees, wanted) for mask in one.found)
    assert not propose_selectors(trees, wanted, unwanted), "both are plain paragraphs: nothing tells them apart"
    kicker = propose_selectors(trees, [place(trees, "h1")], [place(trees, ".kicker")])
    assert kicker


def test_what_has_no_name_is_found_by_its_place() -> None:
    trees = [PageTree(parse(Page(url="https://a.example/", body="<div><p>One</p><p>Two</p><p>Three</p></div>")))]
    found = propose_selectors(trees, [place(trees, "p", 1)])
    assert found[0].fragile
    assert trees[0].document.tree.select_one(found[0].selector).text == "Two"  # type: ignore[union-attr]
