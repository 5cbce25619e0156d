"""The statements run by Spark: in this process, or on a cluster."""

import logging
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sitewright.engines.engine import Columns, Reading, Score
from sitewright.errors import InputError, MissingExtra

_QUIET = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.sql.session.timeZone": "UTC"}
_SCORED = "reader bigint, item bigint, because bigint, score float"


def open_session(master: str | None = None, **settings: str) -> Any:
    """Open a session of a cluster, or of this machine."""
    try:
        from pyspark.errors import PySparkException  # noqa: PLC0415 -- only who asks for Spark needs it
        from pyspark.sql import SparkSession  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtra("Spark needs the extra `spark`: pip install 'sitewright[spark]', and Java") from error
    logging.getLogger("py4j").setLevel(logging.ERROR)
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)  # executors run what runs here, unless somebody said what
    builder = SparkSession.builder.appName("sitewright").master(master or "local[*]")
    for name, value in (_QUIET | settings).items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except (PySparkException, RuntimeError, OSError) as error:
        raise InputError(f"Spark does not start: {str(error).splitlines()[0]}") from error
    session.sparkContext.setLogLevel("ERROR")
    return session


class SparkEngine:
    """Tables that Spark keeps on its executors; lost ones are made anew from what they were made of."""

    quote = "`"

    def __init__(self, master: str | None = None, **settings: str) -> None:
        """Open a session of a cluster, or of this machine."""
        self._session = open_session(master, **settings)
        from pyspark.errors import PySparkException  # noqa: PLC0415 -- it is there, as the session is

        self._refused = PySparkException
        self._kept: dict[str, Any] = {}

    def read(self, places: Sequence[str]) -> list[str]:
        """Make the table `log` of files of clicks."""
        parquet = all(place.endswith(".parquet") for place in places)
        reader = self._session.read
        try:
            log = reader.parquet(*places) if parquet else reader.csv(list(places), header=True, escape='"')
        except self._refused as error:
            raise InputError(f"cannot read {', '.join(places)}: {str(error).splitlines()[0]}") from error
        log.createOrReplaceTempView("log")
        return list(log.columns)

    def make_of(self, name: str, places: Sequence[str], reading: Reading, schema: str) -> None:
        """Make a table of what is read of files, each in a task of its own."""
        rows = self._session.sparkContext.parallelize([(place,) for place in places], len(places))
        table = self._session.createDataFrame(rows, "place string").mapInArrow(_Reader(reading), schema)
        try:
            self._keep(name, table)
        except self._refused as error:
            raise InputError(f"the cluster gave up: {cause_of(error)}") from error

    def make(self, name: str, statement: str) -> None:
        """Make a table of what a statement gives."""
        try:
            self._keep(name, self._session.sql(statement))
        except self._refused as error:
            raise InputError(f"cannot make {name} of what was read: {str(error).splitlines()[0]}") from error

    def _keep(self, name: str, table: Any) -> None:
        """Compute a table now, so that none is computed twice, and none of a table that is made anew meanwhile."""
        table = table.localCheckpoint(eager=True)
        table.createOrReplaceTempView(name)
        self._kept[name] = table

    def put(self, name: str, columns: Columns) -> None:
        """Make a table of arrays."""
        rows = list(zip(*(array.tolist() for array in columns.values()), strict=True))
        kinds = {"i": "bigint", "f": "double", "O": "string", "U": "string"}
        schema = ", ".join(f"{column} {kinds[array.dtype.kind]}" for column, array in columns.items())
        self._keep(name, self._session.createDataFrame(rows, schema))

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return what a statement gives."""
        return [tuple(row) for row in self._session.sql(statement).collect()]

    def make_scored(self, name: str, statement: str, score: Score) -> None:
        """Score what a statement gives, where its partitions are."""
        self._keep(name, self._session.sql(statement).mapInArrow(_Scorer(score), _SCORED))

    def stream(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Yield what a statement gives, a partition at a time."""
        return map(tuple, self._session.sql(statement).toLocalIterator())

    def close(self) -> None:
        """End the session."""
        self._kept.clear()
        self._session.stop()


def cause_of(error: Exception) -> str:
    """Return the line of Spark's long account that says what went wrong."""
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line for line in reversed(lines) if "sitewright.errors" in line), lines[0] if lines else "")


class _Reader:
    """Reads the files of a partition, on an executor."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow  # noqa: PLC0415 -- on executors alone

        for batch in batches:
            for place in batch.column("place").to_pylist():
                yield from (pyarrow.RecordBatch.from_pydict(dict(columns)) for columns in self._reading(place))


class _Scorer:
    """Scores the batches of a partition, on an executor."""

    def __init__(self, score: Score) -> None:
        self._score = score

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow  # noqa: PLC0415 -- on executors alone

        for batch in batches:
            columns = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names}
            found = {name: columns[name].astype(np.int64) for name in ("reader", "item", "because")}
            yield pyarrow.RecordBatch.from_pydict(found | {"score": self._score(columns)})
