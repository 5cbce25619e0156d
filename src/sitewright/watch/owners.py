"""A process in, the name out under which it holds sites; and of such a name, whether its process is gone."""

import os
import socket
from functools import cache
from pathlib import Path
from uuid import uuid4
from zlib import crc32

_PARTS = 5
_PROCESSES, _UNKNOWN = Path("/proc"), "-"
_START = "sys/kernel/random/boot_id"
"""Differs from machine to machine, and from one start of a machine to the next."""
_NUMBERING = "self/ns/pid"
"""Differs between containers of one machine, each of which counts its processes by itself."""


def own_name() -> str:
    """Return a name for this process: its machine, its number, when it began, where that counts, and something own."""
    here = socket.gethostname(), os.getpid(), _beginning(os.getpid()), _place()
    return f"{':'.join(map(str, here))}:{uuid4().hex[:8]}"


def is_gone(owner: str) -> bool:
    """Tell whether a process of this machine has ended, so that nobody works on its sites; of others nobody knows.

    >>> is_gone(own_name()), is_gone("elsewhere:1:2:3:4"), is_gone("a person")
    (False, False, False)
    """
    parts = owner.split(":")
    if len(parts) != _PARTS or not parts[1].isdigit():
        return False
    is_here = parts[0] == socket.gethostname() and parts[3] == _place() != _UNKNOWN
    return is_here and _beginning(int(parts[1])) != parts[2]


@cache
def _place() -> str:
    """Return what tells apart machines, and containers, that may have the same name: numbers of processes hold there.

    Virtual machines are cloned with their names, and containers may go by that of their machine.
    """
    try:
        start, numbering = (_PROCESSES / _START).read_text("ascii"), (_PROCESSES / _NUMBERING).readlink()
    except OSError:
        return _UNKNOWN  # machines that do not tell: nobody there is taken for gone
    return f"{crc32(f'{start.strip()} {numbering}'.encode()):08x}"


def _beginning(number: int) -> str:
    """Return when a process began, by the machine's own count; empty where there is none of this number."""
    if not _PROCESSES.is_dir():
        return _UNKNOWN
    try:
        fields = (_PROCESSES / str(number) / "stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]
