"""Galleries of three kinds, collected from loopback as they would be from the web: how many sets come out right.

    python -m bench.galleries [--sets 20] [--seed 1] [--kinds links,state,…]

Pages: `numbers` (numbered links), `next` (a link to the next page only). State: `state` (the page shows one picture,
its script holds all as JSON). Scripts: `script` (one picture at a time, turned by the page's own button) and `swiper`
(the gallery library Swiper with virtual slides, fetched from npm; left out with the reason where it cannot be had).
All pages have a logo and an advert among the pictures that the map's rule finds. A set is right when it has all its
pictures in order, with their captions, and nothing else.
"""

import argparse
import asyncio
import json
import random
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

from sitewright.maps import parse_map
from sitewright.store.database import open_store
from sitewright.store.entries import WatchedPage
from sitewright.types import FetchSettings
from sitewright.watch.collector import CollectorOptions, open_collector

KINDS = ("numbers", "next", "state", "script", "swiper")
MAP = """\
sitewright: 1
site: {site}
templates:
  - name: gallery
    url: /gallery/
    render: {render}
    rules:
      title: {{select: [h1]}}
      text: {{select: [.lead], many: true}}
      images: {{select: [figure, .brand img, .advert img], many: true}}
index:
  - {{url: "{front}", items: [li > a]}}
"""
_PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000003200000025808020000")


@dataclass(frozen=True, slots=True)
class Gallery:
    """A gallery of a kind."""

    kind: str
    number: int
    photos: int

    def caption(self, page: int) -> str:
        """Return what is written below a picture, from 1 on."""
        return f"Picture {page} of the {self.kind} gallery {self.number}: the harbour on day {page}"

    def picture(self, page: int) -> str:
        """Return the address of a picture."""
        return f"/img/{self.kind}-{self.number}-{page}.png"

    def html(self, page: int) -> str:
        """Return a page of it, from 1 on."""
        body = {"state": self._state, "script": self._script, "swiper": self._swiper}.get(self.kind, self._linked)
        return (
            "<html><head><meta charset=utf-8><link rel=stylesheet href=/swiper.css></head><body>"
            "<header class=brand><a href=/><img src=/img/brand-2024.png></a></header>"
            f"<main><h1>Harbour {self.number}</h1><p class=lead>All about harbour {self.number}, told in pictures.</p>"
            f"{body(page)}</main><aside class=advert><img src=/img/advert-2024.png></aside></body></html>"
        )

    def _figure(self, page: int) -> str:
        return f"<figure><img src='{self.picture(page)}'><figcaption>{self.caption(page)}</figcaption></figure>"

    def _linked(self, page: int) -> str:
        own = f"/gallery/{self.number}-the-harbour-in-pictures"
        addresses = [own, *(f"{own}?page={n}" for n in range(2, self.photos + 1))]
        if self.kind == "numbers":
            links = "".join(f"<a href='{address}'>{n}</a> " for n, address in enumerate(addresses, 1))
        else:
            links = f"<a href='{addresses[page]}'>Next</a>" if page < self.photos else ""
        return f"{self._figure(page)}<nav>{links}</nav>"

    def _slides(self) -> str:
        slides = [{"src": self.picture(n), "caption": self.caption(n)} for n in range(1, self.photos + 1)]
        return json.dumps(slides)

    def _state(self, _page: int) -> str:
        return f'{self._figure(1)}<script>window.__STATE__ = {{"slides": {self._slides()}}};</script>'

    def _script(self, _page: int) -> str:
        return (
            f"<div class=stage>{self._figure(1)}<button class=forward aria-label='Next picture'></button></div>"
            f"<p>1/{self.photos}</p><script>(count => {{ let n = 1; const folder = '/img/{self.kind}-{self.number}-';"
            "document.querySelector('.forward').onclick = () => setTimeout(() => { n = n % count + 1;"
            "document.querySelector('figure img').src = folder + n + '.png';"
            f"document.querySelector('figcaption').textContent = `Picture ${{n}} of the {self.kind} gallery "
            f"{self.number}: the harbour on day ${{n}}`;"
            f"}}, 20); }})({self.photos})</script>"
        )

    def _swiper(self, _page: int) -> str:
        return (
            "<div class=swiper style='width:600px;height:420px'><div class=swiper-wrapper></div>"
            "<div class=swiper-button-next></div><div class=swiper-button-prev></div></div>"
            "<script src=/swiper.js></script><script>(async () => {"
            f"const folder = '/img/{self.kind}-{self.number}-', count = {self.photos};"
            "const slides = Array.from({length: count}, (_, n) => n + 1);"
            "new Swiper('.swiper', {speed: 0, navigation: {nextEl: '.swiper-button-next'},"
            "virtual: {slides, addSlidesBefore: 0, addSlidesAfter: 0, renderSlide: n => "
            "`<figure class=swiper-slide><img src='${folder}${n}.png'><figcaption>Picture ${n} of the "
            f"{self.kind} gallery {self.number}: the harbour on day ${{n}}</figcaption></figure>`}}}});"
            "})()</script>"
        )


class Site(ThreadingHTTPServer):
    """Serves the galleries of a kind."""

    daemon_threads = True

    def __init__(self, kind: str, galleries: Sequence[Gallery], library: Path | None) -> None:
        super().__init__((f"127.0.9.{KINDS.index(kind) + 1}", 0), _Handler)
        self.kind = kind
        self.galleries = {one.number: one for one in galleries}
        self.library = library

    @property
    def host(self) -> str:
        """Its name and port."""
        return f"{self.server_address[0]!s}:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    server: Site

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        kind, body = self._answer(parts.path, int(parse_qs(parts.query).get("page", ["1"])[0]))
        self.send_response(200 if body else 404)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _answer(self, path: str, page: int) -> tuple[str, bytes]:
        site = self.server
        if path == "/":
            links = "".join(
                f"<li><a href='/gallery/{n}-the-harbour-in-pictures'>Harbour {n}</a></li>" for n in site.galleries
            )
            return "text/html; charset=utf-8", f"<h1>Galleries</h1><ul>{links}</ul>".encode()
        if path.startswith("/gallery/"):
            one = site.galleries[int(path.removeprefix("/gallery/").partition("-")[0])]
            return "text/html; charset=utf-8", one.html(page).encode() if page <= one.photos else b""
        if path.startswith("/img/"):
            return "image/png", _PNG
        if path in ("/swiper.js", "/swiper.css") and site.library is not None:
            name = "swiper-bundle.min" + path.removeprefix("/swiper")
            return ("text/javascript" if path.endswith("js") else "text/css"), (site.library / name).read_bytes()
        return "text/plain", b""

    def log_message(self, *_: object) -> None:
        pass


def fetch_swiper(folder: Path) -> str:
    """Unpack Swiper from npm into a folder; return why that cannot be, or nothing."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not there"
    try:
        subprocess.run([npm, "pack", "swiper", "--silent"], cwd=folder, check=True, capture_output=True, timeout=120)
    except (subprocess.SubprocessError, OSError) as error:
        return f"npm could not fetch it: {error}"
    with tarfile.open(next(folder.glob("swiper-*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    found = folder / "package" / "swiper-bundle.min.js"
    return "" if found.is_file() else f"{found.name} is not in the package"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of the galleries of a kind."""

    kind: str
    wanted: int
    found: int
    right: int
    seconds: float

    @property
    def row(self) -> str:
        """A line of the table."""
        precision, recall = self.right / (self.found or 1), self.right / self.wanted
        return f"| {self.kind} | {self.wanted} | {precision:.3f} | {recall:.3f} | {self.seconds:.0f} |"


def collect(kind: str, galleries: Sequence[Gallery], folder: Path, library: Path | None) -> Outcome:
    """Serve galleries, collect them, and judge the sets in the store."""
    site = Site(kind, galleries, library)
    Thread(target=site.serve_forever, daemon=True).start()
    start = time.perf_counter()
    try:
        asyncio.run(_collect(site, folder))
    finally:
        site.shutdown()
        site.server_close()
    spent = time.perf_counter() - start
    with open_store(f"sqlite:///{folder}/{kind}.db") as store:
        (name,) = [one.name for one in store.sites()]
        sets = {urlsplit(one.urls[0]).path: one for one in store.photo_sets(name)}
    wanted = {f"/gallery/{one.number}-the-harbour-in-pictures": one for one in galleries}
    right = sum(
        path in sets
        and [photo.caption for photo in sets[path].photos] == [one.caption(n + 1) for n in range(one.photos)]
        for path, one in wanted.items()
    )
    return Outcome(kind, len(wanted), len(sets), right, spent)


async def _collect(site: Site, folder: Path) -> None:
    front = f"http://{site.host}/"
    name = site.host.partition(":")[0]
    text = MAP.format(site=name, front=front, render="browser" if site.kind == "swiper" else "static")
    options = CollectorOptions(
        store=f"sqlite:///{folder}/{site.kind}.db",
        pages=f"{folder}/{site.kind}",
        workers=1,
        fetch=FetchSettings(allow_hosts=(site.host, name), pause_seconds=0.0),
    )
    with open_store(options.store) as store:
        store.add_site(parse_map(text).site, url=front)
        store.save_map(text, "person")
        store.put_index_pages([WatchedPage(site=name, url=front)])
    async with open_collector(options) as collector:
        await collector.run([name], once=True, patience=30.0)


def outcomes(kinds: Sequence[str], sets: int, chance: random.Random) -> Iterator[Outcome | str]:
    """Collect galleries of each kind; of what cannot be, yield the reason."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for kind in kinds:
            if kind == "swiper" and (reason := fetch_swiper(folder)):
                yield f"swiper is left out: {reason}"
                continue
            galleries = [Gallery(kind, number, chance.randint(3, 14)) for number in range(101, 101 + sets)]
            yield collect(kind, galleries, folder, folder / "package" if kind == "swiper" else None)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    options = parser.parse_args()
    print("| kind | sets | precision | recall | s |\n|---|---|---|---|---|")
    for outcome in outcomes(options.kinds.split(","), options.sets, random.Random(options.seed)):  # noqa: S311
        print(outcome if isinstance(outcome, str) else outcome.row, flush=True)


if __name__ == "__main__":
    sys.exit(main())
