"""Every command in an interpreter of its own: `python -m sitewright`, and the script that is installed."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from tests.program import clean_environment

from sitewright.cli.main import COMMANDS
from sitewright.store.database import open_store


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_starts(command: str, tmp_path: Path) -> None:
    program = [sys.executable, "-m", "sitewright", command, "--help"]
    done = subprocess.run(program, cwd=tmp_path, env=clean_environment(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(f"Usage: python -m sitewright {command} ".encode())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seconds", [0.0, 0.2, 0.6, 1.0, 1.5, 2.5])
def test_ctrl_c_at_any_time_is_a_status_and_no_traceback(tmp_path: Path, seconds: float) -> None:
    """Whenever it comes: while commands are imported, while workers start, or while a site is learned."""
    begin = "\n".join(
        (
            "import signal; from sitewright.__main__ import main; real = signal.signal",
            "def told(number, handler):",  # what comes before it is Python's own
            "    signal.signal, before = real, real(number, handler); print(flush=True); return before",
            "signal.signal = told; main()",
        )
    )
    program = [sys.executable, "-c", begin, "collect", "http://127.0.0.1:9/", "--once", "-q"]
    environment = clean_environment({"SITEWRIGHT_FETCH_ALLOW_HOSTS": "127.0.0.1"})
    with subprocess.Popen(
        program,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        time.sleep(seconds)
        with suppress(ProcessLookupError):  # it may have found that nobody answers
            os.killpg(process.pid, signal.SIGINT)
        told = process.stderr.read().decode()
        status = process.wait(600)
    assert "Traceback" not in told
    assert status == 130 or (status == 2 and seconds > 1)
    if (tmp_path / "sitewright.db").exists():
        with open_store(f"sqlite:///{tmp_path}/sitewright.db") as store:
            kept = [failure.failure.code for site in store.sites() for failure in store.failures(site.name)]
            assert "internal_error" not in kept
