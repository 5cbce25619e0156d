"""Lines of JSON records in, a file of them out: JSONL, CSV, Parquet, or a folder of Markdown."""

import csv
import json
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import orjson

from sitewright.domains import Domain
from sitewright.errors import OutputError
from sitewright.output.markdown import markdown_of
from sitewright.output.rows import Row
from sitewright.types import Rule

FORMATS = ("jsonl", "csv", "parquet", "markdown")


class Writer(Protocol):
    """Takes finished lines; what was written stays readable whenever the run ends."""

    def write(self, line: bytes) -> None:
        """Write one record or failure (JSON without its line break)."""

    def close(self) -> None:
        """Finish the file."""


class JsonLines:
    """One JSON object a line."""

    def __init__(self, target: str, *, append: bool = False) -> None:
        """Open the file, or standard output for `-`."""
        self._own = target != "-"
        self._file: BinaryIO = Path(target).open("ab" if append else "wb") if self._own else sys.stdout.buffer

    def write(self, line: bytes) -> None:
        """Write the line in one call, so that an interrupt leaves no half of it in our buffer."""
        self._file.write(line + b"\n")

    def close(self) -> None:
        """Flush and close."""
        if self._own:
            self._file.close()
        else:
            self._file.flush()  # standard output is not ours to close


class CsvTable:
    """One row a page; lists are joined by "; ", objects written as JSON."""

    def __init__(self, target: str, columns: Sequence[str]) -> None:
        """Open the file and write the header."""
        self._own = target != "-"
        self._file = Path(target).open("w", encoding="utf-8", newline="") if self._own else _text_stdout()
        self._columns = columns
        self._csv = csv.writer(self._file)
        self._csv.writerow(columns)

    def write(self, line: bytes) -> None:
        """Write a row."""
        row = _flat(orjson.loads(line))
        self._csv.writerow([_cell(row.get(column)) for column in self._columns])

    def close(self) -> None:
        """Flush and close."""
        if self._own:
            self._file.close()
        else:
            self._file.flush()
            self._file.detach()


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

    def write(self, line: bytes) -> None:
        """Collect a row."""
        self._lines.write(orjson.dumps(_flat(orjson.loads(line))) + b"\n")

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


class MarkdownFolder:
    """One Markdown file a record, with its facts as front matter; failures go to failures.jsonl beside them."""

    def __init__(self, target: str) -> None:
        """Make the folder."""
        if target == "-":
            raise OutputError("Markdown files need a folder; name one with -o")
        self._folder = Path(target)
        self._folder.mkdir(parents=True, exist_ok=True)
        self._failures = (self._folder / "failures.jsonl").open("wb")
        self._count = 0

    def write(self, line: bytes) -> None:
        """Write a file."""
        self._count += 1
        row = orjson.loads(line)
        if "error" in row:
            self._failures.write(line + b"\n")
            return
        name = f"{self._count:06d}-{_slug(str(row.get('title') or row.get('name') or 'page'))}.md"
        (self._folder / name).write_text(markdown_of(row), encoding="utf-8")

    def close(self) -> None:
        """Close the list of failures, and drop it where there are none."""
        self._failures.close()
        path = self._folder / "failures.jsonl"
        if path.stat().st_size == 0:
            path.unlink()


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


def _text_stdout() -> TextIOWrapper:
    return TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="", write_through=True)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _slug(title: str) -> str:
    return re.sub(r"[^\w]+", "-", title.lower()).strip("-")[:60] or "page"
