"""Units in, scores out without a model: what the page's metadata states, and what displays the same."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import Domain
from sitewright.parse import Document, fold_words
from sitewright.tag.scores import Columns, Scores
from sitewright.tag.units import Unit, UnitKind

STATED = 0.8
"""The score of what JSON-LD, microdata and meta tags state; titles stated so are right on four pages of five."""
DISPLAYED = 0.75
"""The score of what displays the same."""


class StatedTagger:
    """The tagger of domains without a model: it believes the page, at the places that the domain names."""

    def __init__(self, domain: Domain) -> None:
        self._domain = domain
        self.columns = Columns(tuple(domain.fields), domain.kinds)

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:  # noqa: ARG002 -- the interface's
        """Return the scores of a page's units; a page that states what its kind must have is of that kind."""
        scores = self.stated_scores(units)
        required = [self.columns.fields.index(name) for name in self._domain.required]
        item = scores[:, required].max(axis=0, initial=0.0).min(initial=STATED) if required else scores.max(initial=0.0)
        self._add_displayed(scores, units)
        return scores_of(scores, self.columns, float(item))

    def stated_scores(self, units: Sequence[Unit]) -> NDArray[np.float32]:
        """Return the scores of what metadata states, of each field at its most trustworthy source."""
        scores = np.zeros((len(units), len(self.columns.fields)), dtype=np.float32)
        by_source = _by_source(units)
        for column, spec in enumerate(self._domain.fields.values()):
            sources = (source for source in spec.sources if source in by_source)
            scores[by_source.get(next(sources, ""), []), column] = STATED
        return scores

    def _add_displayed(self, scores: NDArray[np.float32], units: Sequence[Unit]) -> None:
        stated = [n for n, unit in enumerate(units) if unit.kind is UnitKind.STATED]
        if not scores[stated].any():
            return
        shown: dict[str, list[int]] = {}
        for number, unit in enumerate(units):
            if unit.place is not None:
                shown.setdefault(_folded(unit), []).append(number)
        for number in stated:
            same = shown.get(_folded(units[number]), [])
            for column in np.flatnonzero(scores[number]):
                scores[same, column] = DISPLAYED


def scores_of(scores: NDArray[np.float32], columns: Columns, item: float) -> Scores:
    """Return scores with what follows from them, given how likely the page is an item."""
    kinds = np.zeros(len(columns.kinds), dtype=np.float32)
    kinds[0], kinds[-1] = item, 1 - item
    return Scores(scores, scores.max(axis=0, initial=0.0), kinds, columns)


def _folded(unit: Unit) -> str:
    return " ".join(fold_words(unit.text))


def _by_source(units: Sequence[Unit]) -> dict[str, list[int]]:
    """Return the units that metadata states, by where it does."""
    found: dict[str, list[int]] = {}
    for number, unit in enumerate(units):
        if unit.kind is UnitKind.STATED:
            found.setdefault(unit.source, []).append(number)
    return found
