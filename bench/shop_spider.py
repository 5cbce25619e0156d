"""A shop collected by a map that was learned, beside a spider that somebody wrote by hand for it: products a second.

    python -m bench.shop_spider [--products N] [--rounds N]

Both take turns, on this machine, at the demo's shop of plain pages, served by a process of its own that draws each page
once. The spider knows the shop: it follows the menu, the next pages and the products, reads each field by a selector
that is written into it, and writes lines of JSON. Sitewright learned its map before, in a run that is not counted, and
begins each round with that map and an empty store: it finds the lists and the products, reads and stores them, with
their prices and the raw pages. No pause between pages; robots.txt is asked for by both. Also told is what each took of
processors for a product. Ends with one line of JSON.
"""

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from typing import Any

from bench.collecting import below

_REVIEW = {"author": "b", "stars": "span", "text": "p"}
HOST = "127.0.0.61"
DOMAIN = "shop"
WANTED = 0.9
"""The share of the spider's speed that is wanted (Figure 10 of the paper)."""


def serve(products: int) -> None:
    """Serve the shop; say on standard output where, and how many products it has."""
    from sitewright.demo.shops import DemoShop

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 256

    shop: DemoShop

    @cache
    def drawn(target: str) -> tuple[bytes, str] | None:
        page = shop.page(target)
        return (page.html, page.content_type) if page is not None else None

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            found = drawn(self.path)
            body, kind = found or (b"", "text/plain")
            head = f"HTTP/1.1 {200 if found else 404} .\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
            self.wfile.write(head.encode() + body)

    server = Server((HOST, 0), Handler)
    base_url = f"http://{HOST}:{server.server_address[1]}"
    shop = DemoShop(products=products, base_url=base_url)
    print(json.dumps({"base_url": base_url, "products": len(shop.truth())}), flush=True)
    server.serve_forever()


def by_hand(base_url: str, folder: str) -> None:
    """Collect the shop with a spider that was written for it."""
    from scrapy import Spider
    from scrapy.crawler import CrawlerProcess
    from scrapy.http import Response

    class Shop(Spider):
        name = "shop"
        start_urls = (f"{base_url}/",)

        def parse(self, response: Response) -> Iterator[Any]:
            yield from response.follow_all(css=".main-menu .submenu a", callback=self.parse_list)

        def parse_list(self, response: Response) -> Iterator[Any]:
            yield from response.follow_all(css=".card-title a", callback=self.parse_product)
            yield from response.follow_all(css="a.next", callback=self.parse_list)

        def parse_product(self, response: Response) -> dict[str, Any]:
            def text(css: str) -> str:
                return " ".join(response.css(f"{css} ::text").getall()).strip()

            return {
                "url": response.css("link[rel=canonical]::attr(href)").get(),
                "name": text("h1.product-title"),
                "price": text(".product-price .price"),
                "old_price": text(".product-price .old-price"),
                "availability": text(".availability"),
                "brand": text(".specs tr:nth-child(1) td"),
                "sku": text(".sku span"),
                "gtin": text(".specs tr:nth-child(2) td"),
                "categories": response.css(".breadcrumb a::text").getall(),
                "description": text(".product-description p"),
                "specifications": {
                    row.css("th::text").get(): row.css("td::text").get() for row in response.css(".specs tr")
                },
                "reviews": [
                    {
                        "author": one.css("b::text").get(),
                        "stars": one.css("span::text").get(),
                        "text": one.css("p::text").get(),
                    }
                    for one in response.css(".review")
                ],
                "variants": response.css(".variants a::text").getall(),
                "images": response.css(".gallery img::attr(src)").getall(),
            }

    target = Path(folder) / "spider.jsonl"
    settings = {
        "LOG_ENABLED": False, "CONCURRENT_REQUESTS": 64, "CONCURRENT_REQUESTS_PER_DOMAIN": 64, "DOWNLOAD_DELAY": 0,
        "TELNETCONSOLE_ENABLED": False, "ROBOTSTXT_OBEY": True,
        "FEEDS": {str(target): {"format": "jsonlines", "overwrite": True}},
    }  # fmt: skip
    process = CrawlerProcess(settings)
    process.crawl(Shop)
    started = time.perf_counter()
    process.start()
    seconds = time.perf_counter() - started
    urls = {json.loads(line)["url"] for line in target.read_text("utf-8").splitlines()}
    print(json.dumps({"products": len(urls), "seconds": seconds, "own": time.process_time(), "others": 0.0}))


def ours(base_url: str, folder: str, map_file: str) -> None:
    """Collect the shop with its map; without one, learn it and leave it there."""
    from sitewright.actions.add_sites import SiteOptions, add_site
    from sitewright.parse.sites import site_name
    from sitewright.store.database import open_store
    from sitewright.types import FetchSettings
    from sitewright.watch.collector import CollectorOptions, open_collector

    store, known, site = f"sqlite:///{folder}/store.db", Path(map_file), site_name(base_url)
    with open_store(store) as opened:
        add_site(opened, f"{base_url}/", SiteOptions(domain=DOMAIN))
        if known.is_file():
            opened.save_map(known.read_text("utf-8"), "learned")
    fetch = FetchSettings(allow_hosts=(site,), pause_seconds=0.0, browser="/nowhere/chromium")
    options = CollectorOptions(store=store, pages=f"{folder}/pages", fetch=fetch)

    others = 0.0

    async def run() -> float:
        nonlocal others
        async with open_collector(options) as collector:
            started = time.perf_counter()
            await collector.run(once=True)
            others = below(os.getpid())
            return time.perf_counter() - started

    seconds = asyncio.run(run())
    with open_store(store) as opened:
        if not known.is_file() and (learned := opened.load_map(site)) is not None:
            known.write_text(learned.text, "utf-8")
        count = opened.count_records()
    print(json.dumps({"products": count, "seconds": seconds, "own": time.process_time(), "others": others}))


@contextmanager
def served(products: int) -> Iterator[dict[str, Any]]:
    """Run the server in a process of its own, and yield what it says of itself."""
    command = [sys.executable, "-m", "bench.shop_spider", "serve", str(products)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield json.loads(process.stdout.readline() if process.stdout else "")
        finally:
            process.kill()


def measured(*arguments: str) -> dict[str, Any]:
    """Run one contender in a process of its own, and return what it says."""
    command = [sys.executable, "-m", "bench.shop_spider", *arguments]
    told: dict[str, Any] = json.loads(
        subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()[-1]
    )
    return told


def compare(products: int, rounds: int) -> None:
    """Let both take turns, and print the table."""
    rates: dict[str, list[float]] = {"a spider by hand": [], "sitewright": []}
    spent: dict[str, list[list[float]]] = {name: [] for name in rates}
    with served(products) as shop, tempfile.TemporaryDirectory() as folder:
        map_file = f"{folder}/shop.map.yaml"
        learning = Path(folder, "learning")
        learning.mkdir()
        first = measured("ours", shop["base_url"], str(learning), map_file)
        print(f"learned and collected in {first['seconds']:.1f} s, {first['products']} of {shop['products']} products")
        for number in range(rounds):
            own = Path(folder, str(number))
            own.mkdir()
            for name, part in (("a spider by hand", "by_hand"), ("sitewright", "ours")):
                told = measured(part, shop["base_url"], str(own), map_file)
                rates[name].append(told["products"] / told["seconds"])
                spent[name].append([1000 * told[one] / told["products"] for one in ("own", "others")])
                if told["products"] != shop["products"]:
                    print(f"{name}: {told['products']} of {shop['products']} products", file=sys.stderr)
    base = median(rates["a spider by hand"])
    for name, several in rates.items():
        own = [round(one) for one in several]
        print(f"{name:18} {median(several):6.1f} products/s  {median(several) / base:5.0%}  {own}", end="; ")
        mine, theirs = (median(costs) for costs in zip(*spent[name], strict=True))
        print(f"processor: {mine:.1f} ms a product, and {theirs:.1f} of other processes")
    print(json.dumps({"share": median(rates["sitewright"]) / base, "wanted": WANTED}))


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--products", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    match given.part:
        case ["serve", products]:
            serve(int(products))
        case ["by_hand", base_url, folder, *_]:
            by_hand(base_url, folder)
        case ["ours", base_url, folder, map_file]:
            ours(base_url, folder, map_file)
        case _:
            compare(given.products, given.rounds)


if __name__ == "__main__":
    main()
