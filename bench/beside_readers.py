"""What collecting loses beside readers: pages a second with ten of them clicking, and without.

    python -m bench.beside_readers [--pages N] [--rounds N] [--readers N]

Rounds of both take turns, each collecting as `bench.collecting` does, into one store that `sitewright serve` shows. A
reader looks at the front page, opens a story, goes back, searches, and waits a second or so before each click.
"""

import argparse
import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median
from threading import Event, Thread

import httpx

from bench.collecting import below, learned_map, measured, prepare, rate_of, served

_STORY = re.compile(r'<h2[^>]*><a href="(/story/[^"]+)"')
_WAITS = (0.5, 1.5)


@contextmanager
def reading(folder: str, readers: int) -> Iterator[list[float]]:
    """Serve the store, and have readers click until the end; yields how many milliseconds each click took."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "sitewright", "serve", "--store", f"sqlite:///{folder}/store.db"]
    command += ["--pages", f"{folder}/pages", "--port", str(port)]
    took: list[float] = []
    over = Event()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        clicking = Thread(target=lambda: asyncio.run(_click(f"http://127.0.0.1:{port}", readers, took, over)))
        clicking.start()
        while not took:
            time.sleep(0.1)
        try:
            yield took
        finally:
            over.set()
            clicking.join()
            print(f"  served with {below(os.getpid()):.1f} s of processors in all")
            process.terminate()


async def _click(address: str, readers: int, took: list[float], over: Event) -> None:
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        while not over.is_set():
            try:
                await client.get("/healthz")
                break
            except httpx.TransportError:
                await asyncio.sleep(0.1)
        await asyncio.gather(*(_read(client, random.Random(number), took, over) for number in range(readers)))  # noqa: S311 -- made up


async def _read(client: httpx.AsyncClient, dice: random.Random, took: list[float], over: Event) -> None:
    stories: list[str] = []
    while not over.is_set():
        await asyncio.sleep(dice.uniform(*_WAITS))
        path = dice.choice(["/", "/", *(stories or ["/"]), "/search?q=harbour"])
        begun = time.perf_counter()
        answer = await client.get(path)
        answer.raise_for_status()
        took.append(1000 * (time.perf_counter() - begun))
        stories = _STORY.findall(answer.text)[:5] or stories


def main() -> None:
    """Take turns, and print what it gave."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--readers", type=int, default=10)
    given = parser.parse_args()
    alone, beside, clicks = [], [], []
    with served("demo") as server, tempfile.TemporaryDirectory() as folder:
        port = int(str(server["port"]))
        prepare(folder, learned_map(port), 0)
        for number in range(given.rounds):
            alone.append(rate_of(measured("ours", port, 2 * number, given.pages, folder, 0)))
            with reading(folder, given.readers) as took:
                beside.append(rate_of(measured("ours", port, 2 * number + 1, given.pages, folder, 0)))
            clicks += took
            print(f"round {number}: {alone[-1]:.0f} pages a second alone, {beside[-1]:.0f} beside", flush=True)
    ranked = sorted(clicks)
    share = median(one / other for one, other in zip(beside, alone, strict=True))
    print(f"{median(alone):.0f} pages a second alone, {median(beside):.0f} beside {given.readers} readers: {share:.0%}")
    print(f"{len(ranked)} clicks, p50 {median(ranked):.0f} ms, p95 {ranked[int(len(ranked) * 0.95)]:.0f} ms")


if __name__ == "__main__":
    main()
