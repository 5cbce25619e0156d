"""What a person writes for a store or a moment in, what the store and its queries take out."""

import os
from datetime import date, datetime

from sitewright.errors import UsageError
from sitewright.values.moments import moment_of

Moment = datetime | date | str
"""A moment or a day; a text is in ISO 8601 (`2024-05-06`); without a zone it is in UTC."""
StoreName = str | os.PathLike[str]
"""The address of a database (`sqlite:///news.db`, `postgresql://…`), or the file of a SQLite database."""


def store_address(store: StoreName) -> str:
    """Return the address of a store.

    >>> store_address("news.db"), store_address("postgresql://me@db/news")
    ('sqlite:///news.db', 'postgresql://me@db/news')
    """
    if not isinstance(store, (str, os.PathLike)):
        raise UsageError(f"a store is the address of a database or the path of its file, not {type(store).__name__}")
    name = os.fspath(store)
    return name if "://" in name else f"sqlite:///{name}"


def moment_in(given: Moment | None, name: str) -> datetime | None:
    """Return the moment that an argument of some name states; None stays so.

    >>> moment_in("2024-05-06", "since")
    datetime.datetime(2024, 5, 6, 0, 0, tzinfo=datetime.timezone.utc)
    """
    if given is None:
        return None
    found = moment_of(given) if isinstance(given, (str, date)) else None
    if found is None:
        raise UsageError(f"{name} is a date, a datetime or a text like 2024-05-06, not {given!r}")
    return found
