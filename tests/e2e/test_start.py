"""Every command in an interpreter of its own: `python -m sitewright`, and the script that is installed."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.program import clean_environment

from sitewright.cli.main import COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_a_command_starts(command: str, tmp_path: Path) -> None:
    program = [sys.executable, "-m", "sitewright", command, "--help"]
    done = subprocess.run(program, cwd=tmp_path, env=clean_environment(), capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(f"Usage: python -m sitewright {command} ".encode())
    assert list(tmp_path.iterdir()) == []
