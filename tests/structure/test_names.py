"""Names that a design gives its elements."""

import pytest
from turbohtml import parse

from sitewright.structure import names_of


@pytest.mark.parametrize(
    ("html", "names"),
    [
        ('<div id=main class="box wide"><p class=box>', {"#main", ".box", ".wide"}),
        ('<div id="product-1042" class="item-77 item">', {".item"}),  # one of many has a number
        ("<div><p>no names", set()),
    ],
)
def test_pages_are_known_by_classes_and_ids(html: str, names: set[str]) -> None:
    assert names_of(parse(html).select("*")) == names
