"""A node in, the label beside it out; rules by example in, how far what they read stands beside the same label out."""

from collections.abc import Sequence
from dataclasses import replace

from sitewright.induce.examples import SHOWN
from sitewright.induce.objective import Trial
from sitewright.induce.sample import Sample, is_said_elsewhere
from sitewright.induce.tree import numbers_of
from sitewright.parse import visible_text

_OUTWARD = 3
"""The label of a value stands before its element, or before what holds not much more."""
_LONGEST_LABEL = 40
_OTHER_LABEL, _NO_LABEL = 0.2, 0.7
"""What a value counts that stands beside another label than the example does, or beside none."""
_BY_COUNTING = 0.7
"""What a value counts that is found by counting elements."""
_SEVERAL, _CONSTANT = 4, 0.5
"""What a value counts that is the same on all of several pages: more likely the template's."""
_MOST_TRIALS = 60


def label_before(sample: Sample, number: int) -> tuple[str, str] | None:
    """Return tag and text of the short element right before a node, or before what holds only the node."""
    tree = sample.tree
    for outer in (number, *tree.ancestors(number)):
        earlier = [n for n in tree.children(tree.parents[outer]) if n < outer]
        if earlier:
            before = tree.elements[earlier[-1]]
            text = visible_text(before)
            is_label = 1 < len(text) <= _LONGEST_LABEL and '"' not in text and not any(map(str.isdigit, text))
            return (before.tag, text) if is_label else None
        if tree.ends[outer] - outer > _OUTWARD:
            return None
    return None


def beside_the_same(trials: Sequence[Trial], samples: Sequence[Sample]) -> list[Trial]:
    """Let what stands beside another label than an example does count less: it is another line of the same table."""
    if trials and trials[0].draft.many:
        return list(trials)
    best = sorted(trials, key=lambda trial: -trial.worth)
    return [*(_weighed(trial, samples) for trial in best[:_MOST_TRIALS]), *best[_MOST_TRIALS:]]


def _weighed(trial: Trial, samples: Sequence[Sample]) -> Trial:
    if len(trial.right) >= _SEVERAL and len({str(value) for value in trial.values}) == 1:
        trial = _less(trial, _CONSTANT)
    if trial.draft.fragile:
        trial = _less(trial, _BY_COUNTING)
    if trial.draft.origin != "displayed" or trial.draft.select.startswith("/"):
        return trial
    labels = [_label_of(trial, sample) for sample in samples]
    wanted = {
        label
        for sample, label in zip(samples, labels, strict=True)
        if sample.beliefs(trial.draft.field).best == SHOWN and label and is_said_elsewhere(label, sample, samples)
    }
    if not wanted:
        return trial
    right = tuple(
        own if own is None or label in wanted else own * (_OTHER_LABEL if label else _NO_LABEL)
        for own, label in zip(trial.right, labels, strict=True)
    )
    return replace(trial, right=right)


def _less(trial: Trial, share: float) -> Trial:
    return replace(trial, right=tuple(own and own * share for own in trial.right))


def _label_of(trial: Trial, sample: Sample) -> str:
    number = next(numbers_of(sample.tree.find(trial.draft.select)), None)
    label = label_before(sample, number) if number is not None else None
    return label[1] if label is not None else ""
