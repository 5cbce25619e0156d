"""The rules of a field and what the tagger gives on the same pages in, whether it is asked for the field out."""

from collections.abc import Sequence

from sitewright.domains import FieldSpec, kinds
from sitewright.induce.objective import Trial, cost_of_wrong, gain_of, without_repeated
from sitewright.induce.sample import RuleReading, Sample

FILLS = 0.04
"""The tagger is asked where no rule gives a value if that is worth so much a page, in units of a right one. On half of
the sites of the training folds maps found .03 more of the subtitles and updates than at 0.1, and no more pages were
read by the tagger; dates of publication were invented, so they keep to `REPLACES`."""
REPLACES = 0.1
"""Rules give way to it if it is worth so much more a page than they are. Measured on the training folds: at 0.2 maps
were worse in subtitles, authors and updates."""
HARDLY_BELIEVED = 0.45
"""Rules that are less right than this, where they give anything, give way to it where it is as good: what they give on
all sampled pages may be right by chance, as the date of a menu is on pages that are fetched on their day. Of three
sites of the training folds with such dates the tagger read five of twelve pages right, the rules two."""
_SEVERAL = 3
"""Pages that can show that a value never changes."""


def ask_tagger(chain: Sequence[Trial], samples: Sequence[Sample], spec: FieldSpec) -> tuple[list[Trial], bool]:
    """Return the rules that stay, and whether the tagger is asked where they give nothing."""
    readings = [sample.given(spec.name) for sample in samples]
    if _never_change(readings) and (chain or spec.kind != kinds.NAMES):
        return list(chain), False
    alone = _gains(readings, samples, spec)
    ruled = [_first_gain(chain, page) for page in range(len(samples))]
    filled = [own if gain is None else gain for own, gain in zip(alone, ruled, strict=True)]
    by_rules = sum(gain or 0.0 for gain in ruled)
    if sum(alone) - max(by_rules, sum(filled)) >= REPLACES * len(samples):
        return [], True
    if chain and chain[0].agreement < HARDLY_BELIEVED and sum(alone) >= by_rules:
        return [], True
    if spec.name == samples[0].domain.published:  # (nearly) every page has one: where no rule reads it, too
        return list(chain), None in ruled if chain else sum(alone) >= REPLACES * len(samples)
    return list(chain), sum(filled) - by_rules >= FILLS * len(samples)


def _never_change(readings: Sequence[RuleReading | None]) -> bool:
    """Tell whether the tagger says the same of every page: what never changes is the site's, or a rule reads it.

    Only of people some sites have but one, who writes all of it.
    """
    keys = [reading.key for reading in readings if reading is not None]
    return len(keys) >= _SEVERAL and len(set(keys)) == 1


def _gains(readings: Sequence[RuleReading | None], samples: Sequence[Sample], spec: FieldSpec) -> list[float]:
    """Return what the tagger's values are worth on each page."""
    wrong = cost_of_wrong(spec, samples)
    return [gain_of(right, wrong) for right in without_repeated(spec, readings)]


def _first_gain(chain: Sequence[Trial], page: int) -> float | None:
    """Return what the first rule that gives a value on a page is worth there."""
    return next((trial.gain(page) for trial in chain if trial.right[page] is not None), None)
