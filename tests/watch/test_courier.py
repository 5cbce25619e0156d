"""Who is told of events: commands and webhooks, good, slow to come and unwilling."""

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from tests.watch.test_outbox import NOW, event, name_of_the_dead

from sitewright.errors import SettingsError
from sitewright.store.database import open_store
from sitewright.types import Failure
from sitewright.watch import courier
from sitewright.watch.courier import open_courier, shown
from sitewright.watch.events import Foreseen
from sitewright.watch.outbox import Outbox
from sitewright.watch.store_thread import StoreThread

KEEPER = "import sys; open({file!r}, 'ab').write(sys.stdin.buffer.read())"


class Hook(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Hears)
        self.statuses: list[int] = []
        self.heard: list[dict[str, Any]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/hook/s3cr3t"


class _Hears(BaseHTTPRequestHandler):
    server: Hook

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        status = self.server.statuses.pop(0) if self.server.statuses else 204
        if status == 204:
            self.server.heard.append(body)
        self.send_response(status)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


@pytest.fixture
def hook() -> Iterator[Hook]:
    server = Hook()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "_IDLE", 0.01)
    monkeypatch.setattr(courier.Courier.__init__, "__defaults__", (0.01,))


def outbox_of(folder: Path) -> Outbox:
    return Outbox(folder)


def told(target: str, folder: Path, *numbers: int) -> list[str]:
    """Tell a target of events; return what is said in the end."""
    said: list[str] = []

    async def run() -> None:
        with (
            open_store(f"sqlite:///{folder}/store.db", clock=lambda: NOW) as store,
            StoreThread(store) as store_thread,
            outbox_of(folder) as outbox,
        ):
            async with open_courier(target, outbox, store_thread, lambda _, line: said.append(line)):
                outbox.keep([event(number) for number in numbers])

    asyncio.run(run())
    return said


def numbers_in(rows: list[dict[str, Any]]) -> list[str]:
    return [row["url"][-1] for row in rows]


def test_a_command_hears_each_event_on_its_standard_input(tmp_path: Path) -> None:
    command = f'{sys.executable} -c "{KEEPER.format(file=str(tmp_path / "heard"))}"'
    assert told(command, tmp_path, 1, 2) == []
    rows = [json.loads(line) for line in (tmp_path / "heard").read_bytes().splitlines()]
    assert numbers_in(rows) == ["1", "2"]
    assert {key: rows[0][key] for key in ("event", "change", "site", "code")} == {
        "event": "failure",
        "change": "final",
        "site": "example.com",
        "code": "error_page",
    }
    assert rows[0]["event_id"] != rows[1]["event_id"]


def test_a_webhook_that_is_away_hears_all_in_order(hook: Hook, tmp_path: Path) -> None:
    hook.statuses = [503, 429, 500, 503, 503, 502, 204, 503]
    assert told(hook.url, tmp_path, 1, 2, 3) == []
    assert numbers_in(hook.heard) == ["1", "2", "3"]


def test_what_is_refused_stands_in_nobodys_way_and_is_offered_again(hook: Hook, tmp_path: Path) -> None:
    hook.statuses = [400] * 5
    (line,) = told(hook.url, tmp_path, 1, 2)
    assert line.startswith("1 event not taken by http://127.0.0.1;")
    assert "s3cr3t" not in line
    assert numbers_in(hook.heard) == ["2"]
    assert told(hook.url, tmp_path) == []
    assert numbers_in(hook.heard) == ["2", "1"]


def test_what_nobody_takes_waits_for_the_next_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courier, "_PARTING", 0.2)
    (line,) = told("/no/such/command s3cr3t", tmp_path, 1, 2)
    assert line == "2 events not taken by /no/such/command; the next run with --on-event tells it again"
    with Outbox(tmp_path) as outbox:
        assert outbox.waiting == 2


def test_lost_events_are_told(tmp_path: Path, hook: Hook, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "outbox_of", lambda folder: Outbox(folder, most=1))
    (line,) = told(hook.url, tmp_path, 1, 2, 3)
    assert line.startswith("2 events lost: there was no room to keep them for http://127.0.0.1;")


@pytest.mark.parametrize("target", ["", "   ", "say 'hello"])
def test_what_is_no_command(target: str) -> None:
    with pytest.raises(SettingsError, match="--on-event"):
        shown(target)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other machines do not tell who is gone")
def test_what_a_killed_process_did_not_tell_is_told_by_the_next(hook: Hook, tmp_path: Path) -> None:
    url = "https://example.com/1"
    with (
        open_store(f"sqlite:///{tmp_path}/store.db", clock=lambda: NOW) as store,
        Outbox(tmp_path, owner=name_of_the_dead(), now=lambda: NOW) as dead,
    ):
        store.add_site("example.com", url="https://example.com/")
        dead.foresee([Foreseen("example.com", url)])
        store.add_failure("example.com", Failure(url, "fetch", "error_page", "gone"), settled=True)
        # here it is killed
    assert told(hook.url, tmp_path, 2) == []
    assert numbers_in(hook.heard) == ["1", "2"]
    assert told(hook.url, tmp_path) == []
    assert len(hook.heard) == 2
