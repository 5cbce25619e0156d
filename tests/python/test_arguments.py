"""Stores and moments as people write them."""

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from sitewright.errors import UsageError
from sitewright.python.arguments import moment_in, store_address


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("news.db", "sqlite:///news.db"),
        (Path("/data/news.db"), "sqlite:////data/news.db"),
        ("sqlite:///news.db", "sqlite:///news.db"),
        ("postgresql://me@db/news", "postgresql://me@db/news"),
    ],
)
def test_a_store_is_an_address_or_a_file(given: str | Path, address: str) -> None:
    assert store_address(given) == address


@pytest.mark.parametrize(
    "given",
    [
        "2024-05-06",
        date(2024, 5, 6),
        datetime(2024, 5, 6, tzinfo=UTC),
        datetime(2024, 5, 6),
        datetime(2024, 5, 6, 2, tzinfo=timezone(timedelta(hours=2))),
        "2024-05-06T02:00:00+02:00",
    ],
)
def test_a_moment_is_a_date_a_datetime_or_a_text(given: Any) -> None:
    assert moment_in(given, "since") == datetime(2024, 5, 6, tzinfo=UTC)


@pytest.mark.parametrize("given", ["yesterday", 3, b"2024-05-06"])
def test_what_is_no_moment_is_told(given: Any) -> None:
    with pytest.raises(UsageError, match="since is a date"):
        moment_in(given, "since")
    with pytest.raises(UsageError, match="a store is"):
        store_address(3)  # type: ignore[arg-type]


def test_no_moment_stays_none() -> None:
    assert moment_in(None, "until") is None
