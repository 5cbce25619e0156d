"""What a record held beside what is read: how nearly they say the same."""

from datetime import UTC, datetime

import pytest

from sitewright.heal.rightness import rightness
from sitewright.types import Photo


@pytest.mark.parametrize(
    ("remembered", "value", "right"),
    [
        ("2024-05-06T10:30:00+02:00", datetime(2024, 5, 6, 8, 30, tzinfo=UTC), 1.0),
        ("2024-05-06", datetime(2024, 5, 7, 8, 30, tzinfo=UTC), 0.0),
        ("A line", None, 0.0),
        (["a", "b"], ["B", "A"], 1.0),
        (["a", "b"], "a", 2 / 3),
        ("One two.\n\nThree four.", "One two.\n\nThree four.\n\nAdvert five six.", 8 / 11),
    ],
)
def test_how_right_a_value_is(remembered: object, value: object, right: float) -> None:
    assert rightness(remembered, value) == pytest.approx(right)


def test_pictures_are_the_same_in_other_sizes() -> None:
    held = [{"url": "https://example.com/harbour-77.jpg"}, {"url": "https://example.com/bridge-88.jpg"}]
    given = [Photo(url="https://example.com/w/900/harbour-77_900x600.webp")]
    assert rightness(held, given) == pytest.approx(2 / 3)
    assert rightness(held, None) == 0.0
