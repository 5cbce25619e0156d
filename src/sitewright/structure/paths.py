"""An element in, the path out by which a person finds it on its page: a selector that finds nothing else."""

from collections import Counter
from typing import NamedTuple

from turbohtml import Element, Node

from sitewright.structure.tokens import Token, tokens_of

_PLAIN = frozenset({"html", "body"})
"""There is one of each, and their classes tell about the browser."""


class CssPaths:
    """The paths of elements of one page; what is seen of siblings is remembered."""

    def __init__(self) -> None:
        self._steps: dict[Node, dict[Element, str]] = {}

    def of(self, element: Element) -> str:
        """Return the path of an element from the root on.

        >>> from turbohtml import parse
        >>> page = parse("<main id=top><article class='story css-1x2y3z'><p>One<p>Two")
        >>> CssPaths().of(page.select("p")[1])
        'html > body > main#top > article.story > p:nth-of-type(2)'
        """
        steps = [self._step(element)]
        steps += [self._step(outer) for outer in element.ancestors if isinstance(outer, Element)]
        return " > ".join(reversed(steps))

    def _step(self, element: Element) -> str:
        parent = element.parent
        if element.tag in _PLAIN or parent is None:
            return element.tag
        if parent not in self._steps:
            self._steps[parent] = _steps_below(parent)
        return self._steps[parent][element]


class _Named(NamedTuple):
    element: Element
    number: int
    """Its place among all its siblings, from 1."""
    of_tag: int
    """Its place among its siblings of the same tag, from 1."""
    tokens: list[Token]


def _steps_below(parent: Node) -> dict[Element, str]:
    """Return for each child the shortest step that none of its siblings shares."""
    tags: Counter[str] = Counter()
    children: list[_Named] = []
    for number, child in enumerate((child for child in parent if isinstance(child, Element)), 1):
        tags[child.tag] += 1
        tokens = [token for token in tokens_of(child) if "[" not in token.css]
        children.append(_Named(child, number, tags[child.tag], tokens))
    shared = Counter(token.css.casefold() for child in children for token in child.tokens)
    return {child.element: _step_of(child, shared) for child in children}


def _step_of(child: _Named, shared: Counter[str]) -> str:
    if not child.tokens:  # a tag that CSS cannot name as it is
        return f"*:nth-child({child.number})"
    bare, *names = child.tokens
    step = min(names, key=lambda token: token.cost, default=bare).css
    return step if shared[step.casefold()] == 1 else f"{step}:nth-of-type({child.of_tag})"
