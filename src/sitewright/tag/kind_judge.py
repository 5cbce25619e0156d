"""Signs of a page in, how likely it is an item out: boosted trees, fitted without any tagger."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np

from sitewright.tag.forest import Weights, log_odds
from sitewright.tag.kind_signs import KIND_SIGNS


class KindJudge:
    """Tells pages of items from lists and all others."""

    def __init__(self, file: Path | Traversable) -> None:
        """Load what was fitted."""
        self._trees = _parse(file.read_text("utf-8"))

    def log_odds(self, signs: Sequence[float]) -> float:
        """Return the log-odds that a page is an item."""
        return float(log_odds(np.array([signs], dtype=np.float32), self._trees)[0])


@lru_cache(maxsize=4)
def _parse(text: str) -> Weights:
    loaded: Mapping[str, object] = json.loads(text)
    if loaded["signs"] != list(KIND_SIGNS):
        raise ValueError("the trees were fitted for other signs than these; run training again")
    trees = loaded["trees"]
    assert isinstance(trees, dict)  # noqa: S101 -- what training wrote
    return {name: np.array(values, dtype=np.float32) for name, values in trees.items()}
