"""How fast pages are served over a large store: front page, search, story, and what collecting loses beside readers.

python -m bench.serving --records 100000
"""

import argparse
import asyncio
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import httpx

from sitewright.serve.app import make_app
from sitewright.serve.options import ServeOptions
from sitewright.store.database import Store, open_store
from sitewright.store.entries import Collected
from sitewright.types import Page, Record, StoreSettings, Value

SITES, VOCABULARY, WORDS, ASKED = 300, 20_000, 120, 400
ORIGINALS = 20_000
"""So many records are made up and stored one by one; of a million, the rest are copies."""
PARTS = "tokens.css base.css reader.css app.js keys.js marks.js ask.js told.js place.js fresh.js"
SCREEN = ("/", "/?show=unread", "/?site=site7.example", "/?topic=topic3")


NAMES = [f"word{number}" for number in range(VOCABULARY)]


def words(dice: random.Random, count: int) -> str:
    """Return words that are as unevenly frequent as those of a language."""
    return " ".join(NAMES[int(VOCABULARY * dice.random() ** 4)] for _ in range(count))


def records(count: int) -> Iterator[Collected]:
    """Make records up, spread over a year; a site's come one after the other, which is stored a good deal faster."""
    dice, now = random.Random(1), datetime.now(UTC)  # noqa: S311 -- made up
    for number in range(count):
        site = f"site{number * SITES // count}.example"
        shown = now - timedelta(minutes=dice.randrange(525_600))
        values = {
            "title": words(dice, 9),
            "subtitle": words(dice, 20),
            "text": words(dice, WORDS),
            "published": shown.isoformat(),
            "categories": [f"topic{dice.randrange(40)}"],
            "images": [{"url": f"https://{site}/{number}.jpg"}],
        }
        fields = {name: Value(value, 0.9, "article/x#0") for name, value in values.items()}
        url = f"https://{site}/{number}"
        record = Record(site=site, urls=(url,), fields=fields, language="en", template="article", map_version=1)
        yield Collected(record=record, page=Page(url=url, body=b""))


def fill(store: Store, file: Path, count: int) -> None:
    """Store the records: some as collecting does, the rest as copies of those at other addresses and times."""
    for number in range(SITES):
        store.add_site(f"site{number}.example", url=f"https://site{number}.example/")
    made = min(count, ORIGINALS)
    for batch in batched(records(made), 2_000):
        store.commit_pages(batch)
    with closing(sqlite3.connect(file)) as database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(records)")]
        for first in range(made, count, made):
            values = {
                "number": f"number + {first}",
                "id": f"printf('%x%s', {first // made}, substr(id, 5))",
                "url": f"url || '-{first}'",
                "urls": f"json_array(url || '-{first}')",
                "shown_at": f"datetime(shown_at, '-{first % 1_440} minutes') || '.000000'",
            }
            own = ", ".join(values.get(name, name) for name in columns)
            with database:
                database.execute(
                    f"INSERT INTO records ({', '.join(columns)}) SELECT {own} FROM records WHERE number <= ?",  # noqa: S608
                    [min(made, count - first)],
                )


def batched(records: Iterator[Collected], size: int) -> Iterator[list[Collected]]:
    """Yield so many at a time."""
    while batch := list(islice(records, size)):
        yield batch


async def ask(client: httpx.AsyncClient, paths: list[str], a_second: float) -> list[float]:
    """Ask for pages at a steady rate; return how long each took."""
    took: list[float] = []

    async def one(path: str, at: float) -> None:
        await asyncio.sleep(max(0.0, at - time.perf_counter()))
        begun = time.perf_counter()
        answer = await client.get(path)
        took.append(1000 * (time.perf_counter() - begun))
        answer.raise_for_status()

    start = time.perf_counter()
    await asyncio.gather(*(one(path, start + number / a_second) for number, path in enumerate(paths)))
    return took


async def show(name: str, client: httpx.AsyncClient, paths: list[str], a_second: float = 0.0) -> None:
    """Ask for pages, at a rate or (0) one after the other, and print how long they took, and their processor time."""
    begun = time.process_time()
    took = (
        await ask(client, paths, a_second)
        if a_second
        else [t for path in paths for t in await ask(client, [path], 1e9)]
    )
    spent = 1000 * (time.process_time() - begun) / len(paths)
    ranked = sorted(took)
    p95 = ranked[int(len(ranked) * 0.95)]
    print(
        f"{name:34} p50 {statistics.median(ranked):7.1f} ms   p95 {p95:7.1f} ms   max {ranked[-1]:7.1f} ms   "
        f"processor {spent:6.1f} ms each",
        flush=True,
    )


async def measure(options: ServeOptions, store: Store, a_second: float) -> None:
    """Ask a service in this process for its pages."""
    app = make_app(options, store)
    service = app.state.service
    begun = time.perf_counter()
    taken = 0
    while done := service.catalogue.catch_up(20_000):
        taken += done
    seconds = time.perf_counter() - begun
    print(f"catalogue: {taken:,} cards in {seconds:.0f} s ({taken / max(seconds, 0.001):,.0f} a second)")
    dice = random.Random(2)  # noqa: S311 -- made up
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8700") as client:
        for path in SCREEN:
            await client.get(path)
            await show(f"{path} one by one", client, [path] * 60)
        await show(f"/ {a_second:.0f} a second", client, ["/"] * ASKED, a_second)
        for name, low, high in (("frequent", 0, 30), ("usual", 100, 3_000), ("rare", 10_000, 19_999)):
            paths = [f"/search?q=word{dice.randrange(low, high)}+word{dice.randrange(low, high)}" for _ in range(60)]
            await show(f"/search {name} words", client, paths)
            await show(f"/search {name} words, best first", client, [f"{path}&order=best" for path in paths[:30]])
        front = await client.get("/")
        print(f"front page: {len(front.content) / 1000:.0f} kB of markup")
        files = [f"/static/{name}" for name in PARTS.split()]
        weights = [len((await client.get(path)).content) for path in files]
        print(f"front page with styles and scripts: {(len(front.content) + sum(weights)) / 1000:.0f} kB")


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=100.0)
    parser.add_argument("--keep", help="a folder in which the store is kept, and found again")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(wanted.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        address = f"sqlite:///{folder}/serving.db"
        with open_store(address) as store:
            if not store.sites():
                begun = time.perf_counter()
                fill(store, folder / "serving.db", wanted.records)
                print(f"{wanted.records:,} records stored in {time.perf_counter() - begun:.0f} s")
            options = ServeOptions(store=StoreSettings(url=address, pages=str(folder / "pages")))
            asyncio.run(measure(options, store, wanted.rate))


if __name__ == "__main__":
    main()
