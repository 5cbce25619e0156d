"""Units of a page in, where each stands out: struck through, one of many alike, near what people press to buy."""

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from turbohtml import Element

from sitewright.domains import Domain
from sitewright.parse import Document
from sitewright.tag.features.table import UnitTable
from sitewright.tag.units import Unit, UnitKind, UnitPlace

SURROUNDINGS = (
    "struck", "strong", "heading", "linked", "in_row", "in_list", "in_form", "alike", "alike_prices", "price_rank",
    "price_rank_after_title", "same_text", "action_distance", "action_behind", "actions", "page_prices", "page_units",
    "in_entry", "next_is_price", "before_is_price",
)  # fmt: skip
_STRUCK = frozenset({"del", "s", "strike"})
_STRONG = frozenset({"b", "strong", "big", "em"})
_HEADINGS = {"h1": 1.0, "h2": 0.7, "h3": 0.5, "h4": 0.3, "h5": 0.2, "h6": 0.1}
_THROUGH = re.compile(r"line-through", re.IGNORECASE)
_LEVELS = 4
_FAR = 2000
_PRESSED = "button, input[type=submit], input[type=button], input[type=image], a[href], [role=button]"
_NAMED = ("id", "class", "name", "value", "title", "aria-label", "alt", "onclick")
_MOST_ACTIONS = 6
_LONGEST_ACTION = 60


def surroundings_of(
    document: Document,
    table: UnitTable,
    domain: Domain,
    prices: NDArray[np.float32],
    title: int,
    entries: Sequence[Element] = (),
) -> NDArray[np.float32]:
    """Return where units stand: a row a unit.

    `prices` tells which look like one, `title` is the heading, `entries` are those of the page's main list.
    """
    units = table.units
    alike = _alike(units)
    counts = Counter(alike)
    of_prices = Counter(key for key, price in zip(alike, prices, strict=True) if price)
    texts = Counter(unit.text for unit in units)
    orders = _ranks(units, prices, title)
    near = _actions(document, units, domain)
    shown = [number for number in range(len(units)) if prices[number] and units[number].kind is UnitKind.RUN]
    is_price_run = np.zeros(len(units) + 2, dtype=np.float32)
    is_price_run[shown] = 1.0
    listed = _in_entries(units, entries)
    rows = [
        (
            *_elements(unit), unit.linked / max(len(unit.text), 1), *_within(unit),
            np.log1p(counts[key]) / 5, np.log1p(of_prices[key]) / 4, *order, np.log1p(texts[unit.text]) / 3,
            *action, min(len(shown), 60) / 60, np.log1p(len(units)) / 8, inside,
            is_price_run[min(unit.run + 1, len(units))], is_price_run[unit.run - 1],
        )
        for unit, key, order, action, inside in zip(units, alike, orders, near, listed, strict=True)
    ]  # fmt: skip
    return np.array(rows, dtype=np.float32).reshape(len(units), len(SURROUNDINGS))


def _in_entries(units: Sequence[Unit], entries: Sequence[Element]) -> list[float]:
    """Tell which units stand in entries of a list."""
    known = set(entries)
    inside: dict[int, bool] = {}

    def is_inside(place: UnitPlace | None) -> bool:
        if place is None:
            return False
        if id(place) not in inside:
            inside[id(place)] = place.element in known or is_inside(place.above)
        return inside[id(place)]

    return [float(is_inside(unit.place) or not known.isdisjoint(unit.chain)) for unit in units]


def _elements(unit: Unit) -> tuple[float, float, float]:
    tags = [element.tag for element in unit.chain]
    place = unit.place
    styled = [*unit.chain, *([place.element] if place is not None else [])]
    struck = not _STRUCK.isdisjoint(tags) or any(_is_struck(element) for element in styled)
    heading = 0.0
    while place is not None and not heading:
        heading = _HEADINGS.get(place.tag, 0.0)
        struck = struck or place.tag in _STRUCK
        place = place.above
    return float(struck), float(not _STRONG.isdisjoint(tags)), heading


def _is_struck(element: Element) -> bool:
    style = element.attrs.get("style")
    return isinstance(style, str) and _THROUGH.search(style) is not None


def _within(unit: Unit) -> tuple[float, float, float]:
    tags = set()
    place = unit.place
    while place is not None:
        tags.add(place.tag)
        place = place.above
    return float("tr" in tags or "dl" in tags), float("li" in tags), float("form" in tags)


def _alike(units: Sequence[Unit]) -> list[tuple[str, ...]]:
    """Return what units have in common that stand at the same place of repeated blocks: tags and classes, no texts."""
    known: dict[int, tuple[str, ...]] = {}
    return [(*_own_steps(unit), *_steps(unit.place, known)) for unit in units]


def _own_steps(unit: Unit) -> tuple[str, ...]:
    return (str(int(unit.kind)), *(element.tag for element in unit.chain))


def _steps(place: UnitPlace | None, known: dict[int, tuple[str, ...]]) -> tuple[str, ...]:
    if place is None:
        return ()
    if id(place) not in known:
        names = place.attrs.get("class") if place.attrs else None
        first = names[0] if isinstance(names, list) and names else names if isinstance(names, str) else ""
        known[id(place)] = (f"{place.tag}.{first}", *_steps(place.above, known))[:_LEVELS]
    return known[id(place)]


def _ranks(units: Sequence[Unit], prices: NDArray[np.float32], title: int) -> list[tuple[float, float]]:
    """Return how many prices come before each unit, on the page and behind its heading."""
    before = after = 0
    seen: set[int] = set()
    rows = []
    for number, unit in enumerate(units):
        is_new = prices[number] > 0 and unit.place is not None and unit.run not in seen
        rows.append((np.log1p(before) / 4, np.log1p(after) / 4 if number > title >= 0 else -0.25))
        if is_new:
            seen.add(unit.run)
            before += 1
            after += number > title >= 0
    return rows


def _actions(document: Document, units: Sequence[Unit], domain: Domain) -> list[tuple[float, float, float]]:
    """Return how far each unit is from the nearest thing to press, counted in elements, and on which side."""
    pressed = [document.number_of(element) for element in _pressed(document, domain)]
    if not pressed:
        return [(2.0, 0.0, 0.0)] * len(units)
    rows = []
    for unit in units:
        if unit.element is None or unit.place is None:
            rows.append((2.0, 0.0, 1.0))
            continue
        own = document.number_of(unit.element)
        nearest = min(pressed, key=lambda number: abs(number - own))
        rows.append((np.log1p(min(abs(nearest - own), _FAR)) / 4, float(nearest > own), len(pressed) / _MOST_ACTIONS))
    return rows


def _pressed(document: Document, domain: Domain) -> list[Element]:
    found = []
    for element in document.tree.select(_PRESSED) if domain.actions else ():
        text = element.text
        words = " ".join(str(element.attr(name) or "") for name in _NAMED if name in element.attrs)
        told = f"{words} {text if len(text) <= _LONGEST_ACTION else ''}".casefold()
        if any(action in told for action in domain.actions):
            found.append(element)
            if len(found) >= _MOST_ACTIONS:
                break
    return found
