"""The entries of a list in, its columns out: what stands at the same place in each, as text, link or picture."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from turbohtml import Element, Text

from sitewright.parse import visible_text
from sitewright.repeats.steps import Steps, Way

Kind = Literal["text", "link", "picture"]
_LEAST_SHARE = 0.3
"""A column that fewer entries have is a remark on some of them."""
_LONGEST = 400
_SHORT = 60
"""An element without text of its own is a cell if all of it is this short: a price in parts."""
_FEW_LETTERS = 6
_PICTURES = ("src", "data-src", "data-original", "data-lazy-src", "data-srcset", "srcset")
_UNSEEN = frozenset("script style noscript template svg button select".split())
_NO_LINK = ("#", "javascript:", "mailto:", "tel:")


@dataclass(slots=True)
class Column:
    """One column: for each entry that has it, the element and what it gives."""

    way: Way
    kind: Kind
    take: str
    cells: dict[int, tuple[Element, str]] = field(default_factory=dict)

    @property
    def values(self) -> Sequence[str]:
        """What it gives, entry by entry."""
        return [value for _, value in self.cells.values()]

    @property
    def distinct(self) -> float:
        """The share of values that no other entry has."""
        return len(set(self.values)) / max(len(self.cells), 1)

    def share(self, count: int) -> float:
        """Return the share of entries that have it."""
        return len(self.cells) / max(count, 1)


def columns_of(items: Sequence[Element], steps: Steps) -> list[Column]:
    """Return the columns that enough of the entries have, in the order of the page."""
    found: dict[tuple[Way, Kind], Column] = {}
    for number, item in enumerate(items):
        for way, element in ((), item), *steps.down(item):
            for kind, take, value in _cells(element):
                column = found.setdefault((way, kind), Column(way, kind, take))
                column.cells.setdefault(number, (element, value))
    return [column for column in found.values() if column.share(len(items)) >= _LEAST_SHARE]


def _cells(element: Element) -> Iterator[tuple[Kind, str, str]]:
    tag, attrs = element.tag, element.attrs
    if tag in _UNSEEN:
        return
    if tag == "a":
        href = attrs.get("href")
        if isinstance(href, str) and href.strip() and not href.startswith(_NO_LINK):
            yield "link", "@href", href.strip()
    if tag == "img":
        key = _picture_key(attrs)
        if key:
            yield "picture", f"@{key}", str(attrs[key]).split()[0]
        return
    if _has_text(element) and (text := visible_text(element)) and len(text) <= _LONGEST:
        yield "text", "text", text


def _picture_key(attrs: Mapping[str, object]) -> str:
    """Return the attribute with a picture's address: not the one with a placeholder."""
    keys = [key for key in _PICTURES if isinstance(attrs.get(key), str) and str(attrs[key]).strip()]
    real = [key for key in keys if not str(attrs[key]).startswith("data:")]
    late = [key for key in real if key not in {"src", "srcset"}]
    return (late or real or [""])[0]


def _has_text(element: Element) -> bool:
    if any(isinstance(child, Text) and not child.data.isspace() for child in element):
        return True
    text = element.text[: _SHORT + 1]
    digits, letters = sum(map(str.isdigit, text)), sum(map(str.isalpha, text))
    return len(text) <= _SHORT and digits > 0 and letters <= max(_FEW_LETTERS, digits)


def shortest_way(column: Column, items: Sequence[Element]) -> str:
    """Return the shortest selector that finds the column's element first in each entry; empty where it is the entry."""
    if not column.way:
        return ""
    ways = [column.way[-1], " > ".join(column.way[-2:]), " > ".join(column.way)]
    for way in ways[:-1]:
        if all(items[number].select_one(way) is element for number, (element, _) in column.cells.items()):
            return way
    return ways[-1]
