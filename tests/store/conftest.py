"""A fresh database for each test, of each kind."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sitewright.store.database import Store, open_store


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """Return the address of a file that is not there yet."""
    return f"sqlite:///{tmp_path}/store.db"


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request: pytest.FixtureRequest) -> str:
    """Return the address of an empty database, of each kind."""
    return str(request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url"))


@pytest.fixture
def clock() -> Callable[..., datetime]:
    """Return a clock that stands until it is moved, by `clock(hours=1)`."""
    now = datetime(2024, 5, 6, 7, 8, 9, 123456, tzinfo=UTC)

    def told(**span: float) -> datetime:
        nonlocal now
        now += timedelta(**span)
        return now

    return told


@pytest.fixture
def store(url: str, clock: Callable[..., datetime]) -> Iterator[Store]:
    """Open a store of each kind, with a site."""
    with open_store(url, clock=clock) as opened:
        opened.add_site("example.com", url="https://example.com/")
        yield opened
