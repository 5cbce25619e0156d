"""Pages a second: fetched, parsed, extracted and stored, beside what bare Scrapy downloads from the same server.

    python -m bench.collecting [--pages N] [--rounds N] [--seen N] [--workers N] [--of demo|shared]

Both take turns, on this machine, from a server in a process of its own that keeps its pages in memory. Bare Scrapy is
a spider that asks for all addresses and does nothing with the answers: no pause, no robots.txt, no retries, 64 requests
at once. Sitewright collects the same addresses: a learned map reads the pages, records and raw pages are stored.
`--of shared` serves pages of a real site from the corpora, not generated ones. `--seen` also measures it with so many
seen links in the store. Also told: what it costs to keep baselines up, in processor time a page beside all that is
spent on it, by all processes, and what of it is spent in the one that is the bound. Ends with one line of JSON.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any
from urllib.request import urlopen
from zlib import crc32

if TYPE_CHECKING:
    from sitewright.notice.observation import Observation

STORIES = 200
LEARNED_FROM = 20
SITE = "127.0.0.1"
_RUNS = 7
_TURN = 500
"""Pages after which a collector writes baselines."""


def bodies(kind: str) -> list[bytes]:
    """Return the pages to serve: articles of a generated paper, or pages of a site of the corpora."""
    from bench.samples import demo_sample, load_samples

    sample = demo_sample(stories=STORIES) if kind == "demo" else load_samples("shared")[-1]
    return [page.html.encode("utf-8", "replace") for page in sample.pages if kind != "demo" or "/20" in page.url]


def serve(kind: str) -> None:
    """Serve pages over and over, at /n/PATH; say the port on standard output."""
    answers = [
        f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
        for body in bodies(kind)
    ]
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                number = head.partition(b" /")[2].partition(b"/")[0]
                writer.write(answers[int(number) % len(answers)] if number.isdigit() else missing)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        size = sum(map(len, answers)) // len(answers)
        print(json.dumps({"port": server.sockets[0].getsockname()[1], "bytes": size}), flush=True)
        await server.serve_forever()

    asyncio.run(run())


def address(port: int, round_number: int, number: int) -> str:
    """Return where a page is; every round has addresses of its own."""
    return f"http://127.0.0.1:{port}/{number}/news/{round_number}/story-{number}.html"


def bare(port: int, pages: int) -> None:
    """Download pages with a bare Scrapy spider and print how many a second."""
    from scrapy import Request, Spider
    from scrapy.crawler import CrawlerProcess

    class Bare(Spider):
        name = "bare"
        got = 0

        async def start(self) -> object:
            for number in range(pages):
                yield Request(address(port, 0, number), dont_filter=True)

        def parse(self, response: object) -> None:  # noqa: ARG002 -- it is thrown away
            type(self).got += 1

    settings = {
        "LOG_ENABLED": False,
        "CONCURRENT_REQUESTS": 64,
        "CONCURRENT_REQUESTS_PER_DOMAIN": 64,
        "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False,
        "RETRY_ENABLED": False,
    }
    process = CrawlerProcess(settings)
    process.crawl(Bare)
    started = time.perf_counter()
    process.start()
    print(json.dumps({"pages": Bare.got, "seconds": time.perf_counter() - started}))


def ours(port: int, round_number: int, pages: int, folder: str, workers: int) -> None:
    """Collect pages into a store that has a map of the site, and print how many a second."""
    from sitewright.store.database import open_store
    from sitewright.store.entries import FoundLink
    from sitewright.types import FetchSettings
    from sitewright.watch.collector import CollectorOptions, open_collector

    store = f"sqlite:///{folder}/store.db"
    with open_store(store) as opened:
        before = opened.count_records()
        links = [FoundLink(url=address(port, round_number, number)) for number in range(pages)]
        opened.add_links(SITE, links)
    options = CollectorOptions(
        store=store,
        pages=f"{folder}/pages",
        workers=workers,
        fetch=FetchSettings(allow_hosts=(SITE,), pause_seconds=0.0),
    )

    others: list[float] = []

    async def run() -> float:
        async with open_collector(options) as collector:
            started = time.perf_counter()
            await collector.run(once=True)
            others.append(below(os.getpid()))
            return time.perf_counter() - started

    seconds = asyncio.run(run())
    with open_store(store) as opened:
        got = opened.count_records() - before
        if got != pages:
            print(opened.failures(SITE)[:3], file=sys.stderr)
    spent = {"own": time.process_time(), "others": others[0]}
    print(json.dumps({"pages": got, "seconds": seconds, "processor": {name: s / got for name, s in spent.items()}}))


def below(parent: int) -> float:
    """Return the processor time of all processes that a process has started, and they."""
    rows = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after = path.read_text().rpartition(")")[2].split()
            rows[int(path.parent.name)] = (int(after[1]), (int(after[11]) + int(after[12])) / os.sysconf("SC_CLK_TCK"))
    found, known = 0.0, {parent}
    while new := {number for number, (own, _) in rows.items() if own in known} - known:
        known |= new
        found += sum(rows[number][1] for number in new)
    return found


def upkeep(map_text: str, kind: str) -> dict[str, float]:
    """Return the seconds a page that baselines cost: to observe it where it is read, to count it in the collector."""
    from sitewright.maps import parse_map
    from sitewright.notice.baselines import SiteBaseline
    from sitewright.notice.observation import pack_observation, unpack_observation
    from sitewright.parse import parse
    from sitewright.reading import item as reading
    from sitewright.types import Page

    reader = reading.MapReader(parse_map(map_text))
    pages = [Page(url=address(0, 0, number), body=body) for number, body in enumerate(bodies(kind))]
    documents = [parse(page) for page in pages]
    readings = [reader.read(document) for document in documents]
    readings = [one._replace(record=replace(one.record, site=SITE)) for one in readings]

    def observed() -> list[bytes]:
        pairs = zip(readings, documents, strict=True)
        return [pack_observation(reading._observed(one, document, 0.0)) for one, document in pairs]

    baseline = SiteBaseline()
    known = [unpack_observation(one) for one in observed()]
    for one in known:
        baseline.observe(one, only_learn=True)
    rounds = iter([[pack_observation(as_new(one, f"{n}/{m}")) for m, one in enumerate(known)] for n in range(_RUNS)])

    def counted() -> None:
        for one in next(rounds):
            baseline.observe(unpack_observation(one))

    def kept() -> None:
        baseline.changed |= {"", *baseline.templates}
        baseline.take_states()

    own = best_of(counted) / len(pages) + best_of(kept) / _TURN
    return {"others": best_of(observed) / len(pages), "own": own}


def as_new(page: "Observation", name: str) -> "Observation":
    """Return a page as if it were another one: with an address, a title and a text of its own."""
    own = {field: seen._replace(digest=crc32(f"{field}/{name}".encode())) for field, seen in page.found.items()}
    found = {field: own[field] if field in {"title", "text"} else seen for field, seen in page.found.items()}
    return replace(page, url=name, address=name, found=found)


def best_of(work: Callable[[], object]) -> float:
    """Return the processor time of the quickest of some runs."""
    times = []
    for _ in range(_RUNS):
        started = time.process_time()
        work()
        times.append(time.process_time() - started)
    return min(times)


def learned_map(port: int) -> str:
    """Learn the map from some of the pages, as a collector does, and return its text."""
    from sitewright.fetch import PagePlace
    from sitewright.maps import dump_map
    from sitewright.reading.learn import Tagged, learn, tag
    from sitewright.types import Limits, Page

    pages = []
    for number in range(LEARNED_FROM):
        with urlopen(address(port, 0, number), timeout=10) as answer:
            pages.append(Page(url=answer.url, body=answer.read(), headers=dict(answer.headers.items())))
    tagged = [Tagged(PagePlace(page), tag(Limits(), page, "news")) for page in pages]
    return dump_map(replace(learn(Limits(), tagged, "news").extraction_map, site=SITE))


def prepare(folder: str, map_text: str, seen: int) -> None:
    """Make a store with the site, its map, and seen links."""
    from sitewright.store.database import open_store

    with open_store(f"sqlite:///{folder}/store.db") as store:
        store.add_site(SITE, url="http://127.0.0.1/")
        store.save_map(map_text, "learned")
        for start in range(0, seen, 50_000):
            store.mark_seen(SITE, [f"http://127.0.0.1/seen/{n}.html" for n in range(start, min(start + 50_000, seen))])


@contextmanager
def served(kind: str) -> Iterator[dict[str, object]]:
    """Run the server in a process of its own, and yield what it says of itself."""
    command = [sys.executable, "-m", "bench.collecting", "serve", kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline() if process.stdout else "")
        finally:
            process.kill()


def measured(*arguments: object) -> dict[str, Any]:
    """Run one contender in a process of its own, and return what it says."""
    command = [sys.executable, "-m", "bench.collecting", *map(str, arguments)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def rate_of(told: dict[str, Any]) -> float:
    """Return pages a second."""
    return float(told["pages"]) / float(told["seconds"])


def compare(kind: str, pages: int, rounds: int, seen: int, workers: int) -> None:
    """Let both take turns, and print the table."""
    spent: list[dict[str, float]] = []
    figures: dict[str, list[float]] = {"bare Scrapy": [], "sitewright": [], "sitewright, many seen": []}
    with served(kind) as server, tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as full:
        port = int(str(server["port"]))
        map_text = learned_map(port)
        prepare(folder, map_text, 0)
        if seen:
            prepare(full, map_text, seen)
        for number in range(rounds):
            figures["bare Scrapy"].append(rate_of(measured("bare", port, pages)))
            told = measured("ours", port, number, pages, folder, workers)
            figures["sitewright"].append(rate_of(told))
            spent.append(told["processor"])
            if seen:
                figures["sitewright, many seen"].append(rate_of(measured("ours", port, number, pages, full, workers)))
        print(f"{pages:,} pages of {server['bytes']:,} bytes, the median of {rounds} rounds")
    cost = upkeep(map_text, kind)
    usual = {name: median(one[name] for one in spent) for name in ("own", "others")}
    shares = {"all": sum(cost.values()) / sum(usual.values()), "own": cost["own"] / usual["own"]}
    print(f"baselines: {shares['all']:.1%} of the processor time, {shares['own']:.1%} of the collector's own", end="; ")
    print("microseconds a page:", {name: round(1e6 * seconds) for name, seconds in cost.items()}, end=" of ")
    print({name: round(1e6 * seconds) for name, seconds in usual.items()})
    base = median(figures["bare Scrapy"])
    for name, own in figures.items():
        if own:
            print(f"{name:24} {median(own):8,.0f} pages/s   {median(own) / base:5.0%}   {[round(one) for one in own]}")
    print(json.dumps({name: median(own) for name, own in figures.items() if own}))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seen", type=int, default=0)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--of", choices=("demo", "shared"), default="demo")
    given = parser.parse_args()
    match given.part:
        case ["serve", kind]:
            serve(kind)
        case ["bare", port, pages]:
            bare(int(port), int(pages))
        case ["ours", port, number, pages, folder, workers]:
            ours(int(port), int(number), int(pages), folder, int(workers))
        case _:
            compare(given.of, given.pages, given.rounds, given.seen, given.workers)


if __name__ == "__main__":
    main()
