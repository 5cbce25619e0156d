"""What the first page makes a process load is loaded when this module is: whoever is forked afterwards has it already.

Python takes a second to import what a command needs; models, and the libraries behind them, take half a second more.
"""

import errno
import os
from importlib import import_module
from multiprocessing import forkserver, reduction
from typing import Any

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # or a thread is started, which the copies of a process would wait for

import sitewright
import sitewright.cli.main
import sitewright.processes.readers

LAZY = ("alembic.command", "dateparser", "sitewright.fetch.crawler", "sqlalchemy.dialects.sqlite")
"""What our modules import when they need it."""
PAGE = b"<title>Bees | Paper</title><h1>Bees</h1><p>By Ann Lee, 3 May 2026, 10:00</p><a href=/2026/05/bees>Bees are back</a>"
URL = "https://paper.example.com/"


def start_workers() -> None:
    """Have a process ready of which the workers of all collectors are forked."""
    forkserver.set_forkserver_preload([__name__])
    forkserver.ensure_running()


def share_workers() -> None:
    """Use the same in a copy of the process that has started it, though it is no child of the copy."""
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[attr-defined]


def _received(*given: Any) -> Any:
    """Take one who was killed while asking for a worker for one who hung up: others still want workers."""
    try:
        return receive(*given)
    except EOFError as error:
        raise ConnectionAbortedError(errno.ECONNABORTED, "killed while asking") from error


receive, reduction.recvfds = reduction.recvfds, _received

for name in (*LAZY, *(place.partition(":")[0] for place in sitewright.cli.main.COMMANDS.values())):
    import_module(name)
sitewright.read(PAGE, URL)
sitewright.find_links(PAGE, URL)
