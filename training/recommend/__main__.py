"""Logs of clicks in, the ranker that `sitewright recommend` uses out: `python -m training.recommend DATA`.

Globo's days from the thirteenth on and the last third of deskdrop are left out: these judge it.
"""

import lzma
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sitewright.engines.duck import DuckEngine
from sitewright.recommend.candidates import FEATURES, ask_for, look_at_readers, weigh_items
from sitewright.recommend.clicklog import count_reads, load_clicks, pace_at
from sitewright.recommend.ranker import MODEL_FILE, table_of
from sitewright.recommend.statements import statement
from training.links.fit import trees_to_onnx

PACKAGE = Path("src/sitewright/recommend")
HOUR, DAY = 3600, 86_400
READERS = 450
SETTINGS = {
    "objective": "binary", "num_leaves": 31, "learning_rate": 0.05, "min_data_in_leaf": 80, "feature_fraction": 0.5,
    "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 5.0, "verbose": -1, "num_threads": 1, "seed": 3,
}  # fmt: skip
TREES = 200
NOT_CLICKED = 0.12
"""The share of what was not clicked that is learned from."""
DESKDROP_WEIGHT = 4.0


@dataclass(frozen=True, slots=True)
class Split:
    """A moment, and how long after it clicks are to be foretold."""

    at: int
    ahead: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """The candidates of readers at a moment, which of them were clicked, and how much that weighs."""

    table: NDArray[np.float32]
    clicked: NDArray[np.bool_]
    weight: float


def main() -> None:
    """Fit and write the ranker."""
    data = Path(sys.argv[1]) / "clicks"
    taught = [*lessons_of(data / "globo.csv.xz", globo_splits, 1.0)]
    taught += lessons_of(data / "deskdrop.csv.xz", deskdrop_splits, DESKDROP_WEIGHT)
    (PACKAGE / MODEL_FILE).write_bytes(trees_to_onnx(grow(taught), len(FEATURES)))


def globo_splits(first: int, _last: int) -> list[Split]:
    """Return every second hour of ten days."""
    midnight = first // DAY * DAY
    draw = np.random.default_rng(1)
    hours = [(day, hour) for day in range(2, 13) for hour in range(8, 24, 2)]
    return [Split(midnight + day * DAY + hour * HOUR + int(draw.integers(0, 3)) * 600, HOUR) for day, hour in hours]


def deskdrop_splits(first: int, last: int) -> list[Split]:
    """Return moments of the first two thirds of the log."""
    return [Split(int(first + (last - first) * share), 3 * DAY) for share in np.linspace(0.15, 0.66, 17)]


def lessons_of(packed: Path, splits_of: Any, weight: float) -> Iterator[Lesson]:
    """Yield what can be learned of a log."""
    engine = DuckEngine(threads=2)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder, packed.stem)
        with lzma.open(packed) as source, plain.open("wb") as target:
            shutil.copyfileobj(source, target)
        load_clicks(engine, [str(plain)])
        [(first, last)] = engine.rows("select min(time), max(time) from clicks")
        for split in splits_of(first, last):
            print(split, file=sys.stderr, flush=True)
            yield lesson(engine, split, weight)
    engine.close()


def lesson(engine: DuckEngine, split: Split, weight: float) -> Lesson:
    """Return what readers clicked after a moment, of what might have been recommended."""
    weigh_items(engine, count_reads(engine, split.at, pace_at(engine, split.at)))
    engine.make("later", statement("later", at=split.at, until=split.at + split.ahead))
    query = f"select reader from (select distinct reader from later) order by hash(reader) limit {READERS}"
    beyond = ask_for(engine, np.array([reader for (reader,) in engine.rows(query)]))
    look_at_readers(engine, 0, beyond)
    rows = engine.columns(
        f"select f.*, l.item is not null as clicked from ({statement('features')}) f "
        "left join later l on l.reader = f.reader and l.item = f.item where f.reader > 0 order by f.reader, f.item"
    )
    return Lesson(table_of(rows), rows["clicked"].astype(bool), weight)


def grow(taught: Sequence[Lesson]) -> Any:
    """Grow the trees."""
    import lightgbm

    clicked = np.concatenate([one.clicked for one in taught])
    weight = np.concatenate([np.full(len(one.clicked), one.weight) for one in taught])
    weight[~clicked] /= NOT_CLICKED
    kept = clicked | (np.random.default_rng(5).random(len(clicked)) < NOT_CLICKED)
    table = np.concatenate([one.table for one in taught])[kept]
    data = lightgbm.Dataset(table, clicked[kept], weight=weight[kept], feature_name=list(FEATURES))
    return lightgbm.train(SETTINGS, data, TREES)


if __name__ == "__main__":
    main()
