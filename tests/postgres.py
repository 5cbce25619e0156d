"""A PostgreSQL server in a folder of its own, which tests may stop and start."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from itertools import chain
from pathlib import Path

import pytest

_OPTIONS = ("listen_addresses=", "fsync=off", "max_connections=60")


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


class PostgresServer:
    """Listens on a socket in its folder; skips the test where PostgreSQL is not installed."""

    def __init__(self) -> None:
        """Make an empty database."""
        binaries = programs()
        if binaries is None:
            pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
        pytest.importorskip("psycopg", reason="psycopg is not installed (the extra postgres)")
        self._user = other_user()
        self.folder = Path(tempfile.mkdtemp(prefix="sitewright-pg-", dir="/tmp"))
        if self._user:
            shutil.chown(self.folder, self._user)
        data = str(self.folder / "data")
        making = ["initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        making[0] = str(binaries / making[0])
        subprocess.run(making, check=True, capture_output=True, user=self._user, cwd=self.folder, timeout=600)
        options = chain.from_iterable(("-c", one) for one in _OPTIONS)
        self._command = [str(binaries / "postgres"), "-D", data, "-k", str(self.folder), *options]
        self._server: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """The address of the database as a store."""
        return f"postgresql://tester@/postgres?host={self.folder}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._server = subprocess.Popen(self._command, stdout=log, stderr=log, user=self._user, cwd=self.folder)
        self._wait()

    def stop(self) -> None:
        """Stop it at once, whoever is connected."""
        if self._server is not None:
            self._server.send_signal(signal.SIGQUIT)
            self._server.wait(600)
            self._server = None

    def remove(self) -> None:
        """Leave nothing behind."""
        self.stop()
        shutil.rmtree(self.folder)

    def _wait(self) -> None:
        import psycopg  # noqa: PLC0415 -- an extra

        for _ in range(600):
            assert self._server is not None
            assert self._server.poll() is None, (self.folder / "log").read_text("utf-8")
            try:
                psycopg.connect(host=str(self.folder), user="tester", dbname="postgres").close()
            except psycopg.OperationalError:
                time.sleep(0.1)
            else:
                return
        pytest.fail((self.folder / "log").read_text("utf-8"))
