"""Which links of front pages lead to articles: what each kind of evidence gives, and what the rest of the stage does.

    python -m bench.links [--folds 0] [quality | selectors | calibration | cost ...]

Needs the corpora and their scorer beside the repository; prints tables in Markdown. Fold 0 is for validation. `quality`
also needs the training group: it grows trees that see some of the columns only, on the folds that are learned from.

* `quality`: text alone, markup alone, both, with time, with structure; and the way of the paper, with our classifier
  in place of BERT: texts of at least 0.9 and four words, clusters of their markup, every link that has what three
  quarters of a cluster share, then its rules of time.
* `selectors`: an index entry is learned from the first snapshots of a page and asked about later ones.
* `calibration`: how many of the links with a score are articles.
* `cost`: milliseconds a page after parsing, on one core.
"""

import argparse
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from bench.frontpages import PARTS, VALIDATION, FrontLink, FrontPage, LinkScore, Tally, front_pages
from bench.labelled import FRONT_PAGES
from bench.markdown import Cell, markdown
from bench.samples import has_shared
from sitewright.fetch import page_from_line
from sitewright.links import ARTICLE, judge, learn_index, load_model, read_page, select_links
from sitewright.links.addresses import same_page
from sitewright.links.bags import Floats, probability
from sitewright.links.evidence import COLUMNS, LinkFacts, SiteLinks
from sitewright.links.model import LEAST_TEXT, WEEK, time_table
from sitewright.links.page import PageLinks
from sitewright.links.patterns import Pattern, cluster, shared_pattern
from sitewright.parse import Document, parse

TEXT = ("text", "text on average")
MARKUP = (
    "names", "names on average", "links of cluster", "names of cluster", "links of place", "names of place",
    "heading", "picture", "heading at most", "picture at most", "links of parent",
)  # fmt: skip
TEXT_AND_MARKUP = (*TEXT, *MARKUP, "texts of cluster", "texts of place")
SEEN: Mapping[str, Sequence[str]] = {
    "text alone": TEXT,
    "markup alone": MARKUP,
    "text + markup": TEXT_AND_MARKUP,
    "text + markup + structure": COLUMNS,
}
"""What trees see of the links, step by step."""
PAPER_TEXT, PAPER_WORDS = 0.9, 4
"""The paper's: a text is a headline from this score and this number of words on."""
Way = Callable[["Site"], Iterator[tuple[str, set[str]]]]
"""Yields the pages that something takes for articles, with its name."""


@dataclass(frozen=True, slots=True)
class Site:
    """The front pages of a paper, and what was read of their links."""

    pages: Sequence[FrontPage]
    links: SiteLinks


def sites(part: str, folds: Collection[int]) -> Iterator[Site]:
    """Read the papers of a part, one in memory at a time."""
    networks = load_model().networks
    waiting: list[tuple[FrontPage, PageLinks]] = []
    for page in front_pages(part, folds):
        if waiting and waiting[0][0].site != page.site:
            yield _site(waiting)
            waiting = []
        waiting.append((page, read_page(document_of(page), networks)))
    if waiting:
        yield _site(waiting)


def _site(read: Sequence[tuple[FrontPage, PageLinks]]) -> Site:
    return Site([page for page, _ in read], SiteLinks([links for _, links in read]))


def document_of(page: FrontPage) -> Document:
    """Parse a front page."""
    row = {"url": page.url, "html": page.html, "time": page.time}
    return parse(page_from_line(orjson.dumps(row), page.site))


def target(link: FrontLink) -> str:
    """Return the page that a labelled link leads to, as our own links name it."""
    return same_page(link.href.replace(" ", "%20"))


def truth(pages: Iterable[FrontPage]) -> dict[str, bool]:
    """Return for each page that is linked to whether it is an article; it is one if any link to it is labelled so."""
    known: dict[str, bool] = {}
    for page in pages:
        for link in page.links:
            known[target(link)] = known.get(target(link), False) or link.article
    return known


def note(tally: Tally, site: Site, articles: Collection[str]) -> None:
    """Tell a tally which pages were taken for articles."""
    for page in site.pages:
        tally.add(page, [target(link) in articles for link in page.links])


def mean(values: Sequence[float]) -> float | None:
    """Return the mean; None of nothing."""
    return float(np.mean(values)) if values else None


def taken(site: Site, probabilities: Floats) -> set[str]:
    """Return the pages whose links are likely enough to lead to articles."""
    return {fact.page for fact, value in zip(site.links.facts, probabilities, strict=True) if value >= ARTICLE}


# What each kind of evidence gives.


class Steps:
    """Trees that see more and more, and the weights of time on top of each."""

    def __init__(self, data: Path, out: Path) -> None:
        """Grow the trees on the folds that are learned from."""
        from training.links.__main__ import prepare
        from training.links.fit import crossed, grow, weigh_time

        cases = prepare(data, out).cases
        self._trees: dict[str, Any] = {}
        self._time: dict[str, tuple[Floats, float]] = {}
        for name, columns in SEEN.items():
            self._trees[name] = grow(cases, columns)
            self._time[name] = weigh_time(cases, crossed(cases, columns))

    def ways(self, site: Site) -> Iterator[tuple[str, set[str]]]:
        """Yield the pages that each step takes for articles."""
        for name, columns in SEEN.items():
            look = [COLUMNS.index(column) for column in columns]
            alone = np.asarray(self._trees[name].predict(site.links.table[:, look]), dtype=np.float32)
            yield name, taken(site, alone)
            weights, bias = self._time[name]
            timed = probability(time_table(site.links, alone) @ weights + np.float32(bias))
            known = np.array([fact.lifetime is not None for fact in site.links.facts])
            yield f"{name} + time", taken(site, np.where(known, timed, alone).astype(np.float32))


def paper(site: Site) -> Iterator[tuple[str, set[str]]]:
    """Yield the pages that the paper's way takes for articles: text and markup, then its rules of time."""
    links = site.links
    outside = (links.column("in header") > 0.5) | (links.column("in footer") > 0.5)
    words = np.expm1(links.column("words"))
    headlines = (links.headlines >= PAPER_TEXT) & (words >= PAPER_WORDS - 0.5) & ~outside
    shared = _shared_patterns(_chosen(links, headlines))
    inside = _chosen(links, ~outside)
    found = {fact.page for fact in inside if any(pattern <= fact.pattern for pattern in shared)}
    yield "the paper's way: text + markup", found
    alike = np.expm1(links.column("like others but for numbers")) > 1.5
    refused = (links.column("begins others") > 0) | alike | (links.headlines <= LEAST_TEXT)
    rescued = {fact.page for fact in _chosen(links, ~refused) if fact.lifetime and fact.lifetime.is_ephemeral}
    standing = {fact.page for fact in links.facts if fact.lifetime and fact.lifetime.seen_hours > WEEK}
    yield "the paper's way: text + markup + time", (found | rescued) - standing


def _chosen(links: SiteLinks, rows: NDArray[np.bool_]) -> list[LinkFacts]:
    return [fact for fact, chosen in zip(links.facts, rows, strict=True) if chosen]


def _shared_patterns(facts: Iterable[LinkFacts]) -> list[Pattern]:
    """Cluster links by their patterns, and return what those of each cluster share."""
    patterns = Counter(fact.pattern for fact in facts)
    clusters: dict[int, dict[Pattern, int]] = defaultdict(dict)
    for pattern, number in cluster(patterns).items():
        clusters[number][pattern] = patterns[pattern]
    return [pattern for pattern in map(shared_pattern, clusters.values()) if pattern]


def shipped(site: Site) -> Iterator[tuple[str, set[str]]]:
    """Yield the pages that the shipped model takes for articles."""
    links = judge(site.links.pages, load_model()).links
    yield "as shipped (and adverts left out)", {page for page, link in links.items() if link.role == "article"}


def quality(folds: Collection[int], out: Path) -> str:
    """Return the table of what each kind of evidence gives."""
    ways: list[Way] = [paper, Steps(FRONT_PAGES.parent, out).ways, shipped]
    scores: dict[str, dict[str, LinkScore | None]] = defaultdict(dict)
    for part in PARTS:
        for name, tally in _tallies(sites(part, folds), ways).items():
            scores[name][part] = tally.score()
    rows = [[name, *_cells(own.get("series")), *_cells(own.get("single"))] for name, own in scores.items()]
    return markdown(["evidence", "series P", "series R", "single P", "single R"], rows)


def _tallies(read: Iterable[Site], ways: Sequence[Way]) -> dict[str, Tally]:
    tallies: dict[str, Tally] = defaultdict(Tally)
    for site in read:
        for way in ways:
            for name, articles in way(site):
                note(tallies[name], site, articles)
    return tallies


def _cells(score: LinkScore | None) -> tuple[float | None, float | None]:
    return (score.precision, score.recall) if score is not None else (None, None)


# Selectors for tomorrow.

LEARNED_FROM = (1, 3, 5)
LATER: Mapping[str, tuple[float, float]] = {
    "the same day": (1, 24),
    "the next days": (24, 24 * 7),
    "the next months": (24 * 20, 24 * 100),
    "after a year": (24 * 365, 24 * 500),
}
"""How many hours after the last snapshot that was learned from."""


@dataclass(frozen=True, slots=True)
class Selected:
    """How well selectors of the first snapshots of a page find the articles of a later one."""

    learned_from: int
    when: str
    precision: float
    recall: float


def selectors(folds: Collection[int]) -> str:
    """Return how well selectors of the first snapshots find the links of later ones, on pages that change."""
    pages: dict[str, list[FrontPage]] = defaultdict(list)
    for page in front_pages("series", folds):
        pages[page.url].append(page)
    ordered = [sorted(own, key=lambda page: page.time) for own in pages.values()]
    found = [score for own in ordered for count in LEARNED_FROM for score in _selected(own, count)]
    head = ["learned from", *(f"{when} {what}" for when in LATER for what in "PR")]
    return markdown(head, [_selected_row(found, count) for count in LEARNED_FROM])


def _selected_row(found: Iterable[Selected], count: int) -> list[Cell]:
    own = [score for score in found if score.learned_from == count]
    row: list[Cell] = [f"{count} snapshots" if count > 1 else "1 snapshot"]
    for when in LATER:
        then = [score for score in own if score.when == when]
        row += [mean([score.precision for score in then]), mean([score.recall for score in then])]
    return row


def _selected(pages: Sequence[FrontPage], count: int) -> Iterator[Selected]:
    """Learn from the first pages of a series, and score what is found on the others."""
    documents = [document_of(page) for page in pages[:count]]
    learned = learn_index(documents, _articles(documents))
    last = documents[-1].fetched_at
    if learned is None or last is None or len(documents) < count:
        return
    for page in pages[count:]:
        document = document_of(page)
        when = _when(document.fetched_at, last)
        if when is not None:
            chosen = select_links(document, learned.entry).links
            said = {same_page(link.url) for link in chosen if link.role == "article"}
            yield Selected(count, when, *_precision_and_recall(page, said))


def _articles(documents: Sequence[Document]) -> set[str]:
    model = load_model()
    links = judge([read_page(document, model.networks) for document in documents], model).links
    return {page for page, link in links.items() if link.role == "article"}


def _when(time: datetime | None, last: datetime) -> str | None:
    hours = (time - last).total_seconds() / 3600 if time is not None else 0.0
    return next((name for name, (low, high) in LATER.items() if low <= hours < high), None)


def _precision_and_recall(page: FrontPage, said: set[str]) -> tuple[float, float]:
    known = truth([page])
    articles = {key for key, article in known.items() if article}
    right = len(said & articles)
    return right / max(len(said & known.keys()), 1), right / max(len(articles), 1)


# Calibration and cost.

BANDS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99, 1.0001)


@dataclass(slots=True)
class Band:
    """The links whose scores are close to each other: how many, and of each site the share that are articles."""

    links: int = 0
    shares: list[float] = field(default_factory=list)

    def cells(self) -> list[Cell]:
        """Return the number of links and the mean share."""
        return [self.links, mean(self.shares)]


def calibration(folds: Collection[int]) -> str:
    """Return the share of articles among links by their score, every site counting the same."""
    columns = [_bands(sites(part, folds)) for part in PARTS]
    rows: list[list[Cell]] = [
        [f"{low:g} to {min(high, 1):g}", *(cell for bands in columns for cell in bands[number].cells())]
        for number, (low, high) in enumerate(pairwise(BANDS))
    ]
    head = ["score", *(name for part in PARTS for name in (f"{part} links", "of them articles"))]
    return markdown(head, rows)


def _bands(read: Iterable[Site]) -> dict[int, Band]:
    bands: dict[int, Band] = defaultdict(Band)
    for site in read:
        for number, labels in _labels_by_band(site).items():
            bands[number].links += len(labels)
            bands[number].shares.append(float(np.mean(labels)))
    return bands


def _labels_by_band(site: Site) -> dict[int, list[bool]]:
    known = truth(site.pages)
    bands: dict[int, list[bool]] = defaultdict(list)
    for page, link in judge(site.links.pages, load_model()).links.items():
        if page in known:
            bands[sum(link.score >= low for low in BANDS[1:-1])].append(known[page])
    return bands


def cost(folds: Collection[int], rounds: int = 5) -> str:
    """Return the milliseconds of single pages after parsing: the best of some rounds, by the number of links."""
    rows = [(len(page.links), _milliseconds(document_of(page), rounds)) for page in front_pages("single", folds)]
    links, spent = sum(count for count, _ in rows), sum(taken for _, taken in rows)
    largest = max(rows)
    return markdown(
        ["pages", "links", "ms a page", "ms for 500 links", "largest page", "its ms"],
        [
            [
                len(rows),
                links,
                round(spent / len(rows), 1),
                round(500 * spent / links, 1),
                largest[0],
                round(largest[1], 1),
            ]
        ],
    )


def _milliseconds(document: Document, rounds: int) -> float:
    model = load_model()
    return 1000 * min(_timed(lambda: judge([read_page(document, model.networks)], model)) for _ in range(rounds))


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def main(arguments: Iterable[str] | None = None) -> int:
    """Print the tables that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", help="quality, selectors, calibration, cost; default: all")
    parser.add_argument("--folds", type=int, nargs="+", default=[VALIDATION], help="folds to measure")
    parser.add_argument("--out", type=Path, default=Path("build/links"), help="where training keeps what it prepared")
    args = parser.parse_args(list(arguments) if arguments is not None else None)
    if not has_shared():
        print("needs the corpora beside the repository", file=sys.stderr)
        return 2
    tables: dict[str, Callable[[], str]] = {
        "quality": lambda: quality(args.folds, args.out),
        "selectors": lambda: selectors(args.folds),
        "calibration": lambda: calibration(args.folds),
        "cost": lambda: cost(args.folds),
    }
    for name in args.tables or tables:
        print(f"\n{name}\n\n{tables[name]()}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
