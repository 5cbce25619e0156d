"""What is looked at of a page, and how its fields score, in, the signs of what kind of page it is out."""

from collections.abc import Sequence
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import kinds
from sitewright.tag.meanings.columns import SHARED, Seen

_PLACE = {name: number for number, name in enumerate(SHARED)}
_BY_MOST = ("price_rank", "alike_prices", "actions", "title_precision")
_BY_MEAN = ("price", "page_units", "same_text", "linked", "ends_sentence")
PAGE_SIGNS = (
    *_BY_MOST,
    *_BY_MEAN,
    "prices",
    "alike_best_price",
    "prose",
    "steps",
    "named",
    "entries",
    "rich",
    "of_page",
    "priced",
    "price_in_entry",
    "heading_in_entry",
)
"""What is looked at beside the best score of each field, and whether it is stated."""
_LONG = 120


def page_signs(seen: Seen, scores: NDArray[np.float32], fields: Sequence[str], url: str) -> NDArray[np.float32]:
    """Return the signs of a page: how some of its fields score, and what else there is."""
    places = list(seen.domain.fields)
    columns = [places.index(name) if name in places else -1 for name in fields]
    best = np.append(scores.max(axis=0, initial=0.0), 0.0)[columns]
    stated = np.append(seen.stated.max(axis=0, initial=0.0), 0.0)[columns]
    table = seen.shared if len(seen.units) else np.zeros((1, len(SHARED)), dtype=np.float32)
    most = [float(table[:, _PLACE[name]].max()) for name in _BY_MOST]
    mean = [float(table[:, _PLACE[name]].mean()) for name in _BY_MEAN]
    others = [*most, *mean, *_of_prices(seen, scores), _prose(seen), *_address(url), *seen.listing]
    others += [_in_entry(seen, scores, seen.domain.price), _in_entry(seen, scores, seen.domain.heading)]
    return np.concatenate([best, stated, np.array(others)]).astype(np.float32)


def _of_prices(seen: Seen, scores: NDArray[np.float32]) -> tuple[float, float]:
    """Return how far the best price is ahead of the others, and how many are like it."""
    names = seen.domain.fields_of_kind(kinds.PRICE)[:1]
    if not names or not len(scores):
        return 0.0, 0.0
    column = scores[:, list(seen.domain.fields).index(names[0])]
    best = int(np.argmax(column))
    alike = float(seen.shared[best, _PLACE["alike_prices"]])
    return float((column >= column[best] / 2).sum()) / 10, alike if column[best] > 0 else -1.0


def _in_entry(seen: Seen, scores: NDArray[np.float32], field: str) -> float:
    """Return how much of a field's scores stands in entries of the main list; -1 where nothing scores."""
    if not field or not len(seen.units):
        return -1.0
    displayed = np.array([unit.place is not None for unit in seen.units])
    column = np.where(displayed, scores[:, seen.place(field)], 0.0)
    inside = column[seen.shared[:, _PLACE["in_entry"]] > 0].max(initial=0.0)
    outside = column[seen.shared[:, _PLACE["in_entry"]] == 0].max(initial=0.0)
    return float(inside - outside) if inside or outside else -1.0


def _prose(seen: Seen) -> float:
    """Return how much is said in long lines."""
    return float(np.log1p(sum(len(unit.text) for unit in seen.units if len(unit.text) >= _LONG and unit.place))) / 8


def _address(url: str) -> tuple[float, float]:
    parts = urlsplit(url)
    steps = [step for step in parts.path.split("/") if step]
    return len(steps) / 5, float(bool(steps) and len(steps[-1]) > 20)
