"""A rule and a node in, the items that the rule takes out: elements, attributes, markup, JSON-LD values."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from turbohtml import Element, Node

from sitewright.extract.values.value import Item, string_of
from sitewright.parse import Document, Found, Selector, compile_selector
from sitewright.types import Rule


@dataclass(frozen=True, slots=True)
class Taken:
    """What a rule took, and what is to be out of the tree while it is read."""

    items: Sequence[Item]
    removed: Sequence[Element] = ()


class Taker:
    """A rule's `select`, `remove`, `take` and `match`, compiled."""

    def __init__(self, rule: Rule) -> None:
        """Compile; a bad selector raises `SelectorError`."""
        self._jsonld = rule.take.removeprefix("jsonld:") if rule.take.startswith("jsonld:") else ""
        self._take = _taking(rule.take)
        self._pattern = re.compile(rule.match) if rule.match else None
        self._selectors = [compile_selector(text) for text in rule.select]
        self._ordered = rule.many
        self._union = _union(rule.select)
        self._remove = [union] if (union := _union(rule.remove)) else [compile_selector(text) for text in rule.remove]

    def take(self, root: Node, document: Document) -> Taken:
        """Return what the rule takes below a node, in the order of the selectors (with `many`, of the document)."""
        removed: Sequence[Element] = ()
        if self._jsonld:
            items: Sequence[Item] = document.metadata.jsonld.find(self._jsonld)
        else:
            found = self._find(root, document)
            if self._remove and found:
                found = [match for match in found if not _is_removed(match, self._remove)]
                removed = _inside(found, self._remove)
            items = found if self._take is None else [item for item in map(self._take, found) if item]
        if self._pattern is not None:
            items = [kept for item in items if (kept := _matched(self._pattern, item))]
        return Taken(items, removed)

    def _find(self, root: Node, document: Document) -> Sequence[Found]:
        if len(self._selectors) == 1:
            return self._selectors[0].find(root)
        results = [found for selector in self._selectors if (found := selector.find(root))]
        if len(results) == 1:
            return results[0]
        if not self._ordered:
            return [match for found in results for match in found]
        return self._union.find(root) if self._union is not None else _in_order(results, document)


def _taking(take: str) -> Callable[[Found], Item] | None:
    """Return what makes an item of a match; None where the match itself is the item."""
    if take.startswith("@"):
        name = take[1:]
        return lambda found: found.attr(name) if isinstance(found, Element) else found
    if take == "html":
        return lambda found: found.inner_html.strip() if isinstance(found, Element) else found
    return None


def _matched(pattern: re.Pattern[str], item: Item) -> str | None:
    """Keep the first group of what the pattern matches, or all of it."""
    found = pattern.search(string_of(item))
    return found[1 if pattern.groups else 0] if found else None


def _union(selectors: Sequence[str]) -> Selector | None:
    """Make one selector of several CSS ones, which gives its matches in document order.

    It looks at every element, where one that ends in a tag's name looks up that tag (a tenth of the time).
    """
    if not selectors or not all(compile_selector(text).is_css for text in selectors):
        return None
    return compile_selector(", ".join(selectors))


def _in_order(results: Sequence[Sequence[Found]], document: Document) -> list[Found]:
    """Bring the matches of several selectors into document order, each once; strings stay behind the elements."""
    elements = dict.fromkeys(item for found in results for item in found if isinstance(item, Element))
    strings = [item for found in results for item in found if isinstance(item, str)]
    return [*sorted(elements, key=document.number_of), *strings]


def _is_removed(found: Found, remove: Sequence[Selector]) -> bool:
    """Tell whether a match is, or is inside of, what the rule removes."""
    return isinstance(found, Element) and any(selector.encloses(found) for selector in remove)


def _inside(found: Sequence[Found], remove: Sequence[Selector]) -> list[Element]:
    """Return what the rule removes inside of the matches."""
    holders = [match for match in found if isinstance(match, Element)]
    return [inner for selector in remove for holder in holders for inner in selector.elements(holder)]
