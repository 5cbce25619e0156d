"""A fresh database for each test, of each kind; PostgreSQL is started once, in a folder of its own."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import pytest

from sitewright.store.database import Store, open_store


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs; Debian does not put it on the PATH."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).parent] if on_path else []
    return next(iter([*found, *sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]), None)


def other_user() -> str | None:
    """Return who runs the server: PostgreSQL refuses root, Debian makes a user for it."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Path]:
    """Start a server that listens on a socket in a folder, and return the folder."""
    binaries = programs()
    if binaries is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed (the extra postgres)")
    user = other_user()
    folder = Path(tempfile.mkdtemp(prefix="sitewright-pg-", dir="/tmp"))
    if user:
        shutil.chown(folder, user)

    data = str(folder / "data")
    making = [f"{binaries}/initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run(making, check=True, capture_output=True, user=user, cwd=folder, timeout=120)
    options = ["listen_addresses=", "fsync=off", "max_connections=60"]
    command = [
        f"{binaries}/postgres",
        "-D",
        data,
        "-k",
        str(folder),
        *chain.from_iterable(("-c", one) for one in options),
    ]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, user=user, cwd=folder)
    try:
        wait_for(folder, server)
        yield folder
    finally:
        server.send_signal(signal.SIGQUIT)  # at once, whoever is connected
        server.wait(60)
        shutil.rmtree(folder)


def wait_for(folder: Path, server: "subprocess.Popen[bytes]") -> None:
    """Wait until the server answers."""
    import psycopg  # noqa: PLC0415 -- an extra

    for _ in range(600):
        assert server.poll() is None, (folder / "log").read_text("utf-8")
        try:
            psycopg.connect(host=str(folder), user="tester", dbname="postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    pytest.fail((folder / "log").read_text("utf-8"))


@pytest.fixture
def postgres_url(postgres: Path) -> str:
    """Empty the database, which is faster than to make one for each test, and return its address."""
    import psycopg  # noqa: PLC0415 -- an extra

    with psycopg.connect(host=str(postgres), user="tester", dbname="postgres", autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return f"postgresql://tester@/postgres?host={postgres}"


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Return the address of a file that is not there yet."""
    return f"sqlite:///{tmp_path}/store.db"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str:
    """Return the address of an empty database, of each kind."""
    return str(request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url"))


@pytest.fixture
def clock() -> Callable[..., datetime]:
    """Return a clock that stands until it is moved, by `clock(hours=1)`."""
    now = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)

    def told(**span: float) -> datetime:
        nonlocal now
        now += timedelta(**span)
        return now

    return told


@pytest.fixture
def store(url: str, clock: Callable[..., datetime]) -> Iterator[Store]:
    """Open a store of each kind, with a site."""
    with open_store(url, clock=clock) as opened:
        opened.add_site("example.com", url="https://example.com/")
        yield opened
