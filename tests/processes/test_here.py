"""Work in this process, as others do it elsewhere."""

import asyncio
import os
from collections.abc import Callable

from sitewright.errors import PageError
from sitewright.processes.here import PoolHere, WorkersHere
from sitewright.processes.pool import Pool
from sitewright.processes.readers import Readers, ReadersHere
from sitewright.types import Failure, Page


class Doubling:
    """Doubles numbers, and says where."""

    def start(self) -> Callable[[int], tuple[int, int]]:
        return lambda number: (2 * number, os.getpid())

    def weigh(self, task: int) -> int:  # noqa: ARG002
        return 1

    def fail(self, task: int, error: PageError) -> tuple[int, int]:  # noqa: ARG002
        return -1, 0


def test_a_pool_here_gives_what_the_other_gives() -> None:
    here, there = list(PoolHere(Doubling()).run(range(5))), list(Pool(Doubling(), 1, 60.0).run(range(5)))
    assert [number for number, _ in here] == [number for number, _ in there] == [0, 2, 4, 6, 8]
    assert {process for _, process in here} == {os.getpid()}
    assert os.getpid() not in {process for _, process in there}


def test_workers_here_do_one_task_after_the_other() -> None:
    async def work() -> list[tuple[int, int]]:
        async with WorkersHere(Doubling()) as workers:
            return await asyncio.gather(*(workers.do(number, 1.0) for number in range(3)))

    assert asyncio.run(work()) == [(number, os.getpid()) for number in (0, 2, 4)]


def test_what_readers_here_cannot_read_is_a_failure_as_elsewhere() -> None:
    async def read(readers: Readers) -> object:
        async with readers:
            return await readers.read_feed(Page(url="https://example.com/feed", body=b"no feed", status=404))

    here = asyncio.run(read(ReadersHere()))
    assert isinstance(here, Failure)
    assert here == asyncio.run(read(Readers(workers=1)))
