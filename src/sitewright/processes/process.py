"""A job in, a process out that does its tasks, and may hang or crash without harm to the others."""

import gc
import multiprocessing
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol, TypeVar

from sitewright.errors import PageError

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")
Task_contra = TypeVar("Task_contra", contravariant=True)
Outcome_co = TypeVar("Outcome_co", covariant=True)

_SCRIPT = "__main__"
LOOKED_SECONDS = 0.05
"""Between two looks at a process whose time is nearly over."""
READY = "ready"
"""What a worker says when it has set itself up, if it is asked to."""


class Job(Protocol[Task_contra, Outcome_co]):
    """What workers do; it travels to them, so it must pickle."""

    def start(self) -> Callable[[Task_contra], Outcome_co]:
        """Set up in the worker (compile, load models) and return the function that does one task."""

    def weigh(self, task: Task_contra) -> int:
        """Return about how many bytes a task has."""

    def fail(self, task: Task_contra, error: PageError) -> Outcome_co:
        """Return the outcome of a task that killed its worker or ran out of time."""


class WorkerProcess:
    """A process at the other end of a pipe."""

    def __init__(self, process: Any, connection: Connection) -> None:
        self._process = process
        self.connection = connection
        self.grant(0.0)

    @property
    def pid(self) -> int | None:
        """Its number on this machine."""
        number: int | None = self._process.pid
        return number

    def grant(self, seconds: float) -> None:
        """Give it so much time from now on."""
        self._end = time.monotonic() + seconds
        self._held_up = _held_up(self._process.pid)

    def left(self) -> float:
        """Return how many seconds of its time are left; those in which others had all processors do not count."""
        left = self._end - time.monotonic()
        return left + _held_up(self._process.pid) - self._held_up if left <= 0 else left

    def kill(self) -> int | None:
        """End it at once and return its exit code."""
        self._process.kill()
        self._process.join()
        self.connection.close()
        code: int | None = self._process.exitcode
        return code


def _held_up(process: int) -> float:
    """Return for how long a process has waited for a processor in all; 0 where the system does not tell."""
    try:
        return int(Path(f"/proc/{process}/schedstat").read_bytes().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def forked(job: Job[Task, Outcome], others: Sequence[Connection]) -> WorkerProcess:
    """Start a worker as a copy of this process: at no cost, and safe as long as this process has no threads.

    Elsewhere than on Linux it is not, and a process is begun anew. A copy holds the ends of the other workers' pipes,
    too: it must close them, or no worker would see the death of this process.
    """
    context: Any = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    return _start(context, job, others if sys.platform == "linux" else None, announce=False)


def fresh(job: Job[Task, Outcome], preload: Sequence[str] = ()) -> WorkerProcess:
    """Start a worker from a clean process, for those who have threads; `preload` names modules it has imported.

    Its first message says that it is ready, since that may take longer than a task.
    """
    context: Any = multiprocessing.get_context("spawn" if sys.platform == "win32" else "forkserver")
    if sys.platform != "win32":
        context.set_forkserver_preload(list(preload))
    with _without_script(job):
        return _start(context, job, None, announce=True)


@contextmanager
def _without_script(job: object) -> Iterator[None]:
    """Keep a clean process from running the script that this program began with: its job is not in there.

    A script that collects and says no `if __name__ == "__main__"` would else collect once more in every worker.
    """
    script = sys.modules[_SCRIPT]
    if type(job).__module__ != _SCRIPT:
        sys.modules[_SCRIPT] = ModuleType(_SCRIPT)
    try:
        yield
    finally:
        sys.modules[_SCRIPT] = script


def _start(
    context: Any, job: Job[Task, Outcome], others: Sequence[Connection] | None, *, announce: bool
) -> WorkerProcess:
    ours, theirs = context.Pipe()
    inherited = [] if others is None else [ours, *others]
    process = context.Process(target=_serve, args=(theirs, job, inherited, announce), daemon=True)
    process.start()
    theirs.close()
    return WorkerProcess(process, ours)


def _serve(connection: Connection, job: Job[Task, Outcome], inherited: Sequence[Connection], announce: bool) -> None:
    """Work until the other end closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt means
    for other in inherited:
        other.close()
    work = job.start()
    gc.freeze()  # what is loaded now stays: no need to look through it at every collection
    if announce:
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.send(READY)
    while True:
        try:
            tasks = connection.recv()
            connection.send([work(task) for task in tasks])
        except (EOFError, BrokenPipeError, ConnectionResetError):
            return
