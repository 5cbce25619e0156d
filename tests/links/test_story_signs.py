import pytest

from sitewright.links.counters import read_plain_address
from sitewright.links.story_signs import ALL_WORDS, is_button, is_discussion, is_elsewhere, is_serial, says_direction
from sitewright.parse import parse
from sitewright.types import Page


def document(html: str, url: str = "https://example.com/bees"):
    return parse(Page(url=url, body=html))


@pytest.mark.parametrize(
    ("url", "html"),
    [
        ("https://forum.example.com/bees", ""),
        ("https://example.com/viewtopic.php?id=3", ""),
        ("https://example.com/threads/bees.4711/", ""),
        ("https://example.com/t/why-do-bees-dance/421350", ""),
        ("https://example.com/topic/43227/bees", ""),
        ("https://example.com/bees", '<script type="application/ld+json">{"@type": "DiscussionForumPosting"}</script>'),
        ("https://example.com/bees", '<div itemscope itemtype="https://schema.org/QAPage">'),
        ("https://example.com/bees", "<meta name=generator content='Discourse 3.1'>"),
    ],
)
def test_threads_of_forums_are_discussions(url: str, html: str) -> None:
    assert is_discussion(document(html, url))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/topics/2020/05/bees-are-back",
        "https://example.com/news/thread-of-life",
        "https://example.com/t/",
    ],
)
def test_sections_are_none(url: str) -> None:
    assert not is_discussion(document("<h1>Bees</h1>", url))


@pytest.mark.parametrize(
    ("around", "expected"),
    [
        ("<div class=comments-pages>{}</div>", True),
        ("<aside><ul>{}</ul></aside>", True),
        ("<section class='related-stories'>{}</section>", True),
        ("<div class='view view-news'>{}</div>", True),
        ("<div class=page-links>{}</div>", False),
        ("<div class='placeholder-3'>{}</div>", False),
        ("<div class='elementor-widget-post-content'>{}</div>", False),
        ("<div class='post tag-comment category-latest'>{}</div>", False),
        ("<div class=comments-open><h1>Bees</h1>{}</div>", False),
        ("<div class=latest><article>{}</article></div>", False),
    ],
)
def test_where_a_link_stands_tells_what_it_goes_on_with(around: str, expected: bool) -> None:
    page = document(around.format("<a id=link href='?page=2'>2</a>"))
    assert is_elsewhere(page.tree.select_one("#link")) is expected


@pytest.mark.parametrize(
    ("link", "button", "direction"),
    [
        ("<a href=x>2</a>", True, True),
        ("<a href=x>Next »</a>", True, True),
        ("<a href=x><img src=a.jpg></a>", True, False),
        ("<option value=x>2. The hive</option>", True, False),
        ("<a href=x>Why the bees dance all day</a>", False, False),
        ("<a href=x></a>", False, False),
    ],
)
def test_buttons(link: str, button: bool, direction: bool) -> None:
    markup = f"<select>{link}</select>" if "option" in link else link
    element = document(markup).tree.select_one("option, a")
    assert (is_button(element), says_direction(element)) == (button, direction)


@pytest.mark.parametrize(
    "words", ["View all", "Single page", "Show all pages", "Auf einer Seite lesen", "全文表示", "show semua"]
)
def test_words_for_the_whole_story(words: str) -> None:
    assert ALL_WORDS.fullmatch(words)


@pytest.mark.parametrize("words", ["All sports", "Read more", "Next page", "All about bees"])
def test_other_words(words: str) -> None:
    assert not ALL_WORDS.fullmatch(words)


def test_stories_that_are_counted_in_their_names_are_serials() -> None:
    serial, page = (read_plain_address(f"https://example.com/{name}") for name in ("bees-part-2", "bees/2"))
    assert serial is not None
    assert is_serial(serial)
    assert page is not None
    assert not is_serial(page)
