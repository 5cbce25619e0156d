"""The corpora in, observed pages with labels of their links out.

Front pages are labelled. Of other news pages little is known but their own address: on an article page, links whose
address has the same shape lead to articles, and links without anything that could name a story do not; on an index
page of a site of which article pages are known, likewise. What is in between stays without a label.
"""

import json
import lzma
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitewright.errors import SitewrightError
from sitewright.links.addresses import read_address, same_page
from sitewright.links.observe import Observed, observe
from sitewright.parse import host_of, is_of_site, owner_of, parse
from sitewright.types import Page
from training.links.plain import cloud_page, plain_page, wordings

Labels = NDArray[np.int8]
"""1 an article, 0 none, -1 not known; one a link."""
PARTS = 4
"""Sites are parted so, for models that have not seen those that they are asked about."""
_STRONG = ("slug", "#", "YYYY", "hex")
"""Kinds of parts of an address that can name a story."""
_SECTIONS = frozenset({"w", "w-w", "w-0", "0"})
_PAGES_A_SITE, _INDEX_PAGES_A_SITE = 1, 3
"""More pages of a site repeat its menus, and say little more."""
_LINKS_A_PAGE = 100
_PLAIN_PAGES, _CLOUDS, _MENU_TEXT = 24, 2, 60
"""Of each language, and each part of the sites, so many pages are made up."""
HAND = "hand_links.jsonl.xz"
_LEAST = 6
"""Pages with fewer links to articles, or fewer others, are left out: their shapes may be a coincidence."""
Kind = Literal["hand", "front", "index", "plain", "article"]
"""Front pages labelled by reading, and by rules for each paper; pages labelled by shapes of addresses; made-up ones."""
Row = dict[str, Any]
"""A page of a corpus."""


@dataclass(frozen=True, slots=True)
class LabelledLinks:
    """An observed page, and whether its links lead to articles."""

    kind: Kind
    site: str
    url: str
    time: datetime | None
    observed: Observed
    labels: Labels

    @property
    def part(self) -> int:
        """The part that its site belongs to."""
        return part_of(self.site)


class LabelledText(NamedTuple):
    """A text that may stand on a link."""

    site: str
    text: str
    is_headline: bool


Label = Callable[[Row, Observed], Labels | None]
"""Labels the links of a page; None where too little is known of it."""


def part_of(site: str) -> int:
    """Return the part that a site belongs to, the same on every machine."""
    return zlib.crc32(site.encode()) % PARTS


def by_site(pages: Iterable[LabelledLinks]) -> list[list[LabelledLinks]]:
    """Return the pages of each site that were labelled in one way."""
    sites: dict[tuple[str, str], list[LabelledLinks]] = defaultdict(list)
    for page in pages:
        sites[page.kind, page.site].append(page)
    return list(sites.values())


def rows_of(path: Path) -> Iterator[Row]:
    """Yield the rows of a corpus."""
    with lzma.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def validation_sites(data: Path) -> frozenset[str]:
    """Return the sites whose front pages are validation: no page of them is learned from, of whatever corpus."""
    return frozenset(row["site"] for row in _front_rows(data) if row["fold"] == 0)


def front_pages(data: Path, workers: int = 2) -> list[LabelledLinks]:
    """Return the labelled front pages of the folds that are learned from; what was read by hand is not there twice."""
    unwanted = validation_sites(data)
    rows = [row for row in rows_of(data / HAND) if row["fold"] != 0 and not _is_of(row["site"], unwanted)]
    read = {row["site"] for row in rows}
    others = (row for row in _front_rows(data, hand=False) if row["fold"] != 0 and row["site"] not in read)
    return [*_observed(rows, _front_labels, "hand", workers), *_observed(others, _front_labels, "front", workers)]


def _front_rows(data: Path, *, hand: bool = True) -> Iterator[Row]:
    for path in [*sorted((data / "frontpages").glob("*.jsonl.xz")), *([data / HAND] if hand else [])]:
        yield from rows_of(path)


def plain_pages(news: Iterable[Row], pages: Iterable[LabelledLinks], workers: int = 2) -> list[LabelledLinks]:
    """Return small plain pages that are made up of the texts of news sites, those of each part by themselves."""
    known = wordings(_wording_texts(news, pages))
    rows = [
        {**make(wording, Random(f"{group} {number}")), "site": _made_up_site(group, number)}
        for group, wording in sorted(known.items())
        for make, many in ((plain_page, _PLAIN_PAGES), (cloud_page, _CLOUDS))
        for number in range(many)
    ]
    return _observed(rows, _front_labels, "plain", workers)


def _wording_texts(news: Iterable[Row], pages: Iterable[LabelledLinks]) -> Iterator[tuple[str, str, str]]:
    languages: dict[str, str] = {}
    for row in news:
        languages[row["site"]] = row["lang"] or ""
        group = f"{row['lang']} {part_of(row['site'])}"
        yield group, "title", row["labels"].get("title") or ""
        yield from ((group, "name", name) for name in _names_of(row))
    for page in pages:
        for text, label in zip(page.observed.texts, page.labels.tolist(), strict=True):
            if label == 0 and text and page.site in languages:
                yield f"{languages[page.site]} {page.part}", "menu", text[:_MENU_TEXT]


def _made_up_site(group: str, number: int) -> str:
    """Return a name that belongs to the part whose texts the page is made of."""
    names = (f"{group} {number} {attempt}" for attempt in count())
    return next(name for name in names if part_of(name) == int(group.rsplit(maxsplit=1)[-1]))


def news_rows(data: Path) -> list[Row]:
    """Return the news pages that may be learned from; only those whose links are looked at keep their HTML."""
    unwanted = validation_sites(data)
    seen: Counter[str] = Counter()
    kept = []
    for row in rows_of(data / "news.jsonl.xz"):
        if row["fold"] == 0 or _is_of(row["site"], unwanted):
            continue
        looked_at = (row.get("url") or "").startswith("http") and _is_looked_at(row, seen)
        kept.append({name: row.get(name) for name in ("site", "url", "lang", "labels", "page_type")})
        kept[-1]["html"] = row["html"] if looked_at else ""
    return kept


def _is_looked_at(row: Row, seen: Counter[str]) -> bool:
    if row["page_type"] != "article":
        return bool(row["source"] == "metahtml_nonarticle")
    seen[row["site"]] += 1
    return seen[row["site"]] <= _PAGES_A_SITE


def news_pages(rows: Sequence[Row], workers: int = 2) -> tuple[list[LabelledLinks], list[LabelledLinks]]:
    """Return article pages and index pages of news sites, with labels that addresses give."""
    shapes: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row["page_type"] == "article":
            shapes[row["site"]].add(story_shape(row["url"] or ""))
    of_site = partial(_site_labels, shapes={site: frozenset(filter(None, found)) for site, found in shapes.items()})
    articles = [row for row in rows if row["html"] and row["page_type"] == "article"]
    indexes = [row for row in rows if row["html"] and row["page_type"] != "article"]
    return (
        [_thinned(page) for page in _observed(articles, _own_labels, "article", workers)],
        list(_few_a_site(_observed(indexes, of_site, "index", workers))),
    )


def headlines(rows: Iterable[Row]) -> Iterator[LabelledText]:
    """Yield texts of news pages: titles are headlines, names of authors and sections are not."""
    for row in rows:
        if row["labels"].get("title"):
            yield LabelledText(row["site"], row["labels"]["title"][:200], True)
        yield from (LabelledText(row["site"], name, False) for name in _names_of(row))


def _names_of(row: Row) -> Iterator[str]:
    for field in ("categories", "authors"):
        values = (row["labels"].get(field) or [])[:3]
        yield from (value for value in values if isinstance(value, str) and value)


def story_shape(url: str) -> str:
    """Return the shape of the end of an address that names a story; empty where it could be anything.

    >>> story_shape("https://example.com/sport/2024/why-bees-dance-all-day"), story_shape("https://example.com/sport/")
    ('YYYY/slug', '')
    """
    path, _, query = read_address(url).shape.partition("?")
    parts = path.split("/")
    while parts and parts[0] in _SECTIONS:
        parts = parts[1:]
    end = "/".join(parts) + (f"?{query}" if "=#" in query else "")
    return end if any(kind in end for kind in _STRONG) else ""


def _is_of(site: str, sites: Iterable[str]) -> bool:
    return any(site == other or site.endswith(f".{other}") for other in sites)


def _observed(rows: Iterable[Row], label: Label, kind: Kind, workers: int) -> list[LabelledLinks]:
    with Pool(workers) as pool:
        found = pool.imap(partial(_observe, label=label, kind=kind), rows, chunksize=4)
        return [page for page in found if page is not None]


def _observe(row: Row, label: Label, kind: Kind) -> LabelledLinks | None:
    try:
        document = parse(Page(url=row["url"], body=row["html"], fetched_at=_moment(row.get("time"))))
    except SitewrightError:
        return None
    observed = observe(document)
    labels = label(row, observed)
    if labels is None:
        return None
    return LabelledLinks(kind, row["site"], row["url"], document.fetched_at, observed, labels)


def _moment(stated: str | None) -> datetime | None:
    moment = datetime.fromisoformat(stated) if stated else None
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def _front_labels(row: Row, observed: Observed) -> Labels:
    known: dict[str, bool] = {}
    for link in row["links"]:
        page = same_page(link["href"].replace(" ", "%20"))
        known[page] = known.get(page, False) or bool(link["article"])
    return np.array([known.get(page, -1) for page in observed.pages], dtype=np.int8)


def _own_labels(row: Row, observed: Observed) -> Labels | None:
    """Label the links of an article page by the shape of its own address."""
    return _shape_labels(row, observed, {story_shape(row["url"])} - {""})


def _site_labels(row: Row, observed: Observed, shapes: Mapping[str, frozenset[str]]) -> Labels | None:
    """Label the links of an index page by the shapes of its site's articles."""
    return _shape_labels(row, observed, shapes.get(row["site"], frozenset()))


def _shape_labels(row: Row, observed: Observed, stories: Collection[str]) -> Labels | None:
    """Label links by shapes of addresses that name stories; None where that is too little."""
    if not stories:
        return None
    site = owner_of(host_of(row["url"]))
    own = same_page(row["url"])
    labels = np.array([_shape_label(page, site, own, stories) for page in observed.pages], dtype=np.int8)
    found = {page for page, label in zip(observed.pages, labels, strict=True) if label == 1}
    return labels if len(found) >= _LEAST and (labels == 0).sum() >= _LEAST else None


def _shape_label(page: str, site: str, own: str, stories: Iterable[str]) -> int:
    if page == own:
        return -1
    shape = story_shape(page)
    if not is_of_site(read_address(page).host, site):
        return -1 if shape else 0
    return 1 if shape in stories else -1 if shape else 0


def _thinned(page: LabelledLinks) -> LabelledLinks:
    """Keep a sample of the labelled links of an article page: there are many pages."""
    known = np.flatnonzero(page.labels >= 0).tolist()
    rows = sorted(Random(page.url).sample(known, min(_LINKS_A_PAGE, len(known))))
    return replace(page, observed=_rows(page.observed, rows), labels=page.labels[rows])


def _rows(observed: Observed, rows: Sequence[int]) -> Observed:
    fields = {name: getattr(observed, name) for name in Observed.__slots__}
    return Observed(
        **{
            name: value[rows] if isinstance(value, np.ndarray) else [value[row] for row in rows]
            for name, value in fields.items()
        }
    )


def _few_a_site(pages: Iterable[LabelledLinks]) -> Iterator[LabelledLinks]:
    seen: Counter[str] = Counter()
    for page in pages:
        seen[page.site] += 1
        if seen[page.site] <= _INDEX_PAGES_A_SITE:
            yield page
