"""Assistants at the store of the command line's tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cli.conftest import filled, folder, newspaper, store

from sitewright.actions.catalogues import Library, open_catalogue
from sitewright.mcp.protocol import Protocol
from sitewright.mcp.tools import Desk, tools_of
from sitewright.store.database import Store

__all__ = ["filled", "folder", "newspaper", "store"]


@pytest.fixture
def protocol(store: Store, folder: Path) -> Iterator[Protocol]:
    address = f"sqlite:///{folder}/sitewright.db"
    with open_catalogue(store, address) as catalogue:
        yield Protocol(tools_of(Desk(library=Library(store, catalogue, folder / "sitewright-pages"))))
