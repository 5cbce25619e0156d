"""The candidates for a field's rules in, the few that read the site best out: an explicit objective over all pages."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from sitewright.domains import FieldSpec, kinds
from sitewright.induce.affinity import affinity
from sitewright.induce.drafts import Draft
from sitewright.induce.examples import ExampleBeliefs
from sitewright.induce.sample import RuleReading, Sample

WRONG, WRONG_USUAL = 0.8, 0.25
"""What a value costs that is certainly wrong, in units of one that is certainly right: no answer costs nothing. So a
value pays from a probability of .44 on; of what (nearly) every page has, from .2 on. From about there the tagger gives
values, too (its judge's thresholds, chosen for F1). At 0.3 for all, maps of the training folds invented more and found
no more."""
_NAMED = 0.6
"""What a wrong value costs of that where people's names are read from what is named for them (`byline`, `rel=author`):
it pays from a probability of .32 on. On 1,500 hand-labelled pages of the training folds the first such element gives
the authors on three pages of four, JSON-LD on four of five that display any, a meta tag on half of them."""
COST = 0.02
"""What a point of a draft's cost weighs against a page on which it is right."""
LEAST = 0.3
"""A field whose rules together are expected to be right on fewer of the pages than this is not there."""
SEVERAL, SURELY = 3, 0.8
"""… unless a rule speaks on so many pages, and is so right there. Rules of 10 news sites of the training folds are the
same with and without; of the demo's shop old prices have one, and no page is handed to the tagger for them."""
EXACT = 0.01
"""What a time of day, and its zone, are worth beside the day."""
LEAST_REQUIRED = 0.02
"""What a page must have is looked for even where it is hardly believed in."""
META = "meta"
STATED = ("jsonld", META)
ORIGINS = (*STATED, "displayed")
"""Where back-ups may come from."""
MOST_RULES = 4
_MOST_STARTS = 40
"""So many rules are tried as the first."""
_WORTH_A_RULE = 0.25
"""An alternative must be right on so many pages more."""
_SOUND = 0.5
"""An alternative is at least so right, compared with the first rule, wherever it gives a value."""
_AS_GOOD = 0.7
"""A back-up agrees at least so well, compared with the first rule, where both give a value."""
_REPEATED, _LIST_REPEATED, _SHARED = 2, 3, 0.4
"""A value that so many pages share is the template's, where values differ from page to page; a list may come twice;
where most values differ, this share of the pages that have one. of ten pages of
the shops of the training folds at most two have the same name."""


def gain_of(right: float | None, wrong: float) -> float:
    """Return what a value that is so right is worth on its page; None is no value."""
    return 0.0 if right is None else right - wrong * (1 - right)


def cost_of_wrong(spec: FieldSpec, samples: Sequence[Sample]) -> float:
    """Return what a wrong value of a field costs: less where (nearly) every page has one, or an example shows it.

    It costs more where the tagger gives values only from a higher probability on: what it does not give by itself is
    not worth a rule. On 62 sites of the training folds that took invented categories from .095 to .054 of the pages.
    """
    is_usual = spec.required or spec.name == samples[0].domain.published
    is_shown = isinstance(samples[0].beliefs(spec.name), ExampleBeliefs)
    least = samples[0].tagged.least.get(spec.name, 0.0)
    return WRONG_USUAL if is_usual or is_shown else max(WRONG, least / (1 - least))


@dataclass(frozen=True)
class Trial:
    """A draft, what it gives on each page, and how right that is; None where it gives nothing."""

    draft: Draft
    values: tuple[object | None, ...]
    right: tuple[float | None, ...]
    nodes: float = 1.0
    """How many nodes it finds on a page, in the mean of those where it finds any."""
    fit: float = 0.0
    """What the names it goes by add to its cost: below 0 they speak for it, above against it."""
    wrong: float = WRONG
    """What a wrong value costs."""

    def gain(self, page: int) -> float:
        """Return what it is worth on a page."""
        return gain_of(self.right[page], self.wrong) + EXACT * exactness(self.values[page])

    @property
    def found(self) -> int:
        """On how many pages it gives a value."""
        return sum(right is not None for right in self.right)

    @cached_property
    def worth(self) -> float:
        """What it is worth on all pages, less what it costs to rest on it."""
        return sum(map(self.gain, range(len(self.right)))) - self.price * len(self.right)

    @cached_property
    def price(self) -> float:
        """What resting on it costs on every page."""
        return COST * (self.draft.cost + self.fit + self.draft.vagueness(self.nodes))

    @property
    def fitting(self) -> bool:
        """Whether the names it goes by do not speak against it."""
        return self.fit <= 0

    @cached_property
    def agreement(self) -> float:
        """How right it is where it gives a value."""
        right = [value for value in self.right if value is not None]
        return sum(right) / len(right)


def exactness(value: object) -> int:
    """Return how exact a moment is: a day, a time, a time with its zone.

    >>> exactness(datetime(2024, 5, 6).date()), exactness(datetime(2024, 5, 6, 7, 8))
    (0, 1)
    """
    return 1 + (value.tzinfo is not None) if isinstance(value, datetime) else 0


def try_drafts(drafts: Sequence[Draft], samples: Sequence[Sample], spec: FieldSpec) -> list[Trial]:
    """Read all pages with all drafts of a field; those that read nothing likely are left out."""
    trials = []
    wrong = cost_of_wrong(spec, samples)
    for draft in drafts:
        readings = [sample.read(draft) for sample in samples]
        if any(reading is not None and reading.right for reading in readings):
            right = without_repeated(spec, readings)
            if any(right):
                given = [reading for reading in readings if reading is not None]
                nodes = sum(reading.nodes for reading in given) / len(given)
                values = tuple(reading and reading.value for reading in readings)
                fit = affinity(spec.words, draft.where)
                is_named = spec.kind == kinds.NAMES and draft.origin != META and fit < 0
                trials.append(Trial(draft, values, right, nodes, fit, wrong * _NAMED if is_named else wrong))
    return trials


def without_repeated(spec: FieldSpec, readings: Sequence[RuleReading | None]) -> tuple[float | None, ...]:
    """Return how right values of the pages are, where what is the template's is worth nothing."""
    repeated = _repeated(spec, readings)
    return tuple(None if reading is None else 0.0 if reading.key in repeated else reading.right for reading in readings)


def _repeated(spec: FieldSpec, readings: Sequence[RuleReading | None]) -> frozenset[str]:
    """Return the values of a field that several pages share and that are therefore not content."""
    if spec.distinct == "no":
        return frozenset()
    counts = Counter(reading.key for reading in readings if reading is not None)
    least = float(_LIST_REPEATED if spec.many else _REPEATED)
    if spec.distinct == "mostly":
        least = max(least, _SHARED * counts.total())
    return frozenset(key for key, count in counts.items() if count >= least)


def choose(trials: Sequence[Trial], origins: Sequence[str] = STATED, *, required: bool = False) -> list[Trial]:
    """Return the rule that is worth most, then alternatives for pages that it leaves without a value, then back-ups."""
    if not trials:
        return []
    chain = max((_grown(start, trials) for start in _starts(trials)), key=_total)
    pages = len(trials[0].right)
    expected = sum(_first_right(chain, page) for page in range(pages))
    is_seldom = expected < (LEAST_REQUIRED if required else LEAST) * pages
    if is_seldom and not _is_sure(chain[0]):
        return []
    if not required and _total(chain) <= 0:
        return []
    return [*chain, *_back_ups(chain, trials, origins)]


def _is_sure(trial: Trial) -> bool:
    """Tell whether a rule is right wherever it speaks, on enough pages to tell: of ten products two are reduced."""
    return trial.found >= SEVERAL and trial.agreement >= SURELY


def _starts(trials: Sequence[Trial]) -> list[Trial]:
    """Return the rule that is worth most, and those that are of all that speak on the same pages, several of them.

    One that is right wherever it speaks may be the better first rule, where others follow for the pages it leaves.
    """
    ordered = sorted(trials, key=lambda trial: -trial.worth)
    best: dict[tuple[bool, ...], Trial] = {}
    for trial in ordered:
        if trial.found > 1:
            best.setdefault(tuple(right is None for right in trial.right), trial)
    return [ordered[0], *(trial for trial in best.values() if trial is not ordered[0])][:_MOST_STARTS]


def _grown(first: Trial, trials: Sequence[Trial]) -> list[Trial]:
    """Return a rule and those that are tried where it gives nothing, one after the other."""
    chain = [first]
    sound = [trial for trial in trials if trial.agreement >= _SOUND * first.agreement]
    while len(chain) < MOST_RULES:
        left = _left(chain)
        best = max(sound, key=lambda trial: _added(trial, left))
        if not left or _added(best, left) < _WORTH_A_RULE:
            break
        chain.append(best)
    return chain


def _left(chain: Sequence[Trial]) -> list[int]:
    """Return the pages on which no rule of a chain gives anything."""
    return [page for page in range(len(chain[0].right)) if all(trial.right[page] is None for trial in chain)]


def _first_right(chain: Sequence[Trial], page: int) -> float:
    """Return how right the first rule of a chain is that gives a value on a page."""
    return next((right for trial in chain if (right := trial.right[page]) is not None), 0.0)


def _total(chain: Sequence[Trial]) -> float:
    """Return what a chain is worth on all pages."""
    added = (_added(trial, _left(chain[:n])) - _WORTH_A_RULE for n, trial in enumerate(chain[1:], start=1))
    return chain[0].worth + sum(added)


def _added(trial: Trial, pages: Sequence[int]) -> float:
    return sum(map(trial.gain, pages)) - trial.price * len(pages)


def _back_ups(chain: Sequence[Trial], trials: Sequence[Trial], origins: Sequence[str]) -> list[Trial]:
    """Return rules of other origins that say the same: they speak where a page lacks what the first ones rest on.

    What need not be there is read from metadata only: other displayed text would be taken for it where it is absent.
    """
    first = chain[0]
    left = _left(chain)
    agreeing = [trial for trial in trials if trial.fitting and _agrees(trial, first)]
    agreeing = [trial for trial in agreeing if sum(map(trial.gain, left)) >= 0]
    backing: list[Trial] = []
    for origin in origins:
        taken = [trial.draft for trial in (*chain, *backing)]
        others = [trial for trial in agreeing if trial.draft.origin == origin and _is_apart(trial.draft, taken)]
        if others and len(taken) < MOST_RULES:
            backing.append(max(others, key=lambda trial: trial.worth))
    return backing


def _is_apart(draft: Draft, others: Sequence[Draft]) -> bool:
    """Tell whether a draft rests on other things: of metadata one source is enough, of names none may be the same."""
    if draft.origin != "displayed":
        return all(draft.origin != other.origin for other in others)
    return all(draft.names.isdisjoint(other.names) and not _is_part(draft.select, other.select) for other in others)


def _is_part(selector: str, other: str) -> bool:
    """Tell whether a selector finds nothing that another one does not find: `article h1` or `h1.title`, and `h1`."""
    last = selector.rpartition(" ")[2]
    return f" {selector}".endswith(f" {other}") or (other.isalnum() and re.match(rf"{other}(?!\w)", last) is not None)


def _agrees(trial: Trial, first: Trial) -> bool:
    both = [n for n, (a, b) in enumerate(zip(trial.right, first.right, strict=True)) if None not in (a, b)]
    mine = sum(trial.right[n] or 0.0 for n in both)
    return len(both) >= 2 and mine >= _AS_GOOD * sum(first.right[n] or 0.0 for n in both) > 0
