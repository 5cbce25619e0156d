"""What scripts hold as JSON: whole scripts, assignments, and what is none."""

import re

import pytest

from sitewright import Page
from sitewright.parse import parse
from sitewright.values.state import inner_values, script_values

WANTED = re.compile("sku")


@pytest.mark.parametrize(
    ("script", "values"),
    [
        ('<script>{"sku": "A"}</script>', [{"sku": "A"}]),
        ('<script>window.STATE = {"sku": "A"}; other([{"sku": "B"}]);</script>', [{"sku": "A"}, [{"sku": "B"}]]),
        ('<script>var sku = {broken: "A"};</script>', []),
        ('<script>{"price": 1}</script>', []),
        ('<script type="application/ld+json">{"sku": "A"}</script>', []),
        ('<script src="sku.js"></script>', []),
    ],
)
def test_values_of_scripts_are_read(script: str, values: list[object]) -> None:
    assert list(script_values(parse(Page(url="https://shop.example/", body=script)), WANTED)) == values


def test_inner_values_come_outermost_first() -> None:
    inner = {"c": [1]}
    assert list(inner_values({"a": inner, "b": 2})) == [{"a": inner, "b": 2}, inner, [1]]


def test_nesting_has_no_bound() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert sum(1 for _ in inner_values(deep)) == 50_000
