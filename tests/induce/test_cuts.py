"""Values within longer texts."""

import pytest

from sitewright.induce.cuts import pattern_between

OTHERS = ["Engine: 2.0 l, petrol", "Engine: 1.4 l, diesel", "Engine: 3.1 l, petrol"]


@pytest.mark.parametrize(
    ("before", "after", "pattern"),
    [
        ("Engine: ", "", r"Engine\s*:\s*(.+?)$"),
        ("Old Engine: ", ", gas", r"Engine\s*:\s*(.+?)\s*,"),
        ("", " l, petrol", r"^(.+?)\s*l\s*,\s*petrol"),
        ("Of nobody else ", "", ""),
        ("", "", "^(.+?)$"),
    ],
)
def test_what_other_texts_have_too_is_what_a_value_stands_between(before: str, after: str, pattern: str) -> None:
    assert pattern_between(before, after, OTHERS) == pattern
