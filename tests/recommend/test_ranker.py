"""The ranker that is shipped: chances, and what they rise with."""

import numpy as np

from sitewright.recommend.candidates import FEATURES
from sitewright.recommend.ranker import score, table_of


def features(**values: float) -> dict[str, np.ndarray]:
    usual = dict.fromkeys(FEATURES, 1.0) | {
        name: 50.0 for name in FEATURES if name.startswith("r") and name[1:].isdigit()
    }
    return {name: np.array([value]) for name, value in (usual | values).items()}


def test_scores_are_chances() -> None:
    [chance] = score(features())
    assert 0 < chance < 1


def test_what_is_first_by_clicks_of_the_last_minutes_is_likelier() -> None:
    first = features(r150=1, r300=1, r600=1, r1200=1, r3600=1, p300=4, p600=5, p1200=6, p3600=7)
    assert score(first)[0] > 2 * score(features())[0]


def test_nothing_is_scored_as_nothing() -> None:
    assert len(score({name: np.empty(0) for name in FEATURES})) == 0


def test_digits_that_engines_differ_in_do_not_count() -> None:
    assert (table_of(features(lift=0.123449999)) == table_of(features(lift=0.123450001))).mean() > 0.97
