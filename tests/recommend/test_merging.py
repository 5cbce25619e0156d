"""What a reader opened since a list was made counts in it at once."""

from hypothesis import given
from hypothesis import strategies as st

from sitewright.recommend.merging import NEWEST, Expected, merged

MADE = [Expected(1, -2.0), Expected(2, -3.0, because=8), Expected(3, -4.0, is_new=True)]
FOLLOW_UPS = {7: {3: 3.0, 2: 0.2, 1: -0.5}, 1: {4: 5.0}}


def test_without_clicks_a_list_is_as_it_was_made() -> None:
    assert merged(MADE, [], FOLLOW_UPS) == MADE


def test_a_click_lifts_what_follows_it_and_says_so() -> None:
    found = merged(MADE, [7], FOLLOW_UPS)
    assert [one.item for one in found] == [3, 1, 2]
    assert [one.because for one in found] == [7, None, 8]
    assert found[0].is_new


def test_what_was_clicked_is_gone_and_what_it_brings_comes() -> None:
    assert [one.item for one in merged(MADE, [1], FOLLOW_UPS)] == [4, 2, 3]


def test_only_the_newest_clicks_speak() -> None:
    others = list(range(100, 100 + NEWEST))
    assert merged(MADE, [*others, 7], FOLLOW_UPS) == MADE


@given(
    st.lists(st.integers(0, 9)),
    st.dictionaries(st.integers(0, 9), st.dictionaries(st.integers(0, 9), st.floats(-5, 5))),
)
def test_nothing_is_lost_or_doubled(clicks: list[int], follow_ups: dict[int, dict[int, float]]) -> None:
    items = [one.item for one in merged(MADE, clicks, follow_ups)]
    brought = {item for click in clicks[:NEWEST] for item in follow_ups.get(click, {})}
    assert sorted(items) == sorted(({1, 2, 3} | brought) - set(clicks))
