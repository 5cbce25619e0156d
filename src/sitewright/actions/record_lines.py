"""Files of JSON lines in, their objects out, one by one and again by number, without holding them."""

import tempfile
from array import array
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

import orjson

from sitewright.errors import InputError
from sitewright.fetch.lines import read_lines

Row = dict[str, Any]


def object_of(line: bytes, source: str, number: int) -> Row:
    """Return the object of a line; `InputError` says which line is none."""
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InputError(f"{source}:{number}: not JSON: {error}") from error
    if not isinstance(row, dict):
        raise InputError(f"{source}:{number}: expected an object, got {type(row).__name__}")
    return row


class RecordLines:
    """The records of files: read once in order, and then any of them again; open it with `with`."""

    def __init__(self, sources: Sequence[str]) -> None:
        """Read nothing yet."""
        self._sources = sources
        self._begins = array("q", [0])
        self._spool = tempfile.TemporaryFile("w+b")

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Drop what was kept beside."""
        self._spool.close()

    def __len__(self) -> int:
        """Return how many have been read."""
        return len(self._begins) - 1

    def read(self) -> Iterator[Row]:
        """Yield all records, and keep where they are."""
        for source in self._sources:
            for number, line in read_lines(source):
                row = object_of(line, source, number)
                kept = line.strip() + b"\n"
                self._spool.write(kept)
                self._begins.append(self._begins[-1] + len(kept))
                yield row

    def line(self, number: int) -> bytes:
        """Return the line of a record that has been read."""
        self._spool.seek(self._begins[number])
        return self._spool.read(self._begins[number + 1] - self._begins[number] - 1)

    def row(self, number: int) -> Row:
        """Return a record that has been read."""
        row: Row = orjson.loads(self.line(number))
        return row
