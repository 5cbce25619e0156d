"""A Spark cluster on loopback: a master and some workers, processes of this machine."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PATIENCE = 120.0
_MASTER = "org.apache.spark.deploy.master.Master"
_WORKER = "org.apache.spark.deploy.worker.Worker"


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[str]:
    """Start a standalone cluster and yield the address of its master."""
    import pyspark  # noqa: PLC0415 -- only where it is installed

    runner = Path(pyspark.__file__).parent / "bin" / "spark-class"
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
    }
    folder.mkdir(parents=True, exist_ok=True)
    running: list[subprocess.Popen[bytes]] = []

    def start(name: str, *words: str) -> Path:
        log = folder / f"{name}.log"
        with log.open("wb") as file:
            running.append(
                subprocess.Popen([runner, *words], stdout=file, stderr=subprocess.STDOUT, env=environment, cwd=folder)
            )
        return log

    try:
        log = start("master", _MASTER, "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        address = _awaited(log, r"Starting Spark master at (spark://\S+)")
        options = ("--host", "127.0.0.1", "--webui-port", "0", "--cores", "1", "--memory", "1g")
        logs = [
            start(f"worker-{number}", _WORKER, *options, "-d", str(folder / f"work-{number}"), address)
            for number in range(workers)
        ]
        for one in logs:
            _awaited(one, r"(Successfully registered) with master")
        yield address
    finally:
        for process in reversed(running):
            process.terminate()
        for process in running:
            process.wait(PATIENCE)


def _awaited(log: Path, pattern: str) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := re.search(pattern, log.read_text("utf-8", "replace")):
            return found[1]
        time.sleep(0.1)
    raise TimeoutError(log.read_text("utf-8", "replace"))


def executors(folder: Path) -> list[int]:
    """Return the process ids of the executors of a cluster, once there are any."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := [int(place.name) for place in Path("/proc").glob("[0-9]*") if _is_executor(place, folder)]:
            return found
        time.sleep(0.1)
    raise TimeoutError(f"no executor works in {folder}")


def _is_executor(process: Path, folder: Path) -> bool:
    try:
        works_here = process.joinpath("cwd").resolve().is_relative_to(folder.resolve())
        return works_here and b"CoarseGrainedExecutorBackend" in process.joinpath("cmdline").read_bytes()
    except OSError:  # it has ended
        return False
