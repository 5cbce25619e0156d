"""The trials of a list's rules in, drafts of the same rules without the entries that belong to the site out."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sitewright.domains import FieldSpec, kinds
from sitewright.induce.beliefs import ListBeliefs, entry_key
from sitewright.induce.drafts import Draft
from sitewright.induce.objective import Trial
from sitewright.induce.sample import Sample

_MOST_TRIMMED = 12
"""So many of the best rules are tried without their constant entries."""
_ENOUGH_PAGES, _NEARLY_ALL = 2, 0.7
"""An entry is constant where so many pages have it, and this share of those on which the rule gives anything."""
_UNLIKELY = 0.4
"""A constant entry that is less likely than this, in the mean of its pages, is the site's: its name, its home page."""
_MOST_ENTRIES, _COST = 3, 0.2


def without_constants(trials: Sequence[Trial], samples: Sequence[Sample], spec: FieldSpec) -> Iterator[Draft]:
    """Yield the best rules of a list once more, each with a pattern that leaves out the site's own entries."""
    if spec.kind != kinds.LIST:
        return
    several = [trial for trial in trials if trial.draft.many and not trial.draft.match and trial.worth > 0]
    for trial in sorted(several, key=lambda trial: -trial.worth)[:_MOST_TRIMMED]:
        if constant := _constant(trial, samples):
            yield replace(trial.draft, match=_other_than(constant), cost=trial.draft.cost + _COST)


def _constant(trial: Trial, samples: Sequence[Sample]) -> list[str]:
    """Return the entries that nearly all pages have and that are hardly believed on any."""
    shown: dict[str, list[float]] = {}
    written: Counter[str] = Counter()
    for sample, value in zip(samples, trial.values, strict=True):
        for entry in value if isinstance(value, list) else []:
            shown.setdefault(entry_key(entry), []).append(_likely(sample, trial.draft.field, entry))
            written[str(entry)] += 1
    least = max(_ENOUGH_PAGES, _NEARLY_ALL * trial.found)
    gone = {key for key, likely in shown.items() if len(likely) >= least and sum(likely) < _UNLIKELY * len(likely)}
    return [entry for entry, _ in written.most_common() if entry_key(entry) in gone][:_MOST_ENTRIES]


def _likely(sample: Sample, field: str, entry: object) -> float:
    """Return how likely an entry is; one that examples speak of is wanted."""
    beliefs = sample.beliefs(field)
    return beliefs.scores.get(entry_key(entry), 0.0) if isinstance(beliefs, ListBeliefs) else 1.0


def _other_than(entries: Sequence[str]) -> str:
    """Return an expression for a whole text that is none of these.

    >>> [bool(re.search(_other_than(["Home", "The Bee"]), text)) for text in ("Home", "The Bee", "The Beekeeper")]
    [False, False, True]
    """
    return f"^(?!(?:{'|'.join(map(re.escape, entries))})$).+"
