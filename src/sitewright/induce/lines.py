"""The lines of a site's pages in, how likely each belongs to the text out, seen among the others, and its weight."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import is_never
from sitewright.induce.sample import Sample
from sitewright.parse import fold_words

_A_LINE = 8.0
"""What a line counts beside its words: one sub-heading more or less is a fault of the text's structure."""
_BELIEVED = 0.8
"""From this score on a paragraph makes what holds it a holder of the text."""
_BUILT_IN = 4.0
"""How much likelier (odds) headings, lists, quotations and tables are that stand among paragraphs of the text."""
_HEADINGS = frozenset({"h2", "h3", "h4", "h5", "h6"})
STRUCTURE = frozenset("ul ol li table thead tbody tfoot tr td th dl dt dd blockquote pre".split()) | _HEADINGS
_CELLS = frozenset({"td", "th"})


@dataclass(frozen=True, slots=True)
class Lines:
    """The lines of all pages, one behind the other."""

    likely: NDArray[np.float64]
    """How likely each is text, 0..1."""
    weights: NDArray[np.float64]
    """How much each counts."""


def weigh_lines(samples: Sequence[Sample], field: str) -> Lines:
    """Return how likely and how weighty the lines of all pages are."""
    repeated = _repeated(samples)
    spec = samples[0].domain.spec_of(field)
    likely: list[float] = []
    weights: list[float] = []
    for sample in samples:
        among = _among_paragraphs(sample)
        for number, line in enumerate(sample.tagged.lines):
            is_again = line.text.casefold() in repeated
            is_built_in = number in among
            weights.append(0.0 if is_again and among.get(number) in _CELLS else _A_LINE + len(fold_words(line.text)))
            likely.append(
                0.0
                if is_again or is_never(line.text, spec)
                else _sharpened(line.score, _BUILT_IN if is_built_in else 1.0)
            )
    return Lines(np.array(likely), np.array(weights))


def _sharpened(score: float, more: float) -> float:
    """Return a score as a probability: odds are squared, because lines are judged one by one and err together."""
    odds = (score**2) * more
    return odds / (odds + (1 - score) ** 2)


def _among_paragraphs(sample: Sample) -> dict[int, str]:
    """Return the lines that headings, lists, quotations and tables among believed paragraphs show, with their tags."""
    tree, lines = sample.tree, sample.tagged.lines
    spans: dict[int, tuple[int, int]] = {}
    for line in lines:
        if line.score >= _BELIEVED and tree.elements[line.node].tag == "p":
            holder = tree.parents[line.node]
            first, _ = spans.get(holder, (line.node, 0))
            spans[holder] = first, line.node
    found: dict[int, str] = {}
    for number, line in enumerate(lines):
        node, tag = line.node, tree.elements[line.node].tag
        while tree.elements[node].tag in STRUCTURE:
            node = tree.parents[node]
        if node != line.node and node in spans:
            first, last = spans[node]
            if first < line.node and (line.node < last or tag not in _HEADINGS):
                found[number] = tag
    return found


def _repeated(samples: Sequence[Sample]) -> frozenset[str]:
    """Return the lines that several pages have: the template's, never a story's."""
    counts = Counter(line for sample in samples for line in {line.text.casefold() for line in sample.tagged.lines})
    return frozenset(line for line, count in counts.items() if count > 1)
