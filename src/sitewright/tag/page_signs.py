"""A scored page in, what tells whether it is an item at all out."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sitewright.tag.scored_page import ScoredPage, logit
from sitewright.tag.units import UnitKind

_LIKELY = 0.5
_PARAGRAPH = 80
_ENTRY = range(20, 160)
"""The length of links that headlines of other pages have."""


def page_signs(page: ScoredPage) -> tuple[float, ...]:
    """Return the signs of a page: its kind, the fields shown, how many units are likely each, its texts and links."""
    scores = page.scores
    best = scores.units.max(axis=0) if len(scores.units) else np.zeros(len(scores.columns.fields))
    likely = (scores.units >= _LIKELY).sum(axis=0)
    return (
        *_log_odds(scores.kinds), *_log_odds(scores.shown), *_log_odds(best), *np.log1p(likely).tolist(),
        *_texts_and_links(page),
    )  # fmt: skip


def _log_odds(values: NDArray[np.floating]) -> Sequence[float]:
    return [logit(float(value)) for value in values]


def _texts_and_links(page: ScoredPage) -> Sequence[float]:
    runs = [unit for unit in page.units if unit.kind is UnitKind.RUN and unit.place is not None]
    total = sum(len(unit.text) for unit in runs) or 1
    plain = [len(unit.text) for unit in runs if len(unit.text) - unit.linked >= _PARAGRAPH]
    entries = [unit for unit in runs if len(unit.text) in _ENTRY and unit.linked * 2 > len(unit.text)]
    return (
        float(np.log1p(len(runs))), sum(unit.linked for unit in runs) / total, sum(plain) / total,
        float(np.log1p(sum(plain))), float(np.log1p(max(plain, default=0))), float(np.log1p(len(plain))),
        float(np.log1p(len(entries))), sum(len(unit.text) for unit in entries) / total,
    )  # fmt: skip
