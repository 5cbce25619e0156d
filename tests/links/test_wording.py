"""Texts of links as the classifier of headlines sees them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sitewright.links.wording import TEXT_BUCKETS, TEXT_NUMBERS, TEXT_SLOTS, text_numbers, text_pieces, words_in


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", 0),
        ("–", 0),
        ("Sport", 1),
        ("Why bees dance", 3),
        ("Why  bees,\ndance!", 3),
        ("Don't", 2),
        ("Пчёлы танцуют весь день", 4),
        ("النحل يرقص", 2),
        ("벌은 왜 춤을 추는가", 4),
        ("蜜蜂跳舞了", 2),
        ("蜜蜂跳舞了 2024 news", 4),
        ("ผึ้งเต้นรำ", 4),
        ("\ud800", 0),
    ],
)
def test_words_are_counted_in_all_scripts(text: str, words: float) -> None:
    assert words_in(text) == pytest.approx(words)


def test_pieces_are_buckets_and_nought_where_there_is_no_more_text() -> None:
    table = text_pieces(
        ["", "Bees", "b", "Why bees dance all day long and what it tells their sisters in the hive " * 30]
    )
    assert table.shape == (4, TEXT_SLOTS)
    assert table.max() < TEXT_BUCKETS
    filled = (table > 0).sum(1).tolist()
    assert filled == [0, 2 + 3 + 1, 1, TEXT_SLOTS]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Bees dance", "BEES DANCE", True),
        ("Bees dance", "Bees dane", False),
        ("Seven 12 bees", "Seven 12 bees", True),
        ("ab", "ba", False),
        ("x" * 64 + "a", "x" * 64 + "b", True),
    ],
)
def test_pieces_are_the_same_for_what_begins_alike(one: str, other: str, alike: bool) -> None:
    table = text_pieces([one, other])
    assert (table[0] == table[1]).all() == alike


def test_numbers_in_grams_are_all_the_same() -> None:
    grams = text_pieces(["No 12", "No 98"])[:, :-10]
    assert (grams[0] == grams[1]).all()


def test_a_row_does_not_depend_on_the_other_texts() -> None:
    texts = ["Why bees dance", "", "蜜蜂跳舞了", "\ud800"]
    together = text_pieces(texts)
    for row, text in enumerate(texts):
        assert (together[row] == text_pieces([text])[0]).all()


def test_the_shape_tells_headlines_from_menu_entries() -> None:
    headline, entry, shouted, quoted, number = text_numbers(
        ["Why bees dance all day, and what it tells?", "Sport", "BREAKING NEWS", "«Мёд»: цена", "2024"]
    )
    assert headline[0] > entry[0]
    assert (entry[2:5] == 1).all()
    assert (headline[2:5] == 0).all()
    assert (headline[9], headline[12], entry[9]) == (1, 1, 0)
    assert shouted[7] > 0.8 > headline[7]
    assert (quoted[10], quoted[11], quoted[13]) == (1, 1, 1)
    assert number[6] == 1


def test_no_texts_make_empty_tables() -> None:
    assert text_pieces([]).shape == (0, TEXT_SLOTS)
    assert text_numbers([]).shape == (0, TEXT_NUMBERS)


@given(st.lists(st.text(st.characters(codec=None), max_size=300), max_size=5))
def test_any_texts_make_finite_tables(texts: list[str]) -> None:
    pieces, numbers = text_pieces(texts), text_numbers(texts)
    assert pieces.shape == (len(texts), TEXT_SLOTS)
    assert numbers.shape == (len(texts), TEXT_NUMBERS)
    assert np.isfinite(numbers).all()
    assert ((numbers >= 0) & (numbers < 10)).all()
