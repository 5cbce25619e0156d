"""A document in, what selectors are tried on out: for every token the set of its elements, as bits of one number."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property

from turbohtml import Element

from sitewright.parse import Document, compile_selector
from sitewright.structure import Token, generated_tokens_of, tokens_of

Mask = int
"""A set of elements: bit n stands for element n. Sets of a page's elements are joined in a microsecond so."""


class PageTree:
    """The elements of a page by number, with what names them and where each ends."""

    def __init__(self, document: Document) -> None:
        """Number the elements and note their tokens."""
        self.document = document
        self.elements = document.elements
        count = len(self.elements)
        self.parents = [-1] * count
        self.ends = list(range(1, count + 1))
        self._tokens: list[tuple[Token, ...]] = []
        self._bits: dict[str, list[int]] = {}
        self._masks: dict[str, Mask] = {}
        self._below: dict[str, Mask] = {}
        self._inside: dict[str, Mask] = {}
        for number, element in enumerate(self.elements):
            parent = element.parent
            if number and isinstance(parent, Element):
                self.parents[number] = document.number_of(parent)
            tokens = (*tokens_of(element), *generated_tokens_of(element))
            self._tokens.append(tokens)
            for token in tokens:
                self._bits.setdefault(token.css, []).append(number)
        for number in range(count - 1, 0, -1):
            parent_number = self.parents[number]
            if parent_number >= 0 and self.ends[number] > self.ends[parent_number]:
                self.ends[parent_number] = self.ends[number]

    def tokens(self, number: int) -> tuple[Token, ...]:
        """Return what an element can be named by."""
        return self._tokens[number]

    @property
    def vocabulary(self) -> Iterable[str]:
        """All tokens of the page."""
        return self._bits

    def ancestors(self, number: int) -> Iterator[int]:
        """Yield the elements around one, the nearest first."""
        while (number := self.parents[number]) >= 0:
            yield number

    def named(self, token: str) -> Mask:
        """Return the elements that have a token."""
        if "[" in token:  # which elements an attribute's selector finds is for the engine to say
            return self._elsewhere(token)
        mask = self._masks.get(token)
        if mask is None:
            mask = self._masks[token] = mask_of(self._bits.get(token, ()))
        return mask

    def below(self, selector: str) -> Mask:
        """Return the elements inside of what a selector finds."""
        mask = self._below.get(selector)
        if mask is None:
            mask = 0
            end = 0
            for number in numbers_of(self.find(selector)):
                if number >= end:
                    end = self.ends[number]
                    mask |= (1 << end) - (1 << (number + 1))
            self._below[selector] = mask
        return mask

    def inside(self, selector: str) -> Mask:
        """Return the children of what a selector finds."""
        mask = self._inside.get(selector)
        if mask is None:
            found = numbers_of(self.find(selector))
            mask = self._inside[selector] = mask_of(child for number in found for child in self.children(number))
        return mask

    def children(self, number: int) -> Sequence[int]:
        """Return the elements right inside of one."""
        return self._children.get(number, ())

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for number, parent in enumerate(self.parents):
            if parent >= 0:
                children.setdefault(parent, []).append(number)
        return children

    def find(self, selector: str) -> Mask:
        """Return what a selector of tokens finds: `token`, `outer token` or `parent > token`, of any length."""
        if selector.startswith("/") or ":nth-" in selector:
            return self._elsewhere(selector)
        outer, _, last = selector.rpartition(" ")  # no token has a blank
        if not outer:
            return self.named(last)
        if outer.endswith(" >"):
            return self.named(last) & self.inside(outer[:-2])
        return self.named(last) & self.below(outer)

    def _elsewhere(self, selector: str) -> Mask:
        """Return what a selector finds that is more than tokens, as the engine finds it."""
        mask = self._masks.get(selector)
        if mask is None:
            found = compile_selector(selector).elements(self.document.tree)
            mask = self._masks[selector] = mask_of(map(self.document.number_of, found))
        return mask


def tokens_shared_by(trees: Collection[PageTree]) -> frozenset[str]:
    """Return the tokens that occur on several pages; one that only a single page has is no name of the site's."""
    counts = Counter(token for tree in trees for token in tree.vocabulary)
    least = 2 if len(trees) > 2 else 1
    return frozenset(token for token, count in counts.items() if count >= least)


def mask_of(numbers: Iterable[int]) -> Mask:
    """Return a set of elements.

    >>> bin(mask_of([0, 3]))
    '0b1001'
    """
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask


def numbers_of(mask: Mask) -> Iterator[int]:
    """Yield the elements of a set in document order.

    >>> list(numbers_of(0b1001))
    [0, 3]
    """
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
