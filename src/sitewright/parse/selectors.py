"""CSS or XPath text in, a callable that finds nodes out."""

import re
from collections.abc import Sequence
from functools import lru_cache

import turbohtml
from turbohtml import Element, Node, SelectorSyntaxError, XPath

from sitewright.errors import SelectorError

Found = Element | str
"""What a selector finds: elements, or strings where an XPath ends in `text()`, `@attribute` or a function."""

_XPATH_START = re.compile(
    r"xpath:|\.{0,2}/|\(|(?:string|concat|normalize-space|substring(?:-before|-after)?|translate|id)\(|"
    r"(?:descendant|child|self|following|preceding|ancestor)(?:-or-self|-sibling)?::"
)
_EMPTY = turbohtml.parse("")


def is_xpath(selector: str) -> bool:
    """Tell XPath from CSS by how it starts; `xpath:` forces it.

    >>> is_xpath("//h1"), is_xpath("string(//h1)"), is_xpath("article h1"), is_xpath("xpath:h1")
    (True, True, False, True)
    """
    return _XPATH_START.match(selector) is not None


class Selector:
    """A compiled selector."""

    __slots__ = ("_css", "_xpath", "text")

    def __init__(self, text: str) -> None:
        """Compile; a selector that cannot be parsed raises `SelectorError` naming it."""
        self.text = text
        self._css = ""
        self._xpath: XPath | None = None
        try:
            if is_xpath(text):
                self._xpath = XPath(text.removeprefix("xpath:"))
                self._xpath(_EMPTY)  # an unknown function shows only when run
            else:
                _EMPTY.select(text)
                self._css = text
        except (SelectorSyntaxError, ValueError, TypeError) as error:
            raise SelectorError(f"{text!r} is not a selector: {error}") from error

    @property
    def is_css(self) -> bool:
        """Whether this is a CSS selector."""
        return self._xpath is None

    def find(self, node: Node) -> Sequence[Found]:
        """Return all that match below the node, in document order."""
        if self._xpath is None:
            return node.select(self._css)
        try:
            found = self._xpath(node)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SelectorError(f"{self.text!r} cannot be run: {error}") from error
        if isinstance(found, list):
            return [item for item in found if isinstance(item, (Element, str))]
        return [str(found)] if found and not isinstance(found, bool) else []

    def elements(self, node: Node) -> list[Element]:
        """Return the elements that match below the node."""
        if self._xpath is None:
            return node.select(self._css)
        return [item for item in self.find(node) if isinstance(item, Element)]

    def encloses(self, element: Element) -> bool:
        """Tell whether the element, or one that it is inside of, matches."""
        if self._xpath is None:
            return element.closest(self._css) is not None
        root = list(element.ancestors)[-1]
        matches = set(self.elements(root))
        return element in matches or any(ancestor in matches for ancestor in element.ancestors)

    def occurs(self, node: Node) -> bool:
        """Tell whether anything matches below the node."""
        if self._xpath is None:
            return node.select_one(self._css) is not None
        return bool(self.find(node))


@lru_cache(maxsize=4096)
def compile_selector(text: str) -> Selector:
    """Return the compiled selector, the same one for the same text."""
    return Selector(text)


def check_selector(text: str) -> str:
    """Return what is wrong with a selector, or an empty string."""
    try:
        compile_selector(text)
    except SelectorError as error:
        return str(error)
    return ""
