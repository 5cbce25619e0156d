"""Signs that two accounts tell the same."""

import pytest

from sitewright.stories.accounts import account_of
from sitewright.stories.signs import ALIKE, COLUMNS, UNKNOWN, View, signs_of, view_of


def view(title: str, text: str = "") -> View:
    return view_of(account_of(title, text))


ONE = view("Fire in the old town hall of Bremen", "The mayor, Ulrike Vogel, said that 12 people were hurt on 4 May.")
OTHER = view("Bremen: town hall burns", "Twelve hurt, says mayor Ulrike Vogel. The fire broke out on 4 May.")
THIRD = view("Chancellor visits Lisbon", "Talks about the budget of 2031 begin on Friday with Pedro Alves.")


def test_the_order_of_a_pair_makes_no_difference() -> None:
    assert signs_of(ONE, OTHER) == pytest.approx(signs_of(OTHER, ONE))


def test_there_is_a_value_for_each_column() -> None:
    assert len(signs_of(ONE, OTHER)) == len(COLUMNS)


def test_the_same_event_has_greater_signs_than_another() -> None:
    same, different = (dict(zip(COLUMNS, signs_of(ONE, other), strict=True)) for other in (OTHER, THIRD))
    greater = [name for name in ALIKE if same[name] > different[name]]
    assert len(greater) > len(ALIKE) / 2
    assert same["names"] > different["names"]


def test_a_text_is_wholly_like_itself() -> None:
    signs = dict(zip(COLUMNS, signs_of(ONE, ONE), strict=True))
    for name in ("words", "grams", "head", "numbers", "head within, least", "rare words, least"):
        assert signs[name] == pytest.approx(1.0)


def test_nothing_is_like_nothing() -> None:
    signs = dict(zip(COLUMNS, signs_of(view(""), view("")), strict=True))
    assert signs["words"] == signs["numbers"] == UNKNOWN
    assert len(signs_of(view(""), ONE)) == len(COLUMNS)
