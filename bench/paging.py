"""The links of paginations: found beside the hand-labelled ones, invented on pages that have none, and the time.

    python -m bench.paging [--folds 1 2 …]

Needs the corpora beside the repository. Fold 0 is for validation: score on it, study errors elsewhere. Links are
compared by their addresses. The labels are read in two ways:

    as labelled   NEXT, PREV and PAGE as they stand
    as walked     by what this project calls next, the page further from the first one: where all links labelled NEXT
                  and PREV contradict the numbers in their addresses ("Older posts" labelled PREV), both change places;
                  without a NEXT, the number after the current one is next; a link to the page itself is none. Only
                  links that people see are labelled: `<link rel=next>` on a page without labels is not judged.
"""

import argparse
import json
import lzma
import re
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from turbohtml import Element

from bench.labelled import Row, front_rows, news_rows, spread
from bench.markdown import Cell, markdown
from bench.samples import NEWS
from sitewright.links.paging import Paging, find_paging
from sitewright.parse import Document, absolute_url, host_of, normalise_url, parse
from sitewright.types import Page

SHOPS, GALLERIES = NEWS.parent / "shops", NEWS.parent / "galleries"
MANY_LINKS = 10_000
CASES = {"headlines": "Why the bees of the valley dance all day long, story", "short texts": "Story", "numbers": ""}
"""What very many links say, by kind."""
ONE_STORY = frozenset({"multi-page article", "slideshow pages"})
"""Kinds of pages whose labelled pages are further pages of the same story."""
_DIGITS = re.compile(r"\d+")

Gold = dict[str, set[str]]


@dataclass(slots=True)
class Counts:
    """Right, invented and missed links."""

    right: int = 0
    invented: int = 0
    missed: int = 0

    def row(self) -> list[Cell]:
        """Return precision, recall, F1 and how many were asked for."""
        precision = self.right / found if (found := self.right + self.invented) else None
        recall = self.right / asked if (asked := self.right + self.missed) else None
        f1 = 2 * self.right / (2 * self.right + self.invented + self.missed) if self.right else None
        return [precision, recall, f1, asked]


@dataclass(slots=True)
class Reading:
    """The counts of one way to read the labels."""

    name: str
    counts: dict[str, Counts] = field(default_factory=lambda: defaultdict(Counts))
    not_judged: int = 0

    def add_page(self, gold: Gold, document: Document, paging: Paging) -> None:
        """Count one page: a next or previous page is right if it is one of the labelled ones."""
        for label, element in (("NEXT", paging.next), ("PREV", paging.previous)):
            self._add_link(label, gold[label], address(element, document) if element is not None else "")
        pages = {address(element, document) for element in paging.pages}
        counts = self.counts["PAGE"]
        counts.right += len(pages & gold["PAGE"])
        counts.invented += len(pages - gold["PAGE"])
        counts.missed += len(gold["PAGE"] - pages)

    def _add_link(self, label: str, wanted: set[str], found: str) -> None:
        counts = self.counts[label]
        counts.right += found in wanted
        counts.invented += bool(found) and found not in wanted
        counts.missed += bool(wanted) and found not in wanted


def address(element: Element, document: Document) -> str:
    """Return where a link leads, as addresses are compared."""
    return comparable(absolute_url(element.attr("href") or "", document.base_url))


def comparable(url: str) -> str:
    """Return an address without scheme, `www.` and closing slash.

    >>> comparable("https://www.example.com/news/?page=2#top"), comparable("http://example.com/news/")
    ('example.com/news/?page=2', 'example.com/news')
    """
    return normalise_url(url).partition("://")[2].removeprefix("www.").rstrip("/")


def labelled(row: Row, document: Document) -> Gold:
    """Return the labels of a page as they stand."""
    gold: Gold = defaultdict(set)
    for link in row["links"]:
        gold[link["label"]].add(comparable(absolute_url(link["href"], document.base_url)))
    return gold


def walked(row: Row, document: Document) -> Gold:
    """Return the labels of a page by the order in which its list is walked."""
    gold = labelled(row, document)
    own = comparable(row["url"])
    gold["NEXT"].discard(own)
    gold["PREV"].discard(own)
    ways = [way for link in gold["NEXT"] if (way := direction(own, link))]
    ways += [-way for link in gold["PREV"] if (way := direction(own, link))]
    if ways and all(way < 0 for way in ways):
        gold["NEXT"], gold["PREV"] = gold["PREV"], gold["NEXT"]
    pages = {int(number): link for link in row["links"] if link["label"] == "PAGE" and (number := digits(link["text"]))}
    current = current_number(pages)
    for label, wanted in (("NEXT", current + 1), ("PREV", current - 1)):
        if current and not gold[label] and wanted in pages:
            gold[label].add(comparable(absolute_url(pages[wanted]["href"], document.base_url)))
    return gold


def digits(text: str) -> str:
    """Return the digits of a text.

    >>> digits("[1,425]")
    '1425'
    """
    return "".join(_DIGITS.findall(text))


def direction(own: str, link: str) -> int:
    """Tell by the numbers in two addresses where a link leads: 1 on, -1 back, 0 unknown.

    >>> direction("a.com/page/4", "a.com/page/5"), direction("a.com/page/2", "a.com"), direction("a.com", "a.com/bees")
    (1, -1, 0)
    """
    ours, theirs = _DIGITS.findall(own), _DIGITS.findall(link)
    if len(ours) != len(theirs):
        return 1 if len(theirs) > len(ours) else -1
    changed = [(int(one), int(other)) for one, other in zip(ours, theirs, strict=True) if one != other]
    return (1 if changed[0][1] > changed[0][0] else -1) if len(changed) == 1 else 0


def current_number(numbers: Iterable[int]) -> int:
    """Return the number that is missing between two others, or before the second; else 0.

    >>> current_number([2, 3, 9]), current_number([1, 6, 7, 9]), current_number([1, 671, 672])
    (1, 8, 0)
    """
    linked = set(numbers)
    if 1 not in linked and 2 in linked:
        return 1
    return next((number + 1 for number in sorted(linked) if number + 1 not in linked and number + 2 in linked), 0)


def measure_labelled(rows: Sequence[Row]) -> list[Reading]:
    """Count found links beside labelled ones."""
    strict, walk = Reading("as labelled"), Reading("as walked")
    for row in rows:
        document = parse_row(row)
        paging = find_paging(document)
        strict.add_page(labelled(row, document), document, paging)
        if not row["links"] and paging.next is not None and paging.next.tag == "link":
            walk.not_judged += 1
            continue
        walk.add_page(walked(row, document), document, paging)
    return [strict, walk]


def parse_row(row: Row) -> Document:
    """Parse a stored page."""
    return parse(Page(url=row["url"] or "", body=row["html"]))


def stored(name: str, folds: Sequence[int]) -> list[Row]:
    """Return the rows of a corpus that are in the folds."""
    with lzma.open(name, "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if row["fold"] in folds]


class Called(NamedTuple):
    """A page that is said to have a next page."""

    row: Row
    following: str
    """The address of the next page."""
    reason: str

    @property
    def leads_away(self) -> bool:
        """Whether the next page is another one; a page without an address has that of its next page."""
        return leads_away(self.row["url"] or self.following, self.following)


def called(rows: Iterable[Row]) -> Iterator[Called]:
    """Yield the pages that are said to have a next page."""
    for row in rows:
        document = parse_row(row)
        paging = find_paging(document)
        if paging.next is not None:
            yield Called(row, absolute_url(paging.next.attr("href") or "", document.base_url), paging.reason)


def leads_away(url: str, following: str) -> bool:
    """Tell whether the next page is not one of the same address, whatever is added to it.

    >>> leads_away("https://a.com/bees.html", "https://a.com/bees_2.html"), leads_away("https://a.com/bees", "https://a.com/wasps")
    (False, True)
    """
    own, other = comparable(url), comparable(following)
    stem = re.sub(r"\.\w{2,5}$", "", own.partition("?")[0]).rstrip("0123456789")
    return host_of(url) != host_of(following) or not other.startswith(stem)


def one_a_site(rows: Iterable[Row], most: int) -> list[Row]:
    """Return one page a site, at most so many."""
    sites: dict[str, Row] = {}
    for row in rows:
        sites.setdefault(row["site"], row)
    return spread(list(sites.values()), most)


def invented_rows(folds: Sequence[int], articles: int, *, show: bool) -> Iterator[list[Cell]]:
    """Yield how many pages of the kinds that mostly have no pagination are said to have one."""
    stories = one_a_site((row for row in news_rows(folds) if row["page_type"] == "article"), articles)
    elsewhere = stored(str(GALLERIES / "relnext_elsewhere.jsonl.xz"), folds)
    for name, rows in (("articles", stories), ("rel=next elsewhere", elsewhere), ("front pages", front_rows(folds))):
        found = list(called(rows))
        away = sum(page.leads_away for page in found)
        yield [name, len(rows), len(found), away, away / len(rows) if rows else None]
        if show:
            for page in found:
                print(f"{name}: {page.row['url']} -> {page.following} ({page.reason})", file=sys.stderr)


def story_counts(folds: Sequence[int]) -> tuple[int, int]:
    """Return how many stories of several pages there are, and of how many the next page is found."""
    rows = [row for row in stored(str(GALLERIES / "multipage_articles.jsonl.xz"), folds) if row["kind"] in ONE_STORY]
    found = sum(comparable(page.following) in map(comparable, page.row["next_pages"]) for page in called(rows))
    return len(rows), found


def milliseconds(document: Document) -> float:
    """Return the best of five runs."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        find_paging(document)
        times.append(time.perf_counter() - started)
    return min(times) * 1000


def many_links(text: str) -> Document:
    """Return a list of very many links with a pagination below."""
    links = "".join(f'<li class="c{n}"><a href="/story-{n}/">{text} {n}</a></li>' for n in range(MANY_LINKS))
    return parse(Page(url="https://example.com/", body=f"<ul>{links}</ul><a href='/page/2/'>Next</a>"))


def main() -> int:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.paging", description=__doc__.split("\n")[0])
    parser.add_argument("--folds", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--articles", type=int, default=1000, help="article pages, one a site, evenly over the folds")
    parser.add_argument("--show", action="store_true", help="name the pages without pagination that got a next page")
    options = parser.parse_args()
    if options.show and 0 in options.folds:
        parser.error("fold 0 is for validation: its pages are not shown")
    rows = stored(str(SHOPS / "pagination.jsonl.xz"), options.folds)
    readings = measure_labelled(rows)
    print(f"{len(rows)} labelled pages of {len({row['site'] for row in rows})} sites, folds {options.folds}\n")
    body: list[list[Cell]] = [
        [reading.name, label, *counts.row()] for reading in readings for label, counts in reading.counts.items()
    ]
    print(markdown(["labels", "link", "P", "R", "F1", "asked"], body))
    print(f"\nnot judged: {readings[-1].not_judged} pages without labels whose head states a next page\n")
    head = ["pages without pagination", "pages", "next called", "leading away", "share"]
    print(markdown(head, invented_rows(options.folds, options.articles, show=options.show)))
    stories, found = story_counts(options.folds)
    print(f"\nnext page of stories of several pages: {found} of {stories}\n")
    times: list[list[Cell]] = [
        [f"{MANY_LINKS:,} {name}", milliseconds(many_links(text))] for name, text in CASES.items()
    ]
    print(markdown(["links", "ms"], times))
    return 0


if __name__ == "__main__":
    sys.exit(main())
