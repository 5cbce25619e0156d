"""Rows of numbers in, what boosted trees say of each out: trees as plain tables, no library at run time."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

Weights = Mapping[str, NDArray[np.float32]]


def log_odds(table: NDArray[np.float32], weights: Weights) -> NDArray[np.float32]:
    """Return the log-odds: all candidates go down all trees at once, a level at a time.

    `sign`, `most`, `low` and `high` are of trees by nodes: at a node a candidate goes on to `low` where its sign is
    at most `most`, else to `high`; a leaf leads to itself, and `leaves` has its say.
    """
    sign, most = weights["sign"].astype(np.intp), weights["most"]
    steps = np.stack([weights["high"], weights["low"]]).astype(np.intp)
    trees = np.arange(sign.shape[0])[None]
    place = np.zeros((len(table), sign.shape[0]), dtype=np.intp)
    rows = np.arange(len(table))[:, None]
    for _ in range(int(weights["depth"])):
        goes_low = table[rows, sign[trees, place]] <= most[trees, place]
        place = steps[goes_low.astype(np.intp), trees, place]
    return np.asarray(weights["leaves"][trees, place].sum(axis=1))
