"""Pages of one design agree on what they are."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from sitewright.domains import load_domain
from sitewright.induce.levels import agreed_kinds
from sitewright.induce.lists import SURELY
from sitewright.parse import Document
from sitewright.types import Label, PageKind, TaggedPage

Opined = Callable[..., tuple[Document, TaggedPage]]
SHOP = load_domain("shop")
DETAIL = "<main class='detail big wide'><h1 class=name>{}</h1><p class=buy id=price>9 €</p></main>"
LIST = "<main class='shelf big'><ul class=cards><li class=card>{}</li></ul><nav class=pages></nav></main>"


def pages_of(opined: Opined, design: str, seen: Sequence[tuple[PageKind, float]]) -> list[tuple[Document, TaggedPage]]:
    """Return pages of one design, each as the tagger takes it."""
    found = []
    for number, (kind, score) in enumerate(seen):
        document, tagged = opined(design.format(f"Thing {number}"), kind=kind, kind_score=score)
        heading = Label(field="name", value=f"Thing {number}", score=0.9)
        found.append((document, replace(tagged, labels=(heading,))))
    return found


@pytest.mark.parametrize(
    ("design", "seen", "kinds"),
    [
        (DETAIL, [("product", 0.9), ("product", 0.8), ("other", 0.7)], {"product"}),
        (LIST, [("list", 0.9), ("list", 0.9), ("product", 0.6)], {"list"}),
        (DETAIL, [("other", 0.9)] * 3, {"product"}),  # a shop without prices: who gives such pages means them
        (LIST, [("list", 0.9)] * 3, {"list"}),
        (DETAIL, [("product", 0.9), ("other", 0.9)], {"product", "other"}),  # two have nothing to agree on
    ],
)
def test_pages_of_one_design_are_of_one_kind(
    opined: Opined, design: str, seen: Sequence[tuple[PageKind, float]], kinds: set[str]
) -> None:
    assert {page.kind for _, page in agreed_kinds(pages_of(opined, design, seen), SHOP)} == kinds


def test_pages_of_two_designs_do_not_agree(opined: Opined) -> None:
    details = pages_of(opined, DETAIL, [("product", 0.6)] * 3)
    lists = pages_of(opined, LIST, [("list", 0.9)] * 3)
    agreed = [page for _, page in agreed_kinds(details + lists, SHOP)]
    assert [page.kind for page in agreed] == ["product"] * 3 + ["list"] * 3
    assert agreed[0].kind_score >= SURELY  # the likeliest of the designs: no list, whatever stands below


def test_pages_without_headings_of_their_own_are_not_believed(opined: Opined) -> None:
    pages = [
        (document, replace(tagged, labels=())) for document, tagged in pages_of(opined, DETAIL, [("other", 0.9)] * 3)
    ]
    assert {page.kind for _, page in agreed_kinds(pages, SHOP)} == {"other"}


def test_articles_are_taken_one_by_one(opined: Opined) -> None:
    pages = pages_of(opined, DETAIL, [("article", 0.9), ("article", 0.9), ("other", 0.9)])
    assert [page.kind for _, page in agreed_kinds(pages, load_domain("news"))] == ["article", "article", "other"]


def test_items_that_look_like_nothing_may_share_some_headings_and_stand_beside_other_pages(opined: Opined) -> None:
    items = pages_of(opined, DETAIL, [("other", 0.9)] * 4)
    items[1] = items[1][0], replace(items[1][1], labels=items[0][1].labels)
    lists = pages_of(opined, LIST, [("other", 0.9)] * 3)
    agreed = [page for _, page in agreed_kinds(items + lists, SHOP)]
    assert [page.kind for page in agreed] == ["product"] * 4 + ["other"] * 3


def test_pages_that_all_share_a_heading_are_not_believed(opined: Opined) -> None:
    pages = pages_of(opined, DETAIL, [("other", 0.9)] * 4)
    same = [(document, replace(tagged, labels=pages[0][1].labels)) for document, tagged in pages]
    assert {page.kind for _, page in agreed_kinds(same, SHOP)} == {"other"}
