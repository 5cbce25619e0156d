"""Rows in, a file of them out: JSONL, CSV, Parquet, JSON Feed, or Markdown in a folder or a file.

A row is encoded first, by whoever made it, in as many processes as there are; what writes the file only appends.
"""

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sitewright.body import Body
from sitewright.domains import DEFAULT_DOMAIN, Domain
from sitewright.domains.kinds import PAIRS
from sitewright.errors import OutputError
from sitewright.output.csv_table import CsvRow, CsvTable
from sitewright.output.json_feed import JsonFeedRow, JsonFeedStream
from sitewright.output.markdown_files import MarkdownFile, MarkdownFolder, MarkdownStream, is_one_file
from sitewright.output.rows import Row, flat_row
from sitewright.output.stream import OutputStream
from sitewright.types import Rule
from sitewright.values.as_json import json_of
from sitewright.values.moments import moment_of

FORMATS = ("jsonl", "csv", "parquet", "markdown", "jsonfeed")
STRUCTURED = frozenset({"markdown", "jsonfeed"})
"""Formats that show the structure of a text; who encodes rows for them gives the body of each."""


class Encode(Protocol):
    """Makes of a row what a writer of its format takes; it travels to workers, so it must pickle."""

    def __call__(self, row: Row, body: Body | None = None, /) -> bytes:
        """Return a record or failure as it will stand in the output; without a body, its text is plain."""


class Writer(Protocol):
    """Takes rows that are encoded already; what was written stays readable whenever the run ends."""

    def write(self, encoded: bytes) -> None:
        """Write one record or failure."""

    def close(self) -> None:
        """Finish the file."""


def json_row(row: Row, _: Body | None = None, /) -> bytes:
    """Return a row as a line of JSON."""
    return json_of(row)


class JsonLines:
    """One JSON object a line."""

    def __init__(self, target: str, *, append: bool = False) -> None:
        """Open the file, or standard output for `-`."""
        self._stream = OutputStream(target, "ab" if append else "wb")

    def write(self, encoded: bytes) -> None:
        """Write the line in one call, so that an interrupt leaves no half of it in our buffer."""
        self._stream.file.write(encoded + b"\n")

    def close(self) -> None:
        """Flush and close."""
        self._stream.close()


@dataclass(frozen=True, slots=True)
class ParquetRow:
    """Writes a row as the line of JSON that DuckDB reads; moments in UTC."""

    columns: Mapping[str, str]

    def __call__(self, row: Row, _: Body | None = None, /) -> bytes:
        """Return the line."""
        flat = flat_row(row)
        moments = {
            name: _moments(flat[name]) for name, kind in self.columns.items() if kind in _MOMENTS and name in flat
        }
        return json_of(flat | moments)


class ParquetTable:
    """One row a page, with typed columns; DuckDB writes the file when it is closed."""

    def __init__(self, target: str, columns: Mapping[str, str]) -> None:
        """Collect lines in a temporary file beside the target."""
        if target == "-":
            raise OutputError("a Parquet file cannot be written to standard output; name a file with -o")
        if len({name.casefold() for name in columns}) < len(columns):
            raise OutputError("a Parquet file cannot hold fields that differ only in case; rename one in the map")
        self._target = Path(target)
        self._columns = columns
        self._lines = tempfile.NamedTemporaryFile(
            "wb", dir=self._target.absolute().parent, prefix=f".{self._target.name}.", suffix=".jsonl"
        )

    def write(self, encoded: bytes) -> None:
        """Collect a row."""
        self._lines.write(encoded + b"\n")

    def close(self) -> None:
        """Write the Parquet file."""
        import duckdb  # noqa: PLC0415 -- only who writes Parquet pays for it

        self._lines.flush()
        draft = f"{self._lines.name}.parquet"
        names = ", ".join(f'"{name}"' for name in self._columns)
        columns = ", ".join(f"{_quoted(name)}: {_quoted(kind)}" for name, kind in self._columns.items())
        options = f"format='newline_delimited', columns={{{columns}}}, maximum_object_size=200000000"
        reading = f"read_json({_quoted(self._lines.name)}, {options})"
        query = f"COPY (SELECT {names} FROM {reading}) TO {_quoted(draft)} (FORMAT parquet)"  # noqa: S608 -- quoted above
        try:
            with duckdb.connect() as connection:
                connection.execute(query)
            Path(draft).replace(self._target)
        except duckdb.Error as error:
            raise OutputError(f"cannot write {self._target}: {error}") from error
        finally:
            self._lines.close()


def encoder_of(kind: str, columns: Mapping[str, str], domain: str = DEFAULT_DOMAIN, *, raw_csv: bool = False) -> Encode:
    """Return what makes rows ready for the writer of this format; give both the same columns.

    `raw_csv`: cells of CSV stay as they are, also those that a spreadsheet would take for formulas.
    """
    known: dict[str, Encode] = {
        "jsonl": json_row,
        "csv": CsvRow(tuple(columns), raw_csv),
        "parquet": ParquetRow(columns),
        "markdown": MarkdownFile(domain),
        "jsonfeed": JsonFeedRow(domain),
    }
    return known[kind]


def open_writer(
    target: str, kind: str, columns: Mapping[str, str], *, append: bool = False, fixed: bool = False
) -> Writer:
    """Open a writer of this format for records with these columns (name to type, see `columns_of`).

    `fixed`: a CSV file has all of its columns, also those that no record fills.
    """
    makers: dict[str, Callable[[], Writer]] = {
        "jsonl": lambda: JsonLines(target, append=append),
        "csv": lambda: CsvTable(target, list(columns), fixed=fixed),
        "parquet": lambda: ParquetTable(target, columns),
        "markdown": lambda: MarkdownStream(target) if is_one_file(target) else MarkdownFolder(target),
        "jsonfeed": lambda: JsonFeedStream(target),
    }
    try:
        return makers[kind]()
    except OSError as error:
        raise OutputError(f"cannot write {target}: {error.strerror or error}") from error


@contextmanager
def writing(writer: Writer) -> Iterator[None]:
    """Close a writer in the end; what cannot be written is an `OutputError`."""
    try:
        with closing(writer):
            yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"cannot write the output: {error.strerror or error}") from error


def columns_of(
    rules: Sequence[Rule],
    domain: Domain,
    fields: Sequence[str],
    *,
    explain: bool = False,
    parts: bool = False,
    dated: bool = False,
) -> dict[str, str]:
    """Return the columns of a table of records made by these rules, in order, with the SQL type of each."""
    columns = {"url": "VARCHAR"}
    for field in fields:
        kinds = {_column_type(rule, domain) for rule in rules if rule.field == field}
        columns[field] = kinds.pop() if len(kinds) == 1 else "JSON"
    columns |= _ABOUT
    columns |= {"parts": "VARCHAR[]"} if parts else {}
    columns |= {"fetched_at": _MOMENT} if dated else {}
    return columns | {"id": "VARCHAR", "rules": "MAP(VARCHAR, VARCHAR)"} if explain else columns


def format_of(target: str, others: Mapping[str, str] | None = None) -> str:
    """Tell the format from a file's name; `others` are endings of formats that are not written here.

    >>> format_of("a.csv"), format_of("out.parquet"), format_of("pages/"), format_of("-"), format_of("a.feed.json")
    ('csv', 'parquet', 'markdown', 'jsonl', 'jsonfeed')
    >>> format_of("a.warc.gz", {".warc.gz": "warc"})
    'warc'
    """
    if target == "-":
        return "jsonl"
    if target.endswith("/") or Path(target).is_dir():
        return "markdown"
    for ending, kind in (_LONG_ENDINGS | dict(others or {})).items():
        if target.lower().endswith(ending):
            return kind
    ending = Path(target).suffix.lower()
    if ending not in _ENDINGS:
        known = ", ".join(filter(None, [*_ENDINGS, *_LONG_ENDINGS, *(others or {})]))
        raise OutputError(f"{target}: no format ends in {ending}; known are {known} and FOLDER/ (or say --format)")
    return _ENDINGS[ending]


_ENDINGS = {
    ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", "": "jsonl", ".csv": "csv", ".parquet": "parquet",
    ".md": "markdown", ".jsonfeed": "jsonfeed",
}  # fmt: skip
_LONG_ENDINGS = {".feed.json": "jsonfeed"}
_PAIRS = "STRUCT(name VARCHAR, value VARCHAR)[]"
_ABOUT = {
    "language": "VARCHAR",
    "page_kind": "VARCHAR",
    "confidence": "MAP(VARCHAR, DOUBLE)",
    "template": "VARCHAR",
    "via": "VARCHAR",
    "map_version": "INTEGER",
    "error_code": "VARCHAR",
    "error_detail": "VARCHAR",
}
_PHOTOS = "STRUCT(url VARCHAR, caption VARCHAR, credit VARCHAR, width INTEGER, height INTEGER)[]"
_MOMENT = "TIMESTAMP WITH TIME ZONE"
_MOMENTS = (_MOMENT, f"{_MOMENT}[]")
_TYPES = {
    "authors.v1": "VARCHAR[]",
    "list.v1": "VARCHAR[]",
    "image.v1": _PHOTOS,
    "text.v1": "VARCHAR",
}
_EACH = {"price.v1": "STRUCT(amount DOUBLE, currency VARCHAR)", "date.v1": _MOMENT}
"""The column type of a parser's values; those named in neither give a text. With `many` it is a list of them."""


def _column_type(rule: Rule, domain: Domain) -> str:
    if domain.spec_of(rule.field).kind == PAIRS:
        return _PAIRS
    if rule.fields:
        pictures = rule.many and {inner.field for inner in rule.fields} <= {"url", "caption", "credit"}
        return _PHOTOS if pictures else "JSON"
    parser = rule.parse or domain.parser_of(rule.field)
    if parser in _EACH:
        return _EACH[parser] + ("[]" if rule.many else "")
    return _TYPES.get(parser) or ("VARCHAR[]" if rule.many else "VARCHAR")


def _moments(value: object) -> object:
    """Return dates as moments in UTC: a day is its beginning, and what names no zone is taken as it is."""
    if isinstance(value, (list, tuple)):
        return [moment_of(one) for one in value]
    return moment_of(value) if value is not None else None


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
