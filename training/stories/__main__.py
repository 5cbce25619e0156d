"""Make the model of stories that the package ships, from the corpora: `python -m training.stories`."""

import argparse
from pathlib import Path

import numpy as np

from sitewright.stories.model import SAME, TREES_FILE
from sitewright.stories.signs import COLUMNS
from sitewright.stories.weights import PRIORS_FILE, levels_of
from training.links.fit import trees_to_onnx
from training.stories.fit import crossed, foreign, grow, report, table_of
from training.stories.pairs import labelled_pairs
from training.stories.priors import shares

PACKAGE = Path("src/sitewright/stories")


def main() -> None:
    """Count words, grow the trees, measure on pairs that were left out, and write both into the package."""
    args = _arguments()
    pairs = labelled_pairs(args.data)
    if not args.keep_priors:
        words, grams = shares(args.data, pairs)
        np.savez_compressed(PACKAGE / PRIORS_FILE, words=levels_of(words), grams=levels_of(grams))
    table = table_of(pairs)
    print("of other pairs of the same corpora:", report(crossed(table, pairs), pairs, SAME), sep="\n")
    print("of corpora of which nothing was seen:", report(foreign(table, pairs), pairs, SAME), sep="\n")
    print("cosine of words (only its best F1 says something):", report(table[:, 0], pairs, SAME), sep="\n")
    trees = trees_to_onnx(grow(table, pairs), len(COLUMNS))
    (PACKAGE / TREES_FILE).write_bytes(trees)
    print(f"{(PACKAGE / PRIORS_FILE).stat().st_size:,} + {len(trees):,} bytes")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("../shared/data"), help="the folder of the corpora")
    parser.add_argument("--keep-priors", action="store_true", help="count no words, take the shipped counts")
    return parser.parse_args()


if __name__ == "__main__":
    main()
