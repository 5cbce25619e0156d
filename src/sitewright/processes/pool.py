"""Tasks in, outcomes in the same order out, done by processes that may hang or crash without harm to the others."""

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Generic

from sitewright.errors import PageCrashed, PageError, PageTimeout, SitewrightError
from sitewright.processes.process import LOOKED_SECONDS, Job, Outcome, Task, WorkerProcess, forked

BATCH_TASKS = 32
BATCH_BYTES = 1_000_000
"""Batches end at either, so that a batch of ordinary pages takes some 20 ms."""
WINDOW_BATCHES = 8
"""How many batches a worker may be ahead of the one that is awaited: what bounds memory when one page is slow."""


@dataclass(slots=True)
class _Batch(Generic[Task]):
    first: int
    tasks: Sequence[Task]


@dataclass(slots=True)
class _Worker(Generic[Task]):
    process: WorkerProcess
    batch: _Batch[Task] | None = None


def available_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Pool(Generic[Task, Outcome]):
    """Runs a job over tasks in `workers` processes; a task may take `seconds`."""

    def __init__(self, job: Job[Task, Outcome], workers: int = 0, seconds: float = 10.0) -> None:
        """Set up; processes start with the first task."""
        self._job = job
        self._size = workers or available_cores()
        self._seconds = seconds
        self._workers: list[_Worker[Task]] = []
        self._handed_out = 0

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield the outcome of each task, in order; where the tasks end in an error, that error after all outcomes."""
        batches = self._batches(tasks)
        self._broken_source: Exception | None = None
        again: deque[_Batch[Task]] = deque()
        done: dict[int, Outcome] = {}
        awaited = self._handed_out = 0
        try:
            while True:
                self._feed(batches, again, awaited)
                busy = [worker for worker in self._workers if worker.batch is not None]
                if not busy:
                    break
                for batch, outcomes in self._collect(busy, again):
                    done.update(enumerate(outcomes, batch.first))
                while awaited in done:
                    yield done.pop(awaited)
                    awaited += 1
        finally:
            self._stop()
        if self._broken_source is not None:
            raise self._broken_source

    def _batches(self, tasks: Iterable[Task]) -> Iterator[_Batch[Task]]:
        first, size, batch = 0, 0, list[Task]()
        for task in self._until_broken(tasks):
            batch.append(task)
            size += self._job.weigh(task)
            if len(batch) == BATCH_TASKS or size >= BATCH_BYTES:
                yield _Batch(first, batch)
                first, size, batch = first + len(batch), 0, []
        if batch:
            yield _Batch(first, batch)

    def _until_broken(self, tasks: Iterable[Task]) -> Iterator[Task]:
        """Yield tasks until their source fails; what came before is done all the same."""
        try:
            yield from tasks
        except SitewrightError as error:
            self._broken_source = error

    def _feed(self, batches: Iterator[_Batch[Task]], again: deque[_Batch[Task]], awaited: int) -> None:
        """Give each idle worker a batch, unless the awaited one is too far behind."""
        idle = [worker for worker in self._workers if worker.batch is None]
        while idle or len(self._workers) < self._size:
            batch = again.popleft() if again else self._next(batches, awaited)
            if batch is None:
                return
            self._give(idle.pop() if idle else self._spawn(), batch)

    def _next(self, batches: Iterator[_Batch[Task]], awaited: int) -> _Batch[Task] | None:
        if self._handed_out - awaited > WINDOW_BATCHES * BATCH_TASKS * self._size:
            return None
        batch = next(batches, None)
        if batch is not None:
            self._handed_out = batch.first + len(batch.tasks)
        return batch

    def _give(self, worker: _Worker[Task], batch: _Batch[Task]) -> None:
        worker.batch = batch
        worker.process.grant(self._seconds)
        with suppress(BrokenPipeError, ConnectionResetError):  # it died idle; the next look at its connection finds out
            worker.process.connection.send(batch.tasks)

    def _collect(
        self, busy: list[_Worker[Task]], again: deque[_Batch[Task]]
    ) -> Iterator[tuple[_Batch[Task], Sequence[Outcome]]]:
        """Wait for any worker; yield what is finished, and see to those that died or overran."""
        patience = max(LOOKED_SECONDS, min(worker.process.left() for worker in busy))
        ready = set(wait([worker.process.connection for worker in busy], timeout=patience))
        for worker in busy:
            batch = worker.batch
            if batch is None:
                continue
            if worker.process.connection in ready:
                try:
                    outcomes = worker.process.connection.recv()
                except (EOFError, OSError):
                    code = self._discard(worker)
                    lost = PageCrashed(f"the process working on this page died (exit code {code})")
                    yield from self._retry(batch, again, lost)
                else:
                    worker.batch = None
                    yield batch, outcomes
            elif worker.process.left() <= 0:
                self._discard(worker)
                late = PageTimeout(f"took longer than {self._seconds:g} s (limits.page_seconds)")
                yield from self._retry(batch, again, late)

    def _retry(
        self, batch: _Batch[Task], again: deque[_Batch[Task]], error: PageError
    ) -> Iterator[tuple[_Batch[Task], Sequence[Outcome]]]:
        """Do the tasks of a lost batch once more, one by one; the one that is alone is the culprit."""
        if len(batch.tasks) == 1:
            yield batch, [self._job.fail(batch.tasks[0], error)]
        else:
            again.extend(_Batch(batch.first + number, [task]) for number, task in enumerate(batch.tasks))

    def _spawn(self) -> _Worker[Task]:
        worker: _Worker[Task] = _Worker(forked(self._job, [other.process.connection for other in self._workers]))
        self._workers.append(worker)
        return worker

    def _discard(self, worker: _Worker[Task]) -> int | None:
        self._workers.remove(worker)
        return worker.process.kill()

    def _stop(self) -> None:
        for worker in list(self._workers):
            self._discard(worker)
