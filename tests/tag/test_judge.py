"""The judge: signs of candidates in, probabilities out."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.tag.columns import COLUMNS

from sitewright.tag.judge import Judge
from sitewright.tag.signs import signs_for

SIGNS = signs_for(COLUMNS)

SINGLE_AND_LISTS = ("title", "subtitle", "published", "modified", "authors", "categories", "tags")


@pytest.mark.parametrize("field", SINGLE_AND_LISTS)
def test_without_weights_the_score_decides(field: str) -> None:
    judge = Judge.of({})
    signs = [[value] + [0.0] * (len(SIGNS) - 1) for value in (-7.0, 0.0, 7.0)]
    assert judge.probabilities(field, signs).tolist() == pytest.approx([0.001, 0.5, 0.999], abs=1e-3)
    assert judge.confidence(field, signs[1]) == 0.5
    assert 0 < judge.least(field) < judge.enough(field) < 1


@pytest.mark.parametrize("field", SINGLE_AND_LISTS)
def test_the_shipped_judge_gives_probabilities(field: str) -> None:
    judge = Judge()
    chance = np.random.default_rng(0)
    signs = chance.uniform(-7, 7, (50, len(SIGNS))).astype(np.float32)
    likely = judge.probabilities(field, signs.tolist())
    assert likely.shape == (50,)
    assert ((likely >= 0) & (likely <= 1)).all()
    assert 0 < judge.least(field) < 1
    assert 0 < judge.enough(field) < 1


@pytest.mark.parametrize("extreme", [-1e6, 0.0, 1e6])
def test_a_confidence_is_a_probability_whatever_the_signs(extreme: float) -> None:
    for judge in (Judge(), Judge.of({})):
        assert 0 <= judge.confidence("authors", [extreme] * 4) <= 1
        assert 0 <= judge.confidence("text", [extreme] * 5) <= 1


def test_a_judge_fitted_for_other_signs_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "judge.json"
    path.write_text(json.dumps({"signs": ["score"], "fields": {}}), "utf-8")
    with pytest.raises(ValueError, match="other signs"):
        Judge(path)
    path.write_text(json.dumps({"signs": list(SIGNS), "fields": {"tags": {"least": 0.2, "enough": 0.6}}}), "utf-8")
    assert Judge(path).least("tags") == pytest.approx(0.2)
    assert Judge(path).enough("tags") == pytest.approx(0.6)
    assert Judge(path).least("title") == pytest.approx(0.05)


def test_candidates_go_down_every_tree() -> None:
    # The first tree asks for the first sign and, where that is low, for the second; the other tree is a leaf.
    trees = {
        "sign": [[0, 1, 0, 0, 0], [0, 0, 0, 0, 0]],
        "most": [[0.5, 2.0, 0, 0, 0], [0, 0, 0, 0, 0]],
        "low": [[1, 3, 2, 3, 4], [0, 0, 0, 0, 0]],
        "high": [[2, 4, 2, 3, 4], [0, 0, 0, 0, 0]],
        "leaves": [[0, 0, 1.0, -2.0, 3.0], [0.5, 0, 0, 0, 0]],
        "depth": 2,
    }
    judge = Judge.of({"tags": trees})
    odds = np.array([1.5, -1.5, 3.5])
    signs = [[0.9, 0.0], [0.5, 2.0], [0.1, 2.1]]
    assert judge.probabilities("tags", signs).tolist() == pytest.approx((1 / (1 + np.exp(-odds))).tolist(), abs=1e-6)
