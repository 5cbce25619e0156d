"""Document in, the element that holds its main content out: the MCE algorithm, which knows no language and no model.

Three features of the tree decide (Salem, Toschev: An Algorithmic Framework for Accurately Extracting Main Content from
News Websites, 2025): the most direct children with text; the most own text, in nodes without text-bearing children; the
depth nearest to the mean depth of the page's nodes. Each is scaled to 0..1 by its best on the page; the sum decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from turbohtml import Element, Node, Text

from sitewright.domains import DEFAULT_DOMAIN, Domain, domain_of
from sitewright.parse import Document
from sitewright.tag.scores import Scores
from sitewright.tag.stated_tagger import StatedTagger, scores_of
from sitewright.tag.units import Unit, UnitKind

_NO_TEXT = frozenset(
    "script style template noscript head title svg iframe object canvas audio video select button textarea".split()
)


FOUND = 0.7
"""The score of a text found by MCE."""


class MceTagger:
    """The tagger that needs no model: the text by MCE, everything else as the page states it about itself."""

    def __init__(self, domain: Domain | str = DEFAULT_DOMAIN) -> None:
        self._domain = domain_of(domain)
        self._stated = StatedTagger(self._domain)

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:
        """Return the scores of a page's units."""
        columns = self._stated.columns
        scores = self._stated.stated_scores(units)
        element = main_content(document)
        if element is not None and self._domain.main_text:
            inside = [n for n, unit in enumerate(units) if unit.kind is UnitKind.RUN and _is_within(unit, element)]
            scores[inside, columns.fields.index(self._domain.main_text)] = FOUND
        return scores_of(scores, columns, FOUND if element is not None else 0.0)


def _is_within(unit: Unit, element: Element) -> bool:
    place = unit.place
    while place is not None:
        if place.element == element:
            return True
        place = place.above
    return element in unit.chain


@dataclass(slots=True)
class _Features:
    """What is known of one element."""

    element: Element
    parent: "_Features | None"
    depth: int
    own_text: int
    leaf_text: int
    """Own text, and that of direct children which have no text-bearing children themselves."""
    children_with_text: int = 0

    @property
    def has_inner_text(self) -> bool:
        return self.children_with_text > 0


def main_content(document: Document) -> Element | None:
    """Return the element with the main content, or None where the page shows no text."""
    candidates = [found for found in _features(document) if found.children_with_text or found.own_text]
    if not candidates:
        return None
    mean_depth = sum(found.depth for found in candidates) / len(candidates)
    most_children = max(found.children_with_text for found in candidates) or 1
    most_text = max(found.leaf_text for found in candidates) or 1
    farthest = max(abs(found.depth - mean_depth) for found in candidates) or 1

    def score(found: _Features) -> float:
        nearness = 1 - abs(found.depth - mean_depth) / farthest
        return found.children_with_text / most_children + found.leaf_text / most_text + nearness

    return max(candidates, key=score).element


def _features(document: Document) -> list[_Features]:
    """Return the features of all elements that may show text, children counted into their parents."""
    known: dict[Node, _Features] = {}
    for element in document.elements:
        parent = known.get(element.parent) if element.parent is not None else None
        if element.tag in _NO_TEXT or (parent is None and known):
            continue  # with all that is inside of it
        own_text = sum(len(child.data.strip()) for child in element if isinstance(child, Text))
        known[element] = _Features(element, parent, parent.depth + 1 if parent else 0, own_text, leaf_text=own_text)
    everything = list(known.values())
    for found in reversed(everything):  # children before their parents
        if found.parent is not None and (found.own_text or found.children_with_text):
            found.parent.children_with_text += 1
            found.parent.leaf_text += 0 if found.has_inner_text else found.own_text
    return everything
