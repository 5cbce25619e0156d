"""Document and its units in, scores out: the tagger of domains that say what their fields are called."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import Domain, FieldSpec, kinds
from sitewright.parse import Document
from sitewright.tag.meanings.by_words import LEAST, OPENS, OTHERWISE, by_words, field_table, former_price, labelled_code
from sitewright.tag.meanings.columns import Looker, Seen
from sitewright.tag.meanings.page_signs import page_signs
from sitewright.tag.meanings.weights import MeaningWeights
from sitewright.tag.scores import Columns, Scores
from sitewright.tag.stated_tagger import scores_of
from sitewright.tag.units import Unit
from sitewright.types import OTHER

WORDS = 0.3
"""The say of the word lists beside trees that were grown on some thirty shops. Chosen by judgement, not measured."""


class MeaningTagger:
    """Tells fields by what they mean: the words of the domain, weighed by trees where some were grown for it."""

    def __init__(self, domain: Domain, weights: MeaningWeights | None = None) -> None:
        """Compile the domain's words."""
        self._domain, self._weights = domain, weights
        self._looker = Looker(domain)
        self.columns = Columns(tuple(domain.fields), domain.kinds)

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:
        """Return the scores of a page's units."""
        seen = self._looker.look(document, units)
        scores = self.field_scores(seen)
        if self._weights is None or not self._weights.kinds:
            required = [self.columns.fields.index(name) for name in self._domain.required]
            item = (
                scores[:, required].max(axis=0, initial=0.0).min(initial=1.0) if required else scores.max(initial=0.0)
            )
            return scores_of(scores, self.columns, float(item))
        likely = self._weights.likely_kinds(page_signs(seen, scores, self._weights.all_fields, document.url))
        return Scores(scores, scores.max(axis=0, initial=0.0), _kinds(self.columns, likely), self.columns)

    def field_scores(self, seen: Seen) -> NDArray[np.float32]:
        """Return how likely each unit is each field: a row a unit, a column a field."""
        scores = np.zeros((len(seen.units), len(self.columns.fields)), dtype=np.float32)
        for column, spec in enumerate(self._domain.fields.values()):
            if spec.kind not in kinds.NOT_SCORED and len(seen.units):
                scores[:, column] = self._field(seen, spec)
        return scores

    def _field(self, seen: Seen, spec: FieldSpec) -> NDArray[np.float32]:
        likely = by_words(seen, spec) if not self._grown(spec) else self._by_trees(seen, spec)
        if spec.required or spec.name == self._domain.main_text:
            return likely
        return np.asarray(np.where(likely < LEAST, 0.0, likely), dtype=np.float32)

    def _grown(self, spec: FieldSpec) -> bool:
        return self._weights is not None and spec.name in self._weights.fields

    def _by_trees(self, seen: Seen, spec: FieldSpec) -> NDArray[np.float32]:
        likely = np.zeros(len(seen.units), dtype=np.float32)
        rows = np.flatnonzero(seen.may_be(spec))
        if len(rows) and self._weights is not None:
            table = field_table(seen, spec)[rows]
            say = self._weights.say.get(spec.name, WORDS)
            odds = (1 - say) * self._weights.odds(spec.name, table) + say * table[:, -1]
            if spec.kind == kinds.PRICE and spec.rival:
                price = seen.of_field(self._domain.fields[self._domain.price])[rows]
                odds += former_price(price) * (-1 if spec.name == self._domain.price else 1)
            if spec.opens:
                odds += OPENS * seen.opens[rows]
            if spec.match.other_labels:
                odds -= OTHERWISE * seen.otherwise[rows, seen.place(spec.name)]
            if spec.match.look == "code":
                odds += labelled_code(table)
            likely[rows] = 1 / (1 + np.exp(-np.clip(odds, -30, 30)))
        return likely


def _kinds(columns: Columns, likely: Mapping[str, float]) -> NDArray[np.float32]:
    """Return the kinds' shares; what is unlikely to be any of those that are known is another."""
    shares = np.array([likely.get(kind, 0.0) for kind in columns.kinds], dtype=np.float32)
    shares[columns.kinds.index(OTHER)] = max(0.02, 1 - float(shares.max()))
    return np.asarray(shares / shares.sum(), dtype=np.float32)
