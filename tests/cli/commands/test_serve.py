"""`sitewright serve` answers until it is ended, and `sitewright account` says who may log in."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from tests.cli.conftest import Call


@pytest.mark.slow
def test_it_answers_until_it_is_ended(folder: Path) -> None:
    command = [sys.executable, "-m", "sitewright", "serve", "--port", "0"]
    with subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True) as running:
        try:
            assert running.stderr is not None
            told = running.stderr.readline()
            place = re.search(r"http://127\.0\.0\.1:\d+/", told)
            assert place, told
            with urlopen(place[0]) as answer:
                assert answer.status == 200
        finally:
            running.send_signal(signal.SIGINT)
        assert running.wait() == 0


def test_other_machines_need_an_account(call: Call, folder: Path) -> None:
    done = call("serve", "--host", "0.0.0.0", "--port", "0")  # noqa: S104 -- it is refused
    assert done.status == 2
    assert "nobody would have to log in" in done.err


def test_accounts(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", __import__("io").StringIO("three unlikely words\n"))
    assert call("account", "ann", "--role", "admin", "--password-stdin").status == 0
    assert "ann" in call("account").out.decode()
    assert len(call("account", "ann", "--token", "a script").out) > 40
    assert call("account", "bo", "--token", "x").status == 2
    assert call("account", "ann", "--remove").status == 0
    assert call("account", "ann", "--remove").status == 2
