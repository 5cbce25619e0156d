"""The pictures of a site's pages in, the rules of its images out: what to select, and what to leave out of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import FieldSpec
from sitewright.induce.sample import Sample, shared_tokens
from sitewright.induce.tree import Mask, PageTree
from sitewright.parse import Json
from sitewright.structure import Token
from sitewright.types import Photo, Rule, Support
from sitewright.values.images import is_of_site, picture_key, stated_photos

_LIKELY = 0.4
"""From here on the tagger takes a picture for one of the story's."""
_MOST_SELECTORS, _MOST_REMOVED = 3, 6
_WORTH_A_SELECTOR, _WORTH_REMOVING = 0.02, 0.01
"""What a selector or a removal must add to the mean F1 of the pages."""
_COST = 0.004
_MOST_DRAFTS, _MOST_REMOVABLE, _TRIED = 250, 100, 8
_RELIABLE = 0.5
"""Rules that agree less with the tagger are no rules."""
_FEWEST = 2
"""Fewer pages with pictures are no ground for a rule, unless there are no more pages."""
_INVENTED = 0.5
"""What pictures on a page cost that is believed to have none."""
_ON_MANY = 3
"""A picture on so many pages is the template's."""
_WIDENED, _AROUND, _LARGEST = 4, 4, 16
"""How far around a picture is looked for what to select, for names of what that is in, and how many elements it has."""
_OF_PICTURES = {"figure": -0.4, "picture": 0.2, "img": 0.3, "amp-img": 0.3, "a": 1.0, "li": 1.0}
"""What selecting such an element costs more: a figure holds the caption, too."""
_PLAIN = frozenset({"figure", "picture", "img", "amp-img", "video"})
_FIGURE, _BARE = 0.5, 1.5
"""What naming nothing but the tag costs more, of a figure and of anything else."""
_STATED = 0.6
"""How sure a picture is that is stated and not displayed, as page by page."""
_NOWHERE = frozenset({"html", "body"})
_NEVER_REMOVED = frozenset({"html", "body", "main", "article", "div", "p", "figure", "picture", "img", "a", "span"})

Bits = NDArray[np.bool_]
Numbers = NDArray[np.float64]


class _Pictures:
    """The pictures of all pages, one behind the other; those of a page with one key are one picture."""

    def __init__(self, samples: Sequence[Sample], field: str) -> None:
        self.samples = samples
        rows = sorted(_rows(samples, field))
        self._firsts = [n for n, row in enumerate(rows) if not n or row[:2] != rows[n - 1][:2]]
        self.pages = np.array([row[0] for row in rows])
        self.nodes = np.array([row[2] for row in rows])
        likely = np.array([row[3] for row in rows]) ** 2
        odds = likely / (likely + (1 - np.sqrt(likely)) ** 2)
        constant = _constant(rows, len(samples))
        self.likely = np.array([0.0 if row[1] in constant else one for row, one in zip(rows, odds, strict=True)])
        self._best = np.maximum.reduceat(self.likely, self._firsts)
        self._page_of = self.pages[self._firsts]
        self.expected = self._sums(self._best[None])[0]
        self.counted = np.flatnonzero(self.expected >= _LIKELY)

    def _sums(self, table: Numbers) -> Numbers:
        """Sum the columns of each page."""
        totals = np.zeros((len(table), len(self.samples)))
        for row, total in zip(table, totals, strict=True):
            np.add.at(total, self._page_of, row)
        return totals

    def f1(self, taken: Bits) -> Numbers:
        """Return the expected F1 of each choice of pictures (a row) on each page."""
        whole = np.logical_or.reduceat(taken, self._firsts, axis=1)
        hits, count = self._sums(whole * self._best[None]), self._sums(whole.astype(np.float64))
        return np.asarray(2 * hits / np.maximum(count + self.expected[None], 1e-9))

    def worth(self, taken: Bits) -> Numbers:
        """Return the mean F1 over the pages that have pictures, less what is invented on the others."""
        others = np.setdiff1d(np.arange(len(self.samples)), self.counted)
        right = self.f1(taken)[:, self.counted].sum(axis=1)
        count = self._sums(np.logical_or.reduceat(taken, self._firsts, axis=1).astype(np.float64))
        invented = ((count[:, others] > 0) * (1 - self.expected[others] / _LIKELY)).sum(axis=1)
        return np.asarray((right - _INVENTED * invented) / len(self.counted))

    def covered(self, selector: str) -> Bits:
        """Return the pictures that are, or are inside of, what a selector finds."""
        taken = np.zeros(len(self.nodes), dtype=bool)
        for page, sample in enumerate(self.samples):
            own = self.pages == page
            if own.any() and (found := _found(sample.tree, selector)):
                taken[own] = [bool(found >> int(node) & 1) for node in self.nodes[own]]
        return taken


def _rows(samples: Sequence[Sample], field: str) -> Iterator[tuple[int, str, int, float]]:
    """Yield page, key, node and likelihood of each picture."""
    for page, sample in enumerate(samples):
        for label in sample.labels(field):
            if label.node is not None:
                yield page, picture_key(str(label.value)), label.node, label.score


def _constant(rows: Sequence[tuple[int, str, int, float]], pages: int) -> frozenset[str]:
    """Return the pictures that many pages have."""
    counts = Counter(key for _, key in {row[:2] for row in rows})
    return frozenset(key for key, count in counts.items() if count >= min(_ON_MANY, max(pages, 2)))


def _found(tree: PageTree, selector: str) -> Mask:
    return tree.find(selector) | tree.below(selector)


@dataclass(frozen=True, slots=True)
class _Choice:
    """Selectors and removals, the pictures that are taken by them, and what that is worth."""

    selected: tuple[int, ...]
    removed: tuple[str, ...]
    taken: Bits
    score: float


def learn_images(samples: Sequence[Sample], spec: FieldSpec) -> list[Rule]:
    """Return the rule of the displayed pictures, and where pages state theirs, one for pages that display none."""
    return [*_displayed(samples, spec.name), *_stated(samples, spec)]


def _displayed(samples: Sequence[Sample], field: str) -> Iterator[Rule]:
    if not any(label.node is not None for sample in samples for label in sample.labels(field)):
        return
    pictures = _Pictures(samples, field)
    costs = _drafts(pictures) if len(pictures.counted) >= min(_FEWEST, len(samples)) else {}
    if not costs:
        return
    names, price = list(costs), _COST * np.array(list(costs.values()))
    table = np.array([pictures.covered(name) for name in names])
    removable = _Removable(pictures, np.asarray(table.any(axis=0)))
    alone = pictures.worth(table) - price
    starts = [int(n) for n in np.argsort(-alone, kind="stable")[:_TRIED]]
    recall = (table * pictures.likely).sum(axis=1) - price
    starts += [int(n) for n in np.argsort(-recall, kind="stable")[:_TRIED] if int(n) not in starts]
    best = max((_grown(pictures, table, price, removable, n) for n in starts), key=lambda choice: choice.score)
    if best.score >= _RELIABLE:
        yield _rule_of(field, pictures, [names[n] for n in best.selected], best)


def _grown(pictures: _Pictures, table: Bits, price: Numbers, removable: "_Removable", start: int) -> _Choice:
    """Remove from what a selector finds and add other selectors, in turns, as long as that pays."""
    chosen = [start]
    removed, taken = removable.chosen(table[start])
    score = float(pictures.worth(taken[None])[0])
    while len(chosen) < _MOST_SELECTORS:
        kept = table & ~removable.covered(removed)[None]
        scores = pictures.worth(taken[None] | kept) - price
        best = int(np.argmax(scores))
        if scores[best] < score + _WORTH_A_SELECTOR:
            break
        chosen.append(best)
        removed, taken = removable.chosen(np.asarray(table[chosen].any(axis=0)))
        score = float(pictures.worth(taken[None])[0])
    cost = float(price[chosen].sum()) + removable.price(removed)
    return _Choice(tuple(chosen), tuple(removed), taken, score - cost)


def _rule_of(field: str, pictures: _Pictures, select: Sequence[str], choice: _Choice) -> Rule:
    right = pictures.f1(choice.taken[None])[0]
    found = sorted(set(pictures.pages[choice.taken].tolist()))
    agreement = round(float(np.mean(right[found])), 3) if found else 0.0
    support = Support(len(found), len(pictures.samples), agreement)
    return Rule(field=field, select=tuple(select), remove=choice.removed, many=True, support=support)


def _drafts(pictures: _Pictures) -> dict[str, float]:
    """Return the selectors of likely pictures and of what is right around them, with their costs."""
    weights: dict[str, float] = {}
    costs: dict[str, float] = {}
    shared = shared_tokens(pictures.samples)
    for page, node, likely in zip(pictures.pages, pictures.nodes, pictures.likely, strict=True):
        if likely >= _LIKELY:
            sample = pictures.samples[page]
            mine = {
                selector: cost
                for number in (int(node), *_around(sample.tree, int(node)))
                for selector, cost in _selectors(sample.tree, number, shared)
            }
            costs |= mine
            for selector in mine:
                weights[selector] = weights.get(selector, 0.0) + float(likely)
    best = sorted(weights, key=lambda name: (-weights[name] + 0.1 * costs[name], name))[:_MOST_DRAFTS]
    return {selector: costs[selector] for selector in best}


def _around(tree: PageTree, node: int) -> Iterator[int]:
    for outer, _ in zip(tree.ancestors(node), range(_WIDENED), strict=False):
        if tree.ends[outer] - outer > _LARGEST:
            return
        yield outer
        if tree.elements[outer].tag == "figure":
            return


def _selectors(tree: PageTree, number: int, shared: frozenset[str]) -> Iterator[tuple[str, float]]:
    """Yield the selectors that find an element, by its own names and those of what is around it."""
    own = [token for token in tree.tokens(number) if token.css in shared and _may_be_selected(token)]
    more = _OF_PICTURES.get(tree.elements[number].tag, 0.5)
    costs = {token.css: token.cost + more + _bareness(token) for token in own}
    for css, cost in costs.items():
        yield css, cost
    named = 0
    for outer in tree.ancestors(number):
        tokens = [token for token in tree.tokens(outer) if _says_something(token, shared)]
        for around in tokens:
            for css, cost in costs.items():
                yield f"{around.css} {css}", around.cost + cost + 0.2
        named += bool(tokens)
        if named >= _AROUND:
            return


def _is_bare(token: Token) -> bool:
    return token.css.replace("-", "").isalnum()


def _may_be_selected(token: Token) -> bool:
    """Tell whether a token names a picture, or its frame; `p` and `div` name anything."""
    return not _is_bare(token) or token.css in _PLAIN


def _bareness(token: Token) -> float:
    if not _is_bare(token):
        return 0.0
    return _FIGURE if token.css == "figure" else _BARE


def _says_something(token: Token, shared: frozenset[str]) -> bool:
    return token.css in shared and token.css not in _NOWHERE and token.cost < 1.5


class _Removable:
    """What could be left out of the selected nodes."""

    def __init__(self, pictures: _Pictures, within: Bits) -> None:
        self._pictures = pictures
        costs = _unlikely(pictures, within)
        self._names = list(costs)
        self._table = np.array([pictures.covered(name) for name in self._names], dtype=bool)
        self._table = self._table.reshape(len(self._names), len(within))
        self._price = _COST * np.array(list(costs.values()))

    def chosen(self, taken: Bits) -> tuple[list[str], Bits]:
        """Return what to leave out, and the pictures that stay."""
        removed: list[str] = []
        score = float(self._pictures.worth(taken[None])[0])
        while self._names and len(removed) < _MOST_REMOVED:
            scores = self._pictures.worth(taken[None] & ~self._table) - self._price
            best = int(np.argmax(scores))
            if scores[best] < score + _WORTH_REMOVING:
                break
            removed.append(self._names[best])
            taken = taken & ~self._table[best]
            score = float(self._pictures.worth(taken[None])[0])
        return removed, taken

    def covered(self, removed: Sequence[str]) -> Bits:
        """Return the pictures that are left out."""
        rows = [self._names.index(name) for name in removed]
        return np.asarray(self._table[rows].any(axis=0), dtype=bool)

    def price(self, removed: Sequence[str]) -> float:
        """Return what the removals cost."""
        return float(sum(self._price[self._names.index(name)] for name in removed))


def _unlikely(pictures: _Pictures, within: Bits) -> dict[str, float]:
    """Return selectors of what holds unlikely pictures among the selected ones."""
    weights: Counter[str] = Counter()
    costs: dict[str, float] = {}
    shared = shared_tokens(pictures.samples)
    for n in np.flatnonzero(within & (pictures.likely < _LIKELY)):
        tree, node = pictures.samples[pictures.pages[n]].tree, int(pictures.nodes[n])
        for _, number in zip(range(8), (node, *tree.ancestors(node)), strict=False):
            for token in tree.tokens(number):
                if token.css in shared and token.css not in _NEVER_REMOVED:
                    weights[token.css] += 1
                    costs[token.css] = token.cost
    return {name: costs[name] for name, _ in weights.most_common(_MOST_REMOVABLE)}


def _stated(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Rule]:
    """Yield a rule for the picture that metadata states, where it differs from page to page."""
    if not any(label.source for sample in samples for label in sample.labels(spec.name)):
        return
    trials = [(rule, _keys(rule, samples)) for rule in _of_sources(spec, samples[0].domain.types)]
    telling = [(rule, keys) for rule, keys in trials if len(keys) >= _FEWEST and len(set(keys)) * 2 > len(keys)]
    if telling:
        rule, keys = max(telling, key=lambda trial: len(trial[1]))
        yield replace(rule, support=Support(len(keys), len(samples), _STATED))


def _of_sources(spec: FieldSpec, types: Sequence[str]) -> Iterator[Rule]:
    """Yield a rule for each place where metadata states a picture, the plainest first."""
    for source in sorted(spec.sources, key=lambda source: not source.startswith("meta:")):
        kind, _, name = source.partition(":")
        if kind == "meta":
            for key in ("property", "name"):
                yield Rule(field=spec.name, select=(f'meta[{key}="{name}"]',), take="@content")
        elif kind == "jsonld":
            yield from (Rule(field=spec.name, take=f"jsonld:{item}.{name}") for item in types)


def _keys(rule: Rule, samples: Sequence[Sample]) -> list[str]:
    """Return the pictures that a rule for a stated one gives; none where it is the site's on some page."""
    found = [photo for sample in samples if (photo := next(_photos(rule, sample), None)) is not None]
    return [] if any(map(is_of_site, found)) else [picture_key(photo.url) for photo in found]


def _photos(rule: Rule, sample: Sample) -> Iterator[Photo]:
    document = sample.document
    if rule.select:
        stated: Sequence[Json] = [element.attr("content") for element in document.tree.select(rule.select[0])]
    else:
        stated = document.metadata.jsonld.find(rule.take.removeprefix("jsonld:"))
    yield from (photo for value in stated for photo in stated_photos(value, document.base_url))
