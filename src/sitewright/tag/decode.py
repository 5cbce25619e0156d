"""Scored units in, the values of a page out: one title, one date, whole lists, the text as a coherent run of blocks."""

import math
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from sitewright.domains import Domain, FieldSpec, kinds
from sitewright.tag.candidates import candidates
from sitewright.tag.judge import Judge
from sitewright.tag.kind_judge import KindJudge
from sitewright.tag.kind_signs import kind_signs
from sitewright.tag.page_signs import page_signs
from sitewright.tag.readings import entries_of, moment_of
from sitewright.tag.scored_page import Candidate, ScoredPage, is_within, logit
from sitewright.tag.surroundings import stand_outside
from sitewright.tag.units import UnitKind
from sitewright.types import LIST
from sitewright.values.authors import AGENCIES
from sitewright.values.updates import says_updated

_OF_UPDATES = re.compile(r"modif|updat", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
ITEM = "item"
"""What the judge calls the question whether a page is an item at all."""
THERE = ":there"
"""What the judge calls the question whether a page has a text at all, behind the field's name."""
OF_LIST = 0.5
"""The say of the other entries of a list: one point of F1 on the training folds, out of fold."""
_WORTH_A_WORD = 0.1
SURE, SHARE_OF_BEST, BETWEEN = 0.5, 0.5, 0.5
"""Runs from this score on are text; where nothing on the page scores high, from this share of the best; between two
such runs half of that will do. Measured out of fold on the training folds: F1 is flat around these."""
BEHIND = 0.5
"""What is stated counts so much of what is displayed, where that is rather right and another value."""
SIBLINGS = (0.3, 0.2)
"""The say of the siblings of the same tag, and of all siblings: 0.3 points of F1 on the training folds, out of fold."""
_ELSEWHERE, _TEXT_ELSEWHERE = 0.5, 0.1
"""On what is no item values must be this likely; a text less, because short articles are easily taken for lists."""
_FARTHEST_EAST = timedelta(hours=14)
"""What is told in Greenwich may be of the day after where it is read."""
_PRICED = 0.2
"""On what looks like nothing a price must be this likely: products of shops not seen often look so."""
_HARDLY_ITEM = 0.1
"""Out of fold one item in two hundred is less likely one, of what is none two thirds; front pages are lists, too."""
AS_STATED = 0.5
"""How much is believed at least in what is given because it is stated for the field, by records and rules."""
_MICRODATA = "microdata:"
_NEVER = 2.0
_ALL_LINKS = 0.8
_LONG_ENOUGH = 400
_NOTHING = 0.02
_SHORT_LINE = 120
_SAME_PARAGRAPH = 40
"""A line this long that stands twice is a copy; shorter ones may repeat."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A value that was found, how likely it is right, the units it was read from, and what metadata says about it."""

    value: object
    confidence: float
    units: tuple[int, ...]
    agrees: tuple[str, ...] = ()
    """The sources of metadata that state the same."""
    differs: tuple[str, ...] = ()
    """The sources of metadata that state another value."""
    only_stated: bool = False
    """Whether the page does not display it."""
    by_statement: bool = False
    """Whether it is given because the page states it for this very field, however likely it is."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """The candidates of a field, those of the best units first, and how likely each is right."""

    candidates: Sequence[Candidate]
    likely: NDArray[np.float32]


def single_fields(domain: Domain) -> list[FieldSpec]:
    """Return the fields that have one value a page, the text aside."""
    return [spec for spec in _weighed_fields(domain) if not spec.many and spec.means != "main"]


def list_fields(domain: Domain) -> list[FieldSpec]:
    """Return the fields that have several values a page."""
    return [spec for spec in _weighed_fields(domain) if spec.many]


def _weighed_fields(domain: Domain) -> list[FieldSpec]:
    return [spec for spec in domain.fields.values() if spec.kind not in kinds.NOT_SCORED]


def judged_kind(page: ScoredPage, judge: Judge, kinds: KindJudge | None = None) -> ScoredPage:
    """Return the page with the say of both judges in whether it is an item; the other kinds share what is left.

    One goes by what the tagger says of the page, the other by the page alone; the mean of their log-odds counts.
    """
    said = [kinds.log_odds(kind_signs(page.context.document, page.units, page.domain))] if kinds is not None else []
    if judge.knows(ITEM):
        said.append(logit(float(judge.probabilities(ITEM, [page_signs(page)])[0])))
    if not said:
        return page
    likely = 1 / (1 + math.exp(-sum(said) / len(said)))
    item = page.scores.columns.kinds.index(page.domain.item.kind)
    others = np.delete(page.scores.kinds, item)
    kinds_now = np.insert(others / max(float(others.sum()), 1e-6) * (1 - likely), item, likely)
    return replace(page, scores=replace(page.scores, kinds=kinds_now.astype(np.float32)))


def weigh(page: ScoredPage, judge: Judge) -> dict[str, Weighed]:
    """Return the candidates of every field, each with its probability; fields without any are missing.

    Of texts only those are candidates that metadata states, in domains that say where; others are found by their lines.
    """
    weighed = {}
    domain = page.domain
    stated_text = [spec for spec in domain.fields.values() if spec.means == "main" and spec.sources]
    for spec in (*single_fields(domain), *list_fields(domain), *stated_text):
        if found := candidates(page, spec.name):
            likely = judge.probabilities(spec.name, [candidate.signs for candidate in found])
            if spec.name == domain.published:
                likely = _without_updates(page, found, likely)
            if spec.stated == "apart" and not spec.many:
                likely = _displayed_first(page, found, likely)
            if spec.whole:
                likely = as_lists(likely, [page.groups[candidate.units[0]] for candidate in found])
            weighed[spec.name] = Weighed(found, likely)
    return weighed


def _displayed_first(page: ScoredPage, found: Sequence[Candidate], likely: NDArray[np.float32]) -> NDArray[np.float32]:
    """Let what is stated be less likely than what is displayed and rather right: programs may be told other prices."""
    displayed = _displayed(page, found)
    best = likely[displayed].max(initial=0.0)
    return np.where(displayed, likely, np.minimum(likely, best * BEHIND)) if best >= SURE else likely


def decode(page: ScoredPage, judge: Judge, weighed: Mapping[str, Weighed]) -> dict[str, Finding]:
    """Return what was found, field by field."""
    domain = page.domain
    found: dict[str, Finding | None] = {}
    for spec in single_fields(domain):
        found[spec.name] = _single(page, judge, spec.name, weighed.get(spec.name))
    if _is_same_date(page, found.get(domain.published), found.get(domain.modified)):
        found[domain.modified] = None
    for spec in list_fields(domain):
        found[spec.name] = _list(page, judge, spec, weighed.get(spec.name))
    if text := domain.main_text:
        found[text] = _text(page, judge, found) or _single(page, judge, text, weighed.get(text))
    return {field: finding for field, finding in found.items() if finding is not None}


def _single(page: ScoredPage, judge: Judge, field: str, weighed: Weighed | None) -> Finding | None:
    """Return the likeliest candidate, if it is likely enough."""
    if weighed is None:
        return None
    found, likely = weighed.candidates, weighed.likely
    if page.domain.fields[field].stated == "never":
        likely = np.where(_displayed(page, found), likely, 0)
    best = int(np.argmax(likely))
    if likely[best] < _least(page, judge, field):
        return _stated_value(page, page.domain.fields[field], weighed)
    return _finding(page, field, found[best].value, round(float(likely[best]), 3), found[best].units)


def _stated_value(page: ScoredPage, spec: FieldSpec, weighed: Weighed) -> Finding | None:
    """Return what the field's own sources state, the most trustworthy first, where that is good enough for it."""
    if spec.stated != "apart" or page.scores.kind == LIST:
        return None
    by_source = {
        page.units[n].source: (candidate, float(likely))
        for candidate, likely in zip(weighed.candidates, weighed.likely, strict=True)
        for n in candidate.units
    }
    for candidate, likely in (by_source[source] for source in spec.sources if source in by_source):
        finding = _finding(page, spec.name, candidate.value, round(likely, 3), candidate.units)
        return replace(finding, only_stated=not _displayed(page, [candidate])[0], by_statement=True)
    return None


def _least(page: ScoredPage, judge: Judge, question: str) -> float:
    """Return how likely a value must be: a list shows no field of an item but maybe a title, other pages hardly any."""
    least = judge.least(question)
    kind = page.scores.kind
    if question == page.domain.heading or kind == page.domain.item.kind:
        return least
    if page.domain.price and kind != LIST and page.domain.spec_of(question).required:
        return max(least, _PRICED)
    if judge.knows(ITEM) and (kind == LIST or page.scores.is_kind(page.domain.item.kind) < _HARDLY_ITEM):
        return _NEVER
    return max(least, _TEXT_ELSEWHERE if question.endswith(THERE) else _ELSEWHERE)


def _without_updates(page: ScoredPage, found: Sequence[Candidate], likely: NDArray[np.float32]) -> NDArray[np.float32]:
    """Take dates of updates for none of the publication; what speaks for a stated one speaks for the stated other.

    On 109 of 118 pages of the training folds that state both on different days, the publication is what is stated as
    such; on two of the others that is told in Greenwich, where it was still the day before.
    """
    likely = np.where([_is_only_of_update(page, candidate) for candidate in found], 0, likely)
    first, last = (_stated_moment(page, field) for field in (page.domain.published, page.domain.modified))
    if first is None or last is None or _latest_day(first) >= _day(last):
        return likely
    published = np.array([candidate.key == _day(first) for candidate in found])
    changed = np.array([candidate.key == _day(last) for candidate in found])
    if not published.any():
        return likely
    believed = np.where(published, likely[changed].max(initial=0), 0)
    return np.where(changed, 0, np.maximum(likely, believed))


def _latest_day(moment: date) -> date:
    """Return the day of a moment that may have been told in Greenwich where it is latest."""
    is_local = not isinstance(moment, datetime) or bool(moment.utcoffset())
    return _day(moment if is_local else moment + _FARTHEST_EAST)


def _stated_moment(page: ScoredPage, field: str) -> date | None:
    """Return the moment that the first of a field's own sources states."""
    for source in page.domain.fields[field].sources if field else ():
        for unit in (page.units[number] for number in page.stated):
            if unit.source == source and (found := moment_of(unit, page.context)) and isinstance(found.value, date):
                return found.value
    return None


def _day(moment: date) -> date:
    return moment.date() if isinstance(moment, datetime) else moment


def _is_only_of_update(page: ScoredPage, candidate: Candidate) -> bool:
    """Tell whether a date stands nowhere but behind words for an update ("Last updated: 6 May"): none of publication.

    Of 32 pages of the training folds whose date stands only in lines with such words, the two on which they came first
    and nothing stated a publication show none; on the others the publication's date stood before them, or was stated.
    """
    for unit in (page.units[number] for number in candidate.units):
        if unit.place is None and not _OF_UPDATES.search(unit.source):
            return False
        if unit.place is not None and not says_updated(_DIGIT.split(page.units[unit.run].text, maxsplit=1)[0]):
            return False
    return True


def _is_same_date(page: ScoredPage, published: Finding | None, modified: Finding | None) -> bool:
    """Tell whether the date of the publication was found once more, where nothing speaks of an update."""
    if published is None or modified is None or published.value != modified.value:
        return False
    units = [page.units[number] for number in modified.units]
    return not any(_OF_UPDATES.search(unit.source) or says_updated(page.units[unit.run].text) for unit in units)


def _list(page: ScoredPage, judge: Judge, spec: FieldSpec, weighed: Weighed | None) -> Finding | None:
    """Return the entries that are displayed and likely enough, or else those that are stated."""
    if spec.stated == "given":
        return _entries(page, judge, spec, weighed) if weighed is not None else None
    shown = None
    if weighed is not None:
        likely = np.where(_displayed(page, weighed.candidates), weighed.likely, 0)
        shown = _entries(page, judge, spec, Weighed(weighed.candidates, likely))
    return shown or _stated_entries(page, judge, spec)


def _displayed(page: ScoredPage, found: Sequence[Candidate]) -> NDArray[np.bool_]:
    return np.array([any(page.units[n].place is not None for n in candidate.units) for candidate in found])


def _entries(page: ScoredPage, judge: Judge, spec: FieldSpec, weighed: Weighed) -> Finding | None:
    """Return the candidates that are likely enough, or the likeliest one; agencies only where no person is named."""
    found, likely, field = weighed.candidates, weighed.likely, spec.name
    chosen = choose_entries(likely, _least(page, judge, field), judge.enough(field))
    if not len(chosen):
        return None
    if spec.kind == kinds.NAMES:
        chosen = _names_or_byline(found, likely, chosen)
    return _finding_of(page, spec, [found[n] for n in chosen], judge.confidence(field, list_signs(likely, chosen)))


def _stated_entries(page: ScoredPage, judge: Judge, spec: FieldSpec) -> Finding | None:
    """Return what the page states of a field that it does not display: the first of its own sources as a whole.

    The judge learned what readers see, and believes in nothing that is only stated; the tagger's scores of a source
    tell the story's own people and topics from the site's. Microdata name what is displayed, which was judged already.
    """
    if spec.stated != "apart" or page.scores.kind != page.domain.item.kind:
        return None
    column = page.column(spec.name)
    for source in spec.sources:
        if source.startswith(_MICRODATA):
            continue
        numbers = [number for number in page.stated if page.units[number].source == source]
        entries = dict.fromkeys(
            entry
            for number in numbers
            for entry in entries_of(page.units[number], spec)
            if not (spec.not_site and page.names_site(entry))
        )
        score = float(column[numbers].mean()) if numbers else 0.0
        if entries and score >= judge.stated(spec.name):
            finding = _finding(page, spec.name, list(entries), round(max(score, AS_STATED), 3), numbers)
            return replace(finding, only_stated=True, by_statement=True)
    return None


def _finding_of(page: ScoredPage, spec: FieldSpec, taken: Sequence[Candidate], confidence: float) -> Finding:
    if spec.kind == kinds.NAMES:
        taken = [candidate for candidate in taken if str(candidate.value).casefold() not in AGENCIES] or taken
    ordered = sorted(taken, key=lambda candidate: min(candidate.units))
    units = [number for candidate in ordered for number in candidate.units]
    return _finding(page, spec.name, [candidate.value for candidate in ordered], confidence, units)


def _names_or_byline(
    found: Sequence[Candidate], likely: NDArray[np.float32], chosen: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Of a byline and the names in it, take either."""
    gone: set[int] = set()
    for whole in chosen:
        names = [n for n in chosen if is_within(found[n].key, found[whole].key)]
        if names:
            gone.update([int(whole)] if likely[whole] <= likely[names].max() else map(int, names))
    return np.array([n for n in chosen if int(n) not in gone], dtype=np.int64)


def as_lists(likely: NDArray[np.float32], lists: Sequence[int]) -> NDArray[np.float32]:
    """Let the entries of a list have a say in each other: a list of tags is rarely right in part."""
    odds = np.array([logit(float(probability)) for probability in likely])
    mixed = (1 - OF_LIST) * odds + OF_LIST * _group_means(odds, np.ones_like(odds), lists)
    return np.asarray(1 / (1 + np.exp(-mixed)), dtype=np.float32)


def choose_entries(likely: NDArray[np.float32], least: float, enough: float) -> NDArray[np.int64]:
    """Return the entries that are likely enough, or the likeliest one; none where even that is too unlikely."""
    if not len(likely) or likely.max() < least:
        return np.empty(0, dtype=np.int64)
    chosen = np.flatnonzero(likely >= enough)
    return chosen if len(chosen) else np.array([int(np.argmax(likely))])


def list_signs(likely: NDArray[np.float32], chosen: NDArray[np.int64]) -> tuple[float, ...]:
    """Return what tells whether a list is right as a whole."""
    left_out = np.delete(likely, chosen)
    return (
        logit(float(likely[chosen].mean())), logit(float(likely[chosen].min())),
        logit(float(left_out.max())) if len(left_out) else -7.0, float(np.log1p(len(chosen))),
    )  # fmt: skip


def _finding(page: ScoredPage, field: str, value: object, confidence: float, units: Sequence[int]) -> Finding:
    """Add what metadata says about a value."""
    column = page.column(field)
    own = set(units)
    agrees = dict.fromkeys(page.units[n].source for n in units if page.units[n].place is None)
    others = (
        int(n)
        for n in np.flatnonzero(column >= _WORTH_A_WORD)
        if page.units[int(n)].place is None and int(n) not in own
    )
    differs = dict.fromkeys(page.units[n].source for n in others)
    return Finding(
        value, confidence, tuple(units), tuple(agrees), tuple(source for source in differs if source not in agrees)
    )


def _text(page: ScoredPage, judge: Judge, found: Mapping[str, Finding | None]) -> Finding | None:
    domain = page.domain
    title, field = found.get(domain.heading), domain.main_text
    paragraphs = text_units(page, str(title.value) if title is not None else None)
    others = _lines_of(page, [found.get(name) for name in _beside_text(domain) if name != domain.heading])
    others |= _runs_of(page, found.get(domain.summary))
    numbers = [number for number in paragraphs if number not in others]
    if not numbers:
        return None
    signs = [text_signs(page, numbers)]
    if signs[0][_LINKS] > _ALL_LINKS:
        return None  # a list of other pages
    if judge.probabilities(field + THERE, signs)[0] < _least(page, judge, field + THERE):
        return None  # teasers, comments, menus: the page has no text, or it is not among these
    confidence = round(float(judge.probabilities(field, signs)[0]), 3)
    lines = [page.units[number].text for number in numbers]
    return _finding(page, field, "\n".join(lines), confidence, numbers)


def _beside_text(domain: Domain) -> list[str]:
    """Return the fields whose short lines are no paragraphs."""
    others = (*single_fields(domain), *list_fields(domain))
    return [spec.name for spec in others if spec.means != "summary"]


def _runs_of(page: ScoredPage, finding: Finding | None) -> set[int]:
    """Return the displayed lines that gave a value."""
    units = [page.units[number] for number in finding.units] if finding is not None else []
    return {unit.run for unit in units if unit.place is not None}


def _lines_of(page: ScoredPage, findings: Sequence[Finding | None]) -> set[int]:
    """Return the short lines that gave byline, date, tags: they are no paragraphs, wherever they stand."""
    units = [page.units[number] for finding in findings if finding is not None for number in finding.units]
    return {unit.run for unit in units if unit.place is not None and len(page.units[unit.run].text) <= _SHORT_LINE}


def text_units(page: ScoredPage, title: str | None) -> list[int]:
    """Return the paragraphs: what scores high, and what scores low between two that score high; no copy twice."""
    runs, scores, sure = _scored_runs(page)
    if not runs:
        return []
    high = scores >= sure
    between = np.zeros_like(high)
    between[1:-1] = high[:-2] & high[2:] & (scores[1:-1] >= BETWEEN * sure)
    return _distinct(page, [runs[place] for place in np.flatnonzero(high | between)], title)


def line_scores(page: ScoredPage, found: Mapping[str, Finding]) -> dict[int, float]:
    """Return how likely each run is a paragraph of the text; what other fields were read from is none.

    0.5 is where a run counts as text on this page, be its scores high or low as a whole.
    """
    runs, scores, sure = _scored_runs(page)
    others = _lines_of(page, [found.get(name) for name in _beside_text(page.domain)])
    others |= _runs_of(page, found.get(page.domain.summary))
    clipped = np.clip(scores, 1e-4, 1 - 1e-4)
    odds = clipped / (1 - clipped) * (1 - sure) / sure
    return {n: 0.0 if n in others else float(o / (1 + o)) for n, o in zip(runs, odds, strict=True)}


def _scored_runs(page: ScoredPage) -> tuple[list[int], NDArray[np.float64], float]:
    """Return the displayed runs, how likely each is text, and from where on that will do."""
    runs = [n for n, unit in enumerate(page.units) if unit.kind is UnitKind.RUN and unit.place is not None]
    if not runs:
        return [], np.empty(0), 1.0
    lengths = np.array([len(page.units[n].text) for n in runs], dtype=np.float64)
    scores = _without_outside(page, runs, _coherent(page, runs, lengths), lengths)
    # Word lists tell a text that is little of its page, as the steps of a recipe are: the best line is measure enough.
    best = float(scores.max()) if page.domain.has_word_lists else _top(scores, lengths)
    return runs, scores, max(min(SURE, SHARE_OF_BEST * best), _NOTHING)


def _without_outside(
    page: ScoredPage, runs: Sequence[int], scores: NDArray[np.float64], lengths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Score what stands in captions, comments and author boxes as no text, unless that is most of what there is.

    Of 8,560 lines of 1,005 hand-labelled pages of the training folds that stand in elements with such names, 32 belong
    to a text, most of them on pages with all of it there.
    """
    spec = page.domain.fields.get(page.domain.main_text)
    outside = stand_outside([page.units[n] for n in runs], spec.words.against if spec is not None else "")
    weights = scores * lengths
    return scores if weights[outside].sum() * 2 > weights.sum() else np.where(outside, 0.0, scores)


def _distinct(page: ScoredPage, numbers: Sequence[int], title: str | None) -> list[int]:
    """Leave out the headline, and copies of what was there before."""
    seen = {title.casefold()} if title else set()
    kept = []
    for number in numbers:
        line = page.units[number].text.casefold()
        if line not in seen:
            kept.append(number)
            if len(line) >= _SAME_PARAGRAPH:
                seen.add(line)
    return kept


def _coherent(page: ScoredPage, runs: Sequence[int], lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Let the siblings of a paragraph have a say: those of the same tag, and all in the same block."""
    column = np.clip(page.column(page.domain.main_text)[list(runs)].astype(np.float64), 1e-4, 1 - 1e-4)
    odds = np.log(column / (1 - column))
    weights = np.minimum(lengths, _LONG_ENOUGH) + 5
    places = [page.units[n].place for n in runs]
    blocks = [id(place.above) if place is not None else 0 for place in places]
    alike = [(block, place.tag if place is not None else "") for block, place in zip(blocks, places, strict=True)]
    same_tag, all_siblings = SIBLINGS
    mixed = (1 - same_tag - all_siblings) * odds
    mixed += same_tag * _group_means(odds, weights, alike) + all_siblings * _group_means(odds, weights, blocks)
    return np.asarray(1 / (1 + np.exp(-mixed)))


def _group_means(
    values: NDArray[np.float64], weights: NDArray[np.float64], keys: Sequence[Hashable]
) -> NDArray[np.float64]:
    numbers: dict[Hashable, int] = {}
    groups = np.array([numbers.setdefault(key, len(numbers)) for key in keys])
    return np.asarray((np.bincount(groups, weights * values) / np.bincount(groups, weights))[groups])


def _top(scores: NDArray[np.floating], lengths: NDArray[np.floating]) -> float:
    """Return the score that a tenth of the page's characters reach: how high the best of its text scores."""
    order = np.argsort(-scores, kind="stable")
    reached = int(np.searchsorted(np.cumsum(lengths[order]), lengths.sum() / 10))
    return float(scores[order[min(reached, len(order) - 1)]])


TEXT_SIGNS = (
    "mean", "unsure", "length", "shown", "item", "list", "top", "lines", "links", "share", "below_headline",
    "paragraphs",
)  # fmt: skip
_LINKS = TEXT_SIGNS.index("links")


def text_signs(page: ScoredPage, numbers: Sequence[int]) -> tuple[float, ...]:
    """Return what tells whether a text is right: how sure its lines are, how long they are and where they stand."""
    column = page.column(page.domain.main_text)
    runs = np.array([n for n, unit in enumerate(page.units) if unit.kind is UnitKind.RUN])
    all_lengths = np.array([len(page.units[n].text) for n in runs], dtype=np.float32)
    lengths = np.array([len(page.units[n].text) for n in numbers], dtype=np.float32)
    total = float(lengths.sum())
    unsure = float(all_lengths[(column[runs] > 0.2) & (column[runs] < 0.8)].sum())
    domain, scores = page.domain, page.scores
    headline = page.column(domain.heading)[: numbers[0]]
    return (
        logit(float((column[list(numbers)] * lengths).sum() / total)), unsure / (total + unsure),
        float(np.log1p(total)) / 5, logit(scores.shows(domain.main_text)), logit(scores.is_kind(domain.item.kind)),
        logit(scores.is_kind(LIST)), logit(_top(column[runs], all_lengths)),
        float(np.log1p(len(numbers))), sum(page.units[n].linked for n in numbers) / total,
        total / float(all_lengths.sum()), logit(float(headline.max())) if len(headline) else -7.0,
        float((lengths >= _SHORT_LINE).sum() / len(lengths)),
    )  # fmt: skip
