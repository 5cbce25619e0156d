"""A log and moments in, figures of our lists, of rivals' and of `implicit`'s out: `python -m bench.recommend`.

Moments should be of days that the ranker was not grown on: globo's from the thirteenth on, deskdrop's last third.
"""

import os
import sys
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from sitewright.engines.duck import DuckEngine
from sitewright.recommend.clicklog import load_clicks
from sitewright.recommend.figures import Figures, Lists
from sitewright.recommend.judging import Trial, lists_of_all, trial_at


def main() -> None:
    """Print the mean of each method over all moments, each reader counting the same."""
    log, *moments = sys.argv[1:]
    engine = DuckEngine(threads=2)
    load_clicks(engine, [log])
    found: dict[str, list[tuple[int, Figures]]] = defaultdict(list)
    for moment in map(int, moments):
        trial = trial_at(engine, moment)
        for method, lists in [*lists_of_all(engine, trial), *lists_of_implicit(engine, trial)]:
            found[method].append((len(trial.clicked), trial.figures(lists)))
            print(moment, method, trial.figures(lists), file=sys.stderr, flush=True)
    for method, figures in found.items():
        print(method, *(f"{name} {_mean(figures, name):.4f}" for name in Figures.__slots__))


def _mean(figures: list[tuple[int, Figures]], name: str) -> float:
    return sum(count * getattr(one, name) for count, one in figures) / sum(count for count, _ in figures)


def lists_of_implicit(engine: DuckEngine, trial: Trial) -> Iterator[tuple[str, Lists]]:
    """Yield the lists of ALS and BPR: of the reads of two weeks, or of as much of a slower log."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from implicit.als import AlternatingLeastSquares
    from implicit.bpr import BayesianPersonalizedRanking
    from scipy.sparse import csr_matrix

    rows = engine.columns("select reader, item from visits where ago < 1209600")
    readers, row = np.unique(rows["reader"], return_inverse=True)
    items, column = np.unique(rows["item"], return_inverse=True)
    matrix = csr_matrix((np.ones(len(row), np.float32), (row, column)))
    place = {int(reader): number for number, reader in enumerate(readers)}
    asked = [reader for reader in trial.clicked if reader in place]
    numbers = np.array([place[reader] for reader in asked])
    for name, model in [
        ("implicit ALS", AlternatingLeastSquares(factors=64, iterations=10, num_threads=2, random_state=1)),
        ("implicit BPR", BayesianPersonalizedRanking(factors=64, iterations=40, num_threads=2, random_state=1)),
    ]:
        model.fit(matrix, show_progress=False)
        best, _ = model.recommend(numbers, matrix[numbers], N=trial.length, filter_already_liked_items=True)
        yield name, {reader: [int(items[at]) for at in row] for reader, row in zip(asked, best, strict=True)}


if __name__ == "__main__":
    main()
