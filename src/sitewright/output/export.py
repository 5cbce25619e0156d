"""Rows in, a file of them out: JSONL, CSV, Parquet, or a folder of Markdown.

A row is encoded first, by whoever made it, in as many processes as there are; what writes the file only appends.
"""

import csv
import json
import re
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from sitewright.domains import DEFAULT_DOMAIN, Domain, load_domain
from sitewright.errors import OutputError
from sitewright.output.markdown import markdown_of
from sitewright.output.rows import Row
from sitewright.types import Rule
from sitewright.values.as_json import json_of, plain_of

FORMATS = ("jsonl", "csv", "parquet", "markdown")


class Encode(Protocol):
    """Makes of a row what a writer of its format takes; it travels to workers, so it must pickle."""

    def __call__(self, row: Row, /) -> bytes:
        """Return a record or failure as it will stand in the output."""


class Writer(Protocol):
    """Takes rows that are encoded already; what was written stays readable whenever the run ends."""

    def write(self, encoded: bytes) -> None:
        """Write one record or failure."""

    def close(self) -> None:
        """Finish the file."""


class _Stream:
    """A file that is ours to close, or standard output, which is not."""

    def __init__(self, target: str, mode: str = "wb") -> None:
        self._own = target != "-"
        self.file: BinaryIO = cast("BinaryIO", Path(target).open(mode)) if self._own else sys.stdout.buffer

    def close(self) -> None:
        if self._own:
            self.file.close()
        else:
            self.file.flush()


class JsonLines:
    """One JSON object a line."""

    def __init__(self, target: str, *, append: bool = False) -> None:
        """Open the file, or standard output for `-`."""
        self._stream = _Stream(target, "ab" if append else "wb")

    def write(self, encoded: bytes) -> None:
        """Write the line in one call, so that an interrupt leaves no half of it in our buffer."""
        self._stream.file.write(encoded + b"\n")

    def close(self) -> None:
        """Flush and close."""
        self._stream.close()


@dataclass(frozen=True, slots=True)
class CsvRow:
    """Writes a row as a line of CSV; lists are joined by "; ", objects written as JSON."""

    columns: Sequence[str]

    def __call__(self, row: Row, /) -> bytes:
        """Return the line, with its line break."""
        flat = _flat(row)
        return _csv_line([_cell(plain_of(flat.get(column))) for column in self.columns])


class CsvTable:
    """One row a page, below the names of the columns."""

    def __init__(self, target: str, columns: Sequence[str]) -> None:
        """Open the file and write the header."""
        self._stream = _Stream(target)
        self._stream.file.write(_csv_line(columns))

    def write(self, encoded: bytes) -> None:
        """Write a row."""
        self._stream.file.write(encoded)

    def close(self) -> None:
        """Flush and close."""
        self._stream.close()


def parquet_row(row: Row, /) -> bytes:
    """Return a row as the line of JSON that DuckDB reads."""
    return json_of(_flat(row))


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


@dataclass(frozen=True, slots=True)
class MarkdownFile:
    """Makes of a row the name of its file, and below it the text; a failure has no name, and is a line of JSON."""

    domain: str

    def __call__(self, row: Row, /) -> bytes:
        if "error" in row:
            return b"\n" + json_of(row)
        plain = plain_of(row)
        name = _slug(str(plain.get(load_domain(self.domain).heading) or "page"))
        return f"{name}\n{markdown_of(plain, self.domain)}".encode("utf-8", "replace")


class MarkdownFolder:
    """One Markdown file a record, with its facts as front matter; failures go to failures.jsonl beside them."""

    def __init__(self, target: str) -> None:
        if target == "-":
            raise OutputError("Markdown files need a folder; name one with -o")
        self._folder = Path(target)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._failures = (self._folder / "failures.jsonl").open("wb")
        self._count = 0

    def write(self, encoded: bytes) -> None:
        """Write a file, numbered in the order of the pages."""
        self._count += 1
        name, _, text = encoded.partition(b"\n")
        if name:
            (self._folder / f"{self._count:06d}-{name.decode('utf-8')}.md").write_bytes(text)
        else:
            self._failures.write(text + b"\n")

    def close(self) -> None:
        """Close the list of failures, and drop it where there are none."""
        self._failures.close()
        path = self._folder / "failures.jsonl"
        if path.stat().st_size == 0:
            path.unlink()


def encoder_of(kind: str, columns: Mapping[str, str], domain: str = DEFAULT_DOMAIN) -> Encode:
    """Return what makes rows ready for the writer of this format; give both the same columns."""
    known: dict[str, Encode] = {
        "jsonl": json_of,
        "csv": CsvRow(tuple(columns)),
        "parquet": parquet_row,
        "markdown": MarkdownFile(domain),
    }
    return known[kind]


def open_writer(target: str, kind: str, columns: Mapping[str, str], *, append: bool = False) -> Writer:
    """Open a writer of this format for records with these columns (name to type, see `columns_of`)."""
    makers: dict[str, Callable[[], Writer]] = {
        "jsonl": lambda: JsonLines(target, append=append),
        "csv": lambda: CsvTable(target, list(columns)),
        "parquet": lambda: ParquetTable(target, columns),
        "markdown": lambda: MarkdownFolder(target),
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
    rules: Sequence[Rule], domain: Domain, fields: Sequence[str], *, explain: bool = False
) -> dict[str, str]:
    """Return the columns of a table of records made by these rules, in order, with the SQL type of each."""
    columns = {"url": "VARCHAR"}
    for field in fields:
        kinds = {_column_type(rule, domain) for rule in rules if rule.field == field}
        columns[field] = kinds.pop() if len(kinds) == 1 else "JSON"
    columns |= _ABOUT
    return columns | {"id": "VARCHAR", "rules": "MAP(VARCHAR, VARCHAR)"} if explain else columns


def format_of(target: str, others: Mapping[str, str] | None = None) -> str:
    """Tell the format from a file's name; `others` are endings of formats that are not written here.

    >>> format_of("a.csv"), format_of("out.parquet"), format_of("pages/"), format_of("-")
    ('csv', 'parquet', 'markdown', 'jsonl')
    >>> format_of("a.warc.gz", {".warc.gz": "warc"})
    'warc'
    """
    if target == "-":
        return "jsonl"
    if target.endswith("/") or Path(target).is_dir():
        return "markdown"
    for ending, kind in (others or {}).items():
        if target.lower().endswith(ending):
            return kind
    ending = Path(target).suffix.lower()
    if ending not in _ENDINGS:
        known = ", ".join(filter(None, [*_ENDINGS, *(others or {})]))
        raise OutputError(f"{target}: no format ends in {ending}; known are {known} and FOLDER/ (or say --format)")
    return _ENDINGS[ending]


_ENDINGS = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", "": "jsonl", ".csv": "csv", ".parquet": "parquet"}
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
_TYPES = {
    "authors.v1": "VARCHAR[]",
    "list.v1": "VARCHAR[]",
    "image.v1": _PHOTOS,
    "price.v1": "STRUCT(amount DOUBLE, currency VARCHAR)",
    "text.v1": "VARCHAR",
}
"""The column type of a parser's values; those not named here give a text, or with `many` a list of texts."""


def _column_type(rule: Rule, domain: Domain) -> str:
    if rule.fields:
        pictures = rule.many and {inner.field for inner in rule.fields} <= {"url", "caption", "credit"}
        return _PHOTOS if pictures else "JSON"
    parser = rule.parse or domain.parser_of(rule.field)
    if parser == "price.v1" and rule.many:
        return _TYPES[parser] + "[]"
    return _TYPES.get(parser) or ("VARCHAR[]" if rule.many else "VARCHAR")


def _flat(row: Row) -> Row:
    """Spread the error of a failed page over columns of its own."""
    error = row.get("error")
    return {"url": row["url"], "error_code": error["code"], "error_detail": error["detail"]} if error else row


def _cell(value: Any) -> Any:
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return "; ".join(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, (list, dict)) else value


def _csv_line(cells: Sequence[Any]) -> bytes:
    line = StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue().encode("utf-8", "replace")  # half surrogates have no UTF-8


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _slug(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:60] or "page"
