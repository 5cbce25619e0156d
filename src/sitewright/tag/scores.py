"""What every tagger gives: how likely each unit of a page is each field, and what kind of page it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sitewright.errors import ModelError
from sitewright.parse import Document
from sitewright.tag.units import Unit
from sitewright.types import PageKind


@dataclass(frozen=True, slots=True)
class Columns:
    """What a tagger's scores are about; a model states its own."""

    fields: tuple[str, ...]
    """What is none of them scores low in all."""
    kinds: tuple[PageKind, ...]


@dataclass(frozen=True, slots=True)
class Scores:
    """A tagger's opinion of a page."""

    units: NDArray[np.float32]
    """A row a unit, a column a field, each 0..1."""
    shown: NDArray[np.float32]
    """How likely the page has each field at all, 0..1."""
    kinds: NDArray[np.float32]
    """How likely the page is of each kind; sums to 1."""
    columns: Columns
    seen: NDArray[np.float32] | None = None
    """What the tagger knew of the units, a row a unit, if it can tell: the judge looks at it, too."""

    @property
    def kind(self) -> PageKind:
        """The likeliest kind of page."""
        return self.columns.kinds[int(np.argmax(self.kinds))]

    def of_field(self, name: str) -> NDArray[np.float32]:
        """Return the scores of a field; nothing is said of one that the tagger does not know."""
        if name not in self.columns.fields:
            return np.zeros(len(self.units), dtype=np.float32)
        return self.units[:, self.columns.fields.index(name)]

    def shows(self, name: str) -> float:
        """Return how likely the page has a field."""
        return float(self.shown[self.columns.fields.index(name)]) if name in self.columns.fields else 0.0

    def is_kind(self, kind: PageKind) -> float:
        """Return how likely the page is of a kind."""
        if kind not in self.columns.kinds:
            raise ModelError(f"the tagger tells {', '.join(self.columns.kinds)} apart, and knows nothing of {kind}")
        return float(self.kinds[self.columns.kinds.index(kind)])


class Tagger(Protocol):
    """Scores the units of a page."""

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:
        """Return the scores of a page's units."""
        ...
