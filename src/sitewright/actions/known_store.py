"""The address of a store in, the store out; one that is not there is told, not made."""

from pathlib import Path

from sitewright.errors import InputError
from sitewright.store.database import Store, open_store
from sitewright.store.engine import sqlite_file


def open_known_store(address: str) -> Store:
    """Open a store that somebody has collected into."""
    file: Path | None = sqlite_file(address)
    if file is not None and not file.exists():
        raise InputError(f"there is no store {file}; begin with: sitewright collect URL")
    return open_store(address)
