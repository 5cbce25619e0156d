"""Tasks in, outcomes out, done in this process: the twins of `Pool` and `Workers` for tests and notebooks.

A task that hangs or crashes does so here: nothing bounds its time.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from types import TracebackType
from typing import Generic, Self

from sitewright.processes.process import Job, Outcome, Task


class PoolHere(Generic[Task, Outcome]):
    """Does the tasks of a job one after the other, in this process."""

    def __init__(self, job: Job[Task, Outcome]) -> None:
        self._job = job

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield the outcome of each task, in their order."""
        yield from map(self._job.start(), tasks)


class WorkersHere(Generic[Task, Outcome]):
    """Does the tasks of a job as they come, in this process, while everybody else waits."""

    def __init__(self, job: Job[Task, Outcome]) -> None:
        self._job = job

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    async def do(self, task: Task, seconds: float | None = None) -> Outcome:  # noqa: ARG002 -- nothing bounds it here
        """Return the outcome of a task."""
        return self._work(task)

    @cached_property
    def _work(self) -> Callable[[Task], Outcome]:
        return self._job.start()
