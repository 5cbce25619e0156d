"""Scored units in, the values they speak for out, each with the signs for and against it.

Several units may give one value (a headline, `og:title`, JSON-LD): they make one candidate. A candidate's signs say how
high its units score, where they stand, what else scores, and whether the page shows the field at all.
"""

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sitewright.parse import fold_words
from sitewright.tag.features import group_units, names_site, places_in_groups, says_updated
from sitewright.tag.readings import byline_of, entry_of, moment_of, names_of
from sitewright.tag.scores import COLUMN, FIELDS, KINDS, Scores
from sitewright.tag.units import Kind, Unit
from sitewright.values import Context
from sitewright.values.authors import AGENCIES, begins_with_by
from sitewright.values.lists import has_list_label

WORTH_READING = 0.03
"""Units below are no candidates: of the right values of the training folds one in two hundred scores less."""
SELDOM_CLEAR = {"authors": 0.01, "published": 0.01, "modified": 0.01}
"""Bylines and dates come in so many forms that even the only one of a page may score low."""
MOST_READ = 60
_NEVER = -7.0
_PARAGRAPH = 80

Key = Hashable
Reading = tuple[Key, object]


@dataclass(slots=True)
class Candidate:
    """A value that some units of the page speak for."""

    key: Key
    value: object
    units: list[int] = field(default_factory=list)
    signs: tuple[float, ...] = ()


@dataclass(frozen=True)
class ScoredPage:
    """A page's units and their scores, with what is computed once for all fields."""

    units: Sequence[Unit]
    scores: Scores
    context: Context
    groups: NDArray[np.int32]

    def column(self, name: str) -> NDArray[np.float32]:
        """Return the scores of a field."""
        return self.scores.units[:, COLUMN[name]]

    @cached_property
    def stated(self) -> Sequence[int]:
        """The units that metadata and the address state."""
        return [number for number, unit in enumerate(self.units) if unit.place is None]

    @cached_property
    def site_names(self) -> frozenset[str]:
        """What the page calls its site."""
        units = (self.units[number] for number in self.stated)
        return frozenset(unit.text.casefold() for unit in units if names_site(unit.source))

    @cached_property
    def prose(self) -> str:
        """The paragraphs, folded."""
        runs = (unit.text for unit in self.units if unit.kind is Kind.RUN and len(unit.text) >= _PARAGRAPH)
        return "\n".join(runs).casefold()

    def shown(self, name: str) -> float:
        """Return how likely the page shows a field."""
        return float(self.scores.shown[COLUMN[name]])


def scored_page(units: Sequence[Unit], scores: Scores, context: Context) -> ScoredPage:
    """Put together what candidates are made of."""
    return ScoredPage(units, scores, context, group_units(units))


def candidates(page: ScoredPage, name: str) -> list[Candidate]:
    """Return the candidates of a field, those of the best units first."""
    column = page.column(name)
    order = np.argsort(-column, kind="stable")[:MOST_READ]
    found: dict[Key, Candidate] = {}
    read = _READERS[name]
    least = SELDOM_CLEAR.get(name, WORTH_READING)
    for number in order:
        if column[number] < least:
            break
        for key, value in read(page.units[number], page.context):
            candidate = found.setdefault(key, Candidate(key, value))
            candidate.units.append(int(number))
            candidate.value = _better(candidate.value, value)
    chosen = list(found.values())
    if chosen:
        _sign(page, name, chosen)
    return chosen


def _better(first: object, second: object) -> object:
    """Of two moments of one day keep the one with a time, of other values the first."""
    return second if isinstance(second, datetime) and not isinstance(first, datetime) else first


def _read_line(unit: Unit, _: Context) -> Iterable[Reading]:
    words = tuple(fold_words(unit.text))
    return [(words, unit.text)] if words else []


def _read_moment(unit: Unit, context: Context) -> Iterable[Reading]:
    parsed = moment_of(unit, context)
    if parsed is None or not isinstance(parsed.value, date):
        return []
    day = parsed.value.date() if isinstance(parsed.value, datetime) else parsed.value
    return [(day, parsed.value)]


def _read_names(unit: Unit, _: Context) -> Iterable[Reading]:
    """Read the names, and the byline as a whole: groups and pen names are not made like people's names."""
    names = dict.fromkeys((*names_of(unit), byline_of(unit)))
    return [(key, name) for name in names if (key := " ".join(fold_words(name)))]


def _read_entry(unit: Unit, _: Context) -> Iterable[Reading]:
    entry = entry_of(unit)
    key = " ".join(entry.split()).casefold()
    return [(key, entry)] if key else []


_READERS: dict[str, Callable[[Unit, Context], Iterable[Reading]]] = {
    "title": _read_line, "subtitle": _read_line, "published": _read_moment, "modified": _read_moment,
    "authors": _read_names, "categories": _read_entry, "tags": _read_entry,
}  # fmt: skip

SIGNS = (
    "score", "displayed_score", "stated_score", "units", "displayed", "sources", "behind_best", "is_best", "list_score",
    "list_behind", "list_size", "run", "part", "piece", "shown", "article", "heading", "words", "within_better",
    "around_better", "same_run", "same_list", "rival_field", "text_score", "list_place", "digits", "special", "second",
    "linked", "mean_score", "worded", "list_share", "in_jsonld", "in_meta", "in_url", "is_site", "said", "best_stated",
    *(f"as_{name}" for name in FIELDS),
)  # fmt: skip
_RIVAL = {
    "title": "subtitle", "subtitle": "title", "published": "modified", "modified": "published", "authors": "tags",
    "categories": "tags", "tags": "categories",
}  # fmt: skip
_LIKELY = 0.3
_HEADINGS = frozenset({"h1", "h2", "h3"})


def _sign(page: ScoredPage, name: str, found: list[Candidate]) -> None:
    """Give each candidate its signs."""
    column, rival, text = page.column(name), page.column(_RIVAL[name]), page.column("text")
    counts = np.bincount(page.groups)
    means = np.bincount(page.groups, weights=column) / np.maximum(counts, 1)
    shares = np.bincount(page.groups, weights=column >= _LIKELY) / np.maximum(counts, 1)
    place_in_list = places_in_groups(page.groups, counts)
    best = found[0].units[0]
    best_score = logit(float(column[best]))
    best_mean = max(logit(float(means[page.groups[candidate.units[0]]])) for candidate in found)
    article = logit(float(page.scores.kinds[KINDS.index("article")]))
    best_stated = logit(max((float(column[n]) for n in page.stated), default=0.0))
    better: list[Candidate] = []
    for rank, candidate in enumerate(found):
        units = candidate.units
        first = page.units[units[0]]
        displayed = [n for n in units if page.units[n].place is not None]
        stated = [n for n in units if page.units[n].place is None]
        score = logit(float(column[units[0]]))
        group = page.groups[units[0]]
        candidate.signs = (
            score,
            logit(float(column[displayed[0]])) if displayed else _NEVER,
            logit(float(column[stated[0]])) if stated else _NEVER,
            math.log1p(len(units)), math.log1p(len(displayed)), math.log1p(len({page.units[n].source for n in stated})),
            best_score - score, float(rank == 0), logit(float(means[group])), best_mean - logit(float(means[group])),
            math.log1p(float(counts[group])),
            float(first.kind is Kind.RUN), float(first.kind is Kind.PART), float(first.kind is Kind.PIECE),
            logit(page.shown(name)), article,
            float(any(_is_heading(page.units[n]) for n in displayed)), min(len(first.text.split()), 40) / 10,
            float(any(is_within(candidate.key, other.key) for other in better)),
            float(any(is_within(other.key, candidate.key) for other in better)),
            float(rank > 0 and first.run == page.units[best].run), float(rank > 0 and group == page.groups[best]),
            logit(float(rival[units].max())), logit(float(text[units].max())),
            float(place_in_list[units[0]] / counts[group]), float(any(map(str.isdigit, first.text))),
            _special(name, candidate.value), _second(name, candidate, found), first.linked / max(len(first.text), 1),
            float(np.mean(column[units])), _worded(name, [page.units[page.units[n].run].text for n in displayed[:3]]),
            float(shares[group]), *_sources(page.units[n].source for n in stated),
            float(str(candidate.value).casefold() in page.site_names), _said(page, candidate.value), best_stated,
            *(logit(float(other)) for other in page.scores.units[units[0]]),
        )  # fmt: skip
        better.append(candidate)


def _sources(sources: Iterable[str]) -> tuple[float, float, float]:
    """Tell whether JSON-LD or microdata, meta tags and the address state it."""
    kinds = {source.partition(":")[0] for source in sources}
    return float(bool(kinds & {"jsonld", "microdata"})), float("meta" in kinds), float("url" in kinds)


def _said(page: ScoredPage, value: object) -> float:
    """Tell how often the page's paragraphs say a value."""
    return math.log1p(page.prose.count(value.casefold())) if isinstance(value, str) and value else 0.0


def _special(name: str, value: object) -> float:
    """What only one kind of value has: a time of day, an agency's name, a name in capitals."""
    if name in {"published", "modified"}:
        return float(isinstance(value, datetime))
    text = str(value)
    return float(text.casefold() in AGENCIES) if name == "authors" else float(text.isupper())


def _worded(name: str, runs: Sequence[str]) -> float:
    """Tell whether words around give it away: "updated" before a date, "by" before a name, "tags:" before a list."""
    if name in {"published", "modified"}:
        return float(any(says_updated(run) for run in runs))
    if name == "authors":
        return float(any(begins_with_by(run) for run in runs))
    return float(name in {"tags", "categories"} and any(has_list_label(run) for run in runs))


def _second(name: str, candidate: Candidate, found: Sequence[Candidate]) -> float:
    """Of dates: whether it is the earliest; of other values: how many candidates there are."""
    if name in {"published", "modified"}:
        days = [other.key for other in found if isinstance(other.key, date)]
        return float(candidate.key == min(days))
    return math.log1p(len(found))


def _is_heading(unit: Unit) -> bool:
    return unit.place is not None and unit.place.tag in _HEADINGS


def is_within(inner: Key, outer: Key) -> bool:
    """Tell whether a value is a part of a longer one, word by word."""
    if isinstance(inner, tuple) and isinstance(outer, tuple):
        return len(inner) < len(outer) and f" {' '.join(inner)} " in f" {' '.join(outer)} "
    if isinstance(inner, str) and isinstance(outer, str):
        return len(inner) < len(outer) and f" {inner} " in f" {outer} "
    return False


def logit(probability: float) -> float:
    """Return the log-odds, within bounds."""
    clipped = min(max(probability, 1e-3), 1 - 1e-3)
    return math.log(clipped / (1 - clipped))
