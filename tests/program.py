"""A command line in, its status and output out: processes that begin where the start-up of Python ends.

To start Python and load what a command needs takes one to three seconds, most of the time of a test of the command
line. So one process loads all of it, models included, and each call is a copy of that process with streams, folder,
environment and exit of its own: it fails, crashes and starts other processes as any process does.
What only a new interpreter shows is tested by `python -m sitewright`: in tests/e2e/test_start.py, and wherever signals and pipes matter.
"""

import gc
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

SECONDS = 600.0
"""Who takes longer hangs."""
_LONGEST = 1 << 20
_MAIN = "from tests.program import serve; run = serve()\nif run: run()"


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what a call sees: no settings of whoever runs the tests, and a plain terminal."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SITEWRIGHT_")}
    return {**inherited, "NO_COLOR": "1", "COLUMNS": "120", **(extra or {})}


class Program:
    """`sitewright`, ready to be called; where copying a process is not safe, each call starts one anew."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        if sys.platform == "linux":
            self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                environment = clean_environment(
                    {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": "utf-8"}
                )
                self._process = subprocess.Popen([sys.executable, "-c", _MAIN], stdin=theirs, env=environment)

    def call(
        self,
        *arguments: str | Path,
        folder: Path,
        environment: Mapping[str, str],
        stdin: bytes = b"",
        together: bool = False,
    ) -> subprocess.CompletedProcess[bytes]:
        """Run it to its end; `together`: errors stand among the output, as on a terminal."""
        words = list(map(str, arguments))
        with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            given.write(stdin)
            given.seek(0)
            streams = [given.fileno(), out.fileno(), (out if together else err).fileno()]
            status = self._started(words, folder, environment, streams)
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess(words, status, out.read(), err.read())

    def close(self) -> None:
        if self._process is not None:
            self._line.close()
            self._process.wait(600)

    def _started(
        self, words: Sequence[str], folder: Path, environment: Mapping[str, str], streams: Sequence[int]
    ) -> int:
        if self._process is None:
            return _status_anew(words, folder, environment, streams)
        asked = {"words": words, "folder": str(folder), "environment": dict(environment)}
        self._line.settimeout(SECONDS)
        socket.send_fds(self._line, [json.dumps(asked).encode()], streams)
        copy = int(self._line.recv(20))
        try:
            return int(self._line.recv(20))
        except TimeoutError:
            os.kill(copy, signal.SIGKILL)
            raise


def _status_anew(words: Sequence[str], folder: Path, environment: Mapping[str, str], streams: Sequence[int]) -> int:
    stdin, stdout, stderr = streams
    command = [sys.executable, "-m", "sitewright", *words]
    return subprocess.run(
        command, cwd=folder, env=environment, stdin=stdin, stdout=stdout, stderr=stderr, check=False, timeout=SECONDS
    ).returncode


# In the process that is copied


def serve() -> Callable[[], None] | None:
    """Make a copy for each call until nobody can call any more; return, in the copy, what it has to run."""
    warm = import_module("tests.warm")
    warm.start_workers()
    gc.freeze()  # a copy that looks through all of it, or takes it down at its end, would have to copy every page
    with socket.socket(fileno=os.dup(0)) as line:
        while True:
            asked, streams, _, _ = socket.recv_fds(line, _LONGEST, 3)
            if not asked:
                return None
            if (copy := os.fork()) == 0:
                _become(json.loads(asked), streams)
                warm.share_workers()
                run: Callable[[], None] = import_module("sitewright.cli.main").main
                return run
            for stream in streams:
                os.close(stream)
            line.send(str(copy).encode())
            line.send(str(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])).encode())


def _become(asked: Mapping[str, Any], streams: Sequence[int]) -> None:
    """Take over the streams, the folder, the environment and the words of a call."""
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["sitewright", *asked["words"]]
