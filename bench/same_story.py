"""Pairs and clusters of the validation fold in, how well each rule tells the same story: `python -m bench.same_story`.

Thresholds of weighed words are learned on fold 1; ours is as shipped. The paper's rule is the cosine of title and first
sentence from 0.3 on.
"""

import argparse
import json
import lzma
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sitewright.stories import Told, View, account_of, group, judge, view_of
from sitewright.stories.signs import cosine
from sitewright.stories.words import first_sentence, folded, words_of

PAIRS = ("semeval2022_task8", "sohu2021_A_short", "sohu2021_B_short", "mrpc_news_sentences")
CLUSTERS = "ecbplus_clusters"
PAPERS = 0.3
Row = dict[str, Any]


def main() -> None:
    """Print both tables."""
    data = _arguments()
    for name in PAIRS:
        tell_pairs(name, rows(data, name, 1), rows(data, name, 0))
    tell_clusters(rows(data, CLUSTERS, 1), rows(data, CLUSTERS, 0))


def rows(data: Path, name: str, fold: int) -> list[Row]:
    """Return the rows of a fold."""
    with lzma.open(data / f"dedup/{name}.jsonl.xz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["fold"] == fold]


def tell_pairs(name: str, known: Sequence[Row], asked: Sequence[Row]) -> None:
    """Print precision, recall and F1 of each rule on a set."""
    known, other = ([row for row in part if "-" not in (row["lang"] or "")] for part in (known, asked))
    two = [row for row in asked if "-" in (row["lang"] or "")]
    same = np.array([row["same"] for row in known])
    threshold = best_threshold(np.array([word_cosine(row) for row in known]), same)
    rules: dict[str, Callable[[Sequence[Row]], list[bool]]] = {
        "paper's rule": lambda part: [paper_cosine(row["a"], row["b"]) >= PAPERS for row in part],
        f"weighed words from {threshold:.2f}": lambda part: [word_cosine(row) >= threshold for row in part],
        "ours": lambda part: [said.same for said in judge([(view(row["a"]), view(row["b"])) for row in part])],
    }
    for what, part in ((name, other), (f"{name}, two languages", two)):
        for rule, judged in rules.items() if part else ():
            print(what, "|", rule, "|", figures(np.array(judged(part)), np.array([row["same"] for row in part])))


def tell_clusters(known: Sequence[Row], asked: Sequence[Row]) -> None:
    """Print B-cubed precision, recall and F1 of each rule."""
    told = [Told(row["title"], row["text"]) for row in asked]
    print("clusters | paper's rule |", b_cubed(linked(paper_table(asked) >= PAPERS), asked))
    table = word_table(asked)
    print("clusters | HDBSCAN on weighed words |", b_cubed(dense(table), asked))
    learned = max(np.arange(0.1, 0.9, 0.02), key=lambda least: b_cubed(linked(word_table(known) >= least), known)[2])
    print(f"clusters | weighed words from {learned:.2f} |", b_cubed(linked(table >= learned), asked))
    labels = list(range(len(asked)))
    for own in group(told, told.__getitem__).groups:
        for number in own:
            labels[number] = own[0]
    print("clusters | ours |", b_cubed(labels, asked))


def view(text: Row) -> View:
    """Return a text as it is compared."""
    return view_of(account_of(text["title"] or "", text["text"] or ""))


def word_cosine(row: Row) -> float:
    """Return the cosine of weighed words of a pair."""
    return cosine(view(row["a"]).words, view(row["b"]).words)


def paper_cosine(one: Row, other: Row) -> float:
    """Return the cosine of plain counts of title and first sentence."""
    mine, theirs = (
        Counter(words_of(folded(f"{text['title'] or ''} {first_sentence(text['text'] or '')}")))
        for text in (one, other)
    )
    length = np.sqrt(sum(n * n for n in mine.values()) * sum(n * n for n in theirs.values()))
    return sum(count * theirs[word] for word, count in mine.items()) / length if length else 0.0


def paper_table(asked: Sequence[Row]) -> np.ndarray:
    """Return the paper's cosine of all with all."""
    return np.array([[paper_cosine(one, other) for other in asked] for one in asked])


def word_table(asked: Sequence[Row]) -> np.ndarray:
    """Return the cosine of weighed words of all with all."""
    views = [view(row) for row in asked]
    return np.array([[cosine(one.words, other.words) for other in views] for one in views])


def linked(same: np.ndarray) -> list[int]:
    """Return groups of what hangs together."""
    from scipy.sparse.csgraph import connected_components

    return list(connected_components(same, directed=False)[1])


def dense(table: np.ndarray) -> list[int]:
    """Return what HDBSCAN groups; those it leaves out are alone."""
    from sklearn.cluster import HDBSCAN

    found = HDBSCAN(min_cluster_size=2, metric="precomputed").fit_predict(
        np.clip(1 - table, 0, None).astype(np.float64)
    )
    return [int(label) if label >= 0 else -2 - number for number, label in enumerate(found)]


def b_cubed(labels: Sequence[int], asked: Sequence[Row]) -> tuple[float, float, float]:
    """Return B-cubed precision, recall and F1."""
    mine = np.array(labels)[:, None] == np.array(labels)
    gold = np.array([row["cluster"] for row in asked])
    theirs = gold[:, None] == gold
    both = (mine & theirs).sum(1)
    precision, recall = float((both / mine.sum(1)).mean()), float((both / theirs.sum(1)).mean())
    return round(precision, 3), round(recall, 3), round(2 * precision * recall / (precision + recall), 3)


def best_threshold(scores: np.ndarray, same: np.ndarray) -> float:
    """Return from which score on F1 is best."""
    order = np.argsort(-scores)
    f1 = 2 * np.cumsum(same[order]) / (np.arange(1, len(same) + 1) + same.sum())
    return float(scores[order[f1.argmax()]])


def figures(said: np.ndarray, same: np.ndarray) -> str:
    """Return precision, recall and F1 in words."""
    both = int((said & same).sum())
    precision, recall = both / max(int(said.sum()), 1), both / max(int(same.sum()), 1)
    return f"P {precision:.3f} R {recall:.3f} F1 {2 * both / max(int(said.sum() + same.sum()), 1):.3f}"


def _arguments() -> Path:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    data: Path = parser.parse_args().data
    return data


if __name__ == "__main__":
    main()
