"""What every tagger gives: how likely each unit of a page is each field, and what kind of page it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import Document
from sitewright.tag.units import Unit
from sitewright.types import PageKind

FIELDS = ("title", "subtitle", "published", "modified", "text", "authors", "categories", "tags", "caption")
"""The columns of the scores; what is none of them scores low in all."""
COLUMN = {field: number for number, field in enumerate(FIELDS)}
KINDS: tuple[PageKind, ...] = ("article", "list", "other")


@dataclass(frozen=True, slots=True)
class Scores:
    """A tagger's opinion of a page."""

    units: NDArray[np.float32]
    """A row a unit, a column a field, each 0..1."""
    shown: NDArray[np.float32]
    """How likely the page has each field at all, 0..1."""
    kinds: NDArray[np.float32]
    """How likely the page is of each kind; sums to 1."""

    @property
    def kind(self) -> PageKind:
        """The likeliest kind of page."""
        return KINDS[int(np.argmax(self.kinds))]


class Tagger(Protocol):
    """Scores the units of a page."""

    def score(self, document: Document, units: Sequence[Unit]) -> Scores:
        """Return the scores of a page's units."""
        ...
