"""CSS or XPath text in, something that finds nodes out."""

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import methodcaller
from typing import Protocol

import turbohtml
from turbohtml import Element, Node, SelectorSyntaxError, XPath
from turbohtml.query import Query

from sitewright.errors import SelectorError

Found = Element | str
"""What a selector finds: elements, or strings where an XPath ends in `text()`, `@attribute` or a function."""

_XPATH_START = re.compile(
    r"xpath:|\.{0,2}/|\(|(?:string|concat|normalize-space|substring(?:-before|-after)?|translate|id)\(|"
    r"(?:descendant|child|self|following|preceding|ancestor)(?:-or-self|-sibling)?::"
)
_LITERAL = re.compile(r"'[^']*'|\"[^\"]*\"")
_FUNCTION = re.compile(r"(?<![\w:.-])([A-Za-z][\w-]*)\s*\(")
_XPATH_FUNCTIONS = frozenset(
    "last position count id local-name namespace-uri name string concat starts-with contains substring-before "
    "substring-after substring string-length normalize-space translate boolean not true false lang number sum floor "
    "ceiling round text node comment processing-instruction and or div mod".split()
)
_ASKED_AT_ONCE = 256
"""One call for all nodes saves time with some ten of them, but took 77 s over the 60,000 paragraphs of a 2 MB page."""
_EMPTY = turbohtml.parse("")


def is_xpath(selector: str) -> bool:
    """Tell XPath from CSS by how it starts; `xpath:` forces it.

    >>> is_xpath("//h1"), is_xpath("string(//h1)"), is_xpath("article h1"), is_xpath("xpath:h1")
    (True, True, False, True)
    """
    return _XPATH_START.match(selector) is not None


class Selector(Protocol):
    """A compiled selector."""

    text: str

    @property
    def find(self) -> Callable[[Node], Sequence[Found]]:
        """Return all that match below a node, in document order."""

    @property
    def elements(self) -> Callable[[Node], list[Element]]:
        """Return the elements that match below a node."""

    def occurs(self, node: Node) -> bool:
        """Tell whether anything matches below the node."""

    def inside(self, found: Sequence[Element]) -> list[Element]:
        """Return what matches inside of these."""

    def around(self, found: Sequence[Element]) -> list[Element]:
        """Return what matches among these and what they are inside of."""


class CssSelector:
    """A CSS selector; the work is done by the engine alone."""

    __slots__ = ("elements", "find", "text")

    def __init__(self, text: str) -> None:
        """Compile; a selector that cannot be parsed raises `SelectorError` naming it."""
        try:
            _EMPTY.select(text)
        except SelectorSyntaxError as error:
            raise SelectorError(f"{text!r} is not a selector: {error}") from error
        self.text = text
        self.elements: Callable[[Node], list[Element]] = methodcaller("select", text)
        self.find: Callable[[Node], Sequence[Found]] = self.elements

    def occurs(self, node: Node) -> bool:
        """Tell whether anything matches below the node."""
        return node.select_one(self.text) is not None

    def inside(self, found: Sequence[Element]) -> list[Element]:
        """Return what matches inside of these."""
        return select_below(found, self.text)

    def around(self, found: Sequence[Element]) -> list[Element]:
        """Return what matches among these and what they are inside of."""
        return list(Query(found).closest(self.text))


class XPathSelector:
    """An XPath expression; it may also find strings."""

    __slots__ = ("_xpath", "text")

    def __init__(self, text: str) -> None:
        """Compile; an expression that cannot be parsed or run raises `SelectorError` naming it."""
        unknown = [name for name in _FUNCTION.findall(_LITERAL.sub("", text)) if name not in _XPATH_FUNCTIONS]
        if unknown:  # the engine would notice only when it comes to run it
            raise SelectorError(f"{text!r} is not a selector: there is no function {unknown[0]}()")
        try:
            self._xpath = XPath(text.removeprefix("xpath:"))
            self._xpath(_EMPTY)
        except (ValueError, TypeError) as error:
            raise SelectorError(f"{text!r} is not a selector: {error}") from error
        self.text = text

    def find(self, node: Node) -> Sequence[Found]:
        """Return all that match below the node, in document order."""
        try:
            found = self._xpath(node)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SelectorError(f"{self.text!r} cannot be run: {error}") from error
        if isinstance(found, list):
            return [item for item in found if isinstance(item, (Element, str))]
        if isinstance(found, float):
            return [] if math.isnan(found) else [f"{found:g}"]
        return [found] if isinstance(found, str) and found else []

    def elements(self, node: Node) -> list[Element]:
        """Return the elements that match below the node."""
        return [item for item in self.find(node) if isinstance(item, Element)]

    def occurs(self, node: Node) -> bool:
        """Tell whether anything matches below the node."""
        return bool(self.find(node))

    def inside(self, found: Sequence[Element]) -> list[Element]:
        """Return what matches inside of these."""
        holders = set(found)
        return [match for match in self._everywhere(found) if any(holder in holders for holder in match.ancestors)]

    def around(self, found: Sequence[Element]) -> list[Element]:
        """Return what matches among these and what they are inside of."""
        surroundings = {node for element in found for node in (element, *element.ancestors)}
        return [match for match in self._everywhere(found) if match in surroundings]

    def _everywhere(self, found: Sequence[Element]) -> list[Element]:
        return self.elements(list(found[0].ancestors)[-1]) if found else []


def select_below(nodes: Sequence[Element], selector: str) -> list[Element]:
    """Return what a CSS selector matches below any of the nodes."""
    if len(nodes) == 1:
        return nodes[0].select(selector)
    if len(nodes) <= _ASKED_AT_ONCE:
        return list(Query(nodes).find(selector))
    return [match for node in nodes for match in node.select(selector)]


@lru_cache(maxsize=4096)
def compile_selector(text: str) -> Selector:
    """Return the compiled selector, the same one for the same text."""
    return XPathSelector(text) if is_xpath(text) else CssSelector(text)


def check_selector(text: str) -> str:
    """Return what is wrong with a selector, or an empty string."""
    try:
        compile_selector(text)
    except SelectorError as error:
        return str(error)
    return ""
