"""The links of a document: where they lead, what is written on them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.errors import TooManyLinks
from sitewright.links.anchors import Anchor, read_anchors, refuse_too_many
from sitewright.parse import Document, parse
from sitewright.reading.index import read_index, read_site
from sitewright.types import Failure, Limits, Page

URL = "https://www.example.com/news/"


def read(body: str, url: str = URL) -> Document:
    return parse(Page(url=url, body=f"<!doctype html><body>{body}"))


def anchors(body: str, url: str = URL) -> list[Anchor]:
    return read_anchors(read(body, url))


def written(body: str) -> list[tuple[str, str]]:
    return [(anchor.text, anchor.source) for anchor in anchors(body)]


@pytest.mark.parametrize(
    ("href", "address"),
    [
        ("/bees", "https://www.example.com/bees"),
        ("bees.html", "https://www.example.com/news/bees.html"),
        ("../bees", "https://www.example.com/bees"),
        ("?page=2", "https://www.example.com/news/?page=2"),
        ("#top", "https://www.example.com/news/#top"),
        ("", "https://www.example.com/news/"),
        ("//other.example/bees", "https://other.example/bees"),
        ("HTTPS://other.example/Bees", "https://other.example/Bees"),
        ("  /blanks around\t", "https://www.example.com/blanks%20around"),
        ("/line\nbreak", "https://www.example.com/linebreak"),
        ("/line\r\nbreak", "https://www.example.com/linebreak"),
        ("http://[::1]:8080/bees", "http://[::1]:8080/bees"),
        ("http://ann:secret@other.example/", "http://ann:secret@other.example/"),
        ("http://other.example:port/", "http://other.example:port/"),
        ("/a%zz%", "https://www.example.com/a%zz%"),
        ("/ελιά", "https://www.example.com/ελιά"),
        ("/half\ud800", "https://www.example.com/half\ud800"),
        ("/go?u=https%3A%2F%2Fother.example%2F", "https://www.example.com/go?u=https%3A%2F%2Fother.example%2F"),
    ],
)
def test_a_link_has_the_address_that_a_browser_would_go_to(href: str, address: str) -> None:
    assert [anchor.href for anchor in anchors(f'<a href="{href}">Bees</a>')] == [address]


@pytest.mark.parametrize(
    "markup",
    [
        "<a href='javascript:void(0)'>Menu</a>",
        "<a href=' JavaScript:alert(1)'>Menu</a>",
        "<a href='java\nscript:alert(1)'>Menu</a>",
        "<a href='mailto:ann@example.com'>Ann</a>",
        "<a href='tel:+491234'>Call</a>",
        "<a href='data:text/html,<b>Bees</b>'>Bees</a>",
        "<a href='ftp://example.com/bees'>Bees</a>",
        "<a href='http://[broken'>Bees</a>",
        "<a href='http://'>Bees</a>",
        "<a href='http:///bees'>Bees</a>",
        "<a name=top>Bees</a>",
        "<a>Bees</a>",
        "<area alt=Bees>",
        "<link rel=next href=/bees>",
        "<p>https://www.example.com/bees</p>",
        "<!-- <a href=/bees>Bees</a> -->",
        "",
    ],
)
def test_what_leads_to_no_web_page_is_no_link(markup: str) -> None:
    assert anchors(markup) == []


@pytest.mark.parametrize(
    ("base", "address"),
    [
        ("/archive/", "https://www.example.com/archive/bees.html"),
        ("archive/", "https://www.example.com/news/archive/bees.html"),
        ("https://other.example/x/y", "https://other.example/x/bees.html"),
        ("http://[broken", "https://www.example.com/news/bees.html"),
        ("javascript:void(0)", "https://www.example.com/news/bees.html"),
        ("data:text/html,x", "https://www.example.com/news/bees.html"),
        ("", "https://www.example.com/news/bees.html"),
        ("http://", "https://www.example.com/news/bees.html"),
    ],
)
def test_a_base_is_heeded_where_it_makes_sense(base: str, address: str) -> None:
    found = anchors(f'<base href="{base}"><a href=bees.html>Bees</a><a href=https://third.example/a>Far</a>')
    assert [anchor.href for anchor in found] == [address, "https://third.example/a"]


def test_links_of_one_page_have_the_same_page() -> None:
    hrefs = ("/bees", "/bees/", "/bees#comments", "/bees/#top", "https://www.example.com/bees")
    found = anchors("".join(f"<a href={href}>Bees</a>" for href in hrefs))
    assert {anchor.page for anchor in found} == {"https://www.example.com/bees"}
    assert len({anchor.href for anchor in found}) == 4


def test_links_come_in_document_order_with_their_elements() -> None:
    found = anchors("<a href=/1>One</a><map><area href=/2 alt=Two></map><p><a href=/3>Three</a>")
    assert [anchor.element.attr("href") for anchor in found] == ["/1", "/2", "/3"]
    assert [anchor.element.tag for anchor in found] == ["a", "area", "a"]


@pytest.mark.parametrize(
    ("markup", "text", "source"),
    [
        ("<a href=/a>Why  bees\n dance</a>", "Why bees dance", "text"),
        ("<a href=/a><h3>Why bees dance</h3><p>All about it.</p></a>", "Why bees dance", "heading"),
        ("<a href=/a title='On bees'>Bees</a>", "Bees", "text"),
        ("<a href=/a aria-label='On bees' title=x><svg></svg></a>", "On bees", "label"),
        ("<a href=/a title='On <b>bees</b>'></a>", "On bees", "title"),
        ("<a href=/a title='On bees <img'></a>", "On bees", "title"),
        ("<a href=/a><img alt='Bees at work'><img alt='and at home'></a>", "Bees at work and at home", "alt"),
        ("<a href=/a>https://www.example.com/a</a>", "", ""),
        ("<a href=/a title='Bees'>https://www.example.com/a</a>", "Bees", "title"),
        ("<article><h2>Why bees dance</h2><a href=/a><img></a></article>", "Why bees dance", "card"),
        ("<article><h2>Why</h2><div><div><p><a href=/a></a></p></div></div></article>", "Why", "card"),
        ("<article><h2>Far</h2><div><div><div><div><a href=/a></a></div></div></div></div></article>", "", ""),
        ("<h2>Of the page</h2><a href=/a></a>", "", ""),
        ("<a href=/a></a>", "", ""),
        ("<a href=/a>\u00a0\u200b</a>", "", ""),
        ("<a href=/a>蜜蜂为什么跳舞</a>", "蜜蜂为什么跳舞", "text"),
        ("<a href=/a>half \ud800 of it</a>", "half \ud800 of it", "text"),
        ("<a href=/a>x<a href=/a>Bees</a></a>", "x", "text"),
    ],
)
def test_the_plainest_words_of_a_link_are_its_text(markup: str, text: str, source: str) -> None:
    assert written(markup)[0] == (text, source)


def test_words_on_links_to_three_pages_tell_nothing() -> None:
    twice = "".join(f"<p><a href=/{n}>Read more</a></p>" for n in range(2))
    assert written(twice) == [("Read more", "text")] * 2
    thrice = "".join(f"<p><a href=/{n}>Read more</a></p>" for n in range(3))
    assert written(thrice) == [("Read more", "generic")] * 3


def test_the_same_words_on_many_links_to_one_page_still_tell() -> None:
    assert written("".join(f"<a href=/bees#{n}>On bees</a>" for n in range(5))) == [("On bees", "text")] * 5


def test_a_generic_text_gives_way_to_a_title_and_to_the_headline_of_the_card() -> None:
    cards = "".join(
        f"<article><h3>Tale {name}</h3><a href=/{name}>More</a></article>" for name in ("ant", "bee", "cow")
    )
    assert written(cards) == [("Tale ant", "card"), ("Tale bee", "card"), ("Tale cow", "card")]
    titled = "".join(f"<a href=/{name} title='Tale {name}'>More</a>" for name in ("ant", "bee", "cow"))
    assert written(titled) == [("Tale ant", "title"), ("Tale bee", "title"), ("Tale cow", "title")]


def test_what_holds_many_links_is_no_card() -> None:
    pictures = "".join(f"<a href=/{n}></a>" for n in range(7))
    assert written(f"<div><h2>Pictures</h2>{pictures}</div>") == [("", "")] * 7
    assert written(f"<div><h2>Pictures</h2>{pictures[:16]}</div>") == [("Pictures", "card")]


def test_links_nested_wrongly_are_all_found() -> None:
    found = anchors(
        "<a href=/1>one<a href=/2>two<p>para</a><table><a href=/3>three</table><object><a href=/4>four</object>"
    )
    assert {anchor.element.attr("href") for anchor in found} == {"/1", "/2", "/3", "/4"}
    deep = "".join(f"<object><a href=/{n}>" for n in range(200))
    assert len(anchors(deep)) == 200


def test_very_long_texts_are_cut() -> None:
    long = "word " * 200_000
    assert [len(text) <= 2_000 for text, _ in written(f"<a href=/a>{long}</a><a href=/b title='{long}'></a>")] == [
        True
    ] * 2
    assert written(f"<a href=/a title='{'<' * 200_000}'></a>") == [("", "")]


@pytest.mark.parametrize(
    "link", ["<a href=/{n}>Tale {n} of the bees</a>", "<p><i><a href=/{n}><img></a></i></p>", "<a href=/{n}>More</a>"]
)
def test_ten_thousand_links_are_read(link: str) -> None:
    found = anchors(f"<div>{''.join(link.replace('{n}', str(n)) for n in range(10_000))}</div>")
    assert len({anchor.page for anchor in found}) == 10_000


@given(st.text(st.characters(codec=None), max_size=60), st.text(st.characters(codec=None), max_size=60))
def test_whatever_is_written_the_address_is_of_the_web(href: str, text: str) -> None:
    for char in "<>&'\"":
        href, text = href.replace(char, ""), text.replace(char, "")
    for anchor in anchors(f"<a href='{href}'>{text}</a>"):
        assert anchor.href.lower().startswith(("http://", "https://"))
        assert "#" not in anchor.page
        assert anchor.href.startswith(anchor.page)
        assert anchor.text == anchor.text.strip()
        assert bool(anchor.text) == bool(anchor.source)


@pytest.mark.parametrize(
    ("markup", "text", "source"),
    [
        ("<div><a href=/a><b>3</b></a><img alt='Bees at work'></div>", "Bees at work", "card"),
        ("<a href=/a title='On bees'>»</a>", "On bees", "title"),
        ("<a href=/a>7</a>", "", ""),
    ],
)
def test_what_has_no_letter_tells_nothing(markup: str, text: str, source: str) -> None:
    (found,) = anchors(markup)
    assert (found.text, found.source) == (text, source)


def test_a_page_with_far_too_many_links_is_refused_before_they_are_looked_at() -> None:
    document = parse(Page(url="https://example.com/", body="<a href=/a>Bees</a>" * 11))
    refuse_too_many(document, 11)
    with pytest.raises(TooManyLinks, match="the page has 11 links; up to 10 are read"):
        refuse_too_many(document, 10)


def test_index_pages_are_counted_first() -> None:
    page = Page(url="https://example.com/", body="<a href=/a>Bees</a>" * 11, via="http")
    limits = Limits(links=10)
    with pytest.raises(TooManyLinks):
        read_index(limits, page, None)
    (failure,) = read_site(limits, [page]).pages
    assert isinstance(failure, Failure)
    assert failure.code == "too_many_links"
