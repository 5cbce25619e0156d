"""A page's units in, signs of its kind out: what it states, its address, its lists of links, its longest text.

No tagger has a say in these, so what was fitted on them holds whatever tagger reads the page.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import log1p
from urllib.parse import urlsplit

from sitewright.domains import Domain
from sitewright.parse import Document, types_of
from sitewright.tag.features import group_units
from sitewright.tag.stated import path_words
from sitewright.tag.units import Unit, UnitKind, UnitPlace

_HEADINGS = frozenset({"h1", "h2", "h3", "h4"})
_PARAGRAPH = 80
"""A run with so many characters outside of links is most likely a paragraph."""
_ENTRY = range(20, 160)
"""The length of links that headlines of other pages have."""
_MANY = 5
"""Fewer entries are no list: related stories stand beside every article."""
_MOST = 12.0
"""Longer numbers and names tell no more."""


@dataclass(frozen=True)
class _Seen:
    """A page, as the signs of its kind look at it."""

    document: Document
    units: Sequence[Unit]
    domain: Domain

    @cached_property
    def runs(self) -> list[Unit]:
        """What is displayed, whole lines only."""
        return [unit for unit in self.units if unit.kind is UnitKind.RUN and unit.place is not None]

    @cached_property
    def length(self) -> int:
        return sum(len(unit.text) for unit in self.runs) or 1

    @cached_property
    def entries(self) -> list[Unit]:
        """Lines that are links to something with a headline."""
        return [unit for unit in self.runs if _is_entry(unit)]

    @cached_property
    def headings(self) -> list[Unit]:
        return [unit for unit in self.runs if _tag(unit) in _HEADINGS]

    @cached_property
    def paragraphs(self) -> list[Unit]:
        return [unit for unit in self.runs if _plain(unit) >= _PARAGRAPH]

    @cached_property
    def plain(self) -> int:
        """The length of all paragraphs."""
        return sum(map(_plain, self.paragraphs))

    @cached_property
    def blocks(self) -> Counter[int]:
        """The length of the paragraphs by the block that holds them: those of a story stand together."""
        found: Counter[int] = Counter()
        for unit in self.paragraphs:
            found[id(_around(unit))] += _plain(unit)
        return found

    @cached_property
    def largest_block(self) -> int:
        return max(self.blocks.values(), default=0)

    @cached_property
    def lists(self) -> Counter[int]:
        """How many entries each list has."""
        groups = group_units(self.units)
        rows = (
            number for number, unit in enumerate(self.units) if unit.kind is UnitKind.RUN and unit.place is not None
        )
        return Counter(int(groups[number]) for number in rows if _is_entry(self.units[number]))

    @cached_property
    def stretches(self) -> list[int]:
        """The length of the text between one entry of a list, or linked heading, and the next."""
        found = [0]
        for unit in self.runs:
            if _is_entry(unit):
                found.append(0)
            elif _plain(unit) >= _PARAGRAPH:
                found[-1] += _plain(unit)
        return found

    @cached_property
    def titles(self) -> frozenset[str]:
        """What the page is called by what it states, with and without what else stands in its title."""
        sources = self.domain.spec_of(self.domain.heading).sources
        return frozenset(unit.text.casefold() for unit in self.units if unit.place is None and unit.source in sources)

    @cached_property
    def titled(self) -> list[Unit]:
        """The headings that say what the page is called."""
        return [unit for unit in self.headings if unit.text.casefold() in self.titles]

    @cached_property
    def stated(self) -> tuple[int, int]:
        """How many items JSON-LD states, and how much else."""
        roots = self.document.metadata.jsonld.roots
        items = sum(any(kind in self.domain.types for kind in types_of(root)) for root in roots)
        return items, len(roots) - items

    @cached_property
    def said_type(self) -> str:
        """What kind of page metadata say it is."""
        return next(iter(self.document.metadata.meta.get("og:type", ())), "").casefold()

    @cached_property
    def path(self) -> list[str]:
        return path_words(self.document.url)

    def dates_stated(self) -> int:
        sources = self.domain.spec_of(self.domain.published).sources if self.domain.published else ()
        return len({unit.text for unit in self.units if unit.place is None and unit.source in sources})

    def boxes(self, tag: str) -> int:
        """Return how many elements of a tag hold text."""
        known: set[int] = set()
        found = 0
        for unit in self.runs:
            for place in _upward(unit.place):
                if id(place) in known:
                    break
                known.add(id(place))
                found += place.tag == tag
        return found

    def times(self) -> int:
        return sum(
            any(element.tag == "time" for element in unit.chain) for unit in self.units if unit.place is not None
        )


KIND_SIGNS: Mapping[str, Callable[[_Seen], float]] = {
    "home": lambda seen: float(not seen.path and not urlsplit(seen.document.url).query),
    "folders": lambda seen: float(len(seen.path)),
    "words_of_address": lambda seen: _most(len(part.split()) for part in seen.path),
    "digits_of_address": lambda seen: _most(len(word) for part in seen.path for word in part.split() if word.isdigit()),
    "items_stated": lambda seen: log1p(seen.stated[0]),
    "others_stated": lambda seen: log1p(seen.stated[1]),
    "said_item": lambda seen: float(seen.said_type.startswith(seen.domain.item.kind)),
    "said_other": lambda seen: float(bool(seen.said_type) and not seen.said_type.startswith(seen.domain.item.kind)),
    "dates_stated": lambda seen: log1p(seen.dates_stated()),
    "titled": lambda seen: log1p(len(seen.titled)),
    "titled_by_main_heading": lambda seen: float(any(_tag(unit) == "h1" for unit in seen.titled)),
    "titled_by_link": lambda seen: float(any(unit.linked for unit in seen.titled)),
    "main_headings": lambda seen: log1p(sum(_tag(unit) == "h1" for unit in seen.headings)),
    "main_heading_words": lambda seen: _most(len(unit.text.split()) for unit in seen.headings if _tag(unit) == "h1"),
    "main_heading_linked": lambda seen: float(any(unit.linked for unit in seen.headings if _tag(unit) == "h1")),
    "headings": lambda seen: log1p(len(seen.headings)),
    "linked_headings": lambda seen: log1p(sum(map(_is_linked, seen.headings))),
    "share_of_linked_headings": lambda seen: sum(map(_is_linked, seen.headings)) / max(len(seen.headings), 1),
    "lines": lambda seen: log1p(len(seen.runs)),
    "length": lambda seen: log1p(seen.length),
    "linked": lambda seen: sum(unit.linked for unit in seen.runs) / seen.length,
    "entries": lambda seen: log1p(len(seen.entries)),
    "share_of_entries": lambda seen: sum(len(unit.text) for unit in seen.entries) / seen.length,
    "longest_list": lambda seen: log1p(max(seen.lists.values(), default=0)),
    "lists": lambda seen: log1p(sum(count >= _MANY for count in seen.lists.values())),
    "paragraphs": lambda seen: log1p(len(seen.paragraphs)),
    "prose": lambda seen: log1p(seen.plain),
    "share_of_prose": lambda seen: seen.plain / seen.length,
    "longest_paragraph": lambda seen: log1p(max(map(_plain, seen.paragraphs), default=0)),
    "largest_block": lambda seen: log1p(seen.largest_block),
    "share_of_largest_block": lambda seen: seen.largest_block / max(seen.plain, 1),
    "blocks_of_prose": lambda seen: log1p(len(seen.blocks)),
    "longest_stretch": lambda seen: log1p(max(seen.stretches)),
    "stretches": lambda seen: log1p(sum(map(bool, seen.stretches))),
    "articles": lambda seen: log1p(seen.boxes("article")),
    "times": lambda seen: log1p(seen.times()),
}
"""What tells of what kind a page is. The address is one thing among many: half of what trees learn from has another."""


def kind_signs(document: Document, units: Sequence[Unit], domain: Domain) -> tuple[float, ...]:
    """Return the signs of a page, in the order of `KIND_SIGNS`."""
    seen = _Seen(document, units, domain)
    return tuple(sign(seen) for sign in KIND_SIGNS.values())


def _most(counts: Iterable[int]) -> float:
    return min(float(max(counts, default=0)), _MOST)


def _plain(unit: Unit) -> int:
    """Return how much of a line is outside of links."""
    return len(unit.text) - unit.linked


def _is_linked(unit: Unit) -> bool:
    return unit.linked * 2 > len(unit.text)


def _is_entry(unit: Unit) -> bool:
    return len(unit.text) in _ENTRY and _is_linked(unit)


def _tag(unit: Unit) -> str:
    return unit.place.tag if unit.place is not None else ""


def _around(unit: Unit) -> UnitPlace | None:
    return unit.place.above or unit.place if unit.place is not None else None


def _upward(place: UnitPlace | None) -> Iterator[UnitPlace]:
    while place is not None:
        yield place
        place = place.above
