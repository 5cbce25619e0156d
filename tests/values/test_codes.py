"""Numbers of things: without their labels, and with a check digit that checks."""

from datetime import UTC, datetime

import pytest

from sitewright import Page
from sitewright.parse import parse
from sitewright.values import PARSERS, page_context

CONTEXT = page_context(parse(Page(url="https://example.com/", body="<p>")), datetime(2024, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SKU: AB-12", "AB-12"),
        ("Item # 4711", "4711"),
        ("货号：ECS000032", "ECS000032"),
        ("KOBIO SP-12", "KOBIO SP-12"),
        ("№ 17", "17"),
        ("SKU:", "SKU"),
        ("", None),
        ("a sentence that goes on and on, far longer than any number of a thing ever is", None),
    ],
)
def test_codes(text: str, code: str | None) -> None:
    parsed = PARSERS["code.v1"]([text], False, CONTEXT)
    assert (parsed.value if parsed else None) == code


@pytest.mark.parametrize(
    ("text", "gtin"),
    [
        ("EAN 4006381333931", "4006381333931"),
        ("ISBN-13: 978-0-306-40615-7", "9780306406157"),
        ("036000291452", "036000291452"),
        ("4006381333932", None),
        ("call 0800 123 4567", None),
        ("0000000000000", None),
    ],
)
def test_gtins(text: str, gtin: str | None) -> None:
    parsed = PARSERS["gtin.v1"]([text], False, CONTEXT)
    assert (parsed.value if parsed else None) == gtin
