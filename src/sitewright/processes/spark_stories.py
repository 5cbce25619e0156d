"""Texts in, which of them may tell the same and which do out, found by the tasks of a Spark cluster.

Nearly all of the work is to weigh words and to judge pairs, text by text and pair by pair; which pairs are judged is
decided where the call is made, from numbers alone.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from sitewright.engines.spark import open_session
from sitewright.stories import Judgement, Keys, Told, account_of, judge, view_of
from sitewright.stories.accounts import early_words
from sitewright.stories.index import keys_of

_TEXTS, _PAIRS = 20_000, 10_000
"""Texts, and pairs of them, that travel together: some 50 MB."""
_OF_A_TASK = 500
"""Enough that starting a task is nothing beside its work, few enough that all workers end at about the same time."""
_KEYED, _JUDGED = "number bigint, keys array<bigint>", "number bigint, score double, kind string"
T = TypeVar("T")


class StoriesOnSpark:
    """Does what `StoriesHere` does, on a cluster; close it at the end."""

    def __init__(self, master: str | None = None) -> None:
        """Open a session of a cluster, or of this machine."""
        self._session = open_session(master, **{"spark.sql.execution.arrow.pyspark.enabled": "true"})

    def keys(self, records: Iterable[Told]) -> Iterator[Keys]:
        """Yield the keys of records."""
        for part in _parts(records, _TEXTS):
            rows = [(number, one.title, one.text) for number, one in enumerate(part)]
            done = self._done(rows, "number bigint, head string, rest string", _keyed, _KEYED)
            yield from (np.array(row["keys"], dtype=np.int64).view(np.uint64) for row in done)

    def judged(self, pairs: Sequence[tuple[int, int]], again: Callable[[int], Told]) -> Iterator[Judgement]:
        """Yield what pairs of records are taken for."""
        for part in _parts(pairs, _PAIRS):
            texts = [[again(number) for number in pair] for pair in part]
            rows = [(n, one.title, one.text, other.title, other.text) for n, (one, other) in enumerate(texts)]
            schema = "number bigint, head string, rest string, other_head string, other_rest string"
            yield from (Judgement(row["score"], row["kind"]) for row in self._done(rows, schema, _judged, _JUDGED))

    def _done(self, rows: Sequence[tuple[Any, ...]], schema: str, work: Callable[..., Any], gives: str) -> list[Any]:
        """Return what tasks make of rows, in their order."""
        context = self._session.sparkContext
        table = self._session.createDataFrame(context.parallelize(rows, -(-len(rows) // _OF_A_TASK)), schema)
        return sorted(table.mapInArrow(work, gives).collect(), key=lambda row: row["number"])

    def close(self) -> None:
        """End the session."""
        self._session.stop()


def _parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    left = iter(items)
    while part := list(islice(left, size)):
        yield part


def _keyed(batches: Iterator[Any]) -> Iterator[Any]:
    """Make the keys of texts, on an executor."""
    import pyarrow  # noqa: PLC0415 -- on executors alone

    for batch in batches:
        rows = batch.to_pylist()
        keys = [keys_of(early_words(row["head"], row["rest"])).view(np.int64).tolist() for row in rows]
        columns = {"number": [row["number"] for row in rows], "keys": keys}
        kinds = pyarrow.schema({"number": pyarrow.int64(), "keys": pyarrow.list_(pyarrow.int64())})
        yield pyarrow.RecordBatch.from_pydict(columns, schema=kinds)


def _judged(batches: Iterator[Any]) -> Iterator[Any]:
    """Judge pairs of texts, on an executor."""
    import pyarrow  # noqa: PLC0415 -- on executors alone

    for batch in batches:
        rows = batch.to_pylist()
        views = [
            (view_of(account_of(row["head"], row["rest"])), view_of(account_of(row["other_head"], row["other_rest"])))
            for row in rows
        ]
        said = judge(views)
        columns = {
            "number": [row["number"] for row in rows],
            "score": [one.score for one in said],
            "kind": [one.kind for one in said],
        }
        yield pyarrow.RecordBatch.from_pydict(columns)
