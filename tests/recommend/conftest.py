"""An engine that holds nothing yet."""

from collections.abc import Iterator

import pytest

from sitewright.engines.duck import DuckEngine


@pytest.fixture
def engine() -> Iterator[DuckEngine]:
    made = DuckEngine(threads=1)
    yield made
    made.close()
