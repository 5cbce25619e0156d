"""The lines of a site's pages in, the rule of its text out: what to select, and what to leave out of it."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sitewright.induce.drafts import names_in
from sitewright.induce.lines import STRUCTURE, weigh_lines
from sitewright.induce.sample import Sample, shared_tokens
from sitewright.induce.tree import numbers_of
from sitewright.parse import clean_line
from sitewright.parse.patterns import fits
from sitewright.types import Rule, Support

_MOST_SELECTORS, _MOST_REMOVED = 5, 10
_WORTH_A_SELECTOR, _WORTH_REMOVING = 0.01, 0.004
"""What a selector or a removal must add to the mean F1 of the pages."""
_COST = 0.002
_LIKELY = 0.4
_MOST_DRAFTS, _MOST_REMOVABLE = 400, 200
_TRIED = 6
"""So many selectors are tried as the first, by F1 and by recall: one that takes too much may do well with removals."""
_ADDED = 4
"""So many are tried as the next."""
_FEW = 0.5
"""A selector that finds something on a smaller share of the pages counts as if on so many."""
_AS_GOOD = 0.85
"""A back-up, by one selector of other names, is at least so good compared with the rule itself."""
_IMPURE = 0.04
"""What a selector costs of which all must be removed: pages not seen have more that would have to be."""
_ON_MANY, _MOST_VERBATIM, _LONG = 3, 4, 60
"""A line on so many pages, and on half of them, is removed by what it says."""
_RELIABLE = 0.5
"""Rules that agree less with the tagger are no rules: then every page is better read by itself."""
_BARE = {"p": 8.0, "div": 8.0, "td": 8.0, "font": 8.0, "span": 8.0, "li": 6.0, "tr": 8.0, "table": 8.0, "body": 8.0}
"""What naming nothing but such a tag costs more: on pages not seen it takes what it should not, or lacks the lists."""
_AGAINST = 20.0
"""What naming an element costs that speaks against the text: captions are lines of some pages' shortest texts."""
_INLINE = frozenset("a b i em strong span u small sup sub font code mark abbr cite q".split())
_NEVER_REMOVED = frozenset({"html", "body", "p", "div"})
_OF_STORIES = 8.0
"""What removing a bare tag costs more that stories are built of: pages not seen have some that are part of theirs."""
_ALL_PAGES = frozenset({"html"})
_AROUND = 3

Bits = NDArray[np.bool_]


class _Lines:
    """The lines of all pages, one behind the other."""

    def __init__(self, samples: Sequence[Sample], field: str) -> None:
        self.samples = samples
        self.nodes = [np.array([line.node for line in sample.tagged.lines]) for sample in samples]
        self.starts = np.cumsum([0, *map(len, self.nodes)])
        weighed = weigh_lines(samples, field)
        self.likely, self.words = weighed.likely, weighed.weights
        self.expected = self._sums((self.likely * self.words)[None])[0]
        self.counted = np.flatnonzero(self.expected > 0)

    def _sums(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum the columns of each page."""
        totals = np.concatenate([np.zeros((len(table), 1)), np.cumsum(table, axis=1)], axis=1)
        return np.asarray(totals[:, self.starts[1:]] - totals[:, self.starts[:-1]])

    def f1(self, taken: Bits) -> NDArray[np.float64]:
        """Return the expected F1 of each choice of lines (a row) on each page."""
        hits = self._sums(taken * (self.likely * self.words)[None])
        total = self._sums(taken * self.words[None])
        return np.asarray(2 * hits / np.maximum(total + self.expected[None], 1e-9))

    def mean(self, taken: Bits) -> NDArray[np.float64]:
        """Return the mean F1 over the pages that have a text."""
        return np.asarray(self.f1(taken)[:, self.counted].mean(axis=1))

    def mean_found(self, taken: Bits) -> NDArray[np.float64]:
        """Return the mean F1 over the pages on which anything is taken, less where those are few."""
        right = self.f1(taken)[:, self.counted]
        found = (right > 0).sum(axis=1)
        return np.asarray(right.sum(axis=1) / np.maximum(found, _FEW * len(self.counted)))

    def recall(self, taken: Bits) -> NDArray[np.float64]:
        """Return the mean share of the pages' texts in each choice of lines; what takes all of a page is no choice."""
        hits = self._sums(taken * (self.likely * self.words)[None])[:, self.counted]
        total = self._sums(taken * self.words[None])[:, self.counted]
        share = hits / np.maximum(self.expected[self.counted], 1e-9)
        return np.asarray((share + 0.5 * hits / np.maximum(total, 1e-9)).mean(axis=1))

    def covered(self, selector: str) -> Bits:
        """Return the lines inside of what a selector finds."""
        taken = np.zeros(self.starts[-1], dtype=bool)
        for start, nodes, sample in zip(self.starts, self.nodes, self.samples, strict=False):
            tree = sample.tree
            own, end = taken[start : start + len(nodes)], 0
            for number in numbers_of(tree.find(selector)):
                if number >= end:
                    end = tree.ends[number]
                    own |= (nodes >= number) & (nodes < end)
        return taken


def learn_text(samples: Sequence[Sample], field: str) -> list[Rule]:
    """Return the rule of the text (a field) and one that rests on other names; none where nothing finds it reliably."""
    lines = _Lines(samples, field)
    costs = _containers(lines, field) if len(lines.counted) else {}
    if not costs:
        return []
    names = list(costs)
    table = np.array([lines.covered(name) for name in names])
    price = _COST * np.array([costs[name] for name in names])
    removable = _Removable(lines, _any(table))
    alone = lines.mean(table) - price
    starts = [int(n) for n in np.argsort(-alone, kind="stable")[:_TRIED]]
    recall = lines.recall(table) - price
    where_found = lines.mean_found(table) - price
    for order in (recall, where_found):
        starts += [int(n) for n in np.argsort(-order, kind="stable")[:_TRIED] if int(n) not in starts]
    best = max((_grown(lines, table, price, removable, start) for start in starts), key=lambda choice: choice.score)
    if best.score < _RELIABLE:
        return []
    rules = [_rule_of(field, lines, names, best)]
    used = {name for number in best.selected for name in names_in(names[number])}
    others = [n for n in map(int, np.argsort(-alone, kind="stable")) if used.isdisjoint(names_in(names[n]))]
    if others and alone[others[0]] >= _AS_GOOD * best.score:
        backing = _grown(lines, table, price, removable, others[0], most=1)
        if names[others[0]] not in rules[0].select:
            rules.append(_rule_of(field, lines, names, backing))
    return rules


@dataclass(frozen=True, slots=True)
class _Choice:
    """Selectors and removals, the lines that are taken by them, and what that is worth."""

    selected: tuple[int, ...]
    removed: tuple[str, ...]
    taken: Bits
    score: float


def _grown(
    lines: _Lines,
    table: Bits,
    price: NDArray[np.float64],
    removable: "_Removable",
    start: int,
    most: int = _MOST_SELECTORS,
) -> _Choice:
    """Remove from a selector's lines and add other selectors, in turns, as long as that pays."""
    chosen = [start]
    removed, taken = removable.chosen(table[start])
    while len(chosen) < most:
        kept = table & ~removable.covered(removed)[None]
        gained = lines.mean(taken[None] | kept) - price - lines.mean(taken[None])[0]
        likely = [n for n in map(int, np.argsort(-gained, kind="stable")[:_ADDED]) if gained[n] >= _WORTH_A_SELECTOR]
        if not likely:
            break
        added = max(
            (_added(lines, table, price, removable, chosen, number) for number in likely), key=lambda tried: tried.worth
        )
        chosen.append(added.number)
        removed, taken = added.removed, added.taken
    chosen = _needed(lines, table, chosen, removable.covered(removed))
    taken = _any(table[chosen]) & ~removable.covered(removed)
    impure = 1 - float(lines.words[taken].sum() / max(lines.words[_any(table[chosen])].sum(), 1.0))
    cost = float(price[chosen].sum()) + removable.price(removed) + _IMPURE * impure
    return _Choice(tuple(chosen), tuple(removed), taken, float(lines.mean(taken[None])[0]) - cost)


class _Added(NamedTuple):
    """A selector beside others, what would be removed then, the lines that are taken, and what that is worth."""

    number: int
    removed: list[str]
    taken: Bits
    worth: float


def _added(
    lines: _Lines,
    table: Bits,
    price: NDArray[np.float64],
    removable: "_Removable",
    chosen: Sequence[int],
    number: int,
) -> _Added:
    """Try another selector beside those that were chosen."""
    removed, taken = removable.chosen(_any(table[[*chosen, number]]))
    return _Added(number, removed, taken, float(lines.mean(taken[None])[0] - price[number]) - removable.price(removed))


def _verbatim(lines: _Lines, taken: Bits) -> list[str]:
    """Return selectors of lines that most pages have word for word and that no name tells from the story's own."""
    pages: Counter[tuple[str, str]] = Counter()
    for start, sample in zip(lines.starts, lines.samples, strict=False):
        own = {
            (sample.tree.elements[line.node].tag, line.text)
            for number, line in enumerate(sample.tagged.lines)
            if taken[start + number] and clean_line(sample.tree.elements[line.node].text) == line.text
        }
        pages.update(own)
    least = max(_ON_MANY, len(lines.samples) / 2)
    often = sorted((-count, pair) for pair, count in pages.items() if count >= least and '"' not in pair[1])
    return [_saying(tag, text) for _, (tag, text) in often[:_MOST_VERBATIM]]


def _saying(tag: str, text: str) -> str:
    """Return the selector of what says a text, or of a long one begins with it.

    >>> _saying("p", "Subscribe now!")
    '//p[normalize-space()="Subscribe now!"]'
    """
    if len(text) <= _LONG:
        return f'//{tag}[normalize-space()="{text}"]'
    return f'//{tag}[starts-with(normalize-space(), "{text[:_LONG].rstrip()}")]'


def _rule_of(field: str, lines: _Lines, names: Sequence[str], choice: _Choice) -> Rule:
    right = tuple(float(value) for value in lines.f1(choice.taken[None])[0])
    found = [bool(choice.taken[a:b].any()) for a, b in zip(lines.starts, lines.starts[1:], strict=False)]
    agreement = round(float(np.mean([value for value, there in zip(right, found, strict=True) if there] or [0])), 3)
    return Rule(
        field=field,
        select=tuple(names[n] for n in choice.selected),
        remove=(*choice.removed, *_verbatim(lines, choice.taken)),
        many=True,
        support=Support(sum(found), len(found), agreement, _usual_length(lines, choice.taken)),
    )


def _usual_length(lines: _Lines, taken: Bits) -> int:
    """Return the median length of the pages' texts, in characters."""
    texts = [line.text for sample in lines.samples for line in sample.tagged.lines]
    lengths = np.array([len(text) for text in texts]) * taken
    sums = sorted(int(lengths[a:b].sum()) for a, b in zip(lines.starts, lines.starts[1:], strict=False))
    return sums[len(sums) // 2]


def _needed(lines: _Lines, table: Bits, chosen: Sequence[int], removed: Bits) -> list[int]:
    """Leave out selectors that later ones made needless."""
    kept = list(chosen)
    for one in chosen:
        others = [n for n in kept if n != one]
        with_it, without = ((_any(table[some]) & ~removed)[None] for some in (kept, others or kept))
        if others and lines.mean(without)[0] >= lines.mean(with_it)[0] - _WORTH_A_SELECTOR / 2:
            kept = others
    return kept


def _containers(lines: _Lines, field: str) -> dict[str, float]:
    """Return the selectors of what holds likely lines, with their costs."""
    weights: dict[str, float] = {}
    costs: dict[str, float] = {}
    shared = shared_tokens(lines.samples)
    against = lines.samples[0].domain.spec_of(field).words.against
    for sample in lines.samples:
        own: Counter[int] = Counter()
        for line in sample.tagged.lines:
            if line.score >= _LIKELY:
                for number in (line.node, *sample.tree.ancestors(line.node)):
                    own[number] += len(line.text)
        mine: dict[str, int] = {}
        for number, count in own.most_common(60):
            for selector, cost in _selectors(sample, number, shared):
                mine[selector] = max(mine.get(selector, 0), count)
                costs[selector] = cost + _AGAINST * bool(against and fits(f"(?i){against}", selector))
        total = max(own.values(), default=1)
        for selector, count in mine.items():
            weights[selector] = weights.get(selector, 0.0) + count / total
    return {
        selector: costs[selector]
        for selector in sorted(weights, key=lambda name: (-weights[name], name))[:_MOST_DRAFTS]
    }


def _selectors(sample: Sample, number: int, shared: frozenset[str]) -> Iterator[tuple[str, float]]:
    tree = sample.tree
    own = [token for token in tree.tokens(number) if token.css in shared and token.css not in _ALL_PAGES]
    for token in own:
        yield token.css, token.cost + 2 * _BARE.get(token.css, 0.0)
    named = 0
    for outer in tree.ancestors(number):
        tokens = [t for t in tree.tokens(outer) if t.css in shared and t.css not in {"html", "body"} and t.cost < 1.5]
        for around in tokens:
            for token in own:
                cost = around.cost + token.cost + _BARE.get(token.css, 0.0)
                yield f"{around.css} {token.css}", cost + 0.2
                if outer == tree.parents[number]:
                    yield f"{around.css} > {token.css}", cost + 0.4
        named += bool(tokens)
        if named >= _AROUND:
            break


def _any(table: Bits) -> Bits:
    """Return what is in any of the rows."""
    return np.asarray(table.any(axis=0), dtype=bool)


class _Removable:
    """What could be left out of the selected nodes."""

    def __init__(self, lines: _Lines, within: Bits) -> None:
        self._lines = lines
        self._costs = _unlikely(lines, within)
        self._names = list(self._costs)
        self._table = np.array([lines.covered(name) for name in self._names]).reshape(len(self._names), len(within))
        self._price = _COST * np.array(list(self._costs.values())) / 2

    def chosen(self, taken: Bits) -> tuple[list[str], Bits]:
        """Return what to leave out, and the lines that stay."""
        removed: list[str] = []
        if not self._names:
            return removed, taken
        useful = np.flatnonzero((self._table & taken[None]).any(axis=1))
        score = float(self._lines.mean(taken[None])[0])
        while len(removed) < _MOST_REMOVED and len(useful):
            scores = self._lines.mean(taken[None] & ~self._table[useful]) - self._price[useful]
            best = int(np.argmax(scores))
            if scores[best] < score + _WORTH_REMOVING:
                break
            removed.append(self._names[useful[best]])
            taken = taken & ~self._table[useful[best]]
            score = float(self._lines.mean(taken[None])[0])
        return removed, taken

    def covered(self, removed: Sequence[str]) -> Bits:
        """Return the lines that are left out."""
        rows = [self._names.index(name) for name in removed]
        return _any(self._table[rows]) if rows else np.zeros(self._table.shape[1], dtype=bool)

    def price(self, removed: Sequence[str]) -> float:
        """Return what the removals cost."""
        return float(sum(self._price[self._names.index(name)] for name in removed))


def _unlikely(lines: _Lines, within: Bits) -> dict[str, float]:
    """Return selectors of what holds unlikely lines within the selected nodes; never a bare inline tag."""
    weights: Counter[str] = Counter()
    costs: dict[str, float] = {}
    shared = shared_tokens(lines.samples)
    for start, sample in zip(lines.starts, lines.samples, strict=False):
        for position, line in enumerate(sample.tagged.lines):
            if not within[start + position] or lines.likely[start + position] > 0.5:
                continue
            for _, number in zip(range(6), (line.node, *sample.tree.ancestors(line.node)), strict=False):
                for token in sample.tree.tokens(number):
                    if token.css not in shared or token.css in _INLINE or token.css in _NEVER_REMOVED:
                        continue
                    weights[token.css] += len(line.text)
                    costs[token.css] = token.cost + _OF_STORIES * (token.css in STRUCTURE)
    return {name: costs[name] for name, _ in weights.most_common(_MOST_REMOVABLE)}
