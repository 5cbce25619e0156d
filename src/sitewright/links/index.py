"""Snapshots of an index page and its article links in, the selectors that find tomorrow's links out, for a map.

The clusters of the paper are named by what their links and parents have in common. Selectors are made of the same names
and of those of the elements around, so that a list of teasers and a menu of the same markup are told apart; of all that
find articles and little else, those are kept that together find most with least.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from turbohtml import Element

from sitewright.links.addresses import same_page
from sitewright.links.anchors import read_anchors
from sitewright.links.selected import select_links
from sitewright.parse import Document
from sitewright.structure import Token, tokens_of
from sitewright.types import IndexPage

_WRONG = 3.0
"""So many articles outweigh one link that is none: what a selector finds is fetched, day after day."""
_LEAST_PURE, _LEAST_FOUND = 0.9, 3
"""Of what a selector finds so much must be articles, and at least so many."""
_LEAST_GAIN = 1.5
"""In articles, its price paid: to find a single one more is not worth a selector."""
_PRICE = 0.4
"""What the cost of a selector's names counts, in articles found."""
_MOST_SELECTORS = 12
"""The most that any page needed is 8."""
_LEVELS = 8
"""How far around a link names are looked for."""
_MOST_TOKENS = 400
"""So many names around links are tried with each of the links' own; with 100 no less is found."""
# Measured on the 15 index pages of folds 1 and 2 that have a series: learned from three snapshots, asked about up to
# seven later ones. With any of these about half or double, purity at 0.8, precision and recall change by less than .03;
# with purity at 0.95 one page gets no entry.
_BARE = frozenset({"a", "div", "span", "li", "ul", "section", "body", "html", "td", "tr", "table", "tbody", "p"})


@dataclass(frozen=True, slots=True)
class LearnedIndex:
    """An entry for a map's index, and how well its selectors do on the pages they were learned from."""

    entry: IndexPage
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class Care:
    """How pure selectors have to be: the share of what they find that must be meant, and what a wrong link weighs."""

    pure: float = _LEAST_PURE
    wrong: float = _WRONG
    found: int = _LEAST_FOUND


def learn_index(
    documents: Sequence[Document], articles: Collection[str], care: Care | None = None
) -> LearnedIndex | None:
    """Learn the entry of one index page from its snapshots; None where no selector finds its articles."""
    links = _Links(documents, articles, care or Care())
    chosen = list(links.cover())
    if not chosen:
        return None
    entry = IndexPage(url=documents[0].url, items=tuple(chosen))
    return measure_index(entry, documents, articles)


def measure_index(entry: IndexPage, documents: Sequence[Document], articles: Collection[str]) -> LearnedIndex:
    """Return how well an entry's selectors do on snapshots of which the article links are known."""
    right = found = wanted = 0
    for document in documents:
        selected = {same_page(link.url) for link in select_links(document, entry).links if link.is_item}
        target = {anchor.page for anchor in read_anchors(document)}.intersection(articles)
        right += len(selected & target)
        found += len(selected)
        wanted += len(target)
    return LearnedIndex(entry, right / max(found, 1), right / max(wanted, 1))


def _names(element: Element) -> Iterator[Token]:
    """Yield what an element can be named by; words of longer attributes are not: some are headlines."""
    return (token for token in tokens_of(element) if "~=" not in token.css)


class _Links:
    """The pages that links lead to as bits of numbers: which of them a name finds, and which are articles."""

    def __init__(self, documents: Sequence[Document], articles: Collection[str], care: Care) -> None:
        self.care = care
        self.wanted = self.unwanted = 0
        self.own: dict[str, int] = defaultdict(int)
        self.around: dict[str, int] = defaultdict(int)
        self.parent: dict[str, int] = defaultdict(int)
        self.costs: dict[str, float] = {}
        bits: dict[str, int] = {}
        for document in documents:
            own = same_page(document.url)
            for anchor in (one for one in read_anchors(document) if one.page != own):  # of itself a page tells nothing
                bit = bits.setdefault(anchor.page, 1 << len(bits))
                if anchor.page in articles:
                    self.wanted |= bit
                else:
                    self.unwanted |= bit
                self._note(anchor.element, bit)

    def _note(self, element: Element, bit: int) -> None:
        for token in _names(element):
            self.own[token.css] |= bit
            self.costs[token.css] = token.cost
        around = element.parent
        for level in range(_LEVELS):
            if not isinstance(around, Element):
                return
            for token in _names(around):
                self.around[token.css] |= bit
                if level == 0:
                    self.parent[token.css] |= bit
                self.costs[token.css] = token.cost
            around = around.parent

    def cover(self) -> Iterator[str]:
        """Yield selectors, the one that finds most new articles first."""
        candidates = dict(self._candidates())
        found = 0
        for _ in range(_MOST_SELECTORS):
            best = max(candidates, key=lambda css: self._gain(candidates[css], found), default="")
            if not best or self._gain(candidates[best], found) < _LEAST_GAIN:
                return
            found |= candidates.pop(best)[0]
            yield best

    def _gain(self, candidate: tuple[int, float], found: int) -> float:
        mask, cost = candidate
        fresh = mask & ~found
        right, wrong = (fresh & self.wanted).bit_count(), (fresh & self.unwanted).bit_count()
        return right - self.care.wrong * wrong - _PRICE * cost

    def _candidates(self) -> Iterator[tuple[str, tuple[int, float]]]:
        """Yield selectors that are pure enough, with what they find and what they cost."""
        owns = [(css, mask) for css, mask in self.own.items() if mask & self.wanted]
        rounds = self._useful_around()
        for css, mask in owns:
            if css not in _BARE:
                yield from self._if_pure(css, mask, self.costs[css])
        for outer, outer_mask in rounds:
            for css, mask in owns:
                yield from self._if_pure(f"{outer} {css}", outer_mask & mask, self.costs[outer] + self.costs[css] / 2)
        for outer, outer_mask in rounds:
            for inner, inner_mask in self.parent.items():
                both = outer_mask & inner_mask
                if both & self.wanted and outer != inner and (both != inner_mask):
                    yield from self._if_pure(f"{outer} {inner} > a", both, self.costs[outer] + self.costs[inner])
        for inner, mask in self.parent.items():
            if inner not in _BARE:
                yield from self._if_pure(f"{inner} > a", mask, self.costs[inner] + 0.3)

    def _useful_around(self) -> list[tuple[str, int]]:
        """Return the names around article links, those of most of them first; some pages have thousands."""
        named = [(css, mask) for css, mask in self.around.items() if css not in _BARE and mask & self.wanted]
        return sorted(named, key=lambda pair: -(pair[1] & self.wanted).bit_count())[:_MOST_TOKENS]

    def _if_pure(self, css: str, mask: int, cost: float) -> Iterator[tuple[str, tuple[int, float]]]:
        right = (mask & self.wanted).bit_count()
        if right >= self.care.found and right >= self.care.pure * mask.bit_count():
            yield css, (mask, cost)
