"""How fast a reader's list comes from a store: `python -m bench.next_reads LOG --rate 200`.

The newest clicks of a log (CSV: user, item, time) are stored as of now, lists are made, and a service in a process of
its own is asked for lists at a steady rate, answered or not, while some readers click and lists are made anew.
Times are from when a request was due.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import random
import socket
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from sitewright.actions import refresh_lists
from sitewright.actions.catalogues import open_catalogue
from sitewright.actions.refresh_lists import ListMaker
from sitewright.actions.same_stories import place_cards
from sitewright.serve.app import make_app
from sitewright.serve.options import ServeOptions
from sitewright.store.clicks import ReaderEvent
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, ServeSettings, StoreSettings, Value

CONNECTIONS = 32
CLICK_EVERY = 20
"""Requests for a click: readers look at more lists than they open stories of."""


def main() -> None:
    """Print what the lists took to make, and what it took to get them."""
    asked = argparse.ArgumentParser()
    asked.add_argument("log")
    asked.add_argument("--clicks", type=int, default=300_000)
    asked.add_argument("--rate", type=int, default=200)
    asked.add_argument("--seconds", type=int, default=60)
    asked.add_argument(
        "--turns", type=float, default=30, help="Seconds between two turns of lists; fewer for short runs."
    )
    options = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/store.db"
        began = time.monotonic()
        with open_store(url) as store:
            readers, numbers = filled(store, options.log, options.clicks)
            print(f"{options.clicks:,} clicks of {len(readers):,} readers stored in {time.monotonic() - began:.0f} s")
            maker, began = ListMaker(store), time.monotonic()
            print(maker.refresh(datetime.now(UTC)), f"{time.monotonic() - began:.1f} s")
            maker.close()
            catch_up(store, url)
        with service(folder, options.turns) as (port, process):
            ask(process, Load(port, readers, numbers), options.rate, options.seconds)


def filled(store: Store, log: str, count: int) -> tuple[list[str], list[int]]:
    """Store the newest clicks of a log as if they had ended now; return readers, the latest first, and records."""
    last = f"select quantile_cont(time, 0.999) from '{log}'"  # later clocks are ahead
    query = f"select \"user\", item, time from '{log}' where time < ({last}) order by time desc limit {count}"
    rows = duckdb.sql(query).fetchall()
    store.add_site("site.example", url="https://site.example/")
    items = list(dict.fromkeys(str(item) for _, item, _ in rows))
    for first in range(0, len(items), 500):
        store.commit_pages([collected(name) for name in items[first : first + 500]])
    numbers = {one.record.urls[0].rpartition("/")[2]: one.number for one in store.records()}
    readers = list(dict.fromkeys(str(user) for user, _, _ in rows))
    called = store.clicks.pseudonyms("sent", readers)
    shift = datetime.now(UTC) - datetime.fromtimestamp(rows[0][2] / (1000 if rows[0][2] > 1e11 else 1), UTC)
    for first in range(0, len(rows), 20_000):
        store.clicks.take_in([
            ReaderEvent(
                event=f"{first + place}", reader=called[str(user)], what="clicked", record=numbers[str(item)],
                at=datetime.fromtimestamp(when / (1000 if when > 1e11 else 1), UTC) + shift,
            )
            for place, (user, item, when) in enumerate(rows[first : first + 20_000])
        ])  # fmt: skip
    return readers, list(numbers.values())


def collected(name: str) -> Collected:
    """Return a record of an item."""
    url = f"https://site.example/{name}"
    now = datetime.now(UTC) - timedelta(days=1)
    dice = random.Random(name)  # noqa: S311 -- texts are made up, each another one: no two items are one story
    text = " ".join("".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=5)) for _ in range(200))
    fields = {"title": Value(f"Item {name}", 1.0, "a/t#0"), "text": Value(text, 1.0, "a/t#0")}
    record = Record(site="site.example", urls=(url,), fields=fields, language="en", extracted_at=now)
    return Collected(record=record, page=Page(url=url, body=b""))


def catch_up(store: Store, url: str) -> None:
    """Make the cards of all records, and find the same stories: what a service that has run for a while has done."""
    catalogue, began = open_catalogue(store, url), time.monotonic()
    while catalogue.catch_up(2_000) or place_cards(catalogue, datetime.now(UTC)):
        pass
    catalogue.close()
    print(f"cards are made, {time.monotonic() - began:.1f} s")


@contextmanager
def service(folder: str, turns: float) -> Iterator[tuple[int, int | None]]:
    """Start a service; yield its port and its process."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(folder, port, turns))
    process.start()
    try:
        yield port, process.pid
    finally:
        process.terminate()
        process.join(20)


def ask(process: int | None, load: "Load", rate: int, seconds: int) -> None:
    """Ask a service, and print the times."""
    times = asyncio.run(load.run(rate, seconds))
    spent = seconds_of(process) / load.asked
    print(f"the service took {1000 * spent:.2f} ms of a processor a request")
    for name, found in times.items():
        points = statistics.quantiles(found, n=1000)
        said = ", ".join(f"p{share / 10:g} {1000 * points[share - 1]:.1f} ms" for share in (500, 950, 990, 999))
        print(f"{name}: {len(found):,} at {rate} a second: {said}, longest {1000 * max(found):.0f} ms")


def serve(folder: str, port: int, turns: float) -> None:
    """Serve the store of a folder until it is ended."""
    import uvicorn

    refresh_lists._EVERY_SECONDS, refresh_lists._SHARE = turns, 0 if turns < 30 else refresh_lists._SHARE
    with open_store(f"sqlite:///{folder}/store.db") as store:
        options = ServeOptions(
            serve=ServeSettings(port=port), store=StoreSettings(url=f"sqlite:///{folder}/store.db", pages=f"{folder}/p")
        )
        app = make_app(options, store)
        uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", access_log=False)).run()


def seconds_of(process: int | None) -> float:
    """Return the seconds of processors that a process has used."""
    words = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Load:
    """Asks for lists at a steady rate over connections that stay open."""

    def __init__(self, port: int, readers: Sequence[str], numbers: Sequence[int]) -> None:
        self._port = port
        self._readers = readers
        self._numbers = numbers
        self._dice = random.Random(1)  # noqa: S311 -- made up
        self._free: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
        self._lists: list[float] = []
        self._clicks: list[float] = []
        self.asked = 0

    async def run(self, rate: int, seconds: int) -> dict[str, list[float]]:
        """Ask; return how long each request took."""
        await self._until_ready()
        await self._send(rate, 5)
        self._lists.clear()
        self._clicks.clear()
        await self._send(rate, seconds)
        return {"lists": self._lists, "clicks": self._clicks}

    async def _until_ready(self) -> None:
        for _ in range(600):
            try:
                for _ in range(CONNECTIONS):
                    self._free.put_nowait(await asyncio.open_connection("127.0.0.1", self._port))
                break
            except OSError:
                await asyncio.sleep(0.1)
        while not (await self._ask("GET", "/api/v1/recommendations?reader=nobody"))["items"]:
            await asyncio.sleep(0.5)
        await asyncio.sleep(3)

    async def _send(self, rate: int, seconds: int) -> None:
        loop, asking = asyncio.get_running_loop(), set()
        began = loop.time()
        for number in range(rate * seconds):
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - loop.time()))
            task = asyncio.create_task(self._one(number, due))
            asking.add(task)
            task.add_done_callback(asking.discard)
        await asyncio.gather(*asking)

    async def _one(self, number: int, due: float) -> None:
        # Most who come were there lately: three of four are among the latest tenth.
        share = 0.1 if self._dice.random() < 0.75 else 1.0
        reader = self._readers[int(len(self._readers) * share * self._dice.random())]
        if number % CLICK_EVERY == 0:
            event = {"id": f"{due} {number}", "what": "clicked", "number": self._dice.choice(self._numbers[:300])}
            await self._ask("POST", "/api/v1/events", {"events": [event | {"reader": reader}]})
            self._clicks.append(asyncio.get_running_loop().time() - due)
            return
        answer = await self._ask("GET", f"/api/v1/recommendations?reader={reader}&limit=10")
        if len(answer["items"]) != 10:
            raise RuntimeError(f"{reader} has {len(answer['items'])} items")
        self._lists.append(asyncio.get_running_loop().time() - due)

    async def _ask(self, method: str, path: str, body: Any = None) -> Any:
        self.asked += 1
        source, target = await self._free.get()
        sent = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\nContent-Length: {len(sent)}\r\n"
        target.write(f"{head}Content-Type: application/json\r\n\r\n".encode() + sent)
        headers = (await source.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(headers.partition("content-length:")[2].split("\r\n")[0])
        answer = json.loads(await source.readexactly(length))
        self._free.put_nowait((source, target))
        if not headers.startswith("http/1.1 200"):
            raise RuntimeError(answer)
        return answer


if __name__ == "__main__":
    main()
