"""Names of elements around a unit, and what they say of a field."""

import pytest

from sitewright.domains import FieldWords
from sitewright.parse import parse
from sitewright.tag.naming_signs import Named, named
from sitewright.tag.units import Unit, read_units
from sitewright.types import Page

WORDS = FieldWords(for_it="author|byline", against="comment")
PAGE = """<title>Bees</title><meta name="author" content="Ann Lee">
<div class="comment-thread"><div><div><p class="{name}"><span class="{inner}">Bo Ek</span></p></div></div></div>"""


def units(text: str, name: str = "", inner: str = "") -> list[Unit]:
    document = parse(Page(url="https://example.com/bees", body=PAGE.format(name=name, inner=inner)))
    return [unit for unit in read_units(document) if unit.text == text]


@pytest.mark.parametrize(
    ("name", "inner", "said"),
    [
        ("", "", Named(far_against=1.0)),
        ("byline", "", Named(near_for=1.0, far_against=1.0)),
        ("", "AUTHOR", Named(near_for=1.0, far_against=1.0)),
        ("author-of-comment", "", Named(near_for=1.0, near_against=1.0, far_against=1.0)),
        ("x" * 300 + " author", "", Named(far_against=1.0)),
    ],
)
def test_names_near_and_far(name: str, inner: str, said: Named) -> None:
    assert named(WORDS, units("Bo Ek", name, inner)) == said


def test_a_stated_value_is_named_by_its_source() -> None:
    assert named(WORDS, units("Ann Lee")) == Named(near_for=1.0)


def test_the_best_of_several_units_counts() -> None:
    assert named(WORDS, [*units("Bo Ek"), *units("Ann Lee")]) == Named(near_for=1.0, far_against=1.0)


def test_without_words_or_units_nothing_is_said() -> None:
    assert named(FieldWords(), units("Bo Ek", "author")) == Named()
    assert named(WORDS, []) == Named()
