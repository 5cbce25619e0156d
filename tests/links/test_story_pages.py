import pytest

from sitewright.links.story_pages import MOST_PARTS, StoryPages, find_story_pages
from sitewright.parse import parse
from sitewright.types import Page

URL = "https://example.com/news/why-bees-dance"


def pages_of(links: str, url: str = URL) -> StoryPages:
    body = f"<h1>Why bees dance</h1><article><p>They dance all day long.</p>{links}</article>"
    return find_story_pages(parse(Page(url=url, body=body)))


def addresses(*ends: str) -> tuple[str, ...]:
    return tuple(URL + end for end in ends)


@pytest.mark.parametrize(
    ("links", "ends"),
    [
        ("<b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a> <a href='?page=2'>Next</a>", ("?page=2", "?page=3")),
        ("<a href='/news/why-bees-dance/2'>Next page</a>", ("/2",)),
        ("<a href='/news/why-bees-dance_2'>次のページ</a>", ("_2",)),
        ("<link rel=next href='?seite=2'>", ("?seite=2",)),
        ("<a href='?page=2'>»</a> <a href='?page=9'>9</a>", ("?page=2", "?page=9")),
        (
            "<select><option value=''>Go to<option value='?page=2'>The hive<option value='?page=3'>Honey</select>",
            ("?page=2", "?page=3"),
        ),
        ("<a href='?slide=2'><img src=2.jpg></a><a href='?slide=3'><img src=3.jpg></a>", ("?slide=2", "?slide=3")),
        ("<a href='?slide=2'>Next</a> <a href='?slide=10'>Prev</a>", ("?slide=2", "?slide=10")),
        ("<select><option value=''>1<option value='?pic=2'>2<option value='?pic=3'>3</select>", ("?pic=2", "?pic=3")),
    ],
)
def test_other_pages(links: str, ends: tuple[str, ...]) -> None:
    assert pages_of(links).parts == addresses(*ends)


@pytest.mark.parametrize(("own", "other"), [("bees_1", "bees_2"), ("bees-a", "bees-b"), ("bees-b", "bees-a")])
def test_a_counter_of_the_first_page_too_counts_pages_where_the_page_says_its_number(own: str, other: str) -> None:
    beginning = "https://example.com/news/"
    number = 1 if own < other else 2
    for told, found in ((f"Page {number} of 4", (beginning + other,)), ("Page 3 of 4", ()), ("", ())):
        assert pages_of(f"<p>{told} <a href='{other}'>next &raquo;</a></p>", beginning + own).parts == found


def test_a_list_to_jump_to_pages_names_the_first_one_too() -> None:
    body = f"<select><option value='{URL}'>Bees<option value='{URL}?page=2'>Hive<option value='{URL}?page=3'>Honey</select>"
    found = pages_of(body, f"{URL}?page=3")
    assert (found.parts, found.first(f"{URL}?page=3")) == (addresses("", "?page=2"), URL)


def test_a_later_page_names_the_first() -> None:
    found = pages_of(f"<a href='{URL}'>1</a> <b>2</b> <a href='{URL}?page=3'>3</a>", f"{URL}?page=2")
    assert found.parts == addresses("", "?page=3")
    assert found.next == f"{URL}?page=3"


@pytest.mark.parametrize(
    "links",
    [
        "<a rel=next href='/news/wasps-are-back'>Next story</a>",
        "<link rel=next href='/news/wasps-are-back'>",
        "<div class=comments><b>1</b> <a href='?page=2'>2</a></div>",
        "<link rel=next href='?page=2'><div class=comments><b>1</b> <a href='?page=2'>2</a></div>",
        "<div class='related'><a href='?page=2'>Next</a></div>",
        "<a href='?page=2'>Older posts</a>",
        "<a href='?page=2'>Load more</a>",
        "<a href='?comment-page=2'>2</a>",
        "<a href='/page/2'>2</a> <a href='/page/3'>3</a>",
        "<a href='/news/why-bees-dance-part-2'>2</a>",
        "<a href='?page=2'>2</a> <a href='?page=3731'>3731</a>",
        "<a href='?p=3'><img src=about.png></a> <a href='?page_id=17'><img src=us.png></a>",
        "<a href='?page=2'>The bees are back and dance all day</a>",
        "<a href='?page=2&box=teasers'>Next</a>",
        "<a href='/'>Next</a>",
    ],
)
def test_what_is_no_part(links: str) -> None:
    assert pages_of(links).parts == ()


def test_numbers_of_stories_count_no_pages() -> None:
    assert pages_of("<a href='/news/12.html'>Next</a>", "https://example.com/news/11.html").parts == ()
    assert pages_of("<a href='?p=6585'>Next</a>", "https://example.com/blog/?p=6584").parts == ()


def test_forums_and_front_pages_have_none() -> None:
    links = "<b>1</b> <a href='?page=2'>2</a>"
    assert pages_of(links, "https://example.com/threads/bees.4711/").parts == ()
    assert pages_of(links, "https://example.com/").parts == ()


def test_the_whole_story() -> None:
    found = pages_of("<b>1</b> <a href='?page=2'>2</a> <a href='?page=all'>View all</a>")
    assert found.whole == f"{URL}?page=all"
    assert found.parts == addresses("?page=2")
    assert pages_of("<a href='?page=all'>View all</a>").whole == ""


def test_more_than_any_story_has() -> None:
    links = "".join(f"<a href='?page={number}'>{number}</a>" for number in range(2, MOST_PARTS + 10))
    assert pages_of(links).parts == ()
