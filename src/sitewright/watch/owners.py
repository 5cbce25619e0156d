"""A process in, the name out under which it holds sites; and of such a name, whether its process is gone."""

import os
import socket
from pathlib import Path
from uuid import uuid4

_PARTS = 4
_PROCESSES, _UNKNOWN = Path("/proc"), "-"


def own_name() -> str:
    """Return a name for this process: its machine, its number, when it began, and something of its own."""
    return f"{socket.gethostname()}:{os.getpid()}:{_beginning(os.getpid())}:{uuid4().hex[:8]}"


def is_gone(owner: str) -> bool:
    """Tell whether a process of this machine has ended, so that nobody works on its sites; of others nobody knows.

    >>> is_gone(own_name()), is_gone("elsewhere:1:2:3"), is_gone("a person")
    (False, False, False)
    """
    parts = owner.split(":")
    if len(parts) != _PARTS or parts[0] != socket.gethostname() or not parts[1].isdigit():
        return False
    return _beginning(int(parts[1])) != parts[2]


def _beginning(number: int) -> str:
    """Return when a process began, by the machine's own count; empty where there is none of this number."""
    if not _PROCESSES.is_dir():
        return _UNKNOWN  # machines that do not tell: nobody there is taken for gone
    try:
        fields = (_PROCESSES / str(number) / "stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] == "Z" else fields[19]
