"""Tasks in, outcomes out, one by one as they come: for those who wait for many things at once (asyncio)."""

import asyncio
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Self

from sitewright.errors import PageCrashed, PageError, PageTimeout
from sitewright.processes.pool import BATCH_BYTES, available_cores
from sitewright.processes.process import LOOKED_SECONDS, Job, Outcome, Task, WorkerProcess, fresh

_STARTING_SECONDS = 120.0
"""What a process may take to begin: to import what it needs takes a second or two, on a busy machine far longer."""
_MOST_TASKS = 16
"""Pages that travel together: ten fill a worker's time for as long as a message takes to be answered twice."""


@dataclass(slots=True, eq=False)
class _Order(Generic[Task, Outcome]):
    """A task that somebody waits for."""

    task: Task
    outcome: "asyncio.Future[Outcome]"
    seconds: float
    alone: bool = False
    """It has its worker, and its time, for itself: as it needs longer than others, or as a batch with it was lost."""


@dataclass(slots=True, eq=False)
class _Worker(Generic[Task, Outcome]):
    process: WorkerProcess
    orders: Sequence[_Order[Task, Outcome]] = ()
    alarm: asyncio.TimerHandle | None = None
    is_ready: bool = False


class Workers(Generic[Task, Outcome]):
    """Does the tasks of a job in processes; open it with `async with`, which leaves no process behind."""

    def __init__(
        self, job: Job[Task, Outcome], size: int = 0, seconds: float = 10.0, preload: Sequence[str] = ()
    ) -> None:
        """Set up; processes start as tasks come. A task may take `seconds`."""
        self._job = job
        self._size = size or available_cores()
        self._seconds = seconds
        self._preload = preload
        self._waiting: deque[_Order[Task, Outcome]] = deque()
        self._workers: list[_Worker[Task, Outcome]] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all processes; who still waits for an outcome is cancelled."""
        waiting = [*self._waiting, *(order for worker in self._workers for order in worker.orders)]
        self._waiting.clear()
        for worker in list(self._workers):
            self._discard(worker)
        for order in waiting:
            order.outcome.cancel()

    async def do(self, task: Task, seconds: float | None = None) -> Outcome:
        """Return the outcome of a task; one that is given its own time does not share a worker meanwhile."""
        outcome: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Order(task, outcome, seconds or self._seconds, alone=seconds is not None))
        self._feed()
        return await outcome

    def _feed(self) -> None:
        """Give idle workers what waits, in equal parts."""
        while self._waiting:
            worker = next((worker for worker in self._workers if not worker.orders), None)
            if worker is None:
                if len(self._workers) >= self._size:
                    return
                worker = self._hire()
            self._give(worker, self._next_orders())

    def _next_orders(self) -> list[_Order[Task, Outcome]]:
        """Return orders that go together."""
        share = -(-len(self._waiting) // self._size)
        orders = [self._waiting.popleft()]
        weight = self._job.weigh(orders[0].task)
        while self._waiting and not (orders[0].alone or self._waiting[0].alone):
            weight += self._job.weigh(self._waiting[0].task)
            if len(orders) == min(share, _MOST_TASKS) or weight > BATCH_BYTES:
                break
            orders.append(self._waiting.popleft())
        return orders

    def _give(self, worker: _Worker[Task, Outcome], orders: list[_Order[Task, Outcome]]) -> None:
        worker.orders = orders
        self._set_alarm(worker)
        with suppress(BrokenPipeError, ConnectionResetError):  # it died idle; its closed connection says so
            worker.process.connection.send([order.task for order in orders])

    def _set_alarm(self, worker: _Worker[Task, Outcome]) -> None:
        """Bound the time of a worker's orders; before it is ready, that of its beginning."""
        if worker.alarm is not None:
            worker.alarm.cancel()
        seconds = max((order.seconds for order in worker.orders), default=0.0) if worker.is_ready else _STARTING_SECONDS
        worker.process.grant(seconds)
        worker.alarm = asyncio.get_running_loop().call_later(seconds, self._overrun, worker) if worker.orders else None

    def _hire(self) -> _Worker[Task, Outcome]:
        worker: _Worker[Task, Outcome] = _Worker(fresh(self._job, self._preload))
        self._workers.append(worker)
        asyncio.get_running_loop().add_reader(worker.process.connection.fileno(), self._answered, worker)
        return worker

    def _answered(self, worker: _Worker[Task, Outcome]) -> None:
        try:
            outcomes = worker.process.connection.recv()
        except (EOFError, OSError):
            orders = worker.orders
            code = self._discard(worker)
            self._again(orders, PageCrashed(f"the process working on this page died (exit code {code})"))
        else:
            if not worker.is_ready:
                worker.is_ready = True
                self._set_alarm(worker)
                return
            orders = self._finished(worker)
            for order, outcome in zip(orders, outcomes, strict=True):
                if not order.outcome.done():
                    order.outcome.set_result(outcome)
        self._feed()

    def _overrun(self, worker: _Worker[Task, Outcome]) -> None:
        if (left := worker.process.left()) > 0:
            worker.alarm = asyncio.get_running_loop().call_later(max(left, LOOKED_SECONDS), self._overrun, worker)
            return
        orders = worker.orders
        self._discard(worker)
        seconds = max(order.seconds for order in orders)
        self._again(orders, PageTimeout(f"took longer than {seconds:g} s (limits.page_seconds)"))
        self._feed()

    def _again(self, orders: Sequence[_Order[Task, Outcome]], error: PageError) -> None:
        """Do the tasks of a lost batch once more, one by one; the one that is alone is the culprit."""
        awaited = [order for order in orders if not order.outcome.done()]
        if len(orders) == 1 and awaited:
            awaited[0].outcome.set_result(self._job.fail(awaited[0].task, error))
            return
        for order in reversed(awaited):
            order.alone = True
            self._waiting.appendleft(order)

    def _finished(self, worker: _Worker[Task, Outcome]) -> Sequence[_Order[Task, Outcome]]:
        orders, worker.orders = worker.orders, ()
        if worker.alarm is not None:
            worker.alarm.cancel()
            worker.alarm = None
        return orders

    def _discard(self, worker: _Worker[Task, Outcome]) -> int | None:
        self._finished(worker)
        self._workers.remove(worker)
        asyncio.get_running_loop().remove_reader(worker.process.connection.fileno())
        return worker.process.kill()
