"""Shared by all tests: Hypothesis without a clock, and the command line as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

settings.register_profile(
    "sitewright",
    deadline=None,
    derandomize=True,
    database=None,
    max_examples=60,
    phases=[Phase.explicit, Phase.generate, Phase.shrink],
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("sitewright")

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("SITEWRIGHT_")}
    return {**inherited, "NO_COLOR": "1", "COLUMNS": "120", **(extra or {})}


@pytest.fixture
def sitewright(tmp_path: Path) -> Sitewright:
    """Run `python -m sitewright` in an empty folder."""

    def run(
        *arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "sitewright", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            check=False,
            cwd=tmp_path,
            env=clean_environment(env),
            timeout=120,
        )

    return run
