"""What values look like at a glance."""

from datetime import UTC, date, datetime

import pytest

from sitewright.notice.shapes import glance_of, shape_of, size_of
from sitewright.types import Photo

NOON = datetime(2024, 5, 6, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (None, "empty"),
        ("", "empty"),
        ("  \n", "empty"),
        ([], "empty"),
        ({}, "empty"),
        (NOON, "date"),
        (date(2024, 5, 6), "date"),
        ("2024-05-06", "date"),
        ("06/05/2024", "date"),
        ("Monday, May 6th, 2024 at 10:30", "date"),
        (7, "number"),
        ("1,200 km", "number"),
        ("€ 4.50", "number"),
        ("//example.com/a", "url"),
        ("mailto:ann@example.com", "url"),
        ("/news/bees/", "url"),
        ("Ann Lee", "name"),
        (("Ann Lee", "2024"), "name"),
        ("ann lee", "line"),
        ("Is Ann Lee back?", "line"),
        ("Bees are out early this year, keepers say", "line"),
        ("x " * 200, "text"),
        ("One.\nTwo.", "text"),
        ("if (a) { return b; }", "code"),
        ("<p>Bees</p>", "code"),
        (Photo(url="https://example.com/a.jpg"), "object"),
    ],
)
def test_shapes(value: object, shape: str) -> None:
    assert shape_of(value) == shape


@pytest.mark.parametrize(
    ("value", "size"),
    [(None, 0), ("bees", 4), (NOON, 25), (NOON.replace(tzinfo=None), 19), (NOON.date(), 10), (7.5, 10), ([], 0)],
)
def test_sizes(value: object, size: int) -> None:
    assert size_of(value) == size


@pytest.mark.parametrize(
    ("value", "glance"),
    [
        ("Bees are out", "Bees are"),
        (["a", "b", "c", "d", "e", "f"], "a; b; c;"),
        (NOON, "2024-05-"),
        ({"amount": 4.5}, "4.5"),
        (Photo(url="http://a"), "http://a"),
        (7, "7"),
    ],
)
def test_glances(value: object, glance: str) -> None:
    assert glance_of(value, 8) == glance
