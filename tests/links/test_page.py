"""The distinct links of a page, with what the networks and the page say of them."""

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.links.model import load_model
from sitewright.links.page import LOCAL, PageLinks, read_page
from sitewright.parse import parse
from sitewright.types import Page

URL = "https://www.example.com/news/"
AT = datetime(2025, 5, 18, 17, tzinfo=UTC)


def links(body: str, url: str = URL, at: datetime | None = None) -> PageLinks:
    document = parse(Page(url=url, body=f"<!doctype html><body>{body}", fetched_at=at))
    return read_page(document, load_model().networks)


def value(page: PageLinks, row: int, column: str) -> float:
    return float(page.evidence[row, LOCAL.index(column)])


def test_links_to_one_page_are_one_row() -> None:
    page = links(
        "<a href=/bees#top><img></a><h2><a href=/bees/>Why bees dance</a></h2><a href=/bees#talk>12</a><a href=/ants>Ants</a>"
    )
    assert page.pages == ["https://www.example.com/bees", "https://www.example.com/ants"]
    assert page.hrefs == ["https://www.example.com/bees", "https://www.example.com/ants"]
    assert page.evidence.shape == (2, len(LOCAL))
    assert value(page, 0, "anchors") == 3
    assert value(page, 1, "anchors") == 1
    assert value(page, 0, "heading at most") == 2


@pytest.mark.parametrize(
    "body",
    [
        "<a href=/a title='A title that nobody sees, however long it is'></a><a href=/a>Bees</a>",
        "<a href=/a>Bees</a><a href=/a aria-label='Council votes for bees on all roofs of the town'></a>",
        "<a href=/a><img alt='Council votes for bees on all roofs of the town'></a><a href=/a>Bees</a>",
    ],
)
def test_what_a_reader_sees_is_preferred_as_text(body: str) -> None:
    assert links(body).texts == ["Bees"]


def test_of_two_texts_the_one_more_like_a_headline_is_kept() -> None:
    headline = "Council votes to keep bees on the roof of the town hall"
    for body in (f"<a href=/a>Sport</a><a href=/a>{headline}</a>", f"<a href=/a>{headline}</a><a href=/a>Sport</a>"):
        assert links(body).texts == [headline]


def test_a_page_carries_its_url_and_time() -> None:
    page = links("<a href=/a>Bees</a>", at=AT)
    assert (page.url, page.time, page.next) == (URL, AT, "")
    assert links("").time is None


@pytest.mark.parametrize(
    ("body", "following"),
    [
        ("<a class=next href='?page=2'>Next</a>", URL + "?page=2"),
        ("<a rel=next href=/news/page/2/>older</a>", "https://www.example.com/news/page/2/"),
        ("<base href=/news/all/><a rel=next href=page/2>older</a>", URL + "all/page/2"),
        ("<a href=/bees>Bees</a>", ""),
        ("<a rel=next href='javascript:more()'>Next</a>", ""),
    ],
)
def test_the_next_page_is_named(body: str, following: str) -> None:
    assert links(body).next == following


@pytest.mark.parametrize("body", ["", "<p>No links at all.</p>", "<a>no href</a><a href='mailto:a@b.example'>Ann</a>"])
def test_a_page_without_links_has_no_rows(body: str) -> None:
    page = links(body)
    assert list(page.pages) == list(page.texts) == []
    assert page.evidence.shape == (0, len(LOCAL))


@pytest.mark.parametrize(
    ("body", "paid"),
    [
        ("<a rel=sponsored href=/a>x</a>", 1),
        ("<a rel='nofollow SPONSORED' href=/a>x</a>", 1),
        ("<a rel=nofollow href=/a>x</a>", 0),
        ("<a href=/a>x</a>", 0),
    ],
)
def test_paid_links_say_so(body: str, paid: int) -> None:
    assert value(links(body), 0, "paid") == paid


@pytest.mark.parametrize(
    ("href", "own"),
    [("/a", 1), ("https://shop.example.com/a", 1), ("https://other.example/a", 0), ("http://[::1]/a", 0)],
)
def test_links_to_other_sites_are_told(href: str, own: int) -> None:
    assert value(links(f"<a href={href}>x</a>"), 0, "own site") == own


def test_the_columns_have_names_of_their_own() -> None:
    assert len(set(LOCAL)) == len(LOCAL)


def test_ten_thousand_links_are_read() -> None:
    page = links(
        "".join(f"<li class=c{n % 9}><a href=/tale-{n // 2}>Tale {n} of the bees</a></li>" for n in range(10_000))
    )
    assert len(page.pages) == 5_000
    assert np.isfinite(page.evidence).all()


@given(
    st.lists(
        st.tuples(st.text(st.characters(codec=None), max_size=80), st.text(st.characters(codec=None), max_size=30)),
        max_size=6,
    )
)
def test_whatever_is_written_the_evidence_is_finite(rows: list[tuple[str, str]]) -> None:
    kept = [tuple(part.replace("<", "").replace("'", "").replace("&", "") for part in row) for row in rows]
    page = links(
        "".join(
            f"<p class='{name}'><a class='{name}' href='/{n}/{name}'>{text}</a></p>"
            for n, (text, name) in enumerate(kept)
        )
    )
    assert np.isfinite(page.evidence).all()
    assert len(page.pages) == len(page.hrefs) == len(page.texts) == len(page.evidence)


@pytest.mark.parametrize(
    "text", ["a" * 2_000, "!" * 2_000, "A B " * 500, "9" * 2_000, "蜜" * 2_000, "\ud800" * 500, "Ａ" * 64]
)
def test_extreme_texts_make_no_overflow(text: str) -> None:
    page = links(f"<a class='{text}' href=/a>{text}</a>")
    assert abs(value(page, 0, "text")) < 80
    assert abs(value(page, 0, "names")) < 80
