"""Kinds of pages, and what they usually lack."""

import json

import pytest

from sitewright.notice.page_groups import PageGroups


def groups(**kinds: tuple[int, int]) -> PageGroups:
    """Return kinds of pages: how many there were, and how many lacked a text."""
    made = PageGroups()
    for kind, (pages, missing) in kinds.items():
        for number in range(pages):
            group = made.page(kind)
            if number < missing:
                group.add_missing("text")
    return made


def test_how_often_pages_of_a_kind_lack_a_field() -> None:
    made = groups(video=(96, 96), news=(96, 0))
    assert (made["video"].rate("text"), made["news"].rate("text")) == (0.96, 0.0)
    assert made["video"].rate("text", proven=96) == 0.0, "no more than are known to"


@pytest.mark.parametrize(
    ("pages", "missing", "always"), [(20, 0, True), (19, 0, False), (100, 2, True), (100, 3, False)]
)
def test_pages_of_a_kind_that_always_have_a_field(pages: int, missing: int, always: bool) -> None:
    assert groups(news=(pages, missing))["news"].always_has("text") == always


def test_pages_in_doubt_say_nothing_until_the_doubt_is_gone() -> None:
    made = groups(news=(30, 0))
    made["news"].doubt("text")
    assert made["news"].rate("text") == 0.0
    made.add_missing(["news", "gone"], "text")
    assert (made["news"].missing, made["news"].doubtful) == ({"text": 1.0}, {"text": 0.0})


def test_old_pages_fade_and_the_kinds_that_are_met_least_go() -> None:
    made = groups(**{f"k{number}": (number + 1, 1) for number in range(30)})
    made.fade(0.5)
    assert len(made) == 24
    assert "k0" not in made
    assert (made["k29"].pages, made["k29"].missing) == (15.0, {"text": 0.5})


def test_they_go_on_from_their_state() -> None:
    made = groups(video=(9, 3), news=(7, 0))
    made["news"].doubt("tags")
    assert PageGroups.from_state(json.loads(json.dumps(made.to_state()))) == made


def test_a_state_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a number"):
        PageGroups.from_state({"news": [-1, {}, {}]})
