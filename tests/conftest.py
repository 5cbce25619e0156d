"""Shared by all tests: Hypothesis without a clock, the command line, and PostgreSQL."""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # lets tests import one another's helpers

from tests.postgres import PostgresServer
from tests.program import Program, clean_environment

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

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell has what it starts in the background ignore Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

Sitewright = Callable[..., subprocess.CompletedProcess[bytes]]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what goes from end to end as slow, and begin with the files that are: those at the end should be short."""
    for item in items:
        if "e2e" in item.path.parts:
            item.add_marker(pytest.mark.slow)
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in slow)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tell what was skipped by its reason: a thousand tests that need a browser are one line."""
    reasons = Counter(str(report.longrepr[2]) for report in terminalreporter.getreports("skipped"))
    for reason, times in sorted(reasons.items()):
        terminalreporter.write_line(f"skipped {times:5}  {reason.removeprefix('Skipped: ')}")


@pytest.fixture(scope="session")
def program() -> Iterator[Program]:
    """Return the command line, ready to be called."""
    started = Program()
    yield started
    started.close()


@pytest.fixture
def sitewright(program: Program, tmp_path: Path) -> Sitewright:
    """Run `sitewright` in an empty folder."""

    def run(
        *arguments: str | Path, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return program.call(*arguments, folder=tmp_path, environment=clean_environment(env), stdin=stdin)

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
