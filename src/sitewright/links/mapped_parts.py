"""A document and what a map says of the pages of a story in, its other pages out."""

import re
from functools import lru_cache

from sitewright.links.addresses import same_page
from sitewright.links.counters import read_plain_address, turn_between
from sitewright.links.selected import chosen_links
from sitewright.links.story_pages import StoryPages
from sitewright.parse import Document, absolute_url
from sitewright.types import PartsRule

PAGE, NUMBER, LETTER = "{page}", "{n}", "{a}"
"""What stands in a pattern for the address of the first page, and for what counts up."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def mapped_story_pages(document: Document, rule: PartsRule) -> StoryPages:
    """Return the other pages of a story: those that selectors find, and the next one by a pattern.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> second = parse(Page(url="https://example.com/bees?page=2", body="<h1>Bees</h1>"))
    >>> mapped_story_pages(second, PartsRule(url="{page}?page={n}")).parts
    ('https://example.com/bees', 'https://example.com/bees?page=3')
    """
    found = _selected(document, rule)
    number, guessed = found.pop(same_page(document.url), 0), ""
    if rule.url:
        first, number = _place(document.url, rule.url)
        if number > 1:
            found = {first: 0} | found
        if number < rule.most:
            guessed = _address(first, rule.url, number + 1)
            found.setdefault(guessed, number + 1)
    ordered = sorted(found, key=lambda url: found[url])[: rule.most - 1]
    return StoryPages(
        parts=tuple(ordered),
        numbers=tuple(found[url] for url in ordered),
        number=_own_number(document, ordered) or (number if number > 1 else 0),
        guessed=guessed if guessed in ordered else "",
    )


def _selected(document: Document, rule: PartsRule) -> dict[str, int]:
    """Return the addresses that selectors find, the page's own too, each with its number, or its place."""
    own, known = read_plain_address(document.url), same_page(document.url)
    found: dict[str, int] = {}
    for place, link in enumerate(chosen_links(document, rule.links), 1):
        url = absolute_url(link.attr("href") or "", document.base_url).partition("#")[0]
        other = read_plain_address(url) if url else None
        if other is None:
            continue
        turn = turn_between(own, other) if own is not None and same_page(url) != known else None
        name = known if same_page(url) == known else url
        found.setdefault(name, (turn.other or 0) if turn is not None else place)
    return found


def _own_number(document: Document, others: list[str]) -> int:
    own = read_plain_address(document.url)
    addresses = (read_plain_address(url) for url in others)
    turns = (turn_between(own, other) for other in addresses if own is not None and other is not None)
    return next((turn.own for turn in turns if turn is not None and turn.own is not None), 0)


def _place(url: str, pattern: str) -> tuple[str, int]:
    """Return the first page's address and the number of a page: 1 where its address is not of the pattern."""
    found = _expression(pattern).fullmatch(url)
    if found is None:
        return url, 1
    counted = found["counted"]
    return found["page"], int(counted) if counted.isdecimal() else _LETTERS.index(counted) + 1


def _address(first: str, pattern: str, number: int) -> str:
    counted = str(number) if NUMBER in pattern else _LETTERS[number - 1] if number <= len(_LETTERS) else ""
    return pattern.replace(PAGE, first).replace(NUMBER, counted).replace(LETTER, counted) if counted else first


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    escaped = re.escape(pattern).replace(re.escape(PAGE), "(?P<page>.+?)")
    escaped = escaped.replace(re.escape(NUMBER), r"(?P<counted>\d{1,4})")
    return re.compile(escaped.replace(re.escape(LETTER), "(?P<counted>[a-z])"))
