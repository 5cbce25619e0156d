"""Scored units in, the values they speak for out, each with the signs for and against it.

Several units may give one value (a headline, `og:title`, JSON-LD): they make one candidate.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime

import numpy as np

from sitewright.domains import FieldSpec, kinds
from sitewright.parse import fold_words
from sitewright.tag.readings import byline_of, entry_of, moment_of, names_of
from sitewright.tag.scored_page import Candidate, Key, ScoredPage
from sitewright.tag.signs import sign_candidates
from sitewright.tag.units import Unit
from sitewright.values import PARSERS, Context, Parsed

WORTH_READING = 0.03
"""Units below are no candidates: of the right values of the training folds one in two hundred scores less."""
SELDOM_CLEAR = {kinds.NAMES: 0.002, kinds.DATE: 0.005}
"""Bylines and dates come in so many forms that even the only one of a page may score low."""
MOST_READ = 60
NEARLY_AS_MANY = 0.5
"""Two moments of a day are both likely where one has this share of the votes of the other; labels name days alone."""

Reading = tuple[Key, object]
Told = tuple[datetime, float]
"""A moment, and how much the unit that tells it speaks for it."""


def candidates(page: ScoredPage, name: str) -> list[Candidate]:
    """Return the candidates of a field, those of the best units first."""
    column = page.column(name)
    order = np.argsort(-column, kind="stable")[:MOST_READ]
    found: dict[Key, Candidate] = {}
    spec = page.domain.fields[name]
    read = _read_update if name == page.domain.modified else _READERS.get(spec.kind) or _reader_of(spec)
    least = SELDOM_CLEAR.get(spec.kind, WORTH_READING)
    moments: dict[Key, list[Told]] = {}
    for number in order:
        if column[number] < least:
            break
        for key, value in read(page.units[number], page.context):
            found.setdefault(key, Candidate(key, value)).units.append(int(number))
            if isinstance(value, datetime):
                moments.setdefault(key, []).append((value, _votes(page, spec, number, float(column[number]))))
    for key, told in moments.items():
        found[key].value = _likeliest(told, latest=name == page.domain.modified)
    chosen = _told_locally(list(found.values())) if spec.kind == kinds.DATE else list(found.values())
    if chosen:
        sign_candidates(page, spec, chosen)
    return chosen


def _told_locally(found: list[Candidate]) -> list[Candidate]:
    """Put moments together that are told in Greenwich and in the site's own zone: the day is the site's."""
    local = {
        value.timestamp() // 60: candidate for candidate in found if (value := _aware(candidate)) and value.utcoffset()
    }
    kept: list[Candidate] = []
    for candidate in found:
        value = _aware(candidate)
        same = local.get(value.timestamp() // 60) if value is not None and not value.utcoffset() else None
        if same is None or same is candidate:
            kept.append(candidate)
        else:
            same.units += candidate.units
    return kept


def _aware(candidate: Candidate) -> datetime | None:
    value = candidate.value
    return value if isinstance(value, datetime) and value.tzinfo is not None else None


def _likeliest(told: Sequence[Told], latest: bool) -> datetime:
    """Of the moments of a day return the one that most speaks for, told with its zone where it is.

    Dates of publication and update often stand side by side, and scores are learned from labels that name days: where
    much speaks for several, the first is the publication's.
    """
    votes = [(sum(score for other, score in told if _is_same(moment, other)), moment) for moment, _ in told]
    most = max(vote for vote, _ in votes)
    likely = [moment for vote, moment in votes if vote >= most * NEARLY_AS_MANY]
    chosen = (max if latest else min)(likely, key=lambda moment: (moment.hour, moment.minute))
    return max((other for other, _ in told if _is_same(chosen, other)), key=_exactness)


def _votes(page: ScoredPage, spec: FieldSpec, number: int, score: float) -> float:
    """Return how much a unit speaks for its moment: more where it states this field, nothing where another date."""
    source = page.units[number].source
    if source in spec.sources:
        return score + 1
    others = (other for other in page.domain.fields.values() if other.kind == kinds.DATE)
    return 0.0 if any(source in other.sources for other in others) else score


def _is_same(first: datetime, second: datetime) -> bool:
    """Tell whether two moments of a day are the same minute: by the clock on the wall, where one has no zone."""
    if first.tzinfo is None or second.tzinfo is None:
        return (first.hour, first.minute) == (second.hour, second.minute)
    return first.timestamp() // 60 == second.timestamp() // 60


def _exactness(moment: datetime) -> tuple[bool, bool]:
    return moment.tzinfo is not None, bool(moment.utcoffset())


def _read_line(unit: Unit, _: Context) -> Iterable[Reading]:
    words = tuple(fold_words(unit.text))
    return [(words, unit.text)] if words else []


def _read_moment(unit: Unit, context: Context) -> Iterable[Reading]:
    return _day_of(moment_of(unit, context))


def _read_update(unit: Unit, context: Context) -> Iterable[Reading]:
    return _day_of(moment_of(unit, context, updated=True))


def _day_of(parsed: Parsed | None) -> Iterable[Reading]:
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


def _reader_of(spec: FieldSpec) -> Callable[[Unit, Context], Iterable[Reading]]:
    """Return what reads values that are of no kind with a reader of its own: the field's parser."""
    parse = PARSERS[spec.parse]

    def read(unit: Unit, context: Context) -> Iterable[Reading]:
        parsed = parse([unit.text], False, context)
        return [(str(parsed.value), parsed.value)] if parsed is not None else []

    return read


_READERS: dict[str, Callable[[Unit, Context], Iterable[Reading]]] = {
    kinds.LINE: _read_line, kinds.DATE: _read_moment, kinds.NAMES: _read_names, kinds.LIST: _read_entry,
}  # fmt: skip
