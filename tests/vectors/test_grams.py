"""Codes of characters and hashed runs of them: the same for ever, since models are trained on them."""

import numpy as np
import pytest

from sitewright.vectors import MIXERS, buckets_of, codes_of, with_digits_alike


@pytest.mark.parametrize("text", ["", "a", "in 1987", "渡轮", "\ud800", "a\0b"])
def test_codes_are_those_of_the_characters(text: str) -> None:
    (row,) = codes_of([text], 8).tolist()
    assert row == [*map(ord, text.replace("\0", " ")), *[0] * (8 - len(text))]


def test_digits_are_alike_and_nothing_else_changes() -> None:
    first, second = (with_digits_alike(codes_of([text], 6)) for text in ("a 19٣", "a 84٣"))
    assert (first == second).all()
    assert first.tolist() == [[97, 32, 48, 48, ord("٣"), 0]]


@pytest.mark.parametrize("buckets", [2, 8192, 16384])
def test_no_run_is_in_bucket_nought(buckets: int) -> None:
    mixed = np.arange(5000, dtype=np.uint32) * MIXERS[0]
    found = buckets_of(mixed, buckets)
    assert found.min() >= 1
    assert found.max() < buckets
