"""The columns of a file of clicks in, the statement that reads them out; and what is wrong with rows."""

from collections.abc import Sequence

from sitewright.errors import InputError

NAMES = {
    "reader": ("user", "reader", "user_id"),
    "item": ("item", "item_id", "article"),
    "time": ("time", "timestamp", "ts"),
    "viewed": ("viewed",),
    "total": ("total",),
    "published": ("published",),
}
"""What a column may be called; the first three have to be there."""

_TEXT = ("reader", "item")
_MILLISECONDS = 100_000_000_000
"""Numbers beyond this are milliseconds: as seconds they would be the year 5138."""


def typed_columns(columns: Sequence[str], quote: str = '"') -> str:
    """Return the columns of `typed`, as SQL, for a log that has these columns.

    >>> typed_columns(["user", "item", "time"])[:31]
    'nullif(trim(cast("user" as stri'
    """
    known = {column.lower(): column for column in reversed(columns)}
    found = {name: next((known[word] for word in words if word in known), None) for name, words in NAMES.items()}
    missing = [name for name in ("reader", "item", "time") if found[name] is None]
    if missing:
        wanted = ", ".join(NAMES[name][0] for name in missing)
        raise InputError(f"these clicks have no column {wanted}; their columns: {', '.join(columns)}")
    return ", ".join(_typed(name, found[name], quote) for name in NAMES)


def _typed(name: str, column: str | None, quote: str) -> str:
    if column is None:
        return f"cast(null as double) as {name}"
    column = f"{quote}{column}{quote}"
    if name in _TEXT:
        return f"nullif(trim(cast({column} as string)), '') as {name}"
    if name in {"viewed", "total"}:
        return f"try_cast({column} as double) as {name}"
    return f"{_moment(column)} as {name}"


def _moment(column: str) -> str:
    """Return seconds since 1970 of a number (of seconds or milliseconds) or of a written moment."""
    number = f"try_cast(cast({column} as string) as double)"
    written = f"unix_seconds(try_cast(cast({column} as string) as timestamp))"
    seconds = f"case when {number} > {_MILLISECONDS} then {number} / 1000.0 else {number} end"
    return f"cast(floor(case when {number} is not null then {seconds} else {written} end) as bigint)"
