"""Numbers as people write them."""

from datetime import UTC, datetime

import pytest

from sitewright import Page
from sitewright.parse import parse
from sitewright.values import PARSERS, page_context

CONTEXT = page_context(parse(Page(url="https://example.com/", body="<p>")), datetime(2024, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("4.5 out of 5", 4.5),
        ("(1,234 reviews)", 1234),
        ("4,5", 4.5),
        ("12", 12),
        ("1.234.567", 1234567),
        ("none", None),
        ("9" + "x" * 300, None),
    ],
)
def test_numbers(text: str, number: float | None) -> None:
    parsed = PARSERS["number.v1"]([text], False, CONTEXT)
    assert (parsed.value if parsed else None) == number
