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
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from bench.frontpages import PARTS, VALIDATION, FrontPage, LinkScore, Tally, front_pages
from bench.labelled import FRONT_PAGES
from bench.markdown import markdown
from bench.samples import has_shared
from sitewright.fetch import page_from_line
from sitewright.links import ARTICLE, judge, learn_index, load_model, read_page, select_links
from sitewright.links.addresses import same_page
from sitewright.links.bags import Floats
from sitewright.links.evidence import COLUMNS, SiteLinks
from sitewright.links.page import PageLinks
from sitewright.links.patterns import cluster, shared_pattern
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
WEEK = 7 * 24
_PAPER_TEXT, _PAPER_LEAST, _PAPER_WORDS = 0.9, 0.2, 4


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
    import orjson

    row = {"url": page.url, "html": page.html, "time": page.time}
    return parse(page_from_line(orjson.dumps(row), page.site))


def note(tally: Tally, site: Site, articles: Collection[str]) -> None:
    """Tell a tally which pages were taken for articles."""
    for page in site.pages:
        tally.add(page, [same_page(link.href.replace(" ", "%20")) in articles for link in page.links])


def taken(site: Site, probabilities: Floats) -> set[str]:
    """Return the pages whose links are likely enough to lead to articles."""
    return {fact.page for fact, value in zip(site.links.facts, probabilities, strict=True) if value >= ARTICLE}


# What each kind of evidence gives.


class Steps:
    """Trees that see more and more, and the weights of time on top of each."""

    def __init__(self, data: Path, out: Path) -> None:
        """Grow the trees on the folds that are learned from."""
        from training.links.__main__ import prepared
        from training.links.fit import crossed, grow, weigh_time

        _, cases, _ = prepared(data, out)
        self._trees: dict[str, Any] = {}
        self._time: dict[str, tuple[Floats, float]] = {}
        for name, columns in SEEN.items():
            self._trees[name] = grow(cases, columns)
            self._time[name] = weigh_time(cases, crossed(cases, columns))

    def ways(self, site: Site) -> Iterator[tuple[str, set[str]]]:
        """Yield the pages that each step takes for articles."""
        from sitewright.links.model import time_table

        for name, columns in SEEN.items():
            look = [COLUMNS.index(column) for column in columns]
            alone = np.asarray(self._trees[name].predict(site.links.table[:, look]), dtype=np.float32)
            yield name, taken(site, alone)
            weights, bias = self._time[name]
            timed = 1 / (1 + np.exp(-(time_table(site.links, alone) @ weights + bias)))
            known = np.array([fact.lifetime is not None for fact in site.links.facts])
            yield f"{name} + time", taken(site, np.where(known, timed, alone).astype(np.float32))


def paper(site: Site) -> Iterator[tuple[str, set[str]]]:
    """Yield the pages that the paper's way takes for articles: text and markup, then its rules of time."""
    facts, table = site.links.facts, site.links.table
    text = 1 / (1 + np.exp(-table[:, COLUMNS.index("text")]))
    words = np.expm1(table[:, COLUMNS.index("words")])
    outside = (table[:, COLUMNS.index("in header")] > 0.5) | (table[:, COLUMNS.index("in footer")] > 0.5)
    headlines = (text >= _PAPER_TEXT) & (words >= _PAPER_WORDS - 0.5) & ~outside
    patterns = Counter(fact.pattern for fact, chosen in zip(facts, headlines, strict=True) if chosen)
    clusters: dict[int, dict[Any, int]] = defaultdict(dict)
    for pattern, number in cluster(patterns).items():
        clusters[number][pattern] = patterns[pattern]
    shared = [pattern for pattern in map(shared_pattern, clusters.values()) if pattern]
    found = {
        fact.page
        for fact, left_out in zip(facts, outside, strict=True)
        if not left_out and any(pattern <= fact.pattern for pattern in shared)
    }
    yield "the paper's way: text + markup", found
    begins = table[:, COLUMNS.index("begins others")] > 0
    alike = np.expm1(table[:, COLUMNS.index("like others but for numbers")]) > 1.5
    rescued = {
        fact.page
        for fact, refuse in zip(facts, begins | alike | (text <= _PAPER_LEAST), strict=True)
        if fact.lifetime is not None and fact.lifetime.is_ephemeral and not refuse
    }
    standing = {fact.page for fact in facts if fact.lifetime is not None and fact.lifetime.seen_hours > WEEK}
    yield "the paper's way: text + markup + time", (found | rescued) - standing


def shipped(site: Site) -> Iterator[tuple[str, set[str]]]:
    """Yield the pages that the shipped model takes for articles."""
    links = judge(site.links.pages, load_model()).links
    yield "as shipped (and adverts left out)", {page for page, link in links.items() if link.role == "article"}


def quality(folds: Collection[int], out: Path) -> str:
    """Return the table of what each kind of evidence gives."""
    steps = Steps(FRONT_PAGES.parent, out)
    ways: list[Callable[[Site], Iterator[tuple[str, set[str]]]]] = [paper, steps.ways, shipped]
    scores: dict[str, dict[str, LinkScore | None]] = defaultdict(dict)
    for part in PARTS:
        tallies: dict[str, Tally] = defaultdict(Tally)
        for site in sites(part, folds):
            for way in ways:
                for name, articles in way(site):
                    note(tallies[name], site, articles)
        for name, tally in tallies.items():
            scores[name][part] = tally.score()
    rows = [[name, *_cells(own.get("series")), *_cells(own.get("single"))] for name, own in scores.items()]
    return markdown(["evidence", "series P", "series R", "single P", "single R"], rows)


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


def selectors(folds: Collection[int]) -> str:
    """Return how well selectors of the first snapshots find the links of later ones, on pages that change."""
    pages: dict[str, list[FrontPage]] = defaultdict(list)
    for page in front_pages("series", folds):
        pages[page.url].append(page)
    found: dict[tuple[int, str], list[tuple[float, float]]] = defaultdict(list)
    for own in pages.values():
        for key, score in _selected(sorted(own, key=lambda page: page.time)):
            found[key].append(score)
    rows: list[list[str | int | float | None]] = []
    for count in LEARNED_FROM:
        row: list[str | int | float | None] = [f"{count} snapshots" if count > 1 else "1 snapshot"]
        for when in LATER:
            scores = found[count, when]
            row += (
                [float(np.mean([p for p, _ in scores])), float(np.mean([r for _, r in scores]))]
                if scores
                else [None, None]
            )
        rows.append(row)
    return markdown(["learned from", *(f"{when} {what}" for when in LATER for what in "PR")], rows)


def _selected(pages: Sequence[FrontPage]) -> Iterator[tuple[tuple[int, str], tuple[float, float]]]:
    model = load_model()
    for count in LEARNED_FROM:
        documents = [document_of(page) for page in pages[:count]]
        links = judge([read_page(document, model.networks) for document in documents], model).links
        learned = learn_index(documents, {page for page, link in links.items() if link.role == "article"})
        last = documents[-1].fetched_at
        if learned is None or last is None or len(documents) < count:
            continue
        for page in pages[count:]:
            document = document_of(page)
            hours = (document.fetched_at - last).total_seconds() / 3600 if document.fetched_at else 0.0
            when = next((name for name, (low, high) in LATER.items() if low <= hours < high), None)
            if when is not None:
                chosen = select_links(document, learned.entry).links
                yield (count, when), _score(page, {same_page(link.url) for link in chosen if link.role == "article"})


def _score(page: FrontPage, said: set[str]) -> tuple[float, float]:
    known: dict[str, bool] = {}
    for link in page.links:
        key = same_page(link.href.replace(" ", "%20"))
        known[key] = known.get(key, False) or link.article
    articles = {key for key, article in known.items() if article}
    right = len(said & articles)
    return right / max(len(said & known.keys()), 1), right / max(len(articles), 1)


# Calibration and cost.

BANDS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 0.99, 1.0001)


def calibration(folds: Collection[int]) -> str:
    """Return the share of articles among links by their score, every site counting the same."""
    rows = []
    counted: dict[str, dict[int, list[float]]] = {part: defaultdict(list) for part in PARTS}
    numbers: Counter[tuple[str, int]] = Counter()
    for part in PARTS:
        for site in sites(part, folds):
            truth = _truth(site)
            links = judge(site.links.pages, load_model()).links
            bands: dict[int, list[bool]] = defaultdict(list)
            for page, link in links.items():
                if page in truth:
                    band = sum(link.score >= low for low in BANDS[1:-1])
                    bands[band].append(truth[page])
            for band, labels in bands.items():
                counted[part][band].append(float(np.mean(labels)))
                numbers[part, band] += len(labels)
    for band, (low, high) in enumerate(pairwise(BANDS)):
        row: list[str | int | float | None] = [f"{low:g} to {min(high, 1):g}"]
        for part in PARTS:
            shares = counted[part][band]
            row += [numbers[part, band], float(np.mean(shares)) if shares else None]
        rows.append(row)
    return markdown(["score", "series links", "of them articles", "single links", "of them articles"], rows)


def _truth(site: Site) -> dict[str, bool]:
    known: dict[str, bool] = {}
    for page in site.pages:
        for link in page.links:
            key = same_page(link.href.replace(" ", "%20"))
            known[key] = known.get(key, False) or link.article
    return known


def cost(folds: Collection[int], rounds: int = 5) -> str:
    """Return the milliseconds of single pages after parsing: the best of some rounds, by the number of links."""
    model = load_model()
    rows = []
    for page in front_pages("single", folds):
        document = document_of(page)
        seconds = min(
            _timed(lambda document=document: judge([read_page(document, model.networks)], model)) for _ in range(rounds)
        )
        rows.append((len(page.links), 1000 * seconds))
    links, spent = sum(count for count, _ in rows), sum(taken for _, taken in rows)
    slope = spent / links
    largest = max(rows)
    return markdown(
        ["pages", "links", "ms a page", "ms for 500 links", "largest page", "its ms"],
        [[len(rows), links, round(spent / len(rows), 1), round(500 * slope, 1), largest[0], round(largest[1], 1)]],
    )


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
