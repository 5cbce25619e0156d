"""A process that collects, life by life, each of which may be killed: what `bench.destroy` kills.

    python -c 'from bench.lives import main; main()' STORE PAGES SPEED HOST…

Reads moments, one a line: at each it begins a life, whose clock starts there, and says the number of its process. Lives
are forks of a process that has imported all, and so are their workers. What they say goes into a diary, PAGES.log.
"""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from functools import partial
from multiprocessing import forkserver
from pathlib import Path

import sitewright.fetch.crawler  # noqa: F401 -- each life needs it
from sitewright.types import FetchSettings, Limits
from sitewright.watch.clock import Clock
from sitewright.watch.collector import CollectorOptions, open_collector

ROOT = Path(__file__).parents[1]


class Lives:
    """A collector that is killed and begun again."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.pid = 0

    def begin(self, moment: datetime) -> None:
        """Begin a life at a moment."""
        asking, told = self._process.stdin, self._process.stdout
        if asking is None or told is None:
            raise RuntimeError("lives are begun through pipes")
        asking.write(f"{moment.isoformat()}\n")
        asking.flush()
        self.pid = int(told.readline())

    @property
    def is_alive(self) -> bool:
        """Whether it is at work."""
        with suppress(OSError):
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        return False

    def kill(self) -> None:
        """End a life as a power failure would."""
        if self.pid:
            with suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)
            while self.is_alive:
                pass
        self.pid = 0

    def kill_worker(self) -> None:
        """End one of the processes that read pages for all lives."""
        for child in _children(self._process.pid):
            for worker in _children(child)[-1:]:
                if worker != self.pid:
                    with suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)


def _children(pid: int) -> list[int]:
    try:
        return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


@contextmanager
def lives_of(store: str, pages: Path, speed: float, hosts: Sequence[str]) -> Iterator[Lives]:
    """Start the process in which lives begin."""
    program = "from bench.lives import main; main()"
    command = [sys.executable, "-c", program, store, str(pages), str(speed), *hosts]
    with (
        Path(f"{pages}.log").open("a") as log,
        subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        lives = Lives(process)
        try:
            yield lives
        finally:
            lives.kill()
            process.terminate()


def _say(clock: Clock, site: str, line: str) -> None:
    sys.stderr.write(f"{clock.now():%d %H:%M:%S} {os.getpid()} {site} {line}\n")


def live(options: CollectorOptions, clock: Clock) -> None:
    """Collect until somebody ends it."""

    async def work() -> None:
        _say(clock, "", "begins")
        async with open_collector(options, clock=clock, say=partial(_say, clock)) as collector:
            _say(clock, "", "is at work")
            await collector.run()

    asyncio.run(work())


def main() -> None:
    """Live as often as it is wanted."""
    store, pages, speed, *hosts = sys.argv[1:]
    options = CollectorOptions(
        store=store,
        pages=pages,
        workers=1,
        fetch=FetchSettings(allow_hosts=tuple(hosts), pause_seconds=0.0, seconds=10.0),
        limits=Limits(page_seconds=30.0),
    )
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    forkserver.set_forkserver_preload(["sitewright.processes.readers"])
    forkserver.ensure_running()
    for line in iter(sys.stdin.readline, ""):
        child = os.fork()
        if child == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            setattr(forkserver._forkserver, "ensure_running", lambda: None)  # noqa: B010 -- there is one for all lives
            live(options, Clock(speed=float(speed), start=datetime.fromisoformat(line.strip())))
            os._exit(0)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
