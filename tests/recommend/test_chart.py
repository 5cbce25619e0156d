"""Charts: valid SVG, whatever the names are."""

from xml.etree import ElementTree

import pytest

from sitewright.recommend.chart import line_chart


@pytest.mark.parametrize("values", [[], [0], [3], [1, 2, 3]])
def test_charts_are_well_formed(values: list[float]) -> None:
    text = line_chart('<a & "b">', ["x"] * len(values), {"<line>": values, "other": values})
    root = ElementTree.fromstring(text)  # noqa: S314 -- our own
    assert len(root.findall("{http://www.w3.org/2000/svg}polyline")) == 2
    points = root.find("{http://www.w3.org/2000/svg}polyline").get("points", "").split()  # type: ignore[union-attr]
    assert len(points) == len(values)


def test_higher_values_stand_higher() -> None:
    root = ElementTree.fromstring(line_chart("", ["", ""], {"": [1, 2]}))  # noqa: S314 -- our own
    first, second = root.find("{http://www.w3.org/2000/svg}polyline").get("points", "").split()  # type: ignore[union-attr]
    assert float(first.split(",")[1]) > float(second.split(",")[1])
