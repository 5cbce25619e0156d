import pytest

from sitewright.links.mapped_parts import mapped_story_pages
from sitewright.parse import parse
from sitewright.types import Page, PartsRule

URL = "https://example.com/bees"


def pages(rule: PartsRule, body: str = "<h1>Bees</h1>", url: str = URL):
    return mapped_story_pages(parse(Page(url=url, body=body)), rule)


def test_selectors_find_the_pages_whatever_their_addresses_are_like() -> None:
    body = "<nav><a href='/bees'>1</a><a href='/hives'>2</a></nav><p class=go><a href='/honey'>On</a></p><a href='/x'>X</a>"
    found = pages(PartsRule(links=("nav", ".go a")), body)
    assert found.parts == ("https://example.com/hives", "https://example.com/honey")
    assert found.numbers == (2, 3)
    assert found.guessed == ""
    second = pages(PartsRule(links=("nav", ".go a")), body, "https://example.com/hives")
    assert (second.first("https://example.com/hives"), second.number) == ("https://example.com/bees", 2)


@pytest.mark.parametrize(
    ("pattern", "url", "parts", "number"),
    [
        ("{page}?page={n}", URL, (f"{URL}?page=2",), 0),
        ("{page}?page={n}", f"{URL}?page=2", (URL, f"{URL}?page=3"), 2),
        ("{page}_{a}", f"{URL}_b", (URL, f"{URL}_c"), 2),
        ("{page}/{a}", URL, (f"{URL}/b",), 0),
    ],
)
def test_a_pattern_names_the_first_page_and_the_next(
    pattern: str, url: str, parts: tuple[str, ...], number: int
) -> None:
    found = pages(PartsRule(url=pattern), url=url)
    assert (found.parts, found.number, found.guessed) == (parts, number, parts[-1])


def test_what_is_linked_is_not_guessed_and_a_story_has_at_most_so_many_pages() -> None:
    body = "<nav><a href='?page=2'>2</a></nav>"
    rule = PartsRule(links=("nav a",), url="{page}?page={n}", most=2)
    assert pages(rule, body).parts == (f"{URL}?page=2",)
    assert pages(rule, url=f"{URL}?page=2").parts == (URL,)
    assert pages(PartsRule(most=1), body).parts == ()


def test_letters_end_with_the_alphabet() -> None:
    assert pages(PartsRule(url="{page}_{a}"), url=f"{URL}_z").parts == (URL,)
