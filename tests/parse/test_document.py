from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import PageTooDeep, PageTooLarge, UsageError
from sitewright.parse import Document, parse
from sitewright.types import Limits, Page


def document(html: str, url: str = "https://example.com/news/a.html", **facts: object) -> Document:
    return parse(Page(url=url, body=html, **facts))


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ("", "https://example.com/news/a.html"),
        ('<base href="/x/">', "https://example.com/x/"),
        ('<base href="y/">', "https://example.com/news/y/"),
        ('<base href="https://cdn.example.net/">', "https://cdn.example.net/"),
        ('<base href="//cdn.example.net/z/">', "https://cdn.example.net/z/"),
        ('<base href="/first/"><base href="/second/">', "https://example.com/first/"),
        ('<base target="_blank">', "https://example.com/news/a.html"),
    ],
)
def test_base_url(base: str, expected: str) -> None:
    assert document(f"<head>{base}</head><p>x").base_url == expected


def test_a_redirected_page_is_where_it_ended() -> None:
    assert document("<p>x", final_url="https://example.com/b/").url == "https://example.com/b/"
    assert document("<p>x", final_url="https://example.com/b/").base_url == "https://example.com/b/"
    assert document("<p>x").url == "https://example.com/news/a.html"


def test_the_fetch_time_is_kept() -> None:
    moment = datetime(2024, 5, 6, tzinfo=UTC)
    assert document("<p>x", fetched_at=moment).fetched_at == moment
    assert document("<p>x").fetched_at is None


def test_a_page_without_a_fetch_time_was_seen_at_the_end_of_the_newest_day_that_its_addresses_name() -> None:
    page = document('<a href="/2012/07/23/old"></a><img src="/2012/07/24/new.jpg"><a href="/2999/01/01/never"></a>')
    assert page.seen_at == datetime(2012, 7, 24, 23, 59, 59, tzinfo=UTC)
    today = datetime.now(UTC)
    now = document(f'<a href="/{today:%Y/%m/%d}/new"></a>').seen_at
    assert now is not None
    assert today.replace(hour=0, minute=0, second=0, microsecond=0) < now <= datetime.now(UTC)


def test_elements_are_numbered_in_document_order() -> None:
    page = document("<title>t</title><div id=a><p id=b>x</p><!-- c --><p id=d><b>y</b></p></div><p id=e>")
    assert [element.tag for element in page.elements] == ["html", "head", "title", "body", "div", "p", "p", "b", "p"]
    assert [page.number_of(element) for element in page.elements] == list(range(9))
    assert page.number_of(page.tree.select("#d")[0]) == 6


@given(
    st.lists(
        st.sampled_from(["<div>", "</div>", "<p>", "<ul>", "<li>", "</ul>", "text", "<b>", "</b>", "<table><tr><td>"])
    )
)
def test_numbers_and_elements_are_inverse(parts: list[str]) -> None:
    page = document("".join(parts))
    assert page.elements[0].tag == "html"
    assert [page.number_of(element) for element in page.elements] == list(range(len(page.elements)))
    assert [page.number_of(element) for element in page.tree.select("*")] == list(range(len(page.elements)))


@pytest.mark.parametrize("body", [b"x" * 1000, "x" * 1000])
def test_a_page_of_the_greatest_size_passes_and_one_more_byte_fails(body: bytes | str) -> None:
    page = Page(url="https://example.com/", body=body)
    assert parse(page, Limits(page_bytes=1000)).url == "https://example.com/"
    with pytest.raises(PageTooLarge, match=r"1,000 bytes; at most 999 .*limits.page_bytes"):
        parse(page, Limits(page_bytes=999))


def nested(depth: int) -> str:
    """Return a page whose deepest element is the `depth`-th, `<html>` being the first."""
    inner = depth - 2
    return "<html><head></head><body>" + "<div>" * inner + "x" + "</div>" * inner


@pytest.mark.parametrize("limit", [8, 100, 512])
def test_the_depth_limit_is_exact(limit: int) -> None:
    assert len(document(nested(8)).elements) == 9
    limits = Limits(depth=limit)
    assert len(parse(Page(url="https://e.com/", body=nested(limit)), limits).elements) == limit + 1
    with pytest.raises(PageTooDeep, match=rf"more than {limit} deep .*limits.depth"):
        parse(Page(url="https://e.com/", body=nested(limit + 1)), limits)


def test_the_default_depth_is_that_of_browsers() -> None:
    assert parse(Page(url="https://e.com/", body=nested(512)))
    for depth in (513, 10_000):
        with pytest.raises(PageTooDeep):
            parse(Page(url="https://e.com/", body=nested(depth)))


def test_depth_counts_only_open_elements() -> None:
    assert len(document("<div>x</div>" * 2000).tree.select("div")) == 2000


@pytest.mark.parametrize(
    ("head", "url"),
    [
        ('<link rel=canonical href="https://example.com/a">', "https://example.com/a"),
        (
            '<link rel=canonical href="/a"><meta property="og:url" content="https://example.com/b">',
            "https://example.com/b",
        ),
        ('<link rel=canonical href="/a">', "file:///saved/a.html"),
        ("", "file:///saved/a.html"),
    ],
)
def test_a_saved_page_is_known_by_the_whole_address_it_states(head: str, url: str) -> None:
    assert parse(Page(url="file:///saved/a.html", body=f"{head}<p>x")).url == url


def test_a_page_without_an_address_is_known_by_the_one_it_states() -> None:
    head = '<link rel="canonical" href="https://example.com/bees">'
    assert document(f'{head}<a href="/a">A</a>', url="").base_url == "https://example.com/bees"
    assert document("<p>Nothing is stated", url="").url == ""
    assert document(head, url="https://example.org/copy").url == "https://example.org/copy"


@pytest.mark.parametrize("given", ["<p>Bees", b"<p>Bees", None])
def test_what_is_no_page_is_told(given: object) -> None:
    with pytest.raises(UsageError, match=rf"takes a Page, not {type(given).__name__}.*sitewright\.read\(html\)"):
        parse(given)  # type: ignore[arg-type]
