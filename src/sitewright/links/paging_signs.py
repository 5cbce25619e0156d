"""A document in, its links that look like those of a pagination out: by `rel`, number, word, arrow or name."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from turbohtml import Element

from sitewright.links.counters import MOST_DIGITS, PlainAddress, read_plain_address
from sitewright.links.paging_words import NEXT_ARROWS, NEXT_WORDS, PAGE_WORDS, PREVIOUS_ARROWS, PREVIOUS_WORDS
from sitewright.parse import Document, absolute_url, clean_line

_NEXT = frozenset(" ".join(NEXT_WORDS.values()).casefold().split())
_PREVIOUS = frozenset(" ".join(PREVIOUS_WORDS.values()).casefold().split())
_AROUND_WORDS = "".join(sorted(NEXT_ARROWS | PREVIOUS_ARROWS)) + ".,:;!…()[]|+-–\ufe0f"
_NEXT_NAME = re.compile(
    r"(?:(?<![a-z])|(?<=[a-z])(?=N))(?i:next|nxt)|(?i:older|load-?_?more|(?:chevron|arrow|angle|caret)[\w-]*right)"
)
_PREVIOUS_NAME = re.compile(
    r"(?:(?<![a-z])|(?<=[a-z])(?=P))(?i:prev)|(?i:newer|(?:chevron|arrow|angle|caret)[\w-]*left)"
)
_NAMED = ", ".join(
    f'{kind}*="{name}" i]'
    for kind in ("[class", "[id", "a img[src")
    for name in "next nxt prev older newer load right left".split()
)
_DISABLED = re.compile(r"(?<![a-z])disabled?(?![a-z])", re.IGNORECASE)
_AROUND = re.escape(_AROUND_WORDS) + r"·\s"
_WRITTEN = re.compile(
    rf"[{_AROUND}]*(?:(?:{PAGE_WORDS})[\s.:]*)?(\d{{1,3}}(?:[.,\s]\d{{3}})+|\d{{1,6}})[{_AROUND}]*", re.IGNORECASE
)
_INSIDE = re.compile(r"^#|#[\w-]*(?:comment(?!s$)|cmt)|comments?[/-]page|\bcpage=", re.IGNORECASE)
"""Links to a place on the page, or to its comments; `#comments` alone also ends the links of forums."""
_NOWHERE = "https://page.invalid/"
"""Stands in for the address of a page that came without one."""

# Measured on the 76 labelled pages of folds 1 and 2 and on 1,149 pages of folds 1 to 4 that are no articles.
LONGEST_MARKUP, LONGEST_TEXT, MOST_WORDS = 200, 40, 5
"""Links that say more, in characters with and without the white space of the source and in words, are no buttons; the
longest labelled one has 25 characters."""
LONGEST_NUMBER = 12
"""What is longer, words and brackets and all, is no number of a page."""
LONGEST_ADDRESS = 2000
"""Longer ones lead to no page of a list, and comparing them takes time."""
MOST_CANDIDATES = 400
"""Of more candidates the first and the last are looked at: a pagination stands above or below its list. One page of
1,225 has more (5,155, a table of numbers), the next 198."""
_PLACE = re.compile(
    r"(?<![\d/.])(\d{1,3})\s*(?:/|\||of|de|von|sur|из|di|van|av|z|od|之|／)\s*(\d{1,3})(?![\d/.])", re.IGNORECASE
)


class Place(NamedTuple):
    """The number of a page, or of a picture, and how many there are."""

    number: int
    of: int


def places_told(text: str) -> Iterator[Place]:
    """Yield what a text says of a place among several.

    >>> list(places_told("Page 1 of 12, on 2/3/2026"))
    [Place(number=1, of=12)]
    """
    return (Place(int(found[1]), int(found[2])) for found in _PLACE.finditer(text))


@dataclass(frozen=True, slots=True)
class Sign:
    """What makes a link look like one of a pagination."""

    direction: int
    """1: next, -1: previous, 0: it does not say."""
    strength: int
    reason: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class NextCandidate:
    """A link that may be one of a pagination, and where it leads."""

    element: Element
    address: PlainAddress
    sign: Sign

    @property
    def number(self) -> int:
        """The number that the link bears; 0: none."""
        return self.sign.number or 0


def read_candidates(document: Document) -> list[NextCandidate]:
    """Return the links that look like a part of a pagination."""
    links = document.tree.select("a[href], link[rel][href]")
    named = _named_links(document)
    signed = [(element, sign) for element in links if (sign := _read_sign(element, named.get(element, 0)))]
    if len(signed) > MOST_CANDIDATES:
        signed = signed[: MOST_CANDIDATES // 2] + signed[-MOST_CANDIDATES // 2 :]
    base = document.base_url if document.base_url.startswith("http") else _NOWHERE
    candidates = []
    for element, sign in signed:
        href = (element.attr("href") or "").strip()
        if len(href) > LONGEST_ADDRESS or _INSIDE.search(href):
            continue
        if address := read_plain_address(absolute_url(href, base)):
            candidates.append(NextCandidate(element, address, sign))
    return candidates


def _read_sign(element: Element, named: int) -> Sign | None:
    """Read what a link says of itself: by `rel`, a number, words, an arrow, or the names of its elements."""
    text = element.text
    text = clean_line(text) if len(text) <= LONGEST_MARKUP else text
    number = read_number(text)
    if direction := _direction_of_relations(element.attr("rel") or ""):
        return Sign(direction, 4, "rel=next" if direction > 0 else "rel=prev", number)
    if element.tag == "link" or len(text) > LONGEST_TEXT:
        return None
    if number is not None:
        return Sign(0, 1, "", number)
    by_name = Sign(named, 2, "class next" if named > 0 else "class previous") if named else None
    return sign_of_words(text) or _sign_of_label(element, text) or by_name


def _direction_of_relations(relations: str) -> int:
    names = relations.lower().split() if relations else ()
    return 1 if "next" in names else -1 if "prev" in names or "previous" in names else 0


def read_number(text: str) -> int | None:
    """Return the number that is all of a link's text.

    >>> [read_number(text) for text in ("3", "[1425]", "1,390", "Page 2", "٣", "Top 10", "2-0", "")]
    [3, 1425, 1390, 2, 3, None, None, None]
    """
    if len(text) > LONGEST_NUMBER or not any(map(str.isdecimal, text)):
        return None
    if text.isdecimal():
        return int(text) if len(text) <= MOST_DIGITS else None
    found = _WRITTEN.fullmatch(text)
    return int(re.sub(r"\D", "", found[1])) if found else None


def sign_of_words(text: str) -> Sign | None:
    """Read the text of a button.

    >>> [sign_of_words(text).direction for text in ("Next page »", "« Older posts", "次へ", "‹", "<< Zurück")]
    [1, 1, 1, -1, -1]
    >>> sign_of_words("What comes next for the bees of the valley")
    """
    if not text:
        return None
    words = [word.strip(_AROUND_WORDS) for word in text.casefold().split()]
    if len(words) > MOST_WORDS:
        return None
    direction = (not _NEXT.isdisjoint(words)) - (not _PREVIOUS.isdisjoint(words))
    if direction:
        return Sign(direction, 3, f"text {text}")
    if any(words):
        return None
    direction = (not NEXT_ARROWS.isdisjoint(text)) - (not PREVIOUS_ARROWS.isdisjoint(text))
    return Sign(direction, 2, f"text {text}") if direction else None


def _sign_of_label(element: Element, text: str) -> Sign | None:
    """Read the label that readers of a screen or of a hint get, or the description of a picture."""
    labels = [element.attr("aria-label"), element.attr("title")]
    if not text and (picture := element.select_one("img[alt], [title], [aria-label]")) is not None:
        labels += [picture.attr(name) for name in ("alt", "title", "aria-label")]
    for label in filter(None, labels):
        if len(label) <= LONGEST_TEXT and (sign := sign_of_words(clean_line(label))):
            return Sign(sign.direction, 3, f"label {clean_line(label)}")
    return None


def _named_links(document: Document) -> dict[Element, int]:
    """Return the links that the names of elements point to: their own, of an element around them, of an icon inside."""
    named: dict[Element, int] = {}
    for element in document.tree.select(_NAMED):
        direction = _direction_of_names(_names(element))
        if direction and (link := _link_of(element)) is not None:
            named.setdefault(link, direction)
    return named


def _link_of(element: Element) -> Element | None:
    """Return the link that an element is, is in, or holds as the only one."""
    link = element if element.tag == "a" else element.closest("a[href]")
    if link is not None:
        return link
    links = [child for child in element.children if isinstance(child, Element) and child.tag == "a"]
    return links[0] if len(links) == 1 else None


@lru_cache(maxsize=4096)
def _direction_of_names(names: str) -> int:
    """Tell where names of elements point to.

    >>> [_direction_of_names(names) for names in ("btn pageNext", "nav-previous", "fa fa-chevron-right", "next-prev")]
    [1, -1, 1, 0]
    """
    return bool(_NEXT_NAME.search(names)) - bool(_PREVIOUS_NAME.search(names))


def is_disabled(element: Element) -> bool:
    """Tell whether a link is drawn in grey: there is no such page."""
    if element.attr("aria-disabled") == "true":
        return True
    parent = element.parent
    around = _names(parent) if isinstance(parent, Element) and parent.tag == "li" else ""
    return bool(_DISABLED.search(f"{_names(element)} {around}"))


def _names(element: Element) -> str:
    """Return the class and id of an element, and the name of a picture's file."""
    file = (element.attr("src") or "").rpartition("/")[2] if element.tag == "img" else ""
    return f"{element.attr('class') or ''} {element.attr('id') or ''} {file}"
