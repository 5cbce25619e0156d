"""Which units stand in elements whose names speak against a field."""

import pytest

from sitewright.parse import parse
from sitewright.tag.surroundings import stand_outside
from sitewright.tag.units import UnitKind, read_units
from sitewright.types import Page

AGAINST = "caption|(?<![a-z])comments?(?![a-z])"


def outside(html: str, against: str = AGAINST) -> list[str]:
    units = [unit for unit in read_units(parse(Page(url="", body=html))) if unit.kind is UnitKind.RUN]
    return [unit.text for unit, is_out in zip(units, stand_outside(units, against), strict=True) if is_out]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>Bees<figure><figcaption>A hive</figcaption></figure>", ["A hive"]),
        ("<p>Bees<div class='photo wp-caption-text'>A hive</div>", ["A hive"]),
        ("<div id=comments><ul><li><p>Nice</ul></div><p>Bees", ["Nice"]),
        ("<div id=comments><div><div><div><p>Too deep</div></div></div></div>", []),
        ("<p class=commentary>Bees", []),
        ("<body class=comments><article class=caption><p>Bees</article>", []),
        ("<p><em class=caption>A hive</em>", ["A hive"]),
        ("<p itemprop=caption>A hive", ["A hive"]),
    ],
)
def test_names_of_the_elements_around_tell(html: str, expected: list[str]) -> None:
    assert outside(html) == expected


def test_where_nothing_speaks_against_a_field_nothing_is_outside() -> None:
    assert outside("<figure><figcaption>A hive</figcaption></figure>", "") == []
