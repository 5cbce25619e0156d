"""A day of made-up galleries, page by page and in any order: how many sets come out right, and how long that takes.

    python -m bench.stories [--sources 600] [--sets 20000] [--seed 1]

Each source has galleries of one kind: numbered links, a link to the next page only, a list to jump from page to page.
Pages hold a picture with its caption, an advert and a logo that are on all pages, links to other galleries. Any page
of a gallery is met first. They are read with a map, and what they say is written to a SQLite store, as a collector does
it; no page is fetched. A set is right when it has all its pictures in order, with their captions, and nothing else.
"""

import argparse
import asyncio
import random
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from sitewright.maps import parse_map
from sitewright.processes.tasks import pack_map, read_item
from sitewright.store.database import Store, open_store
from sitewright.store.warc import WarcStore
from sitewright.types import Limits, Page
from sitewright.watch.recorder import Kept, Recorder
from sitewright.watch.store_thread import StoreThread

KINDS = ("numbers", "next", "jumps")
NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
TOGETHER = 40
"""So many galleries of a source are collected at once."""
MAP = """\
sitewright: 1
site: {site}
templates:
  - name: gallery
    rules:
      title: {{select: [h1]}}
      text: {{select: [.lead], many: true}}
      images: {{select: [figure], many: true}}
"""


@dataclass(frozen=True, slots=True)
class Gallery:
    """A gallery of a source, and how its pages lead to each other."""

    site: str
    number: int
    photos: int
    kind: str

    def url(self, page: int) -> str:
        """Return the address of a page, from 1 on."""
        first = f"https://{self.site}/photos/the-harbour-in-pictures-{self.number}x"
        return first if page == 1 else f"{first}?page={page}"

    def caption(self, page: int) -> str:
        """Return what is written below a picture."""
        return f"Picture {page} of gallery {self.number} of {self.site}"

    def html(self, page: int) -> str:
        """Return a page."""
        picture = f"<figure><img src='/img/{self.number}/harbour-{self.number}-{page}.jpg'>"
        others = "".join(f"<li><a href='/photos/other-{n}'>Other pictures {n}</a></li>" for n in range(6))
        return (
            f"<html><body><header><img src='/logo.png'></header><main><h1>Gallery {self.number}</h1>"
            f"<p class=lead>All about gallery {self.number} of {self.site}, as told in pictures.</p>"
            f"{picture}<figcaption>{self.caption(page)}</figcaption></figure>{self._links(page)}</main>"
            f"<aside><img src='/ad.gif'><ul>{others}</ul>"
            f"<a rel=next href='{self._other}'>Next gallery</a></aside></body>"
        )

    @property
    def _other(self) -> str:
        return replace(self, number=self.number + 1).url(1)

    def _links(self, page: int) -> str:
        several = range(1, self.photos + 1)
        if self.kind == "numbers":
            return "".join(f"<a href='{self.url(n)}'>{n}</a> " if n != page else f"<b>{n}</b> " for n in several)
        if self.kind == "jumps":
            options = "".join(f"<option value='{self.url(n)}'>Picture {n}</option>" for n in several)
            return f"<select>{options}</select>"
        back = f"<a href='{self.url(page - 1)}'>Previous</a>" if page > 1 else ""
        return back + (f"<a href='{self.url(page + 1)}'>Next</a>" if page < self.photos else "")


def main() -> None:
    """Collect all galleries, and print what came of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", type=int, default=600)
    parser.add_argument("--sets", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 -- a sample, not a secret
    galleries = list(_galleries(options.sources, options.sets, chance))
    with tempfile.TemporaryDirectory() as folder:
        start, busy = time.perf_counter(), time.process_time()
        right, found = asyncio.run(_collected(Path(folder), galleries, chance))
        spent, busy = time.perf_counter() - start, time.process_time() - busy
    pages = sum(one.photos for one in galleries)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{len(galleries):,} sets of {options.sources} sources, {pages:,} pages: "
        f"{spent:.0f} s ({busy:.0f} s of CPU, {busy / pages * 1000:.1f} ms a page), {memory:,} MB"
    )
    print(f"precision {right / (found or 1):.4f}, recall {right / len(galleries):.4f}")


def _galleries(sources: int, sets: int, chance: random.Random) -> Iterator[Gallery]:
    for number in range(sets):
        source = number % sources
        kind = KINDS[source % len(KINDS)]
        yield Gallery(f"paper-{source}.example", number // sources, chance.randint(3, 9), kind)


async def _collected(folder: Path, galleries: list[Gallery], chance: random.Random) -> tuple[int, int]:
    """Collect galleries; return how many sets are right, and how many there are."""
    right = found = 0
    with open_store(f"sqlite:///{folder}/store.db") as store, WarcStore(folder / "pages") as archive:
        with StoreThread(store) as store_thread:
            async with Recorder(store_thread, archive) as recorder:
                for site in sorted({one.site for one in galleries}):
                    own = [one for one in galleries if one.site == site]
                    await store_thread.ask(lambda opened, site=site: opened.add_site(site))
                    await _collect_source(recorder, store, own, chance)
        for site in sorted({one.site for one in galleries}):
            sets = {photo_set.urls[0]: photo_set for photo_set in store.photo_sets(site)}
            own = [one for one in galleries if one.site == site]
            found += len(sets)
            right += sum(
                [photo.caption for photo in sets[one.url(1)].photos]
                == [one.caption(n) for n in range(1, one.photos + 1)]
                for one in own
                if one.url(1) in sets
            )
    return right, found


async def _collect_source(recorder: Recorder, store: Store, galleries: list[Gallery], chance: random.Random) -> None:
    """Have any page of each gallery met first, and then all that wait."""
    packed = pack_map(parse_map(MAP.format(site=galleries[0].site)))
    by_url = {one.url(page): (one, page) for one in galleries for page in range(1, one.photos + 1)}
    waiting = [one.url(chance.randint(1, one.photos)) for one in galleries]
    while waiting:
        chance.shuffle(waiting)
        for start in range(0, len(waiting), TOGETHER):
            several = [by_url[url] for url in waiting[start : start + TOGETHER]]
            await asyncio.gather(*(recorder.keep(_read(one, page, packed)) for one, page in several))
        waiting = [link.url for link in store.due_links(galleries[0].site, limit=10_000) if link.url in by_url]


def _read(gallery: Gallery, page: int, packed: object) -> Kept:
    fetched = Page(url=gallery.url(page), body=gallery.html(page).encode(), fetched_at=NOW)
    read = read_item(Limits(), fetched, packed, True)  # type: ignore[arg-type]
    return Kept(
        site=gallery.site,
        link=fetched.url,
        page=replace(fetched, body=b""),
        packed=read.packed,
        record=read.record,
        failure=read.failure,
        story=read.story,
    )


if __name__ == "__main__":
    main()
