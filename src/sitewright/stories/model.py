"""Pairs of texts in, whether they tell the same story, how likely that is, and in which way out."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any, Literal

import numpy as np

from sitewright.errors import ModelError
from sitewright.stories.accounts import Floats
from sitewright.stories.signs import COLUMNS, View, signs_of

Kind = Literal["copy", "near copy", "same event", "other"]
TREES_FILE = "stories.onnx"
SAME = 0.5
"""From this score on a pair counts as the same story; the trees are fitted so that this is where F1 is best."""
COPY, NEAR_COPY = 0.96, 0.75
"""Cosines of weighted words from which a pair is a copy, or a near copy. Of 300 news texts (folds 1 and on) those
with another
title have .99, with a fifth of the words exchanged .78 to .86; of reports of one event in ECB+ and SemEval 2 % have
.75."""
_WORDS, _GRAMS = COLUMNS.index("words"), COLUMNS.index("grams")
_STEEP, _EVEN = 4.0, 0.17
"""What the cosine of runs of characters adds to the log-odds that the trees give, for each one that it has more than
that. Trees judge what is like the corpora that they have seen, a cosine any text: grown without a corpus (folds 1 and
on) they had a best F1 of .79 on pairs of ECB+ and .60 on SemEval, with this .81 and .62."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a pair is taken for."""

    score: float
    kind: Kind

    @property
    def same(self) -> bool:
        """Whether both tell the same story."""
        return self.kind != "other"


def judge(pairs: Sequence[tuple[View, View]]) -> list[Judgement]:
    """Judge pairs, all in one go."""
    if not pairs:
        return []
    table = np.array([signs_of(*pair) for pair in pairs], dtype=np.float32)
    return [
        _judgement(float(score), float(words)) for score, words in zip(_scores(table), table[:, _WORDS], strict=True)
    ]


def _judgement(score: float, words: float) -> Judgement:
    if words >= NEAR_COPY:
        return Judgement(max(score, words), "copy" if words >= COPY else "near copy")
    return Judgement(score, "same event" if score >= SAME else "other")


def _scores(table: Floats) -> Floats:
    return scores_of(_trees().run(None, {"evidence": table})[0][:, 0], table)


def scores_of(log_odds: Floats, table: Floats) -> Floats:
    """Return how likely pairs are the same, by the log-odds that trees give and by their signs."""
    added = _STEEP * (np.maximum(table[:, _GRAMS], 0) - _EVEN)
    return np.asarray(1 / (1 + np.exp(-(log_odds + added))), dtype=np.float32)


@lru_cache
def _trees() -> Any:
    """Load the trees; they are shipped with the package."""
    from onnxruntime import InferenceSession, SessionOptions  # noqa: PLC0415 -- takes a second that only this pays for

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    file = files("sitewright.stories").joinpath(TREES_FILE)
    try:
        session = InferenceSession(file.read_bytes(), options, providers=["CPUExecutionProvider"])
    except FileNotFoundError as error:
        raise ModelError(f"{file}: the model of stories is not there; install Sitewright again") from error
    if session.get_inputs()[0].shape[1] != len(COLUMNS):
        raise ModelError(f"{file}: made for other signs; run python -m training.stories")
    return session
