"""Tasks that are waited for one by one: answered, crashed, hanging, cancelled."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sitewright.errors import PageError
from sitewright.processes.pool import Pool
from sitewright.processes.workers import Workers

pytestmark = pytest.mark.slow


class Odd:
    """A job that doubles numbers, and does what words say."""

    def start(self) -> Callable[[object], object]:
        return do

    def weigh(self, task: object) -> int:  # noqa: ARG002
        return 1

    def fail(self, task: object, error: PageError) -> object:  # noqa: ARG002
        return error.code


def do(task: object) -> object:
    if task == "crash":
        os._exit(3)
    if task == "hang":
        time.sleep(60)
    if task == "work":
        on_one_core()
        end = time.process_time() + 0.5
        while time.process_time() < end:
            pass
        return "done"
    if task == "who":
        return os.getpid()
    return int(str(task)) * 2


def on_one_core() -> None:
    """Have this process share one core with whoever else calls this."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def run(tasks: list[object], **options: float) -> list[object]:
    async def work() -> list[object]:
        async with Workers[object, object](Odd(), 2, **options) as workers:
            return await asyncio.gather(*(workers.do(task) for task in tasks))

    return asyncio.run(work())


def test_every_task_is_answered() -> None:
    assert run(list(range(200))) == [number * 2 for number in range(200)]


def test_one_that_crashes_harms_no_other() -> None:
    tasks = [*range(20), "crash", *range(20, 40)]
    answers = run(tasks)
    assert answers[20] == "page_crashed"
    assert answers[:20] + answers[21:] == [number * 2 for number in range(40)]


def test_one_that_hangs_is_given_up_and_harms_no_other() -> None:
    answers = run([1, 2, "hang", 3], seconds=3.0)
    assert answers == [2, 4, "page_timeout", 6]


@pytest.mark.skipif(not Path("/proc/self/schedstat").exists(), reason="the system does not tell who waits")
@pytest.mark.parametrize("runner", [run, lambda tasks, **options: list(Pool(Odd(), 1, **options).run(tasks))])
def test_time_in_which_others_have_the_processor_does_not_count(runner: Callable[..., list[object]]) -> None:
    script = f"from {__name__} import on_one_core\non_one_core()\nwhile True: pass"
    others = [subprocess.Popen([sys.executable, "-c", script]) for _ in range(4)]
    try:
        assert runner(["work"], seconds=1.0) == ["done"]
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_a_task_may_have_more_time_than_others() -> None:
    async def work() -> object:
        async with Workers[object, object](Odd(), 1, seconds=60.0) as workers:
            return await workers.do("hang", seconds=1.0)

    assert asyncio.run(work()) == "page_timeout"


def test_no_process_is_left_behind() -> None:
    async def work() -> tuple[int, bool]:
        async with Workers[object, object](Odd(), 1) as workers:
            pid = int(str(await workers.do("who")))
            waiting = asyncio.create_task(workers.do("hang"))
            await asyncio.sleep(0.05)
        return pid, (await asyncio.wait([waiting]))[0].pop().cancelled()

    pid, cancelled = asyncio.run(work())
    assert cancelled
    if Path("/proc").exists():
        assert not Path(f"/proc/{pid}").exists()


def test_one_who_no_longer_waits_is_no_trouble() -> None:
    async def work() -> object:
        async with Workers[object, object](Odd(), 1) as workers:
            gone = asyncio.create_task(workers.do(1))
            await asyncio.sleep(0)
            gone.cancel()
            return await workers.do(2)

    assert asyncio.run(work()) == 4


@pytest.mark.parametrize("count", [1, 3])
def test_an_outcome_is_asked_for_again_and_again(count: int) -> None:
    async def work() -> list[object]:
        async with Workers[object, object](Odd(), count) as workers:
            return [await workers.do(number) for number in range(30)]

    assert asyncio.run(work()) == [number * 2 for number in range(30)]
