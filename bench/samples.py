"""The pages that everything here runs on: of the shared corpora where they are present, else of the demo site."""

import json
import lzma
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from bench.generic_map import fill_rates, write_map
from sitewright.demo import generate_site

ROOT = Path(__file__).resolve().parents[1]
NEWS = ROOT.parent / "shared" / "data" / "news.jsonl.xz"
STORY_KINDS = frozenset({"article", "gallery", "video", "live"})

SITES = 3
CONSIDERED = 40
"""So many of the largest groups are looked at, until enough have a map that fills most fields."""
PAGES_A_SITE = 30
LEAST_FILLED = 0.8
"""The share of the seven fields that a map must fill, over all pages, for a group to be taken."""
FUZZ_PAGE_CHARACTERS = 150_000
"""Larger pages make fewer mutants a minute and find nothing else; nine of ten pages of the corpus are smaller."""


@dataclass(frozen=True, slots=True)
class StoredPage:
    """A page as the parsers get it."""

    url: str
    html: str


@dataclass(frozen=True, slots=True)
class Sample:
    """Pages of one site and the text of a map that reads them."""

    site: str
    pages: tuple[StoredPage, ...]
    map_text: str


def has_shared() -> bool:
    """Tell whether the corpora lie beside the repository."""
    return NEWS.exists()


def load_samples(kind: str) -> list[Sample]:
    """Return the sites to measure on: `shared` or `demo`."""
    return _shared_samples() if kind == "shared" else [demo_sample()]


def demo_sample(seed: int = 1, stories: int = 40, language: str = "en") -> Sample:
    """Return the stories of a generated newspaper, with its own map."""
    site = generate_site(seed, stories=stories, language=language)
    pages = (
        StoredPage(site.base_url + page.path, page.html.decode(page.content_type.rpartition("charset=")[2]))
        for page in site.pages.values()
        if page.kind in STORY_KINDS
    )
    return Sample(f"demo ({site.host})", tuple(pages), site.map_text)


def fuzz_pages(kind: str, seed: int, count: int = 300) -> list[StoredPage]:
    """Return a random choice of pages to mutate, the same for the same seed."""
    chance = Random(seed)  # noqa: S311 -- repeatable on purpose
    if kind == "demo":
        pages = [page for language in ("en", "ru", "zh") for page in demo_sample(language=language).pages]
        return chance.sample(pages, min(count, len(pages)))
    kept: list[StoredPage] = []
    for seen, row in enumerate(row for row in _news_rows() if len(row["html"]) < FUZZ_PAGE_CHARACTERS):
        place = seen if seen < count else chance.randrange(seen + 1)
        if place < count:
            kept[place : place + 1] = [_page(row)]
    return kept


def _shared_samples() -> list[Sample]:
    """Return the largest groups of pages of one site whose generic map fills most fields."""
    sizes = Counter((row["source"], row["site"]) for row in _news_rows())
    largest = sorted(sizes, key=lambda group: (-sizes[group], group))[:CONSIDERED]
    groups: dict[tuple[str, str], list[StoredPage]] = {group: [] for group in largest}
    for row in _news_rows():
        pages = groups.get((row["source"], row["site"]))
        if pages is not None and len(pages) < PAGES_A_SITE:
            pages.append(_page(row))
    return list(islice(filter(None, (_sample(site, groups[source, site]) for source, site in largest)), SITES))


def _sample(site: str, pages: list[StoredPage]) -> Sample | None:
    map_text = write_map(site, [(page.url, page.html) for page in pages])
    rates = fill_rates(map_text, [(page.url, page.html) for page in pages])
    filled = sum(rates.values()) / len(rates)
    return Sample(site, tuple(pages), map_text) if filled >= LEAST_FILLED else None


def _news_rows() -> Iterator[dict[str, str]]:
    """Yield the article pages of the folds that are free to use."""
    with lzma.open(NEWS) as lines:
        for line in lines:
            row = json.loads(line)  # the standard reader: some rows hold NaN
            if row["fold"] != 0 and row["page_type"] == "article":
                yield row


def _page(row: dict[str, str]) -> StoredPage:
    return StoredPage(row.get("url") or f"https://{row['site']}/", row["html"])
