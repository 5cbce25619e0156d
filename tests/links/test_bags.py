"""Words and numbers of links in, log-odds out."""

import numpy as np
import pytest

from sitewright.links.bags import BagNetwork, padded


def network(seed: int = 0, *, numbers: int = 2) -> BagNetwork:
    chance = np.random.default_rng(seed)
    return BagNetwork(
        embeddings=np.vstack([np.zeros((1, 4)), chance.normal(size=(99, 4))]).astype(np.float32),
        hidden=chance.normal(size=(4 + numbers, 3)).astype(np.float32),
        hidden_bias=chance.normal(size=3).astype(np.float32),
        output=chance.normal(size=3).astype(np.float32),
        output_bias=0.25,
    )


@pytest.mark.parametrize(
    ("rows", "table"),
    [
        ([[1, 2], [3]], [[1, 2, 0], [3, 0, 0]]),
        ([[1, 2, 3, 4]], [[1, 2, 3]]),
        ([[], [65_535]], [[0, 0, 0], [65_535, 0, 0]]),
        ([], []),
    ],
)
def test_rows_are_cut_and_filled(rows: list[list[int]], table: list[list[int]]) -> None:
    found = padded(rows, 3)
    assert found.tolist() == table
    assert found.shape == (len(rows), 3)


def test_places_without_a_word_count_nothing() -> None:
    numbers = np.array([[0.5, -1]] * 2, dtype=np.float32)
    few, many = padded([[7, 9]], 2), padded([[7, 9]], 40)
    assert network().log_odds(few, numbers[:1]) == pytest.approx(network().log_odds(many, numbers[:1]), abs=1e-5)


def test_the_order_of_words_does_not_matter_but_their_number_does() -> None:
    numbers = np.zeros((3, 2), dtype=np.float32)
    forth, back, twice = network().log_odds(padded([[7, 9], [9, 7], [7, 7, 9, 9]], 4), numbers).tolist()
    assert forth == pytest.approx(back, abs=1e-5)
    assert forth != pytest.approx(twice, abs=1e-5)


def test_what_is_computed_is_a_network_over_the_words() -> None:
    one = BagNetwork(
        embeddings=np.array([[0], [2], [-1]], dtype=np.float32),
        hidden=np.array([[1, -1], [1, 0]], dtype=np.float32),
        hidden_bias=np.array([0, 0.5], dtype=np.float32),
        output=np.array([1, 3], dtype=np.float32),
        output_bias=-1.0,
    )
    words = padded([[1], [2], [], [1, 1, 1, 1]], 4)
    numbers = np.array([[0.25], [0], [0], [0]], dtype=np.float32)
    # (2 + .25) - 1; 3 * (1 + .5) - 1; 3 * .5 - 1; a sum of 8 over the root of 4, less 1
    assert one.log_odds(words, numbers).tolist() == pytest.approx([1.25, 3.5, 0.5, 3.0])


def test_no_rows_give_no_values() -> None:
    assert network().log_odds(padded([], 5), np.zeros((0, 2), dtype=np.float32)).shape == (0,)


def test_a_network_comes_back_from_its_file_almost_as_it_was() -> None:
    before = network(3)
    arrays = before.arrays("text")
    assert arrays["text.embeddings"].dtype == np.int8
    assert all(name.startswith("text.") for name in arrays)
    after = BagNetwork.from_arrays(arrays, "text")
    words = padded([[1, 5, 9], [44], []], 3)
    numbers = np.ones((3, 2), dtype=np.float32)
    assert after.log_odds(words, numbers) == pytest.approx(before.log_odds(words, numbers), abs=0.2)
    assert (after.embeddings[0] == 0).all()


def test_a_network_whose_weights_are_missing_is_refused() -> None:
    arrays = network().arrays("text")
    with pytest.raises(KeyError, match=r"names\.scale"):
        BagNetwork.from_arrays(arrays, "names")
