import time
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.links.paging import Paging, find_paging, next_url
from sitewright.links.paging_words import NEXT_WORDS, PREVIOUS_WORDS
from sitewright.parse import Document, parse
from sitewright.types import Page

LIST = "https://www.example.com/news/"
STORY = "https://www.example.com/2024/05/why-bees-dance/"


def read(url: str, body: str) -> Document:
    return parse(Page(url=url, body=f"<!doctype html><title>Bees</title>{body}"))


def hrefs(paging: Paging) -> tuple[str | None, str | None, list[str | None]]:
    following, previous = paging.next, paging.previous
    return (
        following.attr("href") if following is not None else None,
        previous.attr("href") if previous is not None else None,
        [element.attr("href") for element in paging.pages],
    )


@pytest.mark.parametrize(
    ("url", "link", "reason"),
    [
        (LIST, "<link rel='next' href='/news/page/2/'>", "rel=next"),
        (LIST, "<a rel='nofollow Next' href='?page=2'>onwards</a>", "rel=next"),
        (LIST, "<a href='/news/page/2'>»</a>", "text »"),
        (LIST, "<a href='page2.html'>Older posts →</a>", "text Older posts →"),
        (LIST, "<a href='?start=20'>Weiter</a>", "text Weiter"),
        (LIST, "<a href='?PAGEN_1=2'>След.</a>", "text След."),
        (LIST, "<a href='index_2.html'>下一页</a>", "text 下一页"),
        (LIST, "<a href='?page=1'>次のページ</a>", "text 次のページ"),
        (LIST, "<a class='btn' href='?pg=2'>Load more</a>", "text Load more"),
        (LIST, "<a href='?page=2' aria-label='Next page'><svg></svg></a>", "label Next page"),
        (LIST, "<a href='?page=2'><img src='a.gif' alt='siguiente'></a>", "label siguiente"),
        (LIST, "<a class='i-next' href='?ajax=0&p=2'></a>", "class next"),
        (LIST, "<a href='?page=2'><i class='fa fa-chevron-right'></i></a>", "class next"),
        (LIST, "<li class='pager-next'><a href='?page=2'>go on</a></li>", "class next"),
        (LIST, "<a href='/news?after=t3_abc'>next ›</a>", "text next ›"),
        (LIST + "?page=4", "<a href='?page=5'>›</a>", "text ›"),
        (LIST + "page/4/", "<a href='../5/'>›</a>", "text ›"),
        (LIST + "p188", "<a href='p189'>›</a>", "text ›"),
        (LIST + "?start=40&sort=date", "<a href='?sort=date&start=60'>›</a>", "text ›"),
        (LIST + "bees.html", "<a href='bees_2.html'>suivant</a>", "text suivant"),
        (LIST + "bees_2.html", "<a href='bees_3.html'>suivant</a>", "text suivant"),
        (STORY, "<a href='/2024/05/why-bees-dance/2/'>Next page</a>", "text Next page"),
        (LIST, "<a href='?page=2'><img src='/img/arrow_next.gif'></a>", "class next"),
        (LIST, "<a href='/news/;jsessionid=4F2A?page=2'>Next</a>", "text Next"),
        (LIST, "<a href='?sort=new&pi=2'>Next 20</a>", "text Next 20"),
        (LIST + "page/2/", "<a href='/news/?paged=3'>Next</a>", "text Next"),
        (STORY, "<link rel=canonical href='/bees/'><a href='/bees/?page=2'>Next</a>", "text Next"),
        ("https://example.com/forum/index.php?bees/", "<a href='index.php?bees/page-2'>Next</a>", "text Next"),
        ("https://example.com/honey.html", "<a href='/shop.php?item=honey&offset=24'>▶</a>", "text ▶"),
    ],
)
def test_finds_the_next_page(url: str, link: str, reason: str) -> None:
    paging = find_paging(read(url, link))
    assert paging.next is not None
    assert paging.reason == reason
    assert paging.previous is None


@pytest.mark.parametrize(
    ("url", "link"),
    [
        pytest.param(STORY, "<link rel=next href='/2024/05/what-wasps-want/'>", id="rel=next of a blog"),
        pytest.param(STORY, "<a rel=next href='/2024/06/why-bees-sleep/'>Next post</a>", id="next story"),
        pytest.param(STORY, "<a rel=next href='/2024/06/why-bees-dance-2/'>Next</a>", id="slug used again"),
        pytest.param(STORY, "<a href='comment-page-2/#comments'>Older comments</a>", id="comments"),
        pytest.param(STORY, "<a href='?page=2#comment-list'>›</a>", id="comments by fragment"),
        pytest.param("https://example.com/?p=72620", "<a rel=next href='/?p=72621'>Next</a>", id="number of a post"),
        pytest.param("https://example.com/a/532601.html", "<a href='532602.html'>下一篇 »</a>", id="number of a story"),
        pytest.param("https://example.com/?story=71234", "<a href='/?page=2'>next</a>", id="list beside a story"),
        pytest.param(LIST, "<a class='slide next' href='#'>Next slide</a>", id="carousel"),
        pytest.param(LIST, "<a class='next' href='javascript:next()'>Next</a>", id="script"),
        pytest.param(LIST, "<a href='?month=2'>Next month</a>", id="calendar"),
        pytest.param("https://example.com/2024/05/", "<a href='/2024/06/'>»</a>", id="next month"),
        pytest.param(LIST, "<a href='/news/what-comes-next/'>What comes next for the bees</a>", id="headline"),
        pytest.param(LIST, "<a href='/sport/?page=2'>More sport</a>", id="another section"),
        pytest.param(LIST, "<a href='https://example.org/news/?page=2'>Next</a>", id="another site"),
        pytest.param(LIST, "<a href='?page=9'>Last »</a>", id="last page"),
        pytest.param(LIST, "<a href='/news/'>»</a>", id="itself"),
        pytest.param(LIST + "?page=9", "<a class='next disabled' href='?page=10'>Next</a>", id="disabled"),
        pytest.param(LIST + "?page=9", "<li class=disabled><a href='?page=10'>Next</a></li>", id="disabled item"),
        pytest.param(LIST + "?page=9", "<a aria-disabled=true href='?page=10'>Next</a>", id="disabled for readers"),
        pytest.param(LIST, "<a class='prev' href='?page=1'>‹</a>", id="previous of the first page"),
        pytest.param(LIST, "<a href='http://[broken'>Next</a><a href=''>Next</a>", id="broken"),
    ],
)
def test_leaves_other_links_alone(url: str, link: str) -> None:
    assert find_paging(read(url, link)) == Paging()


def test_numbered_pages_have_a_current_one_and_the_next_follows_it() -> None:
    body = """<nav><a href="?page=1">1</a> <a href="?page=2">2</a> <strong>3</strong> <a href="?page=4">4</a>
              <a href="?page=5">5</a> … <a href="?page=1390">1,390</a></nav>"""
    paging = find_paging(read(LIST + "?page=3", body))
    pages = ["?page=1", "?page=2", "?page=4", "?page=5", "?page=1390"]
    assert hrefs(paging) == ("?page=4", "?page=2", pages)
    assert paging.reason == "page 4 after current 3"


@pytest.mark.parametrize(
    ("url", "body", "expected"),
    [
        pytest.param(
            LIST,
            "<b>1</b> <a href='?start=20'>2</a> <a href='?start=40'>3</a>",
            ("?start=20", None, ["?start=20", "?start=40"]),
            id="items are counted",
        ),
        pytest.param(
            LIST + "?offset=24",
            "<a href='?offset=0'>1</a> 2 <a href='?offset=48'>3</a>",
            ("?offset=48", "?offset=0", ["?offset=0", "?offset=48"]),
            id="items are counted from zero",
        ),
        pytest.param(
            LIST,
            "<b>1</b> <a href='?page=1'>2</a> <a href='?page=2'>3</a>",
            ("?page=1", None, ["?page=1", "?page=2"]),
            id="pages are counted from zero",
        ),
        pytest.param(
            LIST,
            "<a class=current href='/news/'>1</a> <a href='/news/page/2/'>2</a>",
            ("/news/page/2/", None, ["/news/", "/news/page/2/"]),
            id="the current page is a link",
        ),
        pytest.param(
            LIST + "page/2/",
            "<a href='/news/'>1</a> <span>2</span>",
            (None, "/news/", ["/news/"]),
            id="the second of two pages",
        ),
        pytest.param(
            LIST + "page/7/",
            "<link rel=next href='/news/page/8/'><a href='/news/page/5/'>5</a> <a href='/news/page/6/'>6</a> 7",
            (None, "/news/page/6/", ["/news/page/5/", "/news/page/6/"]),
            id="the head promises a page after the last",
        ),
        pytest.param(
            LIST,
            "<p><b>1</b> <a href='?page=2'>2</a></p><ul><li>Bees</ul><p><b>1</b> <a href='?page=2'>2</a></p>",
            ("?page=2", None, ["?page=2", "?page=2"]),
            id="above and below the list",
        ),
        pytest.param(
            "https://example.com/thread-71-1-1.html",
            "<b>1</b> <a href='thread-71-2-1.html'>2</a> <a href='thread-71-3-1.html'>3</a>",
            ("thread-71-2-1.html", None, ["thread-71-2-1.html", "thread-71-3-1.html"]),
            id="the counter is inside a name",
        ),
        pytest.param(
            "",
            "<i>1</i> <a href='?page=1'>1</a> <em class=active>2</em> <a href='?page=3'>3</a>",
            ("?page=3", "?page=1", ["?page=1", "?page=3"]),
            id="page without an address",
        ),
    ],
)
def test_reads_numbered_pages(url: str, body: str, expected: tuple[str | None, str | None, list[str]]) -> None:
    assert hrefs(find_paging(read(url, body))) == expected


@pytest.mark.parametrize(
    "body",
    [
        pytest.param("<a href='/news/2022/'>2022</a> <a href='/news/2023/'>2023</a>", id="years"),
        pytest.param("<a href='?count=20'>20</a> <a href='?count=40'>40</a>", id="sizes of the list"),
        pytest.param("<a href='?rows=20'>20</a> <a href='?rows=40'>40</a>", id="sizes by another name"),
        pytest.param("<a href='/bees/#replies'>12</a> <a href='/wasps/#replies'>13</a>", id="numbers of comments"),
        pytest.param("<a href='/bees/page/2'>2</a> <a href='/bees/page/3'>3</a>", id="pages of a story in the list"),
        pytest.param("<a href='?rating=1'>1</a> <a href='?rating=2'>2</a>", id="stars"),
        pytest.param("<a href='/2024/05/01/'>1</a> <a href='/2024/05/02/'>2</a>", id="days"),
    ],
)
def test_numbers_that_are_no_pages(body: str) -> None:
    assert find_paging(read(LIST, body)) == Paging()


@pytest.mark.parametrize("url", ["https://example.com/2024/05/", "https://example.com/2024/05/04/"])
def test_days_of_a_calendar_are_no_pages_of_an_archive(url: str) -> None:
    days = "".join(f"<td><a href='/2024/05/{day:02}/'>{day}</a></td>" for day in range(1, 32))
    assert find_paging(read(url, f"<table><tr>{days}</table>")) == Paging()


@pytest.mark.parametrize(
    ("older", "newer"),
    [("Older posts", "Newer posts"), ("« Previous entries", "Next entries »"), ("Načíst další", "Načíst předešlé")],
)
def test_where_a_link_leads_counts_more_than_what_it_says(older: str, newer: str) -> None:
    body = f"<a href='/blog/page/5/'>{older}</a> <a href='/blog/page/3/'>{newer}</a>"
    assert hrefs(find_paging(read("https://example.com/blog/page/4/", body))) == ("/blog/page/5/", "/blog/page/3/", [])
    first = find_paging(read("https://example.com/blog/", f"<a href='/blog/page/2/'>{older}</a>"))
    assert hrefs(first) == ("/blog/page/2/", None, [])


@given(
    st.sampled_from([LIST, STORY, "", "file:///tmp/a.html", "https://example.com/?page=2", "nonsense"]),
    st.lists(
        st.tuples(
            st.one_of(st.text("/?&=#:.-_[]%page0123 ", max_size=20), st.builds("?page={}".format, st.integers())),
            st.sampled_from(["Next", "»", "", "1", "2", "٣", "Page 10", "1,390", "<", "999999999999"]),
        ),
        max_size=6,
    ),
)
def test_any_links_are_read(url: str, links: list[tuple[str, str]]) -> None:
    body = "".join(f'<a href="{href}">{escape(text)}</a>' for href, text in links)
    paging = find_paging(read(url, body))
    assert (paging.next is None) == (paging.reason == "")
    assert len(paging.pages) <= len(links)


def test_a_link_that_people_see_comes_before_one_in_the_head() -> None:
    paging = find_paging(read(LIST, "<link rel=next href='?page=2'><a href='?page=2&all=1'>Next</a>"))
    assert paging.next is not None
    assert paging.next.tag == "a"


@pytest.mark.parametrize("text", [*NEXT_WORDS.values(), *PREVIOUS_WORDS.values()])
def test_each_word_makes_a_button(text: str) -> None:
    for word in text.split():
        assert find_paging(read(LIST, f"<a href='?page=2'>{word.capitalize()} »</a>")).next is not None, word


def test_next_and_previous_are_told_apart_where_only_words_do() -> None:
    body = "<a href='?before=17'>Vorherige</a> <a href='?after=42'>Nächste</a>"
    assert hrefs(find_paging(read(LIST + "?after=20", body))) == ("?after=42", "?before=17", [])


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<a href=' ?page=2\n'>Next</a>", "https://www.example.com/news/?page=2"),
        (
            "<base href='https://www.example.com/'><a href='news/?page=2'>Next</a>",
            "https://www.example.com/news/?page=2",
        ),
        ("<p>Bees</p>", ""),
    ],
)
def test_address_of_the_next_page(body: str, expected: str) -> None:
    assert next_url(read(LIST, body)) == expected


@pytest.mark.parametrize("text", ["A headline of some length about the bees of the valley, number", "Story", ""])
def test_many_links_cost_little(text: str) -> None:
    links = "".join(f"<li class='c{n}'><a href='/story-{n}/'>{text} {n}</a></li>" for n in range(10_000))
    document = read(LIST, f"<ul>{links}</ul><a href='?page=2'>Next</a>")
    started = time.process_time()
    assert find_paging(document).reason == "text Next"
    assert time.process_time() - started < 10  # it takes 0.03 seconds; to compare all pairs takes minutes
