"""Hashed words and a few numbers of each link in, its log-odds out: a small network over the mean of its words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.uint16]
Floats = NDArray[np.float32]
_WEIGHTS = ("scale", "embeddings", "hidden", "hidden_bias", "output", "output_bias")


def padded(rows: Sequence[Sequence[int]], slots: int) -> Numbers:
    """Return rows of numbers as a table, cut or filled with zeros to the same length."""
    table = np.zeros((len(rows), slots), dtype=np.uint16)
    for number, row in enumerate(rows):
        kept = row[:slots]
        table[number, : len(kept)] = kept
    return table


def probability(log_odds: Floats) -> Floats:
    """Return log-odds as probabilities; beyond 30 they differ from 0 and 1 by less than is counted here."""
    result: Floats = (1 / (1 + np.exp(-np.clip(log_odds, -30, 30)))).astype(np.float32)
    return result


@dataclass(frozen=True, slots=True)
class BagNetwork:
    """Embeddings of words, their mean beside the numbers of a link, and two layers above."""

    embeddings: Floats
    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: float

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> "BagNetwork":
        """Take the weights that begin with a prefix; embeddings are in eight bits, with their scale."""
        scale, embeddings, hidden, hidden_bias, output, output_bias = (
            arrays[f"{prefix}.{name}"].astype(np.float32) for name in _WEIGHTS
        )
        return cls(embeddings * scale, hidden, hidden_bias, output, float(output_bias[0]))

    def arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """Return the weights as they are kept in a file."""
        scale = np.abs(self.embeddings).max() / 127
        rounded = np.rint(self.embeddings / scale).astype(np.int8)
        bias = np.array([self.output_bias], dtype=np.float32)
        kept = (np.array([scale], dtype=np.float32), rounded, self.hidden, self.hidden_bias, self.output, bias)
        return {f"{prefix}.{name}": array for name, array in zip(_WEIGHTS, kept, strict=True)}

    def log_odds(self, words: Numbers, numbers: Floats) -> Floats:
        """Return one value a row."""
        if not len(words):
            return np.zeros(0, dtype=np.float32)
        counts = (words > 0).sum(1, keepdims=True)
        mean = self.embeddings[words].sum(1) / np.sqrt(np.maximum(counts, 1))
        seen = np.concatenate([mean, numbers], axis=1)
        raised = np.maximum(seen @ self.hidden + self.hidden_bias, 0)
        result: Floats = (raised @ self.output + self.output_bias).astype(np.float32)
        return result
