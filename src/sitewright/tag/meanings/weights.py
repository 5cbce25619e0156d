"""A domain's shipped trees in, how likely each unit is each field out, and each page each kind."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sitewright.errors import ModelError
from sitewright.tag.forest import Weights, log_odds
from sitewright.tag.meanings.columns import COLUMNS
from sitewright.tag.meanings.page_signs import PAGE_SIGNS
from sitewright.types import PageKind

KIND = "kind:"
"""How the names of the trees begin that tell kinds of pages."""


class MeaningWeights:
    """The trees of a domain's fields and kinds of pages."""

    def __init__(self, file: Path | Traversable) -> None:
        """Load them; those grown for other columns than ours are of no use."""
        self.all_fields, self.say, self._trees = _parse(file.read_text("utf-8"))

    @property
    def fields(self) -> frozenset[str]:
        """The fields that trees were grown for."""
        return frozenset(name for name in self._trees if not name.startswith(KIND))

    @property
    def kinds(self) -> Sequence[PageKind]:
        """The kinds of pages that trees were grown for."""
        return [name.removeprefix(KIND) for name in self._trees if name.startswith(KIND)]

    def odds(self, field: str, table: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the log-odds that each row is a field."""
        return log_odds(table, self._trees[field])

    def likely_kinds(self, signs: NDArray[np.float32]) -> Mapping[PageKind, float]:
        """Return how likely a page is of each kind."""
        row = signs.reshape(1, -1)
        return {kind: float(_share(log_odds(row, self._trees[KIND + kind]))[0]) for kind in self.kinds}


def _share(odds: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30, 30))), dtype=np.float32)


@lru_cache(maxsize=4)
def _parse(text: str) -> tuple[tuple[str, ...], Mapping[str, float], Mapping[str, Weights]]:
    loaded = json.loads(text)
    if tuple(loaded["columns"]) != COLUMNS or tuple(loaded["page_signs"]) != PAGE_SIGNS:
        raise ModelError("the trees were grown for other columns than these; run training again")
    trees = {
        name: {key: np.array(values, dtype=np.float32) for key, values in arrays.items()}
        for name, arrays in loaded["trees"].items()
    }
    return tuple(loaded["fields"]), loaded.get("say", {}), trees
