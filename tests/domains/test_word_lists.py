"""Word lists against the names of elements: whole words, joined ones, shortened ones."""

import pytest

from sitewright.domains.word_lists import WordLists, likeness

LISTS = WordLists(
    [({"product": 5, "name": 5}, {"brand": 10}), ({"price": 10}, {"old": 10})], {"id": 1.0, "class": 0.5, "data-": 1.0}
)


def test_the_papers_example() -> None:
    """Seed 004, 3.2.2: `prodName` is the name, `product-item` is less so."""
    name = LISTS.of_element({"id": "prodName"})[0]
    box = LISTS.of_element({"id": "product-item"})[0]
    assert name > box > 0


@pytest.mark.parametrize(
    ("attrs", "expected"),
    [
        ({"id": "product-name"}, [1.0, 0.0, 0.0, 0.0]),
        ({"class": ["old-price"]}, [0.0, 0.5, 0.0, 0.5]),
        ({"data-price": "12"}, [0.0, 1.0, 0.0, 0.0]),
        ({"href": "/price"}, [0.0, 0.0, 0.0, 0.0]),
        ({}, [0.0, 0.0, 0.0, 0.0]),
    ],
)
def test_attributes_speak_as_much_as_they_are_believed(
    attrs: dict[str, str | list[str] | None], expected: list[float]
) -> None:
    assert LISTS.of_element(attrs).tolist() == pytest.approx(expected)


def test_a_short_word_is_found_only_whole() -> None:
    assert likeness("old", "gold") == 0 < likeness("old", "old")
