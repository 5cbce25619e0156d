"""Links to the sections of a site, told by the articles that lie in them."""

import numpy as np
import pytest

from sitewright.links.evidence import SiteLinks
from sitewright.links.page import LOCAL, PageLinks
from sitewright.links.sections import section_rows

HOST = "https://www.example.com"


def sections(articles: list[str], others: list[tuple[str, str]], url: str = f"{HOST}/") -> set[str]:
    """Return which of the other links (address, place in the page) are taken for sections."""
    hrefs = [*articles, *(href for href, _ in others)]
    pages = [href if "://" in href else HOST + href for href in hrefs]
    page = PageLinks(
        url=url,
        time=None,
        pages=pages,
        hrefs=pages,
        texts=["x"] * len(hrefs),
        patterns=[frozenset()] * len(hrefs),
        signatures=[*(["a>h2"] * len(articles)), *(place for _, place in others)],
        lists=[0] * len(hrefs),
        evidence=np.zeros((len(hrefs), len(LOCAL)), dtype=np.float32),
    )
    rows = section_rows(SiteLinks([page]), np.array([True] * len(articles) + [False] * len(others), dtype=bool))
    return {hrefs[row] for row in rows}


@pytest.mark.parametrize(
    ("articles", "others", "expected"),
    [
        (["/sport/a", "/sport/b"], ["/sport"], {"/sport"}),
        (["/sport/a"], ["/sport"], set()),
        (["/sport/golf/a", "/sport/golf/b"], ["/sport", "/sport/golf"], {"/sport", "/sport/golf"}),
        (["/sports/a", "/sports/b"], ["/sport"], set()),
        (["https://golf.example.com/a", "https://golf.example.com/b"], ["https://golf.example.com"], {"https://golf.example.com"}),
        (["https://other.example/x/a", "https://other.example/x/b"], ["https://other.example/x"], set()),
        (["/a", "/b"], [HOST], set()),
        (["/a/b/c/d/e/f", "/a/b/c/d/e/g"], ["/a/b/c/d/e"], set()),
        (["/x?s=1/a", "/x?s=1/b"], ["/x?s=1"], set()),
        ([], ["/sport", "/world"], set()),
        ([], [], set()),
    ],
)  # fmt: skip
def test_an_address_that_articles_begin_with_is_a_section(
    articles: list[str], others: list[str], expected: set[str]
) -> None:
    assert sections(articles, [(href, f"a>{number}") for number, href in enumerate(others)]) == expected


STORIES = [f"/{name}/{number}" for name in ("sport", "world") for number in range(3)]


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([("/sport", "a>nav"), ("/world", "a>nav"), ("/opera", "a>nav")], {"/sport", "/world", "/opera"}),
        ([("/sport", "a>nav"), ("/world", "a>p"), ("/opera", "a>nav")], {"/sport", "/world"}),
        ([("/sport", "a>nav"), ("/world", "a>nav"), ("/opera", "a>footer")], {"/sport", "/world"}),
        ([("/sport", "a>ul"), ("/world", "a>ul"), *((f"/x{n}", "a>ul") for n in range(20))], {"/sport", "/world"}),
        ([("/sport", "a>nav"), ("/world", "a>nav"), ("https://shop.example/x", "a>nav")], {"/sport", "/world"}),
        ([("/sport", "a>nav"), ("/world", "a>nav"), (HOST, "a>nav")], {"/sport", "/world"}),
        ([("/sport", "a>nav"), ("/world", "a>nav"), ("/search?q=x", "a>nav")], {"/sport", "/world"}),
    ],
)
def test_what_stands_with_several_sections_is_one(others: list[tuple[str, str]], expected: set[str]) -> None:
    assert sections(STORIES, others) == expected


def test_an_article_is_no_section_even_where_others_begin_with_it() -> None:
    assert sections(["/tale", "/tale/1", "/tale/2"], []) == set()


def test_an_article_of_very_many_folders_is_read() -> None:
    assert sections(["/sport/" + "a/" * 20_000 + "b", "/sport/c"], [("/sport", "a")]) == {"/sport"}
