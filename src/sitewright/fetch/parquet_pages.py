"""A Parquet file of pages (url, html, optionally time) in, the places of its pages out; DuckDB reads it as a stream."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sitewright.errors import InputError
from sitewright.fetch.archive import FailedPlace, PagePlace, Place, moment_of
from sitewright.types import Page

_URL, _HTML, _TIME = ("url",), ("html", "body", "content"), ("time", "fetched_at", "date")
"""What the columns may be called; the page is a text, or bytes in whatever encoding it was sent."""
_AT_ONCE = 64


class ParquetPages:
    """The pages of a Parquet file, or of some of its rows."""

    def __init__(self, path: Path, first: int = 0, beyond: int | None = None) -> None:
        """Look at the columns; `first` and `beyond` are numbers of rows."""
        self._path = path
        self._first, self._beyond = first, beyond
        named = {name.lower(): name for name in _columns(path)}
        found = [next((named[word] for word in words if word in named), None) for words in (_URL, _HTML, _TIME)]
        if found[1] is None:
            raise InputError(f"{path} has no column html; its columns: {', '.join(named.values())}")
        self._picked = ", ".join("null" if name is None else _identifier(name) for name in found)
        self._read, self._rows = 0, sum(row_groups(path))

    def places(self) -> Iterator[Place]:
        """Yield the pages; a row without one is a failure."""
        beyond = self._rows if self._beyond is None else self._beyond
        chosen = f"file_row_number >= {int(self._first)} AND file_row_number < {int(beyond)}"
        query = f"SELECT {self._picked} FROM {_source(self._path)} WHERE {chosen}"  # noqa: S608 -- quoted above
        for number, row in enumerate(_rows(self._path, query), self._first + 1):
            self._read = number
            yield _place(f"{self._path}:{number}", *row)

    def progress(self) -> float | None:
        """Return the share of the rows that were read."""
        return self._read / self._rows if self._rows else 1.0


def row_groups(path: Path) -> list[int]:
    """Return how many rows each group of a file has: what can be read by itself."""
    query = f"SELECT DISTINCT row_group_id, row_group_num_rows FROM parquet_metadata({_text(path)}) ORDER BY 1"  # noqa: S608 -- quoted
    return [int(count) for _, count in _rows(path, query)]


def _columns(path: Path) -> list[str]:
    return [str(row[0]) for row in _rows(path, f"DESCRIBE SELECT * FROM read_parquet({_text(path)})")]  # noqa: S608 -- quoted


def _rows(path: Path, query: str) -> Iterator[tuple[Any, ...]]:
    import duckdb  # noqa: PLC0415 -- only who reads Parquet pays for it

    with duckdb.connect(config={"threads": 1}) as database:
        try:
            found = database.execute(query)
            while rows := found.fetchmany(_AT_ONCE):
                yield from rows
        except duckdb.Error as error:
            raise InputError(f"cannot read {path}: {str(error).splitlines()[0]}") from error


def _place(name: str, url: object, html: object, time: object) -> Place:
    if not isinstance(html, str | bytes):
        return FailedPlace(str(url or name), InputError(f"{name}: there is no page in this row"))
    moment = time.replace(tzinfo=time.tzinfo or UTC) if isinstance(time, datetime) else moment_of(time)
    return PagePlace(Page(url=str(url or ""), body=html, fetched_at=moment))


def _source(path: Path) -> str:
    return f"read_parquet({_text(path)}, file_row_number = true)"


def _text(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"


def _identifier(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
