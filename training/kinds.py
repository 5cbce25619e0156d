"""Make the trees that tell items from lists and other pages, with one command and without any tagger.

    python -m training.kinds --data ../shared/data

Pages of folds 1 to 4: those labelled by reading, front pages, and some of each site of the news corpus. Each is learned
from with its own address and with one that says nothing, so that trees do not lean on addresses. What is said of each
fold by trees that have not seen it is printed before anything is written.
"""

import argparse
import json
import pickle
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from sitewright import Page
from sitewright.errors import SitewrightError
from sitewright.parse import Document, parse
from sitewright.tag.kind_signs import KIND_SIGNS, kind_signs
from sitewright.tag.units import read_units
from training.columns import NEWS
from training.corpus import KIND_ARTICLE, KIND_LIST, KIND_UNKNOWN, corpus_rows, page_of
from training.judge import trees_as_arrays

OUT = Path("src/sitewright/tag/models/news/kinds.json")
FOLDS = (1, 2, 3, 4)
_MOST: Mapping[tuple[str, bool], int] = {
    ("hand", True): 1000, ("hand", False): 1000, ("news", True): 1, ("news", False): 4,
}  # fmt: skip
"""So many pages of a site are read, by the pool that they are of and whether they are articles."""
_FRONTS = 12
"""Snapshots of one front page are much alike."""
_WEIGHTS: Mapping[str, float] = {"hand": 1.0, "front": 2.0, "news": 0.4}
"""What a page counts: pages that were read count more than those whose kind somebody's crawler told."""
_ITEMS = 4.0
"""How much all items weigh together against all other pages: out of fold about as few of the items that were read (2 %)
are taken for something else as front pages for items (1 %)."""
_TREES = 120
_SETTINGS = {
    "objective": "binary", "learning_rate": 0.06, "num_leaves": 15, "min_data_in_leaf": 20, "feature_fraction": 0.4,
    "bagging_fraction": 0.8, "bagging_freq": 1, "lambda_l2": 5.0, "verbose": -1, "deterministic": True,
    "num_threads": 1, "seed": 1,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Example:
    """A page: its signs under its own address and under one that says nothing, and whether it is an item."""

    pool: str
    kind: int
    fold: int
    site: str
    signs: np.ndarray
    weight: float = 1.0

    @property
    def is_item(self) -> bool:
        """Whether the page is of an item."""
        return self.kind == KIND_ARTICLE


def main() -> None:
    """Read, measure crosswise, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--kept", type=Path, default=Path("build/kinds.pickle"), help="where the signs are kept")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    examples = _examples(args.data, args.kept, args.workers)
    print(len(examples), "pages of", len({e.site for e in examples}), "sites", flush=True)
    print(table_of(examples, crossed(examples)), flush=True)
    trees = trees_as_arrays([tree["tree_structure"] for tree in grow(examples).dump_model()["tree_info"]])
    args.out.write_text(json.dumps({"signs": list(KIND_SIGNS), "trees": trees}, separators=(",", ":")) + "\n", "utf-8")
    print(f"{args.out.stat().st_size:,} bytes")


def _examples(data: Path, kept: Path, workers: int) -> list[Example]:
    """Return the examples, made once."""
    if kept.exists():
        found: list[Example] = pickle.loads(kept.read_bytes())  # written below
        return found
    with ProcessPoolExecutor(workers) as pool:
        read = [example for example in pool.map(_example, chosen_rows(data), chunksize=16) if example is not None]
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_bytes(pickle.dumps(read, protocol=5))
    return read


def chosen_rows(data: Path) -> Iterator[dict[str, Any]]:
    """Yield the rows that are learned from: of each site some, those of a series evenly over its time."""
    series: dict[str, list[dict[str, Any]]] = defaultdict(list)
    seen: Counter[tuple[str, str, bool]] = Counter()
    for row in corpus_rows(data):
        if row["fold"] not in FOLDS:
            continue
        pool, site = str(row["pool"]), str(row["site"])
        if pool == "front":
            series[site].append(row)
            continue
        is_item = row.get("page_type") == "article"
        seen[pool, site, is_item] += 1
        if seen[pool, site, is_item] <= _MOST[pool, is_item]:
            yield row
    for rows in series.values():
        most = min(_FRONTS, len(rows))
        yield from (rows[place * len(rows) // most] for place in range(most))


def _example(row: dict[str, Any]) -> Example | None:
    page = page_of(row)
    if page.kind == KIND_UNKNOWN:
        return None
    try:
        signs = signs_of(page.html, row.get("url") or opaque(f"https://{row['site']}/"))
    except SitewrightError:
        return None
    return Example(str(row["pool"]), page.kind, page.fold, str(row["site"]), signs)


def signs_of(html: str, url: str) -> np.ndarray:
    """Return the signs of a page under its own address, and under one that says nothing."""
    document = parse(Page(url=url, body=html))
    units = read_units(document)
    hidden = Document(document.tree, opaque(url))
    return np.array([kind_signs(document, units, NEWS), kind_signs(hidden, units, NEWS)], dtype=np.float32)


def opaque(url: str) -> str:
    """Return an address of the same host that says nothing.

    >>> opaque("https://example.com/sport/bees")
    'https://example.com/p/7'
    """
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/p/7"


def weights_of(examples: Sequence[Example]) -> np.ndarray:
    """Return what each page weighs: those of one site grow slower than their number, items are worth more together."""
    counts = Counter((e.pool, e.site, e.is_item) for e in examples)
    weights = np.array([_WEIGHTS[e.pool] / np.sqrt(counts[e.pool, e.site, e.is_item]) for e in examples])
    items = np.array([e.is_item for e in examples])
    weights[items] *= _ITEMS * weights[~items].sum() / weights[items].sum()
    return weights


def grow(examples: Sequence[Example]) -> Any:
    """Grow trees that tell items."""
    import lightgbm

    signs = np.concatenate([e.signs for e in examples])
    weights = np.repeat(weights_of(examples), 2)
    labels = np.repeat([e.is_item for e in examples], 2)
    return lightgbm.train(_SETTINGS, lightgbm.Dataset(signs, labels, weight=weights), _TREES)


def crossed(examples: Sequence[Example]) -> np.ndarray:
    """Return how likely each page is an item, under both addresses, by trees that have not seen its fold."""
    said = np.zeros((len(examples), 2))
    for fold in FOLDS:
        trees = grow([e for e in examples if e.fold != fold])
        for number, example in enumerate(examples):
            if example.fold == fold:
                said[number] = trees.predict(example.signs)
    return said


def table_of(examples: Sequence[Example], said: np.ndarray) -> str:
    """Return the share of pages taken for items, by pool and kind, under their own address and under another."""
    groups: dict[str, list[int]] = defaultdict(list)
    for number, e in enumerate(examples):
        groups[f"{e.pool} {'item' if e.is_item else 'list' if e.kind == KIND_LIST else 'other'}"].append(number)
    lines = []
    for name, rows in sorted(groups.items()):
        shares = [(said[rows] >= least).mean(axis=0).round(3).tolist() for least in (0.3, 0.5, 0.7)]
        lines.append(f"{name:12} {len(rows):5} from .3 {shares[0]} from .5 {shares[1]} from .7 {shares[2]}")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
