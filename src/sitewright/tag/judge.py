"""Signs of candidates in, how likely each is right out: boosted trees a field, fitted on pages no tagger had seen."""

import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources.abc import Traversable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import DEFAULT_DOMAIN
from sitewright.tag.forest import Weights, log_odds
from sitewright.tag.models import JUDGE, model_file
from sitewright.tag.signs import AS_FIELD, SEEN, SIGNS


class Judge:
    """Tells right candidates from wrong ones."""

    def __init__(self, file: Path | Traversable | None = None) -> None:
        """Load what was fitted for a tagger; for the one that the package ships for news where no file is given."""
        given = file if file is not None else model_file(DEFAULT_DOMAIN, JUDGE)
        self._fields: Mapping[str, Weights] = _parse(given.read_text("utf-8"))

    @classmethod
    def of(cls, fields: Mapping[str, Mapping[str, object]]) -> "Judge":
        """Make a judge of weights; of none, for taggers that no judge was fitted for: their scores then decide."""
        judge = cls.__new__(cls)
        judge._fields = _weights(fields)
        return judge

    def probabilities(self, field: str, signs: Sequence[Sequence[float]]) -> NDArray[np.float32]:
        """Return how likely each candidate is right, 0..1."""
        table = np.array(signs, dtype=np.float32).reshape(len(signs), -1)
        weights = self._fields.get(field, {})
        odds = log_odds(table, weights) if "leaves" in weights else table[:, 0]  # nothing fitted: the score
        return np.asarray(1 / (1 + np.exp(-odds)), dtype=np.float32)

    def knows(self, question: str) -> bool:
        """Tell whether anything was fitted for a field, or another question."""
        return question in self._fields

    def least(self, field: str) -> float:
        """Return the probability below which nothing is said."""
        return self._number(field, "least", 0.05)

    def enough(self, field: str) -> float:
        """Return the probability from which an entry of a list is taken."""
        return self._number(field, "enough", 0.4)

    def stated(self, field: str) -> float:
        """Return the score of the tagger from which a list is given that the page only states."""
        return self._number(field, "stated", 0.05)

    def confidence(self, field: str, signs: Sequence[float]) -> float:
        """Return how likely a whole value is right: a list with all its entries, a text."""
        weights = self._fields.get(f"{field}:whole")
        total = float(signs[0])
        if weights is not None:
            total = float(weights["bias"]) + float(np.dot(weights["weights"], np.array(signs, dtype=np.float32)))
        return round(1 / (1 + math.exp(-max(-30.0, min(30.0, total)))), 3)

    def _number(self, field: str, name: str, otherwise: float) -> float:
        weights = self._fields.get(field)
        return float(weights[name]) if weights is not None and name in weights else otherwise


@lru_cache(maxsize=4)
def _parse(text: str) -> dict[str, Weights]:
    """Read the weights; those fitted for other signs than ours are of no use."""
    loaded = json.loads(text)
    others = [name for name in loaded["signs"] if not name.startswith((AS_FIELD, SEEN))]
    if tuple(others) != SIGNS:
        raise ValueError("the judge was fitted for other signs than these; run training again")
    return _weights(loaded["fields"])


def _weights(fields: Mapping[str, Mapping[str, object]]) -> dict[str, Weights]:
    return {
        field: {name: np.array(values, dtype=np.float32) for name, values in weights.items()}
        for field, weights in fields.items()
    }
