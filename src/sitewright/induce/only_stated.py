"""What pages only state and the tagger gives in, the rule that reads it out, behind those for what is displayed."""

from collections.abc import Sequence

from sitewright.domains import FieldSpec
from sitewright.induce.beliefs import entry_key
from sitewright.induce.candidates import drafts_of
from sitewright.induce.drafts import Draft
from sitewright.induce.objective import LEAST, MOST_RULES, STATED, Trial
from sitewright.induce.sample import Sample
from sitewright.types import Label

_THE_SAME = 0.8
"""Lists are the same that share so much: what cannot be an entry is left out of one of them."""


def with_stated_rule(chain: Sequence[Trial], samples: Sequence[Sample], spec: FieldSpec) -> list[Trial]:
    """Add the rule that reads what pages only state of a list, where enough of the pages do.

    It is judged by itself: with the others it would take the place of rules for what is displayed, since it speaks
    everywhere.
    """
    stated = [sample.only_stated(spec.name) for sample in samples]
    wanted = sum(label is not None for label in stated)
    if spec.stated != "apart" or not spec.many or not wanted or len(chain) >= MOST_RULES:
        return list(chain)
    known = {trial.draft for trial in chain}
    drafts = [draft for draft in drafts_of(samples, spec) if draft.origin in STATED and draft not in known]
    trials = [_trial(draft, samples, stated) for draft in drafts]
    best = max(trials, key=lambda trial: (sum(map(bool, trial.right)), -trial.draft.cost), default=None)
    if best is None:
        return list(chain)
    right = sum(map(bool, best.right))
    return [*chain, best] if right >= max(wanted / 2, best.found / 2, LEAST * len(samples)) else list(chain)


def _trial(draft: Draft, samples: Sequence[Sample], stated: Sequence[Label | None]) -> Trial:
    """Read the pages: what is as the tagger gives it is as right as that; where it is displayed, none counts."""
    readings = [sample.read(draft) for sample in samples]
    asked = [
        reading if sample.given(draft.field) is None else None
        for sample, reading in zip(samples, readings, strict=True)
    ]
    values = tuple(reading and reading.value for reading in asked)
    right = tuple(
        None if value is None else _rightness(value, label) for value, label in zip(values, stated, strict=True)
    )
    return Trial(draft, values, right)


def _rightness(value: object, label: Label | None) -> float:
    one, other = _keys(value), _keys(label.value) if label is not None else frozenset()
    is_same = 2 * len(one & other) >= _THE_SAME * (len(one) + len(other)) > 0
    return label.score if label is not None and is_same else 0.0


def _keys(value: object) -> frozenset[str]:
    return frozenset(map(entry_key, value)) if isinstance(value, list) else frozenset()
