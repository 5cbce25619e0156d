"""A running process in, those it has started, and the memory of all of them, out; nothing where there is no `/proc`."""

import os
import re
import signal
import time
from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PROC = Path("/proc")
_PSS = re.compile(rb"^Pss:\s+(\d+) kB", re.MULTILINE)
_GONE = (FileNotFoundError, ProcessLookupError, PermissionError)
_POLL = 0.02


class Process(NamedTuple):
    """A process: its number, which the system gives again, and when it began, so that it is no other."""

    pid: int
    began: str


def find_process(argument: str) -> int | None:
    """Return the process that was started with an argument; it must not itself start others with it."""
    wanted = argument.encode()
    for folder in _folders():
        with suppress(*_GONE):
            if wanted in (folder / "cmdline").read_bytes().split(b"\0"):
                return int(folder.name)
    return None


def parent_of(pid: int) -> int | None:
    """Return the process that started another."""
    found = _status(pid)
    return None if found is None else found[0]


def tree_of(pid: int) -> tuple[Process, ...]:
    """Return a process and all that it and its children have started."""
    children: dict[int, list[int]] = defaultdict(list)
    began: dict[int, str] = {}
    for folder in _folders():
        found = _status(int(folder.name))
        if found is not None:
            children[found[0]].append(int(folder.name))
            began[int(folder.name)] = found[1]
    tree, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        if one in began:
            tree.append(Process(one, began[one]))
        waiting.extend(children[one])
    return tuple(tree)


def megabytes_of(processes: Iterable[Process]) -> float:
    """Return the memory that processes hold together, what they share counted once."""
    kilobytes = 0
    for process in processes:
        with suppress(*_GONE):
            found = _PSS.search((_PROC / str(process.pid) / "smaps_rollup").read_bytes())
            kilobytes += int(found[1]) if found else 0
    return kilobytes / 1000


def alive(processes: Iterable[Process]) -> list[Process]:
    """Return those that still run."""
    found = ((process, _status(process.pid)) for process in processes)
    return [process for process, status in found if status is not None and status[1] == process.began]


def end(processes: Collection[Process], seconds: float) -> None:
    """Wait for processes to end; kill those that do not."""
    until = time.monotonic() + seconds
    while (left := alive(processes)) and time.monotonic() < until:
        time.sleep(_POLL)
    for process in left:
        with suppress(*_GONE):
            os.kill(process.pid, signal.SIGKILL)


def _folders() -> list[Path]:
    return [folder for folder in _PROC.iterdir() if folder.name.isdigit()] if _PROC.is_dir() else []


def _status(pid: int) -> tuple[int, str] | None:
    """Return the parent of a process and when it began; None where it has ended."""
    try:
        text = (_PROC / str(pid) / "stat").read_text("ascii", "replace")
    except _GONE:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in "ZX" else (int(fields[1]), fields[19])
