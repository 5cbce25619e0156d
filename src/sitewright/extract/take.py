"""A rule and a node in, the items that the rule takes out: elements, attributes, markup, JSON-LD values."""

from collections.abc import Callable, Sequence

from turbohtml import Element, Node

from sitewright.parse import Document, Found, Selector, compile_selector, is_xpath, without
from sitewright.parse.patterns import BoundedPattern
from sitewright.types import Rule
from sitewright.values import Taken, string_of

Selection = tuple[Sequence[Taken], Sequence[Element]]
"""What a rule took, and what is to be out of the tree while that is read."""


class Taker:
    """A rule's `select`, `remove`, `take` and `match`, compiled."""

    def __init__(self, rule: Rule) -> None:
        """Compile; a bad selector raises `SelectorError`."""
        self._jsonld = rule.take.removeprefix("jsonld:") if rule.take.startswith("jsonld:") else ""
        self._take = _taking(rule.take)
        self._pattern = BoundedPattern(rule.match) if rule.match else None
        self._selectors = [compile_selector(text) for text in rule.select]
        self._ordered = rule.many
        self._union = _union(rule.select)
        self._remove = [union] if (union := _union(rule.remove)) else [compile_selector(text) for text in rule.remove]

    def find(self, root: Node, document: Document) -> Selection:
        """Return what the rule selects below a node, whole; with `many` in the order of the document."""
        if self._jsonld:
            return document.metadata.jsonld.find(self._jsonld), ()
        found = self._find(root, document)
        if not (self._remove and found):
            return found, ()
        found = self._outside(found)
        return found, self._inside(found)

    def take(self, selection: Selection) -> Selection:
        """Return what the rule takes of what it selected."""
        found, removed = selection
        if not found or (self._take is None and self._pattern is None):
            return selection
        if not removed:
            return self.reduced(found), ()
        with without(removed):
            return self.reduced(found), ()

    def reduced(self, items: Sequence[Taken]) -> Sequence[Taken]:
        """Turn matches into attributes or markup, and keep what the pattern matches; each by itself."""
        if self._take is not None:
            items = [taken for item in items if (taken := self._take(item))]
        if self._pattern is not None:
            items = [kept for item in items if (kept := self._pattern.part(string_of(item)))]
        return items

    def _find(self, root: Node, document: Document) -> Sequence[Found]:
        if len(self._selectors) == 1:
            return self._selectors[0].find(root)
        results = [found for selector in self._selectors if (found := selector.find(root))]
        if len(results) < 2:
            return results[0] if results else ()
        if not self._ordered:
            return [match for found in results for match in found]
        return _as_siblings(results) or (self._union.find(root) if self._union else _in_order(results, document))

    def _outside(self, found: Sequence[Found]) -> Sequence[Found]:
        """Return the matches that are not part of what the rule removes."""
        elements = [match for match in found if isinstance(match, Element)]
        removed = {match for selector in self._remove for match in selector.around(elements)}
        if not removed:
            return found
        return [
            match
            for match in found
            if isinstance(match, str) or not (match in removed or any(outer in removed for outer in match.ancestors))
        ]

    def _inside(self, found: Sequence[Found]) -> list[Element]:
        """Return what the rule removes inside of the matches."""
        elements = [match for match in found if isinstance(match, Element)]
        return [inner for selector in self._remove for inner in selector.inside(elements)]


def _taking(take: str) -> Callable[[Taken], Taken] | None:
    """Return what makes an item of a match; None where the match itself is the item."""
    if take.startswith("@"):
        name = take[1:]
        return lambda found: found.attr(name) if isinstance(found, Element) else found
    if take == "html":
        return lambda found: found.inner_html.strip() if isinstance(found, Element) else found
    return None


def _union(selectors: Sequence[str]) -> Selector | None:
    """Make one selector of several CSS ones, which gives its matches in document order.

    It looks at every element, where one that ends in a tag's name looks up that tag (a tenth of the time).
    """
    if not selectors or any(map(is_xpath, selectors)):
        return None
    return compile_selector(", ".join(selectors))


def _as_siblings(results: Sequence[Sequence[Found]]) -> list[Found]:
    """Bring matches into document order where all are children of one node, as paragraphs and headings are."""
    parents = {match.parent if isinstance(match, Element) else None for found in results for match in found}
    if len(parents) > 1 or None in parents:
        return []
    matches = {match for found in results for match in found}
    return [child for child in parents.pop() or () if isinstance(child, Element) and child in matches]


def _in_order(results: Sequence[Sequence[Found]], document: Document) -> list[Found]:
    """Bring the matches of several selectors into document order, each once; strings stay behind the elements."""
    elements = dict.fromkeys(item for found in results for item in found if isinstance(item, Element))
    strings = [item for found in results for item in found if isinstance(item, str)]
    return [*sorted(elements, key=document.number_of), *strings]
