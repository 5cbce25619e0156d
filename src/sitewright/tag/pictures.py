"""A scored page in, its pictures with the signs for and against each out: is it one of the story's?"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from math import log1p
from typing import NamedTuple
from urllib.parse import urlsplit

from turbohtml import Element

from sitewright.domains import kinds
from sitewright.parse import Document, absolute_url, fold_words
from sitewright.tag.scored_page import ScoredPage
from sitewright.tag.units import Unit, UnitKind
from sitewright.types import Photo
from sitewright.values.images import PICTURES, photo_of, picture_key, stated_photos, stated_size

MOST = 200
"""More pictures of a page are not looked at: those of stories stand among the first on all pages of the folds."""
CAPTION = "caption"
"""What taggers call lines under pictures."""
_ASIDE = frozenset({"nav", "footer", "aside", "form", "header"})
_NAMES = {
    "of_teasers": r"teaser|related|recommend|more-|most-|also|promo|card|trending|popular|latest|outbrain|taboola|feed|"
    r"sidebar|rail|suggest|thumb|list-?item|next|prev|river|widget|read-?more|mehr|relacionad|similar|other",
    "of_people": r"author|avatar|byline|portrait|profile|gravatar|autor|writer|contributor|journalist|staff|"
    r"bio(?![a-z])|user|comment",
    "of_site": r"logo|icon|brand|share|social|button|btn|badge|emoji|sprite|flag|menu|nav(?![a-z]{2})|toolbar|follow|"
    r"app-?store|rating|weather",
    "of_adverts": r"(?<![a-z])(?:ads?|advert\w*|sponsor\w*|banner|newsletter|subscri\w*|paywall|promo\w*|shop|offer|"
    r"partner|campaign)(?![a-z])",
    "of_leads": r"lead|hero|cover|main|opener|featured|top-?(?:image|media|photo)|header|aufmacher|article|story|post|"
    r"content|body|entry",
    "of_galleries": r"galler|slide|carousel|lightbox|swiper|fotostrecke|diaporama|album",
    "of_films": r"video|player|poster|film|podcast|audio|youtube",
    "of_pictures": r"caption|figure|image|photo|picture|media|foto|bild|img",
}
"""What the names speak of that sites give to what is around a picture."""
_PATTERNS = tuple(re.compile(pattern) for pattern in _NAMES.values())
_OF_SITE = re.compile(r"logo|icon|avatar|author|sprite|badge|banner")
_FILE = re.compile(r"\.(?:jpe?g|png|webp|gif|avif)(?:$|[?#/])", re.IGNORECASE)
_SMALL, _LARGE = 150, 450
"""What is smaller is a preview or a portrait; what is larger was not made for a list."""
_MOST_OF_IT = 0.5
_UNSEEN = "noscript, template, [hidden], [style*='display:none']"

SIGNS = (
    "figure", "caption", "figcaption", "credit", "caption_score", "linked", "link_elsewhere", "link_to_file", "aside",
    "item", "table", *_NAMES, "address_of_site", "levels", "share", "density", "own_chars", "own_linked",
    "own_pictures", "within", "before_title", "under_title", "after", "distance", "from_title", "size", "size_known",
    "small", "large", "beside", "square", "drawing", "stated", "alt", "alt_title", "repeated", "alike",
    "alike_linked", "hidden", "film", "first", "pictures", "has_text",
)  # fmt: skip
"""What speaks for a picture or against it; `training/pictures.py` finds out how much."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a page."""

    element: Element
    photo: Photo
    key: str
    signs: tuple[float, ...]


def pictures_of(page: ScoredPage, text: Sequence[Unit], title: Unit | None) -> list[Picture]:
    """Return the pictures of a page in its order; `text` and `title` are what its story was found to be."""
    document = page.context.document
    shown = [
        _Shown(element, photo, picture_key(photo.url), _link_of(element, document))
        for element in document.tree.select(PICTURES)[:MOST]
        if (photo := photo_of(element, document.base_url)) is not None
    ]
    return list(_Surroundings(page, text, title, shown).pictures()) if shown else []


class _Shown(NamedTuple):
    element: Element
    photo: Photo
    key: str
    leads: str
    """Where a click on it leads: to a `file`, `elsewhere`, `here`, or nowhere (empty)."""


class _Surroundings:
    """Where the text, its headline and the pictures stand, by the numbers of elements in document order."""

    def __init__(self, page: ScoredPage, text: Sequence[Unit], title: Unit | None, shown: Sequence[_Shown]) -> None:
        self._page, self._document, self._shown = page, page.context.document, shown
        story, captions = {id(unit) for unit in text}, page.column(CAPTION)
        runs = sorted(
            ((self._number(unit), unit) for unit in page.units if unit.kind is UnitKind.RUN and unit.place is not None),
            key=lambda run: run[0],
        )
        self._starts = [number for number, _ in runs]
        self._chars = _sums(len(unit.text) for _, unit in runs)
        self._linked = _sums(unit.linked for _, unit in runs)
        self._story = _sums(len(unit.text) if id(unit) in story else 0 for _, unit in runs)
        self._captions = [float(captions[unit.run]) for _, unit in runs]
        self._told = [number for number, unit in runs if id(unit) in story]
        self._title = self._number(title) if title is not None else None
        self._title_words = frozenset(fold_words(title.text)) if title is not None else frozenset()
        self._numbers = [self._document.number_of(one.element) for one in shown]
        self._ends: dict[Element, int] = {}

    def pictures(self) -> Iterator[Picture]:
        """Yield the pictures with their signs."""
        looks = [_look_of(one.element) for one in self._shown]
        alike, repeated = Counter(looks), Counter(one.key for one in self._shown)
        linked = Counter(look for look, one in zip(looks, self._shown, strict=True) if one.leads == "elsewhere")
        is_first = True
        for one, look in zip(self._shown, looks, strict=True):
            own, joined = self._own(one.element)
            signs = {
                **self._of_itself(one),
                **_of_names(one, own),
                **self._of_tree(one.element, own, joined),
                **self._of_place(one.element),
                "repeated": log1p(repeated[one.key] - 1),
                "alike": log1p(alike[look] - 1),
                "alike_linked": linked[look] / alike[look],
                "first": is_first,
                "pictures": log1p(len(self._shown)),
                "has_text": bool(self._told),
            }
            is_first = is_first and not signs["within"]
            yield Picture(one.element, one.photo, one.key, tuple(float(signs[name]) for name in SIGNS))

    @cached_property
    def _stated(self) -> frozenset[str]:
        """The pictures that metadata states."""
        domain = self._page.domain
        specs = (domain.fields[name] for name in domain.fields_of_kind(kinds.IMAGES))
        facts = (fact for spec in specs for fact in self._document.metadata.facts(spec.sources, domain.types))
        base = self._document.base_url
        return frozenset(picture_key(photo.url) for fact in facts for photo in stated_photos(fact.value, base))

    def _number(self, unit: Unit) -> int:
        return self._document.number_of(unit.element) if unit.element is not None else 0

    def _end(self, element: Element) -> int:
        """Return the number of the first element behind all that is inside of one."""
        if element not in self._ends:
            inner = [child for child in element.children if isinstance(child, Element)]
            self._ends[element] = self._end(inner[-1]) if inner else self._document.number_of(element) + 1
        return self._ends[element]

    def _runs(self, element: Element) -> tuple[int, int]:
        """Return from which to which run the text inside of an element goes."""
        start = self._document.number_of(element)
        return bisect_left(self._starts, start), bisect_left(self._starts, self._end(element))

    def _own(self, image: Element) -> tuple[list[Element], Element | None]:
        """Return what is around a picture below the first element that has text of the story, and that element."""
        own: list[Element] = []
        for element in _above(image):
            first, last = self._runs(element)
            if self._story[last] > self._story[first]:
                return own, element
            own.append(element)
        return own[:-2] if not self._told else own, None  # `<body>` and `<html>` are of all pictures

    def _of_itself(self, one: _Shown) -> dict[str, float]:
        element, photo, frame = one.element, one.photo, one.element.closest("figure")
        size, alt = stated_size(photo), element.attr("alt") or ""
        words = frozenset(fold_words(alt))
        return {
            "figure": frame is not None,
            "caption": log1p(len(photo.caption)),
            "figcaption": frame is not None and frame.select_one("figcaption") is not None,
            "credit": bool(photo.credit),
            "linked": one.leads != "",
            "link_elsewhere": one.leads == "elsewhere",
            "link_to_file": one.leads == "file",
            "size": log1p(size),
            "size_known": size > 0,
            "small": 0 < size < _SMALL,
            "large": size >= _LARGE,
            "square": photo.width is not None and photo.width == photo.height,
            "drawing": urlsplit(photo.url).path.lower().endswith((".svg", ".gif")),
            "stated": one.key in self._stated,
            "alt": log1p(len(alt)),
            "alt_title": len(words & self._title_words) / len(words | self._title_words) if words else 0.0,
            "hidden": element.closest(_UNSEEN) is not None,
            "film": element.tag == "video",
        }

    def _of_tree(self, image: Element, own: Sequence[Element], joined: Element | None) -> dict[str, float]:
        """Return how a picture hangs together with the story, and what else is in its own part of the page."""
        first, last = self._runs(joined) if joined is not None else (0, len(self._starts))
        story, chars = self._story[last] - self._story[first], self._chars[last] - self._chars[first]
        block = own[-1] if own else image
        start, end = self._runs(block)
        own_chars = self._chars[end] - self._chars[start]
        inside = bisect_left(self._numbers, self._end(block)) - bisect_left(
            self._numbers, self._document.number_of(block)
        )
        top, bottom = self._runs(image.closest("figure") or (own[0] if own else image))
        share = story / self._story[-1] if self._story[-1] else 0.0
        return {
            "levels": len(own),
            "beside": len(own) <= 1 and share >= _MOST_OF_IT,
            "share": share,
            "density": story / chars if chars else 0.0,
            "own_chars": log1p(own_chars),
            "own_linked": (self._linked[end] - self._linked[start]) / own_chars if own_chars else 0.0,
            "own_pictures": log1p(max(inside - 1, 0)),
            "caption_score": max(self._captions[top:bottom], default=0.0),
        }

    def _of_place(self, image: Element) -> dict[str, float]:
        """Return where a picture stands in document order, seen from the headline and the text."""
        number, told = self._document.number_of(image), self._told
        first, last = (told[0], told[-1]) if told else (0, 0)
        title = self._title if self._title is not None else first
        place = bisect_left(told, number)
        near = (self._between(number, other) for other in told[max(0, place - 1) : place + 1])
        return {
            "within": bool(told) and first <= number <= last,
            "before_title": number < min(title, first),
            "under_title": title < number < first,
            "after": bool(told) and number > last,
            "distance": log1p(min(near, default=0)),
            "from_title": log1p(self._between(number, title)),
        }

    def _between(self, one: int, other: int) -> int:
        """Return how many characters stand between two elements."""
        return abs(self._chars[bisect_left(self._starts, one)] - self._chars[bisect_left(self._starts, other)])


def _of_names(one: _Shown, own: Sequence[Element]) -> dict[str, float]:
    tags = {outer.tag for outer in own}
    spoken = [_spoken(_names(element)) for element in (one.element, *own)]
    return {
        **{name: float(any(names[n] for names in spoken)) for n, name in enumerate(_NAMES)},
        "aside": float(not tags.isdisjoint(_ASIDE)),
        "item": float("li" in tags),
        "table": float("td" in tags),
        "address_of_site": float(_OF_SITE.search(one.photo.url.lower()) is not None),
    }


@lru_cache(maxsize=20_000)
def _spoken(names: str) -> tuple[bool, ...]:
    """Return what some names speak of; sites use the same ones again and again."""
    return tuple(pattern.search(names) is not None for pattern in _PATTERNS)


def _names(element: Element) -> str:
    attrs = element.attrs
    given = attrs.get("class") or ""
    classes = given if isinstance(given, str) else " ".join(given)
    return f"{classes} {attrs.get('id') or ''} {attrs.get('itemprop') or ''}".strip().lower()


def _look_of(image: Element) -> str:
    """Return what pictures of one design have in common: their names and those of what is around them."""
    return " ".join([_names(image), *(_names(outer) or outer.tag for outer in _above(image)[:3])])


def _above(element: Element) -> list[Element]:
    return [outer for outer in element.ancestors if isinstance(outer, Element)]


def _sums(numbers: Iterable[int]) -> list[int]:
    return list(accumulate(numbers, initial=0))


def _link_of(image: Element, document: Document) -> str:
    link = image.closest("a")
    address = link.attr("href") if link is not None else ""
    if not address:
        return ""
    if address.startswith(("#", "javascript:")):
        return "here"
    if _FILE.search(address):
        return "file"
    absolute = absolute_url(address, document.base_url)
    return "here" if not absolute or absolute.split("#")[0] == document.url.split("#")[0] else "elsewhere"
