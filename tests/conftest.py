"""Shared by all tests: Hypothesis without a clock, the command line as a process of its own, and PostgreSQL."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # lets tests import one another's helpers

from tests.postgres import PostgresServer

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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """Start a server that listens on a socket in a folder, and return the folder."""
    server = PostgresServer()
    try:
        server.start()
        yield server.folder
    finally:
        server.remove()


@pytest.fixture
def postgres_url(postgres: Path) -> str:
    """Empty the database, which is faster than to make one for each test, and return its address."""
    import psycopg  # noqa: PLC0415 -- an extra

    with psycopg.connect(host=str(postgres), user="tester", dbname="postgres", autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return f"postgresql://tester@/postgres?host={postgres}"
