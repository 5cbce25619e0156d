"""The samples of a site in, the rule of pairs of name and value that their pages display in rows out."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sitewright.domains import FieldSpec
from sitewright.induce.sample import Sample
from sitewright.parse import compile_selector
from sitewright.repeats import FoundPairs, find_pairs
from sitewright.types import Rule, Support

_AGREES = 0.6
"""A selector of rows must agree so well with the rows that were found, on average over the pages that have some."""
_LEAST_PAGES = 2
_LONGER = 0.01
_CELLS = 2
_ITSELF, _VALUE = "self::*", "value"
_PARTS = {
    "cells": (("th", "td:first-child"), ("th + td", "td + td")),
    "terms": ((_ITSELF,), ("following-sibling::dd[1]",)),
    "parts": (("child::*[1]",), ("child::*[last()]",)),
    "colon": ((_ITSELF,), (_ITSELF,)),
}
"""Where name and value stand in a row of each shape."""


def learn_pairs(samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Rule]:
    """Yield the rule of a field whose values are pairs, where rows on several pages go by the same way."""
    found = [find_pairs(sample.document, spec.words) for sample in samples]
    shapes = Counter(one.pairs[0].shape for one in found if one is not None and _is_plain(one))
    if not shapes:
        return
    shape = shapes.most_common(1)[0][0]
    of_shape = [one if one is not None and one.pairs[0].shape == shape and _is_plain(one) else None for one in found]
    count = sum(one is not None for one in of_shape)
    drafts = dict.fromkeys(draft for one in of_shape if one is not None for draft in _drafts(one))
    scored = [(_agreement(draft, samples, of_shape) - _LONGER * draft.count(">"), draft) for draft in drafts]
    best, selector = max(scored, default=(0.0, ""))
    if count < _LEAST_PAGES or best < _AGREES:
        return
    compiled = compile_selector(selector)
    support = Support(sum(compiled.occurs(sample.document.tree) for sample in samples), len(samples), round(best, 3))
    yield Rule(field=spec.name, select=(selector,), many=True, fields=_fields(shape), support=support)


def _is_plain(found: FoundPairs) -> bool:
    """Tell whether a name and a value are all that rows hold: cells of three are left to whoever reads single pages."""
    rows = [pair.row for pair in found.pairs if pair.shape == "cells"]
    return all(len([cell for cell in row.select("td, th") if cell.text.strip()]) == _CELLS for row in rows)


def _fields(shape: str) -> tuple[Rule, ...]:
    name, value = _PARTS[shape]
    by_colon = shape == "colon"
    return (
        Rule(field="name", select=name, match=r"^([^:：]{2,60}?)\s*[:：]" if by_colon else r"(?s)^(.*?)\s*[:：]?\s*$"),
        Rule(field=_VALUE, select=value, match=r"(?s)[:：]\s*(\S.*)" if by_colon else ""),
    )


def _drafts(found: FoundPairs) -> Iterator[str]:
    yield from (" > ".join(found.way[-length:]) for length in range(2, len(found.way) + 1))


def _agreement(selector: str, samples: Sequence[Sample], found: Sequence[FoundPairs | None]) -> float:
    """Return how well rows agree with those that were found; a page that has rows and no pairs speaks against it."""
    compiled = compile_selector(selector)
    shares = []
    for sample, one in zip(samples, found, strict=True):
        got = set(compiled.elements(sample.document.tree))
        wanted = {pair.row for pair in one.pairs} if one is not None else set()
        if got or wanted:
            shares.append(2 * len(got & wanted) / (len(got) + len(wanted)))
    return sum(shares) / max(len(shares), 1)
