import faulthandler
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice

import pytest

from sitewright.errors import InputError, PageError
from sitewright.processes.pool import Pool, available_cores

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Job:
    """Does what its task says: `sleep`, `kill`, `exit`, `segv`, `hang`, or any text, which is said in capitals."""

    weight: int = 1

    def start(self) -> Callable[[str], str]:  # noqa: C901 -- one case a way to die
        faulthandler.disable()  # pytest turned it on; a task that dies here does so on purpose

        def work(task: str) -> str:
            match task.partition(" ")[0]:
                case "kill":
                    os.kill(os.getpid(), signal.SIGKILL)
                case "segv":
                    os.kill(os.getpid(), signal.SIGSEGV)
                case "exit":
                    os._exit(3)
                case "raise":
                    raise RuntimeError(task)
                case "hang":
                    while True:
                        time.sleep(60)
                case "spin":
                    while True:
                        pass
                case "sleep":
                    time.sleep(float(task.split()[1]))
            return task.upper()

        return work

    def weigh(self, task: str) -> int:  # noqa: ARG002
        return self.weight

    def fail(self, task: str, error: PageError) -> str:
        return f"{task} {error.code}"


def run(tasks: list[str], workers: int = 2, seconds: float = 30.0, weight: int = 1) -> list[str]:
    outcomes = list(Pool(Job(weight), workers, seconds).run(tasks))
    assert multiprocessing.active_children() == []
    return outcomes


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("number", [0, 1, 31, 32, 33, 500])
def test_every_task_has_its_outcome_in_order(workers: int, number: int) -> None:
    assert run([f"t{n}" for n in range(number)], workers) == [f"T{n}" for n in range(number)]


@pytest.mark.parametrize("weight", [1, 400_000, 10_000_000])
def test_order_is_kept_when_workers_take_their_time(weight: int) -> None:
    generator = random.Random(3)
    tasks = [f"sleep {generator.choice([0, 0, 0.001, 0.02])} {n}" for n in range(150)]
    assert run(tasks, workers=4, weight=weight) == [task.upper() for task in tasks]


@pytest.mark.parametrize("death", ["kill", "exit", "segv"])
@pytest.mark.parametrize("place", [0, 40, 99])
def test_a_task_that_kills_its_process_fails_alone(death: str, place: int) -> None:
    tasks = [f"t{n}" for n in range(100)]
    tasks[place] = death
    expected = [task.upper() for task in tasks]
    expected[place] = f"{death} page_crashed"
    assert run(tasks) == expected


def test_a_task_that_never_ends_fails_alone() -> None:
    tasks = [f"t{n}" for n in range(50)]
    tasks[7], tasks[40] = "hang", "spin"
    expected = [task.upper() for task in tasks]
    expected[7], expected[40] = "hang page_timeout", "spin page_timeout"
    assert run(tasks, seconds=2.0) == expected


def test_many_bad_tasks_side_by_side() -> None:
    tasks = ["kill", "exit", "a", "segv", "kill", "hang", "b", "exit"]
    expected = [
        "kill page_crashed",
        "exit page_crashed",
        "A",
        "segv page_crashed",
        "kill page_crashed",
        "hang page_timeout",
        "B",
    ]
    assert run(tasks, seconds=2.0) == [*expected, "exit page_crashed"]


def test_a_task_that_raises_fails_alone() -> None:
    tasks = [f"t{n}" for n in range(40)]
    tasks[5] = "raise"
    expected = [task.upper() for task in tasks]
    expected[5] = "raise page_crashed"
    assert run(tasks) == expected


def test_slow_tasks_of_one_batch_share_no_deadline() -> None:
    """Each of these takes less than its time, all of them together more."""
    tasks = [f"sleep 0.2 {n}" for n in range(12)]
    assert run(tasks, workers=1, seconds=2.0) == [task.upper() for task in tasks]


def test_a_run_that_is_given_up_leaves_no_process() -> None:
    outcomes = Pool(Job(), 2).run(f"t{n}" for n in count())
    assert [next(outcomes) for _ in range(100)] == [f"T{n}" for n in range(100)]
    assert isinstance(outcomes, Iterator)
    outcomes.close()  # type: ignore[attr-defined]
    assert multiprocessing.active_children() == []


def test_an_error_of_the_input_leaves_no_process() -> None:
    def tasks() -> Iterator[str]:
        yield from (f"t{n}" for n in range(100))
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        list(Pool(Job(), 2).run(tasks()))
    assert multiprocessing.active_children() == []


def test_an_endless_input_is_read_only_so_far_ahead() -> None:
    taken = 0

    def tasks() -> Iterator[str]:
        nonlocal taken
        for number in count():
            taken += 1
            yield f"t{number}"

    outcomes = Pool(Job(), 2).run(tasks())
    for _ in range(200):
        next(outcomes)
    assert taken < 200 + 2000
    outcomes.close()  # type: ignore[attr-defined]


def test_one_slow_task_does_not_let_the_others_run_away() -> None:
    taken = 0

    def tasks() -> Iterator[str]:
        nonlocal taken
        for number in count():
            taken += 1
            yield "sleep 1" if number == 0 else f"t{number}"

    outcomes = Pool(Job(), 2).run(tasks())
    assert next(outcomes) == "SLEEP 1"
    assert taken < 2000
    outcomes.close()  # type: ignore[attr-defined]


def test_a_pool_runs_again() -> None:
    pool = Pool(Job(), 2)
    assert list(pool.run(["a"])) == ["A"]
    assert list(pool.run(["b", "c"])) == ["B", "C"]


def test_there_is_a_core() -> None:
    assert 1 <= available_cores() <= (os.cpu_count() or 1)


def test_what_came_before_a_broken_source_is_done() -> None:
    def cut_off() -> Iterator[str]:
        yield from (f"task {number}" for number in range(100))
        raise InputError("the archive ends in the middle")

    outcomes = Pool(Job(), workers=4).run(cut_off())
    assert list(islice(outcomes, 100)) == [f"TASK {number}" for number in range(100)]
    with pytest.raises(InputError):
        next(outcomes)


def test_no_worker_outlives_a_killed_parent() -> None:
    script = (
        "import multiprocessing, os, sys\n"
        "from sitewright.processes.extract import ExtractJob\n"
        "from sitewright.processes.pool import Pool\n"
        "from sitewright.fetch.archive import TextPlace\n"
        'line = b\'{"url": "u", "html": "x"}\'\n'
        "outcomes = Pool(ExtractJob(), workers=2).run(TextPlace('x', n, line) for n in range(10**9))\n"
        "next(outcomes)\n"
        "print(*(child.pid for child in multiprocessing.active_children()), flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    workers = [int(pid) for pid in done.stdout.split()]
    assert workers
    for _ in range(600):
        alive = [pid for pid in workers if is_alive(pid)]
        if not alive:
            return
        time.sleep(0.1)
    assert alive == []


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
