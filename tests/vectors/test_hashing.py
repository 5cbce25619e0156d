"""Words in, buckets out."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.vectors import hash_word


@pytest.mark.parametrize(
    ("word", "bucket"),
    [("123456789", 1 + 0xCBF43926 % 8191), ("", 1), ("пчёлы", None), ("\ud800", None), ("a" * 10_000, None)],
)
def test_a_word_has_one_bucket_everywhere(word: str, bucket: int | None) -> None:
    found = hash_word(word, 8192)
    assert 1 <= found < 8192
    assert found == hash_word(word, 8192)
    if bucket is not None:
        assert found == bucket


@given(st.text(st.characters(codec=None)), st.integers(2, 65_536))
def test_no_word_is_in_bucket_nought(word: str, buckets: int) -> None:
    assert 1 <= hash_word(word, buckets) < buckets
