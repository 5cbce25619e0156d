"""Anchors in, what the page around each of them says out: names of elements, zones, headings, lists, cards."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from turbohtml import Element

from sitewright.links.anchors import CARD_STEPS, HEADINGS, Anchor
from sitewright.parse import Document
from sitewright.vectors import hash_word

NAME_BUCKETS = 8192
NAME_SLOTS = 48
"""So many names of the elements around a link are read, the nearest first; four in five links have no more."""
_OWN, _PARENT, _NEAR = 10, 10, 14
"""How many of them may be those of the link, of its parent, and of the two elements around that, so that there is room
for those farther out: of 18,803 links of folds 1 and 2, less than a tenth have more, at each of these."""
_NAMING = ("class", "id", "role", "itemprop", "rel", "data-testid", "data-type", "data-component", "aria-label")
_NAME = re.compile(r"[^\W\d_]{2,24}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DIGITS = re.compile(r"\d+")
ZONES = ("header", "footer", "nav", "aside", "main", "article")
_HEADING_TAGS = frozenset(HEADINGS.split(", "))
_MARKS = {
    "titled": HEADINGS,
    "pictured": "img, picture",
    "dated": "time, [datetime], [class*=date], [class*=time], [class*=Date], [class*=Time]",
    "told": "p",
}
"""What cards may hold, and how it is found."""
PROMOTION = frozenset(
    "ad ads adv advert adverts advertisement advertising advertorial advertorials anuncio anuncios annonce "
    "annoncer anzeige anzeigen branded brandvoice commercial coupon coupons marque marques native outbrain "
    "partner partners partnerzy partenaire partenaires patrocinado promo promoted promotion promotions promoter "
    "publi publicidad publicidade publicite publireportage publirreportaje reklam reklama reklame reklaam sponsor "
    "sponsored sponsoren sponsors sponsoring taboola werbung inzerce mainos hirdetes offer offers shop shopping "
    "store deals deal product products".split()
)
"""Words of names that sites give to what somebody paid for, or what they sell."""
_BOX_LINKS = 40
"""What holds more links is no box by itself: names of whole pages tell nothing of a link."""
_LIST_LINKS = 4
"""What holds so many links is a list: a menu, a block of teasers."""
_SIGNATURE_STEPS = 5
"""How many elements, from the link outwards, tell the place of a link in the page."""
_ATTRIBUTE_LIMIT = 200
"""So much of an attribute is read: what names an element stands at the beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is around one link."""

    names: tuple[int, ...]
    zones: frozenset[str]
    heading: int
    """2 where the link is in or holds a heading, 1 where its card has one."""
    picture: int
    """2 where the link holds a picture, 1 where its card has one."""
    dated: bool
    """Whether its card tells a time."""
    told: bool
    """Whether its card has a paragraph of text."""
    promoted: bool
    """Whether names of the elements around it speak of somebody's advertisement."""
    depth: int
    list_number: int
    """The number of the list that it stands in."""
    list_links: int
    list_steps: int
    """How far above it the list is."""
    parent_links: int
    signature: str
    """The tags and first names of the link and the elements around it."""


class _Frame:
    """An element that is around links."""

    __slots__ = (
        "dated", "depth", "in_heading", "links", "number", "parent", "pictured", "promoted", "step", "titled", "told",
        "words", "zones",
    )  # fmt: skip

    def __init__(self, element: Element, parent: "_Frame | None", number: int) -> None:
        self.parent, self.number = parent, number
        self.words = _words(element)
        self.depth: int = parent.depth + 1 if parent else 0
        outer: frozenset[str] = parent.zones if parent else frozenset()
        self.zones: frozenset[str] = outer | {element.tag} if element.tag in ZONES else outer
        self.in_heading: bool = element.tag in _HEADING_TAGS or bool(parent and parent.in_heading)
        self.step = _step(element)
        self.promoted = not PROMOTION.isdisjoint(self.words)
        self.links = 0
        self.titled = self.pictured = self.dated = self.told = False

    def upward(self) -> "Iterator[_Frame]":
        """Yield the frame and those around it."""
        frame: _Frame | None = self
        while frame is not None:
            yield frame
            frame = frame.parent


class _Frames:
    """The frames of a page, each made once."""

    def __init__(self) -> None:
        self._known: dict[Element, _Frame] = {}

    def of(self, element: Element) -> _Frame:
        chain = [element]
        while chain[-1] not in self._known:
            parent = chain[-1].parent
            if not isinstance(parent, Element):
                break
            chain.append(parent)
        frame = self._known.get(chain[-1])
        for inner in reversed(chain):
            if inner not in self._known:
                frame = self._known[inner] = _Frame(inner, frame, len(self._known))
        return self._known[element]

    def add_up(self) -> None:
        """Let every frame count the links of those inside; inner frames are made after outer ones."""
        for frame in reversed(self._known.values()):
            if frame.parent is not None:
                frame.parent.links += frame.links

    def mark(self, element: Element, mark: str) -> None:
        """Tell the frames closely around an element that they hold it."""
        around: object = element.parent
        for _ in range(CARD_STEPS):
            if not isinstance(around, Element):
                return
            if frame := self._known.get(around):
                setattr(frame, mark, True)
            around = around.parent


def read_surroundings(document: Document, anchors: Sequence[Anchor]) -> list[Surroundings]:
    """Return what is around each of the anchors."""
    frames = _Frames()
    own = [frames.of(anchor.element) for anchor in anchors]
    for frame in own:
        frame.links += 1
    frames.add_up()
    for mark, what in _MARKS.items():
        for element in document.tree.select(what):
            frames.mark(element, mark)
    far: dict[_Frame, tuple[int, ...]] = {}
    return [_surroundings(frame, far) for frame in own]


def _surroundings(frame: _Frame, far: dict[_Frame, tuple[int, ...]]) -> Surroundings:
    parent = frame.parent or frame
    list_frame, steps = _list_of(frame)
    card = list(_card(frame))
    return Surroundings(
        names=_names(frame, far),
        zones=frame.zones,
        heading=2 if frame.in_heading or frame.titled else int(any(around.titled for around in card)),
        picture=2 if frame.pictured else int(any(around.pictured for around in card)),
        dated=any(around.dated for around in card),
        told=any(around.told for around in card),
        promoted=any(around.promoted for around in frame.upward() if around.links <= _BOX_LINKS),
        depth=frame.depth,
        list_number=list_frame.number,
        list_links=list_frame.links,
        list_steps=steps,
        parent_links=parent.links,
        signature=_signature(frame),
    )


def _card(frame: _Frame) -> Iterator[_Frame]:
    """Yield the frames of the card of a link: those around it that hold few others."""
    return (around for around in islice(frame.upward(), CARD_STEPS) if around.links <= _LIST_LINKS)


def _list_of(frame: _Frame) -> tuple[_Frame, int]:
    outer, steps = frame, 0
    while outer.links < _LIST_LINKS and outer.parent is not None:
        outer, steps = outer.parent, steps + 1
    return outer, steps


def _signature(frame: _Frame) -> str:
    parts: list[str] = []
    around: _Frame | None = frame
    while around is not None and len(parts) < _SIGNATURE_STEPS:
        parts.append(around.step)
        around = around.parent
    return ">".join(parts)


def _names(frame: _Frame, far: dict[_Frame, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the hashed names of a link, of its parent, of what is near and of what is farther around."""
    levels = list(islice(frame.upward(), 4))
    own = _hashed("0", levels[0].words)[:_OWN]
    parent = _hashed("1", levels[1].words)[:_PARENT] if len(levels) > 1 else ()
    near = tuple(number for around in levels[2:] for number in _hashed("2", around.words))[:_NEAR]
    outer = levels[-1].parent
    return own + parent + near + (_far(outer, far) if outer else ())


def _far(frame: _Frame, known: dict[_Frame, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the hashed names of all elements from here outwards, the innermost first."""
    waiting = []
    for around in frame.upward():
        if around in known:
            break
        waiting.append(around)
    for around in reversed(waiting):
        outer = known[around.parent] if around.parent else ()
        known[around] = tuple(dict.fromkeys(_hashed("3", around.words) + outer))[:NAME_SLOTS]
    return known[frame]


@lru_cache(maxsize=50_000)
def _hashed(level: str, words: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(hash_word(level + word, NAME_BUCKETS) for word in words)


def _words(element: Element) -> tuple[str, ...]:
    """Return the tag and the words of the attributes that name an element."""
    found = {f"<{element.tag}": None}
    attrs = element.attrs
    if attrs:
        for name in _NAMING:
            if name in attrs and (value := attrs.get(name)):
                found |= dict.fromkeys(_attribute_words(" ".join(value) if isinstance(value, list) else value))
    return tuple(found)


@lru_cache(maxsize=50_000)
def _attribute_words(value: str) -> tuple[str, ...]:
    """Return the words of an attribute.

    >>> _attribute_words("teaser__link js-navItem col-12")
    ('teaser', 'link', 'js', 'nav', 'item', 'col')
    """
    return tuple(
        dict.fromkeys(
            word.lower() for word in _NAME.findall(_CAMEL.sub(" ", value)[:_ATTRIBUTE_LIMIT].replace("_", " "))
        )
    )


def _step(element: Element) -> str:
    """Return tag and first class of an element, numbers left out."""
    stated = element.attr("class")
    name = stated.split()[0] if stated and stated.split() else ""
    return f"{element.tag}.{_DIGITS.sub('0', name)}" if name else element.tag
