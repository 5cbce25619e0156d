"""A document in, its links out: the address, what is written on it, and the element that holds it."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from turbohtml import Element

from sitewright.errors import TooManyLinks
from sitewright.links.addresses import same_page
from sitewright.parse import Document, absolute_url, clean_line

TextSource = Literal["heading", "text", "label", "title", "alt", "card", "generic", ""]
"""Where the words of a link were found: a heading inside of it, its text, its attributes, its picture, its card;
or that they stand on links to many pages and tell nothing."""

HEADINGS = "h1, h2, h3, h4, h5, h6"
CARD_STEPS = 4
"""So far above a link its card is looked for: picture or headline, their box, the card, and one more around it."""
_PICTURE_STEPS = 2
"""So far above a link the picture may stand that it belongs to."""
_CARD_LINKS = 6
"""A card has a picture, a headline and a few more links; what holds more is a list."""
_LINKS = "a[href], area[href]"
_MARKUP = re.compile(r"<[^>]*>?")
_LETTER = re.compile(r"[^\W\d_]")
"""What has none, a number in a corner or an arrow, tells nothing."""
_TEXT_LIMIT = 2_000
"""No headline is as long; the longest text of 18,803 links of folds 1 and 2 has 1,214 characters."""
_GENERIC = 3
"""The same words on links to so many pages are no headline."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link of a page."""

    element: Element
    href: str
    """The absolute address, as written."""
    page: str
    """The address under which all links to one page are the same: no fragment, no slash at the end."""
    text: str
    source: TextSource


def refuse_too_many(document: Document, most: int) -> None:
    """Raise `TooManyLinks` for a page with more links than are judged: each of them costs time and memory."""
    found = len(document.tree.select(_LINKS))
    if found > most:
        raise TooManyLinks(f"the page has {found:,} links; up to {most:,} are read (limits.links)")


def read_anchors(document: Document) -> list[Anchor]:
    """Return the links that lead to web pages, in document order."""
    found = list(_web_links(document))
    texts = [list(_texts(element)) for element, _ in found]
    generic = _generic_texts(zip(texts, (page for _, (_, page) in found), strict=True))
    cards = _Cards()
    return [
        Anchor(element, href, page, *_telling(element, own, generic, cards))
        for (element, (href, page)), own in zip(found, texts, strict=True)
    ]


def _web_links(document: Document) -> Iterator[tuple[Element, tuple[str, str]]]:
    base = document.base_url
    resolved: dict[str, tuple[str, str]] = {}
    for element in document.tree.select(_LINKS):
        written = element.attr("href") or ""
        if written not in resolved:
            href = absolute_url(written, base)
            resolved[written] = href, same_page(href)
        if resolved[written][0]:
            yield element, resolved[written]


def _texts(element: Element) -> Iterator[tuple[str, TextSource]]:
    """Yield what is written on a link, the plainest first.

    >>> from turbohtml import parse
    >>> list(_texts(parse('<a href=/a title="On bees"><img alt="Bees at work"></a>').select_one("a")))
    [('On bees', 'title'), ('Bees at work', 'alt')]
    """
    for source, read in _READERS:
        text = clean_line(read(element)[:_TEXT_LIMIT])
        if "://" not in text and _LETTER.search(text):
            yield text, source


def _generic_texts(links: Iterable[tuple[list[tuple[str, TextSource]], str]]) -> frozenset[str]:
    """Return the texts that stand on links to several pages ("Read more", "Video"): they tell nothing of any."""
    targets: dict[str, set[str]] = defaultdict(set)
    for texts, page in links:
        for text, _ in texts:
            if len(targets[text]) < _GENERIC:
                targets[text].add(page)
    return frozenset(text for text, pages in targets.items() if len(pages) >= _GENERIC)


class _Cards:
    """The cards of a page; whether an element holds few enough links to be in one is counted once."""

    def __init__(self) -> None:
        self._known: dict[Element, bool] = {}

    def headline(self, element: Element) -> str:
        """Return the first heading of the card that a bare link belongs to; else what the picture of the card shows."""
        around = list(self._around(element))
        for outer in around:
            if (heading := outer.select_one(HEADINGS)) is not None:
                return " ".join(heading.stripped_strings)
        return next(filter(None, map(_alt, around[:_PICTURE_STEPS])), "")

    def _around(self, element: Element) -> Iterator[Element]:
        around = element.parent
        for _ in range(CARD_STEPS):
            if not isinstance(around, Element) or around.tag == "body" or not self._may_be(around):
                return
            yield around
            around = around.parent

    def _may_be(self, element: Element) -> bool:
        if element not in self._known:
            self._known[element] = len(element.select("a[href]")) <= _CARD_LINKS
        return self._known[element]


def _telling(
    element: Element, texts: list[tuple[str, TextSource]], generic: frozenset[str], cards: _Cards
) -> tuple[str, TextSource]:
    """Return the first text that tells where a link leads; else the headline of its card, else what tells nothing."""
    for text, source in texts:
        if text not in generic:
            return text, source
    headline = clean_line(cards.headline(element)[:_TEXT_LIMIT])
    if headline and headline not in generic:
        return headline, "card"
    return (texts[0][0], "generic") if texts else ("", "")


def _heading(element: Element) -> str:
    heading = element.select_one(HEADINGS)
    return " ".join(heading.stripped_strings) if heading is not None else ""


def _own(element: Element) -> str:
    return " ".join(element.stripped_strings)


def _attribute(name: str) -> Callable[[Element], str]:
    def read(element: Element) -> str:
        value = element.attr(name)
        return _MARKUP.sub(" ", value) if value else ""

    return read


def _alt(element: Element) -> str:
    return " ".join(filter(None, (picture.attr("alt") for picture in element.select("img[alt]"))))


_READERS: tuple[tuple[TextSource, Callable[[Element], str]], ...] = (
    ("heading", _heading),
    ("text", _own),
    ("label", _attribute("aria-label")),
    ("title", _attribute("title")),
    ("alt", _alt),
)


def is_paid(element: Element) -> bool:
    """Tell whether a link says that somebody paid for it."""
    return "sponsored" in (element.attr("rel") or "").lower().split()
