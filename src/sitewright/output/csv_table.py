"""Rows in, a CSV file out; columns that no row fills are left out when it is closed."""

import csv
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from sitewright.body import Body
from sitewright.output.rows import Row, flat_row
from sitewright.output.stream import OutputStream
from sitewright.values.as_json import plain_of

_EMPTY = (None, "", "{}")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What formulas begin with, for spreadsheets: a page could have them fetch something, or run it."""
_PAIR = {"name", "value"}
_IN_MEMORY = 4_000_000
"""What is on its way to standard output waits here until all columns are known; more of it in a temporary file."""


@dataclass(frozen=True, slots=True)
class CsvRow:
    """Writes a row as a line of CSV; lists are joined by "; ", objects written as JSON."""

    columns: Sequence[str]
    raw: bool = False
    """Whether texts stay as they are; else those that a spreadsheet would take for formulas begin with `'`."""

    def __call__(self, row: Row, _: Body | None = None, /) -> bytes:
        """Return which columns are filled (a number in base 16, a bit each), and below it the line."""
        flat = flat_row(row)
        cells = [_cell(plain_of(flat.get(column))) for column in self.columns]
        if not self.raw:
            cells = [_no_formula(cell) for cell in cells]
        filled = sum(1 << place for place, cell in enumerate(cells) if cell not in _EMPTY)
        return b"%x\n" % filled + _line(cells)


class CsvTable:
    """One row a page, below the names of the columns.

    A file is written row by row with all columns, so that it is readable at any time; at the end, where some are empty,
    it is written anew without them. Standard output and pipes get it at the end. A `fixed` table keeps all columns.
    """

    def __init__(self, target: str, columns: Sequence[str], *, fixed: bool = False) -> None:
        """Open the file and write the header."""
        self._target = target
        self._columns = columns
        self._filled = 0
        self._all = (1 << len(columns)) - 1
        self._rows = 0
        self._stream = OutputStream(target)
        is_file = target != "-" and Path(target).is_file()
        self._draft: IO[bytes] | None = None if fixed or is_file else tempfile.SpooledTemporaryFile(_IN_MEMORY)
        self._fixed = fixed
        self._out.write(_line(columns))

    @property
    def _out(self) -> BinaryIO:
        return cast("BinaryIO", self._draft) if self._draft is not None else self._stream.file

    def write(self, encoded: bytes) -> None:
        """Write a row."""
        filled, _, line = encoded.partition(b"\n")
        self._filled |= int(filled, 16)
        self._rows += 1
        self._out.write(line)

    def close(self) -> None:
        """Leave out the columns that no row fills, and close."""
        try:
            if self._draft is not None:
                self._draft.seek(0)
                self._deliver(self._draft)
                self._draft.close()
        finally:
            self._stream.close()
        if self._draft is None and self._has_empty:
            self._rewrite()

    @property
    def _has_empty(self) -> bool:
        return not self._fixed and self._rows > 0 and (self._filled | 1) != self._all

    def _deliver(self, draft: IO[bytes]) -> None:
        if self._has_empty:
            self._copy(draft, self._stream.file)
        else:
            shutil.copyfileobj(draft, self._stream.file)

    def _rewrite(self) -> None:
        target = Path(self._target).resolve()
        draft = target.with_name(f".{target.name}.{os.getpid()}")
        with target.open("rb") as before, draft.open("wb") as after:
            self._copy(before, after)
        shutil.copymode(target, draft)
        draft.replace(target)

    def _copy(self, source: IO[bytes], target: IO[bytes]) -> None:
        kept = [place for place in range(len(self._columns)) if place == 0 or self._filled >> place & 1]
        text = TextIOWrapper(source, encoding="utf-8", newline="")
        with _cells_of_any_length():
            for row in csv.reader(text):
                target.write(_line([row[place] for place in kept]))
        text.detach()


@contextmanager
def _cells_of_any_length() -> Iterator[None]:
    usual = csv.field_size_limit(sys.maxsize)
    try:
        yield
    finally:
        csv.field_size_limit(usual)


def _cell(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    if isinstance(value, list) and value and all(isinstance(item, dict) and item.keys() == _PAIR for item in value):
        return "; ".join(f"{item['name']}: {item['value']}" for item in value)
    return json.dumps(plain_of(value), ensure_ascii=False) if isinstance(value, (list, dict)) else value


def _no_formula(cell: Any) -> Any:
    """Return a cell that a spreadsheet does not take for a formula.

    >>> [_no_formula(cell) for cell in ("=1+1", "@SUM(A1)", "-5 degrees", "Bees", -5)]
    ["'=1+1", "'@SUM(A1)", "'-5 degrees", 'Bees', -5]
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _line(cells: Sequence[Any]) -> bytes:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode("utf-8", "replace")  # half surrogates have no UTF-8
