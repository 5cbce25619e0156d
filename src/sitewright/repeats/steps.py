"""Elements in, the steps by which lists are told out: the tag with its steadiest name, and the way to it."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from turbohtml import Element

from sitewright.structure import tokens_of

Way = tuple[str, ...]
NEAR = 3
"""So many steps of its way tell a repeated part from others: itself and two around it."""


class Steps:
    """The steps of the elements of a page, each computed once."""

    def __init__(self) -> None:
        self._steps: dict[Element, str] = {}

    def step(self, element: Element) -> str:
        """Return the name that an element shares with those beside it, or else the cheapest of its own.

        >>> from turbohtml import parse
        >>> page = parse('<ul><li class="c-tea product"><li class="c-milk product"><li class="c-oil product"></ul>')
        >>> [Steps().step(item) for item in page.select("li")]
        ['li.product', 'li.product', 'li.product']
        """
        found = self._steps.get(element)
        if found is None:
            parent = element.parent
            beside = [child for child in parent if isinstance(child, Element)] if parent is not None else [element]
            self._steps.update(_steps_of(beside))
            found = self._steps.setdefault(element, element.tag)
        return found

    def near(self, element: Element) -> Way:
        """Return the last steps of the way to an element."""
        way = [self.step(element)]
        for outer in element.ancestors:
            if len(way) == NEAR or not isinstance(outer, Element):
                break
            way.append(self.step(outer))
        return tuple(reversed(way))

    def down(self, root: Element, deepest: int = sys.maxsize) -> Iterator[tuple[Way, Element]]:
        """Yield the elements inside of one, each with the steps that lead to it."""
        waiting: list[tuple[Way, Element]] = [((), root)]
        while waiting:
            way, element = waiting.pop()
            if len(way) < deepest:
                children = [child for child in element if isinstance(child, Element)]
                waiting += [((*way, self.step(child)), child) for child in reversed(children)]
            if way:
                yield way, element


def _steps_of(siblings: Sequence[Element]) -> Iterator[tuple[Element, str]]:
    named = [[token for token in tokens_of(element) if "[" not in token.css] for element in siblings]
    counts = Counter(token.css for tokens in named for token in tokens)
    tags = Counter(element.tag for element in siblings)
    for element, tokens in zip(siblings, named, strict=True):
        if not tokens:
            yield element, element.tag
            continue
        own = tokens[1:] or tokens
        shared = [token for token in own if counts[token.css] * 2 > tags[element.tag] > 2]
        yield element, min(shared or own, key=lambda token: (-counts[token.css] if shared else 0, token.cost)).css
