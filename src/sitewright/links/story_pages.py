"""The document of a story in, the addresses of its other pages out: those that the page links or states."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from turbohtml import Element

from sitewright.links.addresses import same_page
from sitewright.links.counters import PlainAddress, Turn, distant_turn, letter_turn, read_plain_address, turn_between
from sitewright.links.paging import Paging, find_paging, own_addresses
from sitewright.links.paging_signs import LONGEST_ADDRESS, LONGEST_MARKUP, places_told, read_number
from sitewright.links.story_signs import (
    ALL_WORDS,
    is_button,
    is_discussion,
    is_elsewhere,
    is_serial,
    says_direction,
    says_older,
)
from sitewright.parse import Document, absolute_url, clean_line

MOST_PARTS = 500
"""A page that names more is no page of a story; the longest labelled one has 32."""
SERIES = 2
"""So many numbered links make a series."""


@dataclass(frozen=True, slots=True)
class StoryPages:
    """The other pages of the story that a page is one of."""

    parts: tuple[str, ...] = ()
    """Their addresses, by their number where the address has one."""
    numbers: tuple[int, ...] = ()
    """Their numbers; 0 where the address has none."""
    number: int = 0
    """The number of the page itself."""
    next: str = ""
    """The page that comes after this one; empty: it is the last, or the only one."""
    whole: str = ""
    """The page that shows all of the story, where there is one."""
    guessed: str = ""
    """A part that nothing names but a pattern of addresses: it may not be there."""

    def first(self, own: str) -> str:
        """Return the address of the story's first page; `own` is that of the page itself.

        >>> StoryPages(("https://example.com/bees",), (0,), number=2).first("https://example.com/bees?page=2")
        'https://example.com/bees'
        """
        return min([(self.number, own), *zip(self.numbers, self.parts, strict=True)], key=lambda page: page[0])[1]


def find_story_pages(document: Document) -> StoryPages:
    """Find the other pages of a story: numbered, linked as next, chosen in a list, or named by a counter.

    >>> from sitewright.parse import parse
    >>> from sitewright.types import Page
    >>> links = "<h1>Bees</h1> <b>1</b> <a href='/bees?page=2'>2</a> <a href='/wasps'>Next story</a>"
    >>> find_story_pages(parse(Page(url="https://example.com/bees", body=links))).parts
    ('https://example.com/bees?page=2',)
    """
    owns = tuple(own for own in own_addresses(document) if own is not None and own.path)
    if not owns or is_discussion(document):
        return StoryPages()
    for story in (_Story(document, owns), _Story(document, owns, loosely=True)):
        if pages := story.pages():
            return pages
    return StoryPages()


class _OtherPage(NamedTuple):
    """A page of the story, its number, and that of the page that links it; 0 where the address has none."""

    url: str
    number: int
    own: int


@dataclass(frozen=True, slots=True)
class _Story:
    """A page of a story, the addresses that it has, and how like one of these those of other pages have to be."""

    document: Document
    owns: tuple[PlainAddress, ...]
    loosely: bool = False
    """Whether more may differ than a counter of pages."""
    turns: dict[str, Turn | None] = field(default_factory=dict)
    """What is known by now of the addresses that the page links."""

    def pages(self) -> StoryPages | None:
        """Return the other pages; None where there are none."""
        beside = self._beside()
        paging = find_paging(self.document, lambda element: self._may_continue(element, beside))
        if self.loosely and len(paging.pages) < SERIES:
            return None
        found = {same_page(page.url): page for page in (*self._counted(), *self._numbered(paging))}
        found.pop(same_page(self.document.url), None)
        if not found or any(page.number > MOST_PARTS for page in found.values()):
            return None
        ordered = sorted(found.values(), key=lambda page: page.number)
        following = self._address(paging.next) if paging.next is not None else ""
        return StoryPages(
            parts=tuple(page.url for page in ordered),
            numbers=tuple(page.number for page in ordered),
            number=ordered[0].own,
            next=following if same_page(following) in found else "",
            whole=self._whole(),
        )

    def _beside(self) -> frozenset[str]:
        """Return the addresses to which only pages of comments, or of lists beside the story, are linked."""
        beside: set[str] = set()
        within: set[str] = set()
        for element in self.document.tree.select("a[href]"):
            url = self._address(element)
            if self._turn_to(url) is not None:
                (beside if is_elsewhere(element) else within).add(same_page(url))
        return frozenset(beside - within)

    def _may_continue(self, element: Element, beside: frozenset[str]) -> bool:
        """Tell whether a link that looks like one of a pagination may continue the story."""
        return same_page(self._address(element)) not in beside if element.tag == "link" else _is_of_story(element)

    def _numbered(self, paging: Paging) -> Iterator[_OtherPage]:
        """Yield the pages of the pagination."""
        alone = paging.previous is None and len(paging.pages) < SERIES
        for element in (*paging.pages, *filter(None, (paging.next, paging.previous))):
            url = self._address(element)
            turn = self._turn_to(url)
            if turn is not None and not (alone and _may_count_stories(turn)):
                yield _OtherPage(url, turn.other or 0, turn.own or 0)

    def _counted(self) -> Iterator[_OtherPage]:
        """Yield the pages that are named by a counter of pages: entries to choose from, pictures of a gallery."""
        counted: list[tuple[_OtherPage, bool]] = []
        numbers: set[int] = set()
        for element in self.document.tree.select("option[value], a[href]"):
            url = self._address(element)
            turn = self._turn_to(url)
            if turn is None or not (
                turn.kind == "page" or _is_numbered_choice(element, turn) or _says_place(element, turn)
            ):
                continue
            if not is_button(element) or not _is_of_story(element):
                continue
            numbers |= {turn.other or 1, turn.own or 1}
            counted.append((_OtherPage(url, turn.other or 0, turn.own or 0), says_direction(element)))
        return (page for page, says in counted if says or not numbers.isdisjoint(_neighbours(page.number)))

    def _turn_to(self, url: str) -> Turn | None:
        """Return the counter in which an address differs from the page's own; None where it is another story's."""
        if url not in self.turns:
            self.turns[url] = self._found_turn(url)
        return self.turns[url]

    def _found_turn(self, url: str) -> Turn | None:
        other = read_plain_address(url) if url else None
        if other is None or is_serial(other):
            return None
        turns = (self._turn_between(own, other) for own in self.owns)
        return next((turn for turn in turns if turn is not None and _is_one_story(turn)), None)

    def _turn_between(self, own: PlainAddress, other: PlainAddress) -> Turn | None:
        if not self.loosely:
            turn = turn_between(own, other) or letter_turn(own, other)
            return turn if turn is not None and turn.exact else None
        turn = distant_turn(own, other) if own.path[-1] in other.path else None
        return turn if turn is not None and turn.kind == "page" else None

    def _whole(self) -> str:
        """Return the address of the page that shows all of the story; empty: there is none."""
        for element in self.document.tree.select("a[href]"):
            text = clean_line(element.text) if len(element.text) <= LONGEST_MARKUP else ""
            if text and ALL_WORDS.fullmatch(text):
                url = self._address(element)
                other = read_plain_address(url) if url else None
                if other and any(_goes_on_from(own, other) for own in self.owns):
                    return url
        return ""

    def _address(self, element: Element) -> str:
        href = (element.attr("href") or element.attr("value") or "").strip()
        if not href or href.startswith("#") or len(href) > LONGEST_ADDRESS:
            return ""
        return absolute_url(href, self.document.base_url).partition("#")[0]


def _neighbours(number: int) -> tuple[int, int]:
    """Return the numbers before and after a page; the first one's address has none."""
    return (max(number, 1) - 1, max(number, 1) + 1)


def _may_count_stories(turn: Turn) -> bool:
    """Tell whether a counter may lead from one of many stories that are counted to the next."""
    return turn.kind in ("number", "slug") and turn.own is not None


def _says_place(element: Element, turn: Turn) -> bool:
    """Tell whether the number of a page in its address is the one that stands beside a link: `Page 1 of 4`."""
    around = element.parent
    text = clean_line(around.text) if around is not None and len(around.text) <= LONGEST_MARKUP else ""
    return any(place.number == turn.own and (turn.other or 1) <= place.of for place in places_told(text))


def _is_numbered_choice(element: Element, turn: Turn) -> bool:
    """Tell whether an entry to choose from bears the number of its address: `<option value="?picture=2">2`."""
    return element.tag == "option" and turn.kind == "number" and read_number(element.text) == (turn.other or 1)


def _is_of_story(element: Element) -> bool:
    return not (says_older(clean_line(element.text)) or is_elsewhere(element))


def _is_one_story(turn: Turn) -> bool:
    return turn.own is None or turn.kind == "offset" or turn.own <= MOST_PARTS


def _goes_on_from(own: PlainAddress, other: PlainAddress) -> bool:
    return own.host == other.host and own != other and other.path[: len(own.path)] == own.path
