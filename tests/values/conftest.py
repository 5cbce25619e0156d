"""Reads one value the way a map does."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from sitewright.extract import extract
from sitewright.parse import parse
from sitewright.types import ExtractionMap, Page, Rule, Template, Value

NOW = datetime(2024, 6, 15, 12, 0, tzinfo=UTC)
"""When the pages of these tests were fetched: a Saturday."""


def _read_value(
    html: str,
    parser: str,
    *,
    select: tuple[str, ...] = ("#v",),
    many: bool = False,
    take: str = "text",
    language: str = "",
    timezone: str = "",
    date_formats: tuple[str, ...] = (),
    now: datetime = NOW,
    url: str = "https://example.com/news/a.html",
    **rule: Any,
) -> Value | None:
    wanted = Rule(field="value", select=select, parse=parser, many=many, take=take, **rule)
    extraction_map = ExtractionMap(
        site="example.com",
        language=language,
        timezone=timezone,
        date_formats=date_formats,
        templates=(Template(name="t", rules=(wanted,)),),
    )
    page = Page(url=url, body=html, fetched_at=now)
    return extract(extraction_map, parse(page)).fields.get("value")


@pytest.fixture(scope="session")
def read_value() -> Callable[..., Value | None]:
    """Return a function of a page, a parser's name and the facts of rule and map."""
    return _read_value
