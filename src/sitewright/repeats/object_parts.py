"""An element and the parts of an object in, the object that it displays out: who wrote a review, when, and what."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from turbohtml import Element

from sitewright.domains import FieldSpec, kinds
from sitewright.parse import clean_line, visible_lines, visible_text
from sitewright.repeats.stars import displayed_stars
from sitewright.values import PARSERS, Context
from sitewright.values.prices import PRICE

_NAMING = ("class", "id", "name", "itemprop", "data-hook", "data-testid")
_VALUES = ("content", "datetime", "data-value")
"""Attributes that hold what an element means, where it displays it in other words."""
_SWITCHES = frozenset({"true", "false"})
_TYPED = "textarea, input:not([type=hidden]):not([type=submit]):not([type=radio]):not([type=checkbox])"
"""What people write in: it is a form to write a review with, and none."""
_LONGEST_LINE, _SHORTEST_TEXT = 80, 3
_LONGEST_MOMENT = 120
_DATED = re.compile(
    r"(?:19|20)\d\d|\d\s?[./-]\s?\d+\s?[./-]|\bago\b|\bvor \d|\bhace \d|il y a \d|назад|前|전", re.IGNORECASE
)
"""What is looked at as a date: others would go through every language."""
_MOST_ELEMENTS = 400
"""What has more in it is a part of the page, no object of a list."""


def object_of(element: Element, parts: Mapping[str, FieldSpec], context: Context) -> dict[str, object]:
    """Return what an element says of each part; without those that it says nothing of."""
    inside = [element, *element.select("*")]
    if len(inside) > _MOST_ELEMENTS or element.select_one(_TYPED) is not None:
        return {}
    found: dict[str, object] = {}
    for name, spec in parts.items():
        others = {value for value in found.values() if isinstance(value, str)}
        if spec.kind != kinds.TEXT and (value := _value(inside, spec, context, others)) is not None:
            found[name] = value
    said = {value for value in found.values() if isinstance(value, str)}
    for name, spec in parts.items():
        if spec.kind == kinds.TEXT and (text := _text(inside, spec, said)):
            found[name] = text
    first, needed = next(iter(parts.items()))
    is_short = len(element.text) <= _LONGEST_LINE and all(spec.kind != kinds.TEXT for spec in parts.values())
    if needed.required and first not in found and is_short and (whole := visible_text(element)):
        found[first] = whole  # an entry that says nothing else: a colour
    return {name: found[name] for name in parts if name in found}


def names_of(element: Element) -> str:
    """Return what an element is called, as regular expressions of words are asked."""
    return " ".join(text for name in _NAMING if (text := element.attr(name)))


def is_named(element: Element, spec: FieldSpec) -> bool:
    """Tell whether an element is called like a field, and like nothing that speaks against it."""
    names = names_of(element)
    return bool(names) and bool(spec.words.for_it) and _speaks(spec.words.for_it, spec.words.against, names)


@lru_cache(maxsize=65_536)
def _speaks(for_it: str, against: str, names: str) -> bool:
    return speaks(for_it, names) and not (against and speaks(against, names))


def speaks(words: str, names: str) -> bool:
    """Tell whether one of some words is in the names of an element."""
    return _pattern(words).search(names) is not None


@lru_cache(maxsize=256)
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _value(inside: Sequence[Element], spec: FieldSpec, context: Context, others: set[str]) -> object:
    """Return the value of a part that is a single thing."""
    if spec.match.look == "stars":
        return displayed_stars(inside, spec.words)
    if spec.kind == kinds.DATE:
        return _first(_moments(inside, spec), spec, context)
    if spec.kind == kinds.PRICE:
        return _first(_prices(inside), spec, context)
    if spec.kind == kinds.URL:
        return _first([href for one in inside if one.tag == "a" and (href := one.attr("href"))], spec, context)
    said = (text for text in (*_named(inside, spec), *_labelled(inside, spec)) if not _repeats(text, others))
    return _first(said, spec, context)


def _repeats(text: str, others: set[str]) -> bool:
    """Tell whether a text says another part, and more: the head of a review with its author and date is no title."""
    return any(len(other) > 1 and other in text and other != text for other in others)


def _first(texts: "Iterator[str] | Sequence[str]", spec: FieldSpec, context: Context) -> object:
    for text in texts:
        parsed = PARSERS[spec.parse]([text], False, context) if text else None
        if parsed is not None:
            return parsed.value
    return None


def _named(inside: Sequence[Element], spec: FieldSpec) -> Iterator[str]:
    """Yield what elements and attributes say that are called like the part."""
    for element in inside:
        for name in element.attrs:
            if name.startswith("data-") and spec.words.for_it and _speaks(spec.words.for_it, spec.words.against, name):
                value = clean_line(element.attr(name) or "")
                if value not in _SWITCHES:
                    yield value
    for element in inside:
        if is_named(element, spec):
            text = next((stated for name in _VALUES if (stated := element.attr(name))), "") or visible_text(element)
            if len(text) <= _LONGEST_LINE:
                yield clean_line(text)


def _labelled(inside: Sequence[Element], spec: FieldSpec) -> Iterator[str]:
    """Yield what stands behind a label of the part in a line ("by Ann"), as far as its own element goes."""
    if not spec.match.labels:
        return
    labels = "|".join(sorted(map(re.escape, spec.match.labels), key=len, reverse=True))
    behind = _pattern(rf"(?:^|(?<=\W))(?:{labels})\s*[:：]?\s*$")
    for element in inside:
        parent = element.parent
        if isinstance(parent, Element) and 0 < len(element.text.strip()) <= _LONGEST_LINE:
            before = parent.text.partition(element.text)[0]
            if before.strip() and behind.search(clean_line(before)):
                yield visible_text(element)
    line = _pattern(rf"^(?:\W*)(?:{labels})\s*[:：]?\s+([^,|·•\n]{{2,60}})$")
    for element in inside:
        text = visible_text(element) if len(element.text) <= 2 * _LONGEST_LINE else ""
        if found := line.match(text):
            yield found[1]


def _moments(inside: Sequence[Element], spec: FieldSpec) -> Iterator[str]:
    yield from (value for one in inside if one.tag == "time" and (value := one.attr("datetime")))
    yield from _named(inside, spec)
    for element in inside:
        text = visible_text(element) if len(element.text) <= 2 * _LONGEST_MOMENT else ""
        if 0 < len(text) <= _LONGEST_MOMENT and _DATED.search(text):
            yield text


def _prices(inside: Sequence[Element]) -> Iterator[str]:
    for element in reversed(inside):
        if len(element.text) <= 2 * _LONGEST_LINE and (found := PRICE.search(visible_text(element))):
            yield found[0]


def _text(inside: Sequence[Element], spec: FieldSpec, others: set[str]) -> str:
    """Return the text of what is called like the part, else the longest passage that tells none of the other parts."""
    named = [element for element in inside[1:] if is_named(element, spec)]
    rest = [one for one in inside[1:] if not _tells(one, others)]
    best = max(named or rest or inside, key=_own_length)
    lines = [line for line in visible_lines([best]) if line not in others]
    text = "\n".join(lines)
    return text if len(text) >= _SHORTEST_TEXT else ""


def _tells(element: Element, others: set[str]) -> bool:
    """Tell whether an element is about who and when: it holds a moment, or says another part."""
    text = element.text
    return element.select_one("time") is not None or any(len(other) > 1 and other in text for other in others)


def _own_length(element: Element) -> int:
    """Return how much text stands right in an element, or in what only emphasises it."""
    texts = (
        child.text if isinstance(child, Element) and child.tag in _INLINE else getattr(child, "data", "")
        for child in element
    )
    return sum(len(text.strip()) for text in texts)


_INLINE = frozenset({"b", "i", "em", "strong", "br", "span", "mark", "u"})
