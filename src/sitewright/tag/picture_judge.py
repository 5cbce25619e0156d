"""Signs of pictures in, how likely each is one of the story's out: a sum of weights, fitted on labelled pages."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.pictures import SIGNS


class PictureJudge:
    """Tells the pictures of a story from all others on its page."""

    def __init__(self, file: Path | Traversable) -> None:
        """Load what was fitted; signs that it does not know weigh nothing."""
        bias, weights = _parse(file.read_text("utf-8"))
        self._bias = bias
        self._weights = np.array([weights.get(name, 0.0) for name in SIGNS], dtype=np.float64)

    def probabilities(self, signs: Sequence[Sequence[float]]) -> NDArray[np.float64]:
        """Return how likely each picture is one of the story's, 0..1."""
        table = np.array(signs, dtype=np.float64).reshape(len(signs), len(SIGNS))
        return np.asarray(1 / (1 + np.exp(-np.clip(table @ self._weights + self._bias, -30, 30))))


@lru_cache(maxsize=4)
def _parse(text: str) -> tuple[float, Mapping[str, float]]:
    loaded = json.loads(text)
    return float(loaded["bias"]), loaded["weights"]
