"""How alike two parts are."""

from collections import Counter

import pytest
from turbohtml import Element, parse

from sitewright.repeats.likeness import ALIKE, UNLIKE, edit_distance, is_alike, overlap, ways_inside
from sitewright.repeats.steps import Steps


def first_two(html: str) -> tuple[Element, Element]:
    one, other = parse(f"<ul>{html}</ul>").select("ul > li")
    return one, other


@pytest.mark.parametrize(
    ("html", "distance"),
    [
        ("<li><a></a></li><li><a></a></li>", 0),
        ("<li><a></a></li><li><b></b></li>", 1),
        ("<li><a></a></li><li><a></a><p><b></b></p></li>", 2),
        ("<li></li><li><a></a><a></a><a></a></li>", 3),
    ],
)
def test_edit_distance_counts_nodes(html: str, distance: int) -> None:
    one, other = first_two(html)
    assert edit_distance(one, other, limit=99) == edit_distance(other, one, limit=99) == distance


def test_what_is_surely_alike_or_not_is_not_compared_node_by_node() -> None:
    one, other = first_two("<li><a></a></li><li><b></b><i></i><u></u></li>")
    assert is_alike(one, other, ALIKE)
    assert not is_alike(one, other, UNLIKE / 2)
    assert not is_alike(one, other, (ALIKE + UNLIKE) / 2)


def test_shares_of_ways() -> None:
    one, other = first_two("<li><a></a><p></p></li><li><a></a></li>")
    assert overlap(ways_inside(Steps(), one), ways_inside(Steps(), other)) == 0.5
    assert overlap(Counter(), Counter()) == 1.0
