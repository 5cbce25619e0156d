"""Document in, the pairs of name and value that it displays out: rows of two cells, lists of terms, `Name: value`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from turbohtml import Element, Text

from sitewright.domains.domain import FieldWords
from sitewright.parse import Document, Json, clean_line, visible_text
from sitewright.repeats.find import Regions
from sitewright.repeats.steps import Steps, Way

LEAST = 2
_LONGEST_NAME, _LONGEST_VALUE = 60, 300
_MOST_WORDS = 8
_MOST_CELLS = 3
_SHARE = 0.7
"""So many of the entries beside one another must be pairs."""
_NAMED, _TERMS, _COLONS = 2.0, 1.0, 0.5
_ENOUGH = 2.0
"""Tables and lists of terms need two rows outside of menus; other entries names that speak for them, or colons."""
_NEAR = 4
"""How far around the rows names are looked for."""
_COLON = re.compile(r"(?s)([^:：]{2,60})[:：]\s*(\S.*)")
_ROWS = frozenset({"tr", "li", "p", "div"})
_CELLS = frozenset({"td", "th"})
_CONTROLS = "input, select, button, form, table, ul, dl, script"


@dataclass(frozen=True, slots=True)
class Pair:
    """A name, its value, and the element that holds both (of terms: the name)."""

    name: str
    value: str
    row: Element
    shape: str
    """`cells`, `terms`, `parts` or `colon`."""


@dataclass(frozen=True, slots=True)
class FoundPairs:
    """The pairs of a page, and how much they seem to be what was looked for."""

    pairs: Sequence[Pair]
    score: float
    way: Way = ()
    """The way that their rows go by."""

    @property
    def selector(self) -> str:
        """What finds their rows."""
        return " > ".join(self.way)


def find_pairs(document: Document, words: FieldWords) -> FoundPairs | None:
    """Return the pairs of a page that the words speak for, or that are told by their elements; the best ones."""
    regions, steps = Regions(document), Steps()
    found = [_scored(pairs, words, regions) for pairs in _groups(document, steps)]
    best = max((one for one in found if one.score >= _ENOUGH), key=lambda one: one.score, default=None)
    return replace(best, way=steps.near(best.pairs[0].row)) if best is not None else None


def stated_pairs(document: Document, sources: Sequence[str], types: Sequence[str]) -> list[dict[str, str]]:
    """Return the pairs that metadata state: objects with a name and a value."""
    facts = [fact.value for fact in document.metadata.facts(sources, types)]
    entries = [entry for value in facts for entry in (value if isinstance(value, list) else [value])]
    return [row for entry in entries if isinstance(entry, dict) and (row := _stated(entry))]


def _stated(entry: Mapping[str, Json]) -> dict[str, str]:
    name, value = entry.get("name"), entry.get("value")
    is_pair = isinstance(name, str) and isinstance(value, str | int | float) and str(value).strip()
    return {"name": clean_line(str(name)), "value": clean_line(str(value))} if is_pair else {}


def pair_rows(found: FoundPairs) -> list[dict[str, str]]:
    """Return pairs as records have them, each name once."""
    firsts = {pair.name: pair.value for pair in reversed(found.pairs)}
    return [{"name": name, "value": firsts[name]} for name in dict.fromkeys(pair.name for pair in found.pairs)]


def _groups(document: Document, steps: Steps) -> Iterator[list[Pair]]:
    for element in document.elements:
        if element.tag == "dl":
            yield list(_terms(element))
        elif element.tag in {"table", "ul", "ol", "div", "tbody", "section", "article", "td"}:
            yield from _entries(element, steps)


def _entries(parent: Element, steps: Steps) -> Iterator[list[Pair]]:
    by_step: dict[str, list[Element]] = {}
    for child in parent:
        if isinstance(child, Element) and child.tag in _ROWS:
            by_step.setdefault(child.tag if child.tag == "tr" else steps.step(child), []).append(child)
    for members in by_step.values():
        if len(members) >= LEAST:
            pairs = [pair for pair in map(_pair, members) if pair is not None]
            if len(pairs) >= _SHARE * sum(bool(member.text.strip()) for member in members):
                yield pairs


def _terms(terms: Element) -> Iterator[Pair]:
    name: Element | None = None
    for child in terms.select("dt, dd"):
        if child.tag == "dt":
            name = child
        elif name is not None:
            if (pair := _made(visible_text(name), visible_text(child), name, "terms")) is not None:
                yield pair
            name = None


def _pair(row: Element) -> Pair | None:
    if len(row.text) > _LONGEST_NAME + 2 * _LONGEST_VALUE or row.select_one(_CONTROLS) is not None:
        return None
    if row.tag == "tr":
        cells = [cell for cell in row if isinstance(cell, Element) and cell.tag in _CELLS]
        texts = [text for cell in cells if (text := visible_text(cell))]
        if not 2 <= len(texts) <= _MOST_CELLS or all(cell.tag == "th" for cell in cells):
            return None
        return _made(texts[0], " ".join(texts[1:]), row, "cells")
    parts = [child for child in row if isinstance(child, Element) and child.text.strip()]
    loose = any(isinstance(child, Text) and child.data.strip(" \t\n\r:：") for child in row)
    if len(parts) == 2 and not loose:
        return _made(visible_text(parts[0]), visible_text(parts[1]), row, "parts")
    found = _COLON.fullmatch(visible_text(row))
    return _made(found[1], found[2], row, "colon") if found else None


def _made(name: str, value: str, row: Element, shape: str) -> Pair | None:
    name, value = clean_line(name).rstrip(":： "), clean_line(value).lstrip(":： ")
    is_name = 2 <= len(name) <= _LONGEST_NAME and len(name.split()) <= _MOST_WORDS and any(map(str.isalpha, name))
    return Pair(name, value, row, shape) if is_name and 0 < len(value) <= _LONGEST_VALUE and name != value else None


def _scored(pairs: Sequence[Pair], words: FieldWords, regions: Regions) -> FoundPairs:
    names = {pair.name for pair in pairs}
    if len(names) < LEAST or len(names) < _SHARE * len(pairs):
        return FoundPairs(pairs, 0.0)
    around = [pairs[0].row, *(outer for outer in pairs[0].row.ancestors if isinstance(outer, Element))][: _NEAR + 1]
    said = " ".join(f"{one.attr('class') or ''} {one.attr('id') or ''}" for one in around)
    if words.against and re.search(words.against, said, re.IGNORECASE):
        return FoundPairs(pairs, 0.0)
    shape = pairs[0].shape
    colons = sum(":" in pair.row.text or "：" in pair.row.text for pair in pairs) / len(pairs)
    evidence = _NAMED * bool(words.for_it and re.search(words.for_it, said, re.IGNORECASE))
    evidence += _TERMS * (shape in {"cells", "terms"}) + _COLONS * (colons >= _SHARE)
    if shape == "parts" and evidence < _NAMED:
        return FoundPairs(pairs, 0.0)
    return FoundPairs(pairs, evidence * len(names) * regions.share(pairs[0].row))
