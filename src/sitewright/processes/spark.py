"""Pieces of stored pages in, a file of records of each out, written by the tasks of a Spark cluster.

A task reads a piece as one machine does, with a process that may hang or crash, and its file appears as a whole. So a
task that is done again, after a failure or beside a slow one, writes the same file again, and nothing is there twice.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import Any

from sitewright.engines.spark import cause_of, open_session
from sitewright.errors import InputError
from sitewright.fetch.pieces import Piece, open_piece
from sitewright.output.export import open_writer, writing
from sitewright.processes.extract import ExtractJob
from sitewright.processes.pool import Pool
from sitewright.processes.shared_files import SharedFolder, here

_TASKS = "number bigint, source string, first bigint, beyond bigint, lines_before bigint"
_DONE = "number bigint, pages bigint, failures string, broken string"
_LOOKED_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class PieceDone:
    """What came of a piece: how many pages, how many of them failed by code, and why it breaks off."""

    number: int
    pages: int
    failures: Counter[str]
    broken: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceWriter:
    """Reads pieces and writes the file of each; it travels to the machines of the cluster."""

    job: ExtractJob
    folder: str
    format: str
    columns: dict[str, str]

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Read the pieces that rows of tables name."""
        import pyarrow  # noqa: PLC0415 -- on executors alone

        for batch in batches:
            for row in batch.to_pylist():
                done = self.write(row.pop("number"), Piece(**row))
                told = {"pages": done.pages, "failures": json.dumps(done.failures), "broken": done.broken}
                yield pyarrow.RecordBatch.from_pylist([{"number": done.number} | told])

    def write(self, number: int, piece: Piece) -> PieceDone:
        """Read one piece and write its file; where it breaks off, what came before is written."""
        name, pages, failures, broken = part_name(number, self.format), 0, Counter[str](), ""
        with tempfile.TemporaryDirectory(prefix="sitewright-") as own, here(piece.source) as source:
            draft = Path(own, name)
            writer = open_writer(str(draft), self.format, self.columns)
            with writing(writer):
                pool = Pool(self.job, 1, self.job.page_seconds)
                try:
                    for line in pool.run(open_piece(piece._replace(source=source)).places()):
                        writer.write(line.content)
                        pages += 1
                        failures.update([line.failure] if line.failure else [])
                except InputError as error:
                    broken = str(error)
            SharedFolder(self.folder).put(name, draft)
        return PieceDone(number, pages, failures, broken)


def part_name(number: int, kind: str) -> str:
    """Return what the file of a piece is called: in the order of the pieces.

    >>> part_name(12, "jsonl")
    'part-00012.jsonl'
    """
    return f"part-{number:05}.{kind}"


@contextmanager
def _counting(tracker: Any, note: Callable[[int], None]) -> Iterator[None]:
    """Tell again and again how many tasks are done."""
    over = Event()

    def look() -> None:
        told = 0
        while not over.wait(_LOOKED_SECONDS):
            stages = (tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds())
            done = sum(stage.numCompletedTasks for stage in stages if stage is not None)
            if done > told:
                note(done)
            told = max(told, done)

    thread = Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


@contextmanager
def _told() -> Iterator[None]:
    """Say in a line why the cluster gave up; the rest is in its own logs."""
    from py4j.protocol import Py4JError  # noqa: PLC0415 -- only with the extra
    from pyspark.errors import PySparkException  # noqa: PLC0415

    try:
        yield
    except (Py4JError, PySparkException) as error:
        raise InputError(
            f"the cluster gave up: {cause_of(error)}; what is written stays, and --resume does the rest"
        ) from error


class Cluster:
    """A Spark session that pieces are read on."""

    def __init__(self, master: str | None = None) -> None:
        """Open a session of a cluster, or of this machine, where failed tasks are tried again, too."""
        self._session = open_session(master or "local[*,4]")

    def read(
        self, pieces: Sequence[tuple[int, Piece]], work: PieceWriter, note: Callable[[int], None]
    ) -> list[PieceDone]:
        """Read pieces by their numbers, each in a task of its own; `note` hears how many are done."""
        context = self._session.sparkContext
        rows = [(number, *piece) for number, piece in pieces]
        tasks = self._session.createDataFrame(context.parallelize(rows, len(rows)), _TASKS)
        with _counting(context.statusTracker(), note), _told():
            done = tasks.mapInArrow(work, _DONE).collect()
        return [
            PieceDone(row["number"], row["pages"], Counter(json.loads(row["failures"])), row["broken"]) for row in done
        ]

    def close(self) -> None:
        """End the session."""
        self._session.stop()
