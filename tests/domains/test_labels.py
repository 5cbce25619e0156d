"""Labels beside values: what a text that begins with one says."""

import pytest

from sitewright.domains.labels import Labels, label_key

LABELS = Labels([("Art. no", "货号"), ("price", "our price")])


@pytest.mark.parametrize(
    ("text", "rest", "columns"),
    [
        ("Art. No.: AB-12", "AB-12", [0]),
        ("货号：ECS00", "ECS00", [0]),
        ("Our Price: $3", "$3", [1]),
        ("price 12.50", "12.50", [1]),
        ("Colour: red", "red", []),
        ("no label at all", "", []),
    ],
)
def test_a_label_is_cut_off(text: str, rest: str, columns: list[int]) -> None:
    assert LABELS.cut(text) == (rest, columns or ())


def test_a_text_that_is_a_label_speaks_of_its_field() -> None:
    assert (LABELS.columns_of("OUR PRICE:"), LABELS.columns_of("delivery")) == ([1], ())
    assert LABELS.columns_of("price " * 20) == ()


@pytest.mark.parametrize(
    ("heading", "columns"),
    [("Our price today", [1]), ("See our price", [1]), ("Delivery and returns", ()), ("our price " * 9, ())],
)
def test_a_heading_may_say_more_than_its_label(heading: str, columns: list[int]) -> None:
    assert LABELS.columns_in(heading) == columns


def test_labels_are_compared_without_signs() -> None:
    assert label_key("(SKU) #") == label_key("sku")


def test_without_labels_there_is_nothing_to_look_for() -> None:
    assert not Labels([(), ()])
