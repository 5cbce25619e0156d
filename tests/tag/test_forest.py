"""Trees as tables."""

import numpy as np

from sitewright.tag.forest import log_odds

ONE_TREE = {
    "sign": np.array([[1, 0, 0]], dtype=np.float32),
    "most": np.array([[0.5, 0, 0]], dtype=np.float32),
    "low": np.array([[1, 1, 2]], dtype=np.float32),
    "high": np.array([[2, 1, 2]], dtype=np.float32),
    "leaves": np.array([[0, -2, 3]], dtype=np.float32),
    "depth": np.array(1, dtype=np.float32),
}


def test_a_row_goes_down_to_its_leaf() -> None:
    assert log_odds(np.array([[9, 0.5], [9, 0.6]], dtype=np.float32), ONE_TREE).tolist() == [-2, 3]


def test_all_trees_have_a_say() -> None:
    two = {name: np.repeat(values, 2, axis=0) if values.ndim else values for name, values in ONE_TREE.items()}
    assert log_odds(np.array([[9, 1]], dtype=np.float32), two).tolist() == [6]
