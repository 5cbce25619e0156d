"""The candidates of a field in, the signs for and against each out: one table of what is looked at.

A candidate's signs say how high its units score, where they stand, what else scores, and whether the page shows the
field at all. The judge was fitted for these signs in this order.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import FieldSpec, kinds
from sitewright.tag.features import DENSE, places_in_groups
from sitewright.tag.naming_signs import Named, named
from sitewright.tag.readings import names_of
from sitewright.tag.scored_page import Candidate, ScoredPage, is_within, logit
from sitewright.tag.scores import Columns
from sitewright.tag.units import Unit, UnitKind
from sitewright.values.authors import AGENCIES, begins_with_by
from sitewright.values.lists import has_list_label
from sitewright.values.updates import says_updated

_NEVER = -7.0
_LOOKED_AT = 3
"""The units of a candidate whose names are looked at; a headline may stand on a page twenty times."""
_LIKELY = 0.3
_HEADINGS = frozenset({"h1", "h2", "h3"})
_STRUCTURED = frozenset({"jsonld", "microdata"})


class _Field:
    """What is the same for all candidates of a field."""

    def __init__(self, page: ScoredPage, spec: FieldSpec, found: Sequence[Candidate]) -> None:
        self.kind, self.found = spec.kind, found
        self.column = column = page.column(spec.name)
        self.rival, self.text = page.column(spec.rival), page.column(page.domain.main_text)
        self.counts = np.bincount(page.groups)
        self._means = np.bincount(page.groups, weights=column) / np.maximum(self.counts, 1)
        self.shares = np.bincount(page.groups, weights=column >= _LIKELY) / np.maximum(self.counts, 1)
        self.places = places_in_groups(page.groups, self.counts)
        self.best = found[0].units[0]
        self.best_score = logit(float(column[self.best]))
        self.best_mean = max(self.mean(page.groups[candidate.units[0]]) for candidate in found)
        self.shown = logit(page.scores.shows(spec.name))
        self.item = logit(page.scores.is_kind(page.domain.item.kind))
        self.by_run: dict[int, list[tuple[float, int]]] = defaultdict(list)
        for rank, candidate in enumerate(found):
            for number in candidate.units:
                self.by_run[page.units[number].run].append((float(column[number]), rank))
        self.shown_best = logit(max((float(column[c.units[0]]) for c in found if _is_displayed(page, c)), default=0.0))
        self.best_stated = logit(max((float(column[n]) for n in page.stated), default=0.0))

    def mean(self, group: int) -> float:
        """Return the mean score of a list."""
        return logit(float(self._means[group]))


@dataclass(slots=True)
class _Seen:
    """A candidate among the others of its field, as its signs look at it."""

    page: ScoredPage
    field: _Field
    candidate: Candidate
    rank: int
    """Its place, those of the best units first."""
    better: Sequence[Candidate]
    """Those before it."""
    first: Unit
    """Its best unit."""
    score: float
    """Its log-odds, as those of all scores here."""
    group: int
    displayed: list[int]
    stated: list[int]
    kinds_of_sources: frozenset[str]
    named: Named

    @property
    def value(self) -> object:
        return self.candidate.value

    def best_of(self, numbers: Sequence[int]) -> float:
        """Return the score of the best of some of its units."""
        return logit(float(self.field.column[numbers[0]])) if numbers else _NEVER

    @property
    def run(self) -> Unit:
        """The line that its best unit is a part of."""
        return self.page.units[self.first.run]

    @property
    def first_shown(self) -> int:
        """Its first unit that is displayed, or the first."""
        return min(self.displayed or self.candidate.units)

    @property
    def beside(self) -> float:
        """The score of the best other candidate that its line gives."""
        given = self.field.by_run[self.first.run]
        return logit(max((score for score, rank in given if rank != self.rank), default=0.0))

    def runs(self) -> list[str]:
        """Return the lines that its first displayed units are parts of."""
        return [self.page.units[self.page.units[n].run].text for n in self.displayed[:3]]


SIGN_TABLE: Mapping[str, Callable[[_Seen], float]] = {
    "score": lambda seen: seen.score,
    "displayed_score": lambda seen: seen.best_of(seen.displayed),
    "stated_score": lambda seen: seen.best_of(seen.stated),
    "units": lambda seen: math.log1p(len(seen.candidate.units)),
    "displayed": lambda seen: math.log1p(len(seen.displayed)),
    "sources": lambda seen: math.log1p(len({seen.page.units[n].source for n in seen.stated})),
    "behind_best": lambda seen: seen.field.best_score - seen.score,
    "is_best": lambda seen: float(seen.rank == 0),
    "list_score": lambda seen: seen.field.mean(seen.group),
    "list_behind": lambda seen: seen.field.best_mean - seen.field.mean(seen.group),
    "list_size": lambda seen: math.log1p(float(seen.field.counts[seen.group])),
    "run": lambda seen: float(seen.first.kind is UnitKind.RUN),
    "part": lambda seen: float(seen.first.kind is UnitKind.PART),
    "piece": lambda seen: float(seen.first.kind is UnitKind.PIECE),
    "shown": lambda seen: seen.field.shown,
    "item": lambda seen: seen.field.item,
    "heading": lambda seen: float(any(_is_heading(seen.page.units[n]) for n in seen.displayed)),
    "words": lambda seen: min(len(seen.first.text.split()), 40) / 10,
    "within_better": lambda seen: float(any(is_within(seen.candidate.key, other.key) for other in seen.better)),
    "around_better": lambda seen: float(any(is_within(other.key, seen.candidate.key) for other in seen.better)),
    "same_run": lambda seen: float(seen.rank > 0 and seen.first.run == seen.page.units[seen.field.best].run),
    "same_list": lambda seen: float(seen.rank > 0 and seen.group == seen.page.groups[seen.field.best]),
    "rival_field": lambda seen: logit(_most(seen.field.rival, seen.candidate.units)),
    "text_score": lambda seen: logit(_most(seen.field.text, seen.candidate.units)),
    "list_place": lambda seen: float(seen.field.places[seen.candidate.units[0]] / seen.field.counts[seen.group]),
    "digits": lambda seen: float(any(map(str.isdigit, seen.first.text))),
    "special": lambda seen: _special(seen.field.kind, seen.value),
    "second": lambda seen: _second(seen.field.kind, seen.candidate, seen.field.found),
    "linked": lambda seen: seen.first.linked / max(len(seen.first.text), 1),
    "mean_score": lambda seen: _mean(seen.field.column, seen.candidate.units),
    "worded": lambda seen: _worded(seen.field.kind, seen.runs()),
    "list_share": lambda seen: float(seen.field.shares[seen.group]),
    "in_jsonld": lambda seen: float(not seen.kinds_of_sources.isdisjoint(_STRUCTURED)),
    "in_meta": lambda seen: float("meta" in seen.kinds_of_sources),
    "in_url": lambda seen: float("url" in seen.kinds_of_sources),
    "is_site": lambda seen: float(seen.page.names_site(str(seen.value))),
    "said": lambda seen: _said(seen.page, seen.value),
    "best_stated": lambda seen: seen.field.best_stated,
    "value_words": lambda seen: min(len(str(seen.value).split()), 20) / 5,
    "value_length": lambda seen: math.log1p(len(str(seen.value))),
    "run_length": lambda seen: math.log1p(len(seen.run.text)),
    "share_of_run": lambda seen: min(len(str(seen.value)) / max(len(seen.run.text), 1), 1.0),
    "whole": lambda seen: float(seen.value not in names_of(seen.first)) if seen.field.kind == kinds.NAMES else 0.0,
    "beside": lambda seen: seen.beside,
    "candidates": lambda seen: math.log1p(len(seen.field.found)),
    "place": lambda seen: seen.first_shown / max(len(seen.page.units), 1),
    "shown_together": lambda seen: seen.field.shown_best,
    "named_for": lambda seen: seen.named.near_for,
    "named_against": lambda seen: seen.named.near_against,
    "around_for": lambda seen: seen.named.far_for,
    "around_against": lambda seen: seen.named.far_against,
}
SIGNS = tuple(SIGN_TABLE)
"""What is known of every candidate; behind these come its first unit's scores for all columns of the tagger."""
AS_FIELD = "as_"
"""How the names of these begin, before the column's own."""
SEEN = "seen_"
"""Last comes what the tagger knew of the unit, or of the first that is displayed."""


def signs_for(columns: Columns) -> tuple[str, ...]:
    """Return the names of all signs, given what the tagger's scores are about."""
    return (*SIGNS, *(AS_FIELD + name for name in columns.fields), *(SEEN + name for name in DENSE))


def sign_candidates(page: ScoredPage, spec: FieldSpec, found: list[Candidate]) -> None:
    """Give each candidate its signs."""
    known = _Field(page, spec, found)
    for rank, candidate in enumerate(found):
        units = candidate.units
        displayed = [n for n in units if page.units[n].place is not None]
        stated = [n for n in units if page.units[n].place is None]
        seen = _Seen(
            page=page,
            field=known,
            candidate=candidate,
            rank=rank,
            better=found[:rank],
            first=page.units[units[0]],
            score=logit(float(known.column[units[0]])),
            group=page.groups[units[0]],
            displayed=displayed,
            stated=stated,
            kinds_of_sources=frozenset(page.units[n].source.partition(":")[0] for n in stated),
            named=named(spec.words, (page.units[n] for n in (displayed or units)[:_LOOKED_AT])),
        )
        own = (sign(seen) for sign in SIGN_TABLE.values())
        looked_at = page.scores.seen[(displayed or units)[0]].tolist() if page.scores.seen is not None else ()
        candidate.signs = (*own, *map(logit, page.scores.units[units[0]].tolist()), *looked_at)


def _most(column: NDArray[np.float32], numbers: Sequence[int]) -> float:
    """Return the best of some scores; of so few numpy would look for it ten times as long."""
    return max(float(column[number]) for number in numbers)


def _mean(column: NDArray[np.float32], numbers: list[int]) -> float:
    return float(column[numbers[0]]) if len(numbers) == 1 else float(np.mean(column[numbers]))


def _said(page: ScoredPage, value: object) -> float:
    """Tell how often the page's paragraphs say a value."""
    return math.log1p(page.prose.count(value.casefold())) if isinstance(value, str) and value else 0.0


def _special(kind: str, value: object) -> float:
    """What only one kind of value has: a time of day, an agency's name, a name in capitals."""
    if kind == kinds.DATE:
        return float(isinstance(value, datetime))
    text = str(value)
    return float(text.casefold() in AGENCIES) if kind == kinds.NAMES else float(text.isupper())


def _worded(kind: str, runs: Sequence[str]) -> float:
    """Tell whether words around give it away: "updated" before a date, "by" before a name, "tags:" before a list."""
    if kind == kinds.DATE:
        return float(any(says_updated(run) for run in runs))
    if kind == kinds.NAMES:
        return float(any(begins_with_by(run) for run in runs))
    return float(kind == kinds.LIST and any(has_list_label(run) for run in runs))


def _second(kind: str, candidate: Candidate, found: Sequence[Candidate]) -> float:
    """Of dates: whether it is the earliest; of other values: how many candidates there are."""
    if kind == kinds.DATE:
        days = [other.key for other in found if isinstance(other.key, date)]
        return float(candidate.key == min(days))
    return math.log1p(len(found))


def _is_displayed(page: ScoredPage, candidate: Candidate) -> bool:
    return any(page.units[n].place is not None for n in candidate.units)


def _is_heading(unit: Unit) -> bool:
    return unit.place is not None and unit.place.tag in _HEADINGS
