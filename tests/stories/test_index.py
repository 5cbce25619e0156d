"""Candidates without comparing all with all."""

from random import Random

import numpy as np

from sitewright.stories.accounts import early_words
from sitewright.stories.index import CANDIDATES, HEAVY, StoryIndex, candidate_pairs, keys_of

NAMES = [
    f"{a}{b}{c}"
    for a in ("bor", "kel", "zan", "mur")
    for b in ("ani", "ost", "ull")
    for c in ("ska", "ter", "vik", "don")
]


def text(number: int) -> str:
    return " ".join(Random(number).sample(NAMES, 20))


def test_pairs_of_the_heaviest_words_are_keys() -> None:
    keys = keys_of(early_words("", text(1)))
    assert len(set(keys.tolist())) == HEAVY * (HEAVY - 1) // 2
    assert len(keys_of(early_words("", "alone"))) == 0
    assert len(keys_of(early_words("", ""))) == 0


def test_keys_do_not_depend_on_the_order_of_words() -> None:
    assert (
        keys_of(early_words("", "anna kowalska bremen")).tolist()
        == keys_of(early_words("", "bremen anna kowalska")).tolist()
    )


def test_records_that_share_keys_are_candidates_and_others_are_not() -> None:
    keys = [np.array(own, dtype=np.uint64) for own in ([1, 2, 3], [7, 8], [2, 3, 4], [9])]
    owners = np.repeat(np.arange(4, dtype=np.uint32), [len(own) for own in keys])
    assert candidate_pairs(np.concatenate(keys), owners).tolist() == [[0, 2]]


def test_a_phrase_of_all_does_not_pair_all_with_all() -> None:
    owners = np.arange(1000, dtype=np.uint32)
    assert len(candidate_pairs(np.full(1000, 5, dtype=np.uint64), owners)) < 1000 * CANDIDATES


def test_nothing_has_no_candidates() -> None:
    assert candidate_pairs(np.zeros(0, np.uint64), np.zeros(0, np.uint32)).shape == (0, 2)


def test_an_index_finds_what_shares_the_most_first_also_after_it_was_sorted_in() -> None:
    index = StoryIndex()
    for number in range(5000):
        index.add(number, np.array([number, number + 1, 10**9], dtype=np.uint64))
    for number in (3, 2500, 4999):
        assert index.candidates(np.array([number, number + 1], dtype=np.uint64))[0] == number
    assert index.candidates(np.array([10**12], dtype=np.uint64)) == []
    assert len(index.candidates(np.array([10**9], dtype=np.uint64))) == CANDIDATES
