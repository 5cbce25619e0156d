from sitewright.assemble.joined_text import SHORTEST, joined_text


def test_long_lines_stand_once_whatever_their_spelling() -> None:
    line = "The bees are back in the valley."
    assert joined_text([line, f"{line.upper()}\nThey dance."]) == f"{line}\nThey dance."


def test_short_lines_may_stand_twice() -> None:
    assert joined_text(["Why?", "Why?"]) == "Why?\nWhy?"
    assert len("Why?") < SHORTEST


def test_captions_are_left_out() -> None:
    assert joined_text(["At sea.\nThe harbour in the morning."], ["The harbour in the morning."]) == "At sea."
