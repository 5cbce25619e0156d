"""What readers opened in, lists of ALS and BPR out, for comparison: models of `implicit`, where it is installed."""

import os
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import numpy as np

from sitewright.engines.engine import Engine
from sitewright.recommend.figures import Lists

FACTORS = 64
_ROUNDS = {"ALS": 10, "BPR": 40}
"""How often each model looks at all reads."""
_SECONDS = 1_209_600
"""Reads of two weeks, or of as much of a slower log."""


def lists_by_factors(engine: Engine, readers: list[int], length: int) -> Iterator[tuple[str, Lists]]:
    """Yield the lists of readers by each model; nothing where `implicit` is not installed."""
    if find_spec("implicit") is None:
        return
    from implicit.als import AlternatingLeastSquares  # noqa: PLC0415 -- only who compares needs these
    from implicit.bpr import BayesianPersonalizedRanking  # noqa: PLC0415
    from scipy.sparse import csr_matrix  # noqa: PLC0415
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    reads = np.array(engine.rows(f"select reader, item from visits where ago < {_SECONDS}"), dtype=np.int64)
    known, row = np.unique(reads[:, 0], return_inverse=True)
    items, column = np.unique(reads[:, 1], return_inverse=True)
    matrix = csr_matrix((np.ones(len(reads), np.float32), (row, column)))
    there = set(known.tolist())
    asked = [reader for reader in readers if reader in there]
    numbers = np.searchsorted(known, asked)
    for name, make in (("ALS", AlternatingLeastSquares), ("BPR", BayesianPersonalizedRanking)):
        with threadpool_limits(1, "blas"):  # else two sorts of threads get into each other's way
            model: Any = make(
                factors=FACTORS, iterations=_ROUNDS[name], num_threads=os.cpu_count() or 1, random_state=1
            )
            model.fit(matrix, show_progress=False)
        best, _ = model.recommend(numbers, matrix[numbers], N=length, filter_already_liked_items=True)
        yield name, {reader: [int(items[at]) for at in found] for reader, found in zip(asked, best, strict=True)}
