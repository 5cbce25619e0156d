"""Figures of lists: precision as the paper has it, and those beside it."""

import pytest

from sitewright.recommend.figures import figures_of

READERS_OF = {1: 6, 2: 1, 3: 1}


def test_a_list_that_has_all_that_was_clicked() -> None:
    found = figures_of({1: [1, 2]}, {1: {1, 2}}, READERS_OF, 2)
    assert (found.precision, found.recall, found.mean_reciprocal_rank) == (1.0, 1.0, 1.0)


def test_readers_without_a_list_count() -> None:
    found = figures_of({1: [1, 2]}, {1: {2}, 2: {1}}, READERS_OF, 2)
    assert (found.precision, found.recall, found.mean_reciprocal_rank) == (0.25, 0.5, 0.25)


def test_items_that_few_have_read_are_newer_to_readers() -> None:
    much, little = (figures_of({1: [item]}, {1: {9}}, READERS_OF, 1) for item in (1, 2))
    assert (much.novelty, little.novelty) == (pytest.approx(0.415, abs=1e-3), 3.0)
    assert much.coverage == little.coverage == pytest.approx(1 / 3)
