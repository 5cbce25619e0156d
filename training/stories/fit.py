"""Labelled pairs in, trees over their signs out, and what they tell of pairs that they have not seen."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitewright.stories.accounts import Floats, account_of
from sitewright.stories.model import scores_of
from sitewright.stories.signs import ALIKE, UNLIKE, View, signs_of, view_of
from training.stories.pairs import Pair

SETTINGS = {
    "objective": "binary", "learning_rate": 0.04, "num_leaves": 8, "min_data_in_leaf": 60, "feature_fraction": 0.5,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 20.0, "extra_trees": True, "verbose": -1,
    "deterministic": True, "num_threads": 1, "seed": 1,
    "monotone_constraints": [1] * len(ALIKE) + [-1] * len(UNLIKE),
}  # fmt: skip
"""Splits at random places tell unseen pairs better than the best ones do: with one threshold for both, Sohu A and B
gain .01 of F1, SemEval .03, in five parts of folds 1 and on. More of what speaks for the same story may only raise the
score: what trees learn against that holds for the corpus at hand and fails on others."""
TREES = 600
WEIGHT = {
    "semeval2022_task8": (2.5, 1.4), "sohu2021_A_short": (1.0, 3.7), "sohu2021_B_short": (1.0, 3.7),
    "mrpc_news_sentences": (0.1, 1.0), "ru_news_clustering_urls": (0.3, 1.2), "ecbplus_clusters": (0.4, 1.0),
    "news_search_clusters": (0.0, 1.0),
}  # fmt: skip
"""How much a pair of a set counts, and how many times as much where it is the same: where same pairs are rare, F1 is
best far below even odds. Sub-topics of a search are no stories (no sign tells them apart), so they do not count."""
PARTS = 5


def table_of(pairs: Sequence[Pair]) -> Floats:
    """Return the signs of all pairs."""
    views: dict[tuple[str, str], View] = {}

    def view(text: Any) -> View:
        key = (text["title"] or "", text["text"] or "")
        if key not in views:
            views[key] = view_of(account_of(*key))
        return views[key]

    return np.array([signs_of(view(pair.one), view(pair.other)) for pair in pairs], dtype=np.float32)


def grow(table: Floats, pairs: Sequence[Pair], chosen: NDArray[np.bool_] | None = None) -> Any:
    """Return trees that were grown on some of the pairs."""
    import lightgbm

    same = np.array([pair.same for pair in pairs])
    weights = np.array([WEIGHT[pair.source][0] * (WEIGHT[pair.source][1] if pair.same else 1) for pair in pairs])
    used = weights > 0 if chosen is None else (weights > 0) & chosen
    return lightgbm.train(SETTINGS, lightgbm.Dataset(table[used], same[used], weight=weights[used]), TREES)


def crossed(table: Floats, pairs: Sequence[Pair]) -> Floats:
    """Return what trees tell of the pairs of each part that were grown on the other parts."""
    part = np.random.default_rng(0).integers(0, PARTS, len(pairs))
    told = np.zeros(len(pairs), dtype=np.float32)
    for number in range(PARTS):
        told[part == number] = _judged(grow(table, pairs, part != number), table[part == number])
    return told


def foreign(table: Floats, pairs: Sequence[Pair]) -> Floats:
    """Return what trees tell of the pairs of each corpus that have seen none of its pairs."""
    corpora = np.array([pair.source.partition("_")[0] for pair in pairs])
    told = np.zeros(len(pairs), dtype=np.float32)
    for corpus in sorted(set(corpora)):
        told[corpora == corpus] = _judged(grow(table, pairs, corpora != corpus), table[corpora == corpus])
    return told


def _judged(trees: Any, table: Floats) -> Floats:
    return scores_of(trees.predict(table, raw_score=True), table)


def report(told: Floats, pairs: Sequence[Pair], threshold: float) -> str:
    """Return precision, recall and F1 a set at a threshold, and the best F1; pairs of two languages by themselves."""
    names = np.array([pair.source + (" two languages" if "-" in pair.language else "") for pair in pairs])
    same = np.array([pair.same for pair in pairs])
    return "\n".join(
        f"{name:40} {_figures(told[names == name], same[names == name], threshold)}" for name in sorted(set(names))
    )


def _figures(told: Floats, same: NDArray[np.bool_], threshold: float) -> str:
    said = told >= threshold
    both = int((said & same).sum())
    ordered = same[np.argsort(-told)]
    best = (2 * np.cumsum(ordered) / (np.arange(1, len(same) + 1) + same.sum())).max()
    precision, recall = both / max(int(said.sum()), 1), both / max(int(same.sum()), 1)
    f1 = 2 * both / max(int(said.sum() + same.sum()), 1)
    return f"P {precision:.3f} R {recall:.3f} F1 {f1:.3f} best {best:.3f}"
