"""Units of a page and the labels of a corpus in, what each unit should score for each field out."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import fold_words
from sitewright.tag.readings import entry_of, moment_of, names_of
from sitewright.tag.units import Unit, UnitKind
from sitewright.values import Context
from sitewright.values.authors import names_in
from training.columns import COLUMN, FIELDS
from training.corpus import LabelledPage, folded

UNKNOWN = -1.0
_GRAM = 4
_GOOD_LINE = 0.6
"""A title that shares less of its four-grams with the label is another text."""
_WITHIN = 0.75
"""The share of a paragraph's four-grams that the text label must have."""
_CAPTION = re.compile(r"caption|bildunterschrift|image-title|photo-desc|img-desc", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Targets:
    """What the units of a page should score: 0..1, or -1 where nobody knows; a column is known or it is not."""

    values: NDArray[np.float32]

    def shown(self, field: str) -> bool | None:
        """Tell whether the page shows a field, or None where nobody knows."""
        column = self.values[:, COLUMN[field]]
        known = column >= 0
        return bool((column[known] >= 0.5).any()) if known.any() else None


def page_targets(units: Sequence[Unit], page: LabelledPage, context: Context) -> Targets:
    """Return the targets of a labelled page: what somebody looked for and did not find is no unit."""
    targets = unit_targets(units, page.labels, context)
    for name in page.absent.intersection(COLUMN):
        targets.values[:, COLUMN[name]] = [_of_absent(unit, name, page.stated) for unit in units]
    return targets


def _of_absent(unit: Unit, name: str, stated: Mapping[str, frozenset[str]]) -> float:
    """Return what a unit is where the page does not display a field: of what is only stated nobody knows."""
    if unit.place is None and (name == "modified" or _fold(unit.text) in stated.get(name, ())):
        return UNKNOWN
    return UNKNOWN if name == "text" and unit.kind is not UnitKind.RUN else 0.0


def unit_targets(units: Sequence[Unit], labels: Mapping[str, object], context: Context) -> Targets:
    """Return the targets of a page; a field without a label, or whose label is nowhere on the page, is unknown."""
    values = np.full((len(units), len(FIELDS)), UNKNOWN, dtype=np.float32)
    for field in ("title", "subtitle"):
        if label := labels.get(field):
            _set(values, field, _lines(units, str(label)))
    if label := labels.get("published"):
        _set(values, "published", _moments(units, str(label), context))
    if label := labels.get("modified"):
        _set(values, "modified", _moments(units, str(label), context))
    if label := labels.get("text"):
        _set(values, "text", _within(units, str(label), _headlines(units, values[:, COLUMN["title"]])))
    elif labels.get("text_snippets_in"):
        _set(values, "text", _snippets(units, labels))
    if names := _people(labels.get("authors")):
        _set(values, "authors", _sets(units, names, lambda unit: tuple(map(_fold, names_of(unit)))))
    for field in ("categories", "tags"):
        if entries := folded(labels.get(field)):
            _set(values, field, _sets(units, entries, lambda unit: (_fold(entry_of(unit)),)))
    _set(values, "caption", _captions(units))
    return Targets(values)


def _set(values: NDArray[np.float32], field: str, column: NDArray[np.float32]) -> None:
    if (column >= 0.5).any():
        values[:, COLUMN[field]] = column


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the words that are compared, as the evaluation does."""
    return tuple(fold_words(text))


@lru_cache(maxsize=4096)
def _grams(text: str) -> Counter[tuple[str, ...]]:
    tokens = tokens_of(text)
    if len(tokens) < _GRAM:
        return Counter([tokens] if tokens else [])
    return Counter(tokens[i : i + _GRAM] for i in range(len(tokens) - _GRAM + 1))


def likeness(one: str, other: str) -> float:
    """Return the F1 of two texts' four-grams."""
    first, second = _grams(one), _grams(other)
    shared = sum((first & second).values())
    return 2 * shared / (sum(first.values()) + sum(second.values())) if shared else 0.0


def _lines(units: Sequence[Unit], label: str) -> NDArray[np.float32]:
    """Score units by how much they are like a line; the best are 1, so that a label's own noise costs nothing."""
    limit = 3 * len(label) + 40
    scores = [likeness(unit.text, label) if len(unit.text) <= limit else 0.0 for unit in units]
    best = max(scores, default=0.0)
    if best < _GOOD_LINE:
        return np.zeros(len(units), dtype=np.float32)
    return np.array([score / best if score >= _GOOD_LINE else 0.0 for score in scores], dtype=np.float32)


def _moments(units: Sequence[Unit], label: str, context: Context) -> NDArray[np.float32]:
    wanted = read_moment(label)
    column = np.zeros(len(units), dtype=np.float32)
    if wanted is None:
        return column
    for number, unit in enumerate(units):
        parsed = moment_of(unit, context) if _could_be_date(unit) else None
        if parsed is not None and isinstance(parsed.value, date) and days_of(parsed.value) & days_of(wanted):
            column[number] = 1.0
    return column


_DIGITS = re.compile(r"\d.*\d", re.DOTALL)


def _could_be_date(unit: Unit) -> bool:
    if any(element.tag == "time" for element in unit.chain):
        return True
    return len(unit.text) <= 120 and _DIGITS.search(unit.text) is not None


def read_moment(label: str) -> datetime | None:
    """Read a label as the evaluation does."""
    try:
        return datetime.fromisoformat(label.strip().replace("Z", "+00:00").replace("/", "-"))
    except ValueError:
        return None


def days_of(moment: date) -> set[date]:
    """Return the days that a moment may be, where it is and in Greenwich."""
    if not isinstance(moment, datetime):
        return {moment}
    return {moment.date(), moment.astimezone(UTC).date()} if moment.tzinfo else {moment.date()}


def _within(units: Sequence[Unit], label: str, title: NDArray[np.float32]) -> NDArray[np.float32]:
    """Score the runs that the text holds; short ones count between the first and the last long one."""
    grams = frozenset(_grams(label))
    joined = " ".join(tokens_of(label)).join("  ")
    lines = {" ".join(tokens_of(line)) for line in label.split("\n")}
    column = np.zeros(len(units), dtype=np.float32)
    short: list[tuple[int, str]] = []
    for number, unit in enumerate(units):
        if unit.kind is not UnitKind.RUN:
            column[number] = UNKNOWN
            continue
        tokens = tokens_of(unit.text)
        if len(tokens) < _GRAM + 1:
            short.append((number, " ".join(tokens)))
            continue
        own = [tokens[i : i + _GRAM] for i in range(len(tokens) - _GRAM + 1)]
        share = sum(gram in grams for gram in own) / len(own)
        column[number] = 1.0 if share >= _WITHIN else UNKNOWN if share >= 0.4 else 0.0
    found = np.flatnonzero(column == 1.0)
    for number, text in short:
        if len(found) and found[0] < number < found[-1] and text:
            column[number] = 1.0 if text in lines else UNKNOWN if f" {text} " in joined else 0.0
    column[title >= 0.8] = 0.0  # some corpora count the headline to the text; docs/fields.md does not
    return column


def _snippets(units: Sequence[Unit], labels: Mapping[str, object]) -> NDArray[np.float32]:
    """Score the runs that hold a snippet which must be in the text, or must not; of all others nobody knows."""
    column = np.full(len(units), UNKNOWN, dtype=np.float32)
    for name, target in (("text_snippets_in", 1.0), ("text_snippets_out", 0.0)):
        given = labels.get(name)
        snippets = [_fold(str(snippet)) for snippet in given] if isinstance(given, list) else []
        for number, unit in enumerate(units):
            if unit.kind is UnitKind.RUN and any(snippet in _fold(unit.text) for snippet in snippets if snippet):
                column[number] = target
    return column


def _headlines(units: Sequence[Unit], title: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mark the units that are the headline: by its label, else headings that are like a stated title."""
    if (title >= 0).any():
        return title
    stated = [
        unit.text for unit in units if unit.place is None and ("title" in unit.source or "headline" in unit.source)
    ]
    found = np.zeros(len(units), dtype=np.float32)
    for number, unit in enumerate(units):
        if unit.place is not None and unit.place.tag in {"h1", "h2", "h3"}:
            found[number] = max((likeness(unit.text, text) for text in stated), default=0.0)
    return found


def _sets(
    units: Sequence[Unit], wanted: frozenset[str], values_of: Callable[[Unit], Iterable[str]]
) -> NDArray[np.float32]:
    """Score a unit by the share of its values that are wanted; enough of the wanted ones must be on the page."""
    column = np.zeros(len(units), dtype=np.float32)
    seen: set[str] = set()
    for number, unit in enumerate(units):
        if len(unit.text) > 200:
            continue
        values = [value for value in values_of(unit) if value]
        good = wanted.intersection(values)
        if good:
            share = len(good) / len(values)
            column[number] = share if share >= 0.5 else 0.0
            seen |= good
    if len(seen) * 3 < len(wanted):
        return np.zeros(len(units), dtype=np.float32)
    return column


def _captions(units: Sequence[Unit]) -> NDArray[np.float32]:
    column = np.zeros(len(units), dtype=np.float32)
    for number, unit in enumerate(units):
        place = unit.place
        for _ in range(2):
            if place is None:
                break
            named = " ".join(str(place.attrs.get(key) or "") for key in ("class", "itemprop"))
            if place.tag == "figcaption" or _CAPTION.search(named):
                column[number] = 1.0 if unit.kind is UnitKind.RUN else UNKNOWN
            place = place.above
    return column


def _people(values: object) -> frozenset[str]:
    """Return the names of a label, also those that it holds in one ("Ann Lee, Bo Ek")."""
    given = folded(values)
    written = values if isinstance(values, list) else [values]
    return given | {_fold(name) for value in written for name in names_in(str(value))} if given else given


def _fold(value: str) -> str:
    return " ".join(value.split()).casefold()
