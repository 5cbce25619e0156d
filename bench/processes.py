"""A running process in, the memory of it and all its children out."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread

MB = 1_000_000
INTERVAL = 0.05
"""Seconds between two looks; memory that comes and goes within less is missed."""


@dataclass(frozen=True, slots=True)
class Memory:
    """Megabytes of a process and its children: `rss` counts shared pages once a process, `pss` once in all."""

    rss: float = 0.0
    pss: float | None = None
    """None where the system does not tell."""

    @property
    def best(self) -> float:
        """The shared-once figure where there is one."""
        return self.rss if self.pss is None else self.pss


def measure(pid: int) -> Memory:
    """Look at a process and its children once."""
    import psutil

    rss, pss, tells_pss = 0, 0, True
    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(pid)
        for process in [parent, *parent.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                full = process.memory_full_info()
                rss += full.rss
                tells_pss = tells_pss and hasattr(full, "pss")
                pss += getattr(full, "pss", 0)
    return Memory(rss / MB, pss / MB if tells_pss else None)


class Watch:
    """Looks at a process again and again, in a thread, and keeps the peak and the curve."""

    def __init__(self, pid: int, progress: Callable[[], float] = lambda: 0.0) -> None:
        """Begin; `progress` tells the share of the work done."""
        self.peak = Memory()
        self.curve: dict[int, Memory] = {}
        """The peak within each tenth of the work."""
        self._pid = pid
        self._progress = progress
        self._over = Event()
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the watch."""
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while not self._over.is_set():
            begin = time.monotonic()
            seen = measure(self._pid)
            tenth = min(9, int(self._progress() * 10))
            self.peak = larger(self.peak, seen)
            self.curve[tenth] = larger(self.curve.get(tenth, Memory()), seen)
            self._over.wait(max(0.0, INTERVAL - (time.monotonic() - begin)))


def larger(one: Memory, other: Memory) -> Memory:
    """Return the larger of each figure."""
    pss = [memory.pss for memory in (one, other) if memory.pss is not None]
    return Memory(max(one.rss, other.rss), max(pss, default=None))


def own_peak_mb() -> float:
    """Return the most memory this process has held; `ru_maxrss` would count what its parent held when it forked."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / MB
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB
