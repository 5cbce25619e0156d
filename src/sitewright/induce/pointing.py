"""Elements that a person points at in, selectors for them out: this one alone, all of its kind, or one in each item."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sitewright.induce.candidates import selectors_of
from sitewright.induce.tree import Mask, PageTree, numbers_of, tokens_shared_by
from sitewright.structure import POSITION, CssPaths

_MOST = 4
"""Proposals of either sort; more are no choice any more."""
_EVERYWHERE = 4.0
"""What a selector costs more that finds one element on no page but this one."""


@dataclass(frozen=True, slots=True)
class Place:
    """An element of one of the pages, by the numbers of both."""

    page: int
    element: int


@dataclass(frozen=True, slots=True)
class Pointed:
    """A selector for what was pointed at, and how many elements it finds on each page."""

    selector: str
    many: bool
    found: tuple[int, ...]
    cost: float
    fragile: bool = False
    """Whether it rests on the element's position."""


def propose_selectors(
    trees: Sequence[PageTree], wanted: Sequence[Place], unwanted: Collection[Place] = ()
) -> list[Pointed]:
    """Return selectors that find all wanted elements and none of the unwanted: first for one value, then for lists.

    Where two elements are wanted that stand on one page, only lists can be meant.
    """
    first = wanted[0]
    shared = tokens_shared_by(trees)
    found: dict[tuple[Mask, ...], Pointed] = {}
    for selector, cost in selectors_of(trees[first.page], first.element, shared):
        masks = tuple(tree.find(selector) for tree in trees)
        if not all(_has(masks, place) for place in wanted) or any(_has(masks, place) for place in unwanted):
            continue
        pointed = _pointed(selector, masks, first, cost)
        if masks not in found or pointed.cost < found[masks].cost:
            found[masks] = pointed
    ranked = sorted(found.values(), key=lambda one: (one.cost, one.selector))
    singles = [one for one in ranked if not one.many][:_MOST]
    lists = [one for one in ranked if one.many][:_MOST]
    if not singles and len(wanted) == 1:
        singles = [_by_position(trees, first)]
    return [*singles, *lists]


def propose_inside(trees: Sequence[PageTree], items: Sequence[str], place: Place) -> list[Pointed]:
    """Return selectors that find in each item of a list what a person points at in one of them.

    `found` counts the items of each page in which they find one element.
    """
    tree, shared = trees[place.page], tokens_shared_by(trees)
    own = next((number for number in tree.ancestors(place.element) if number in _items(tree, items)), None)
    if own is None:
        return []
    found = []
    for selector, cost in selectors_of(tree, place.element, shared):
        if [tree.document.number_of(one) for one in tree.elements[own].select(selector)] == [place.element]:
            counts = tuple(_ones(one, items, selector) for one in trees)
            found.append(Pointed(selector, True, counts, cost))
    ranked = sorted(found, key=lambda one: (-sum(one.found), one.cost, one.selector))
    return ranked[:_MOST]


def _items(tree: PageTree, selectors: Sequence[str]) -> set[int]:
    return {number for selector in selectors for number in numbers_of(tree.find(selector))}


def _ones(tree: PageTree, items: Sequence[str], selector: str) -> int:
    return sum(len(tree.elements[number].select(selector)) == 1 for number in _items(tree, items))


def _pointed(selector: str, masks: Sequence[Mask], place: Place, cost: float) -> Pointed:
    """Return a selector with what it finds; it is for one value where its first element on the page is the one."""
    counts = tuple(mask.bit_count() for mask in masks)
    own = masks[place.page]
    is_one = own & -own == 1 << place.element and counts[place.page] == 1
    filled = sum(map(bool, counts)) / len(counts)
    uneven = sum(count > 1 for count in counts) / len(counts) if is_one else 0.0
    return Pointed(selector, not is_one, counts, cost + _EVERYWHERE * (1 - filled + uneven))


def _by_position(trees: Sequence[PageTree], place: Place) -> Pointed:
    path = CssPaths().of(trees[place.page].elements[place.element])
    counts = tuple(tree.find(path).bit_count() if ":nth-" in path else _count(tree, path) for tree in trees)
    return Pointed(path, False, counts, POSITION, fragile=True)


def _count(tree: PageTree, path: str) -> int:
    return len(tree.document.tree.select(path))


def _has(masks: Sequence[Mask], place: Place) -> bool:
    return bool(masks[place.page] >> place.element & 1)
