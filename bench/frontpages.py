"""The shared front pages in, one labelled page after the other out, and the measure of who tells their article links.

Precision and recall are those of the shared evaluation: over the distinct links of a site, all its snapshots together,
then the mean over sites. Fold 0 is for validation: score on it, study errors elsewhere.
"""

import json
import lzma
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.labelled import FRONT_PAGES, Row, load_eval

VALIDATION = 0
PARTS = ("series", "single")
"""Papers that were looked at again and again, and papers that were looked at once."""
_SINGLE = "multilang"
"""How the names of files with one snapshot a site begin (the rule of the evaluation)."""


@dataclass(frozen=True, slots=True)
class FrontLink:
    """A link of a front page, its address made absolute, and whether it leads to an article."""

    href: str
    text: str
    alt: str
    """What the picture in a link without text says."""
    article: bool


@dataclass(frozen=True, slots=True)
class FrontPage:
    """One snapshot of a front page with its links, in the order of the page."""

    site: str
    fold: int
    url: str
    language: str
    time: str
    html: str
    links: tuple[FrontLink, ...]


@dataclass(frozen=True, slots=True)
class LinkScore:
    """Precision and recall, each the mean over sites."""

    precision: float
    recall: float
    sites: int


Decide = Callable[[FrontPage], Sequence[bool]]
"""Tells of each link of a page, in order, whether it leads to an article."""


def front_pages(part: str, folds: Collection[int], folder: Path = FRONT_PAGES) -> Iterator[FrontPage]:
    """Yield the pages of `series` or `single`, one in memory at a time, each paper's in the order they were stored."""
    for path in sorted(folder.glob("*.jsonl.xz")):
        if path.name.startswith(_SINGLE) == (part == "single"):
            with lzma.open(path, "rt", encoding="utf-8") as lines:
                yield from (front_page(row) for row in map(json.loads, lines) if row["fold"] in folds)


def front_page(row: Row) -> FrontPage:
    """Make a page of a row of the corpus."""
    links = (
        FrontLink(link["href"], link["text"], link.get("alt") or "", bool(link["article"])) for link in row["links"]
    )
    return FrontPage(
        site=row["site"],
        fold=row["fold"],
        url=row["url"],
        language=row["lang"],
        time=row["time"],
        html=row["html"],
        links=tuple(links),
    )


class Tally:
    """Keeps the distinct links of each site, which is all that the score needs: pages may go."""

    def __init__(self) -> None:
        """Begin with no pages."""
        self._links: dict[str, dict[str, bool]] = defaultdict(dict)
        self._said: dict[str, set[str]] = defaultdict(set)

    def add(self, page: FrontPage, articles: Sequence[bool]) -> None:
        """Note what was said of the links of a page."""
        known, said = self._links[page.site], self._said[page.site]
        for link, article in zip(page.links, articles, strict=True):
            known[link.href] = known.get(link.href, False) or link.article
            if article:
                said.add(link.href)

    def score(self) -> LinkScore | None:
        """Score all pages, those of a site as if they were one; None where there are none."""
        if not self._links:
            return None
        pages = [{"site": site, "links": _rows(links)} for site, links in self._links.items()]
        records = [{"links": _rows(dict.fromkeys(self._said[site], True))} for site in self._links]
        found = load_eval("score").score_links(pages, records)
        return LinkScore(found["p"], found["r"], found["sites_scored"])


def _rows(links: Mapping[str, bool]) -> list[Row]:
    return [{"href": href, "article": article} for href, article in links.items()]


def measure(pages: Iterable[FrontPage], ways: Mapping[str, Decide]) -> dict[str, LinkScore | None]:
    """Score several ways to decide in one pass over the pages."""
    tallies = {name: Tally() for name in ways}
    for page in pages:
        for name, decide in ways.items():
            tallies[name].add(page, decide(page))
    return {name: tally.score() for name, tally in tallies.items()}
