"""A file, folder or stream of stored pages in, the places of its pages out.

A place is small and loads its Page anywhere. Readers run in one process and the pages are worked on in others, so
what travels between them matters: for a plain file only offsets do, and each worker reads its own lines.
"""

import codecs
import gzip
import json
import lzma
import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

import orjson

from sitewright.errors import BadPageLine, InputError, SitewrightError, UnknownFormat
from sitewright.types import Page

if TYPE_CHECKING:
    from fastwarc import WarcRecord

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".shtml")
LINE_SUFFIXES = (".jsonl", ".ndjson", ".json")
WARC_SUFFIXES = (".warc",)
PARQUET_SUFFIX = ".parquet"
FORMATS = (
    "JSONL (.jsonl, .gz and .xz of it), WARC (.warc, .warc.gz), Parquet, a folder of HTML files, an HTML file, "
    "- for stdin"
)
_BLOCK = 1 << 20
_FIRST_YEAR, _LAST_YEAR = 1990, 2100
"""A page that says it was fetched outside of these years is mistaken."""
_SHORT = 64
"""Only lines this short are looked at for being blank."""


class Place(Protocol):
    """Where a stored page is. Places are tuples, because they travel between processes and pickle twice as fast."""

    @property
    def size(self) -> int:
        """About how many bytes the page has."""

    @property
    def name(self) -> str:
        """What to call the page while its URL is not known."""

    def load(self) -> Page:
        """Read the page; `InputError` where that is not possible."""


class LinePlace(NamedTuple):
    """A line of a plain file, by offset: the worker reads it itself."""

    path: str
    changed: int
    number: int
    offset: int
    size: int

    @property
    def name(self) -> str:
        return f"{self.path}:{self.number}"

    def load(self) -> Page:
        return page_from_line(_last_file.read(self.path, self.changed, self.offset, self.size), self.name)


class TextPlace(NamedTuple):
    """A line of a stream or of a compressed file, carried along."""

    source: str
    number: int
    line: bytes

    @property
    def size(self) -> int:
        return len(self.line)

    @property
    def name(self) -> str:
        return f"{self.source}:{self.number}"

    def load(self) -> Page:
        return page_from_line(self.line, self.name)


class FilePlace(NamedTuple):
    """An HTML file; its URL is the file's own."""

    name: str
    size: int

    def load(self) -> Page:
        path = Path(self.name)
        try:
            return Page(url=path.absolute().as_uri(), body=path.read_bytes())
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from error


class PagePlace(NamedTuple):
    """A page that is in memory already, as records of web archives are."""

    page: Page

    @property
    def size(self) -> int:
        return len(self.page.body)

    @property
    def name(self) -> str:
        return self.page.url

    def load(self) -> Page:
        return self.page


class FailedPlace(NamedTuple):
    """A page that could not be had, and why."""

    name: str
    error: SitewrightError

    @property
    def size(self) -> int:
        return 0

    def load(self) -> Page:
        raise self.error


class Archive(Protocol):
    """Stored pages, in order, and how much of them has been read."""

    def places(self) -> Iterator[Place]:
        """Yield the places of the pages, in order."""

    def progress(self) -> float | None:
        """Return the share read so far, 0 to 1, or None where the end is not known."""


class LineFile:
    """A plain JSONL file, or a part of it that begins and ends with a line."""

    def __init__(self, path: Path, first: int = 0, beyond: int | None = None, lines_before: int = 0) -> None:
        self._path = path
        status = path.stat()
        self._changed = status.st_mtime_ns
        self._first, self._beyond = first, status.st_size if beyond is None else beyond
        self._lines_before = lines_before
        self._read = first

    def places(self) -> Iterator[Place]:
        path, changed, start = str(self._path), self._changed, self._first
        for number, end in enumerate(self.line_ends(), self._lines_before + 1):
            if end - start > _SHORT or not self._is_blank(start, end):
                yield LinePlace(path, changed, number, start, end - start)
            start = self._read = end

    def line_ends(self) -> Iterator[int]:
        """Yield the offset behind each line; blocks are searched where they lie, no line is copied."""
        offset = end = self._first
        with self._path.open("rb", buffering=0) as file:
            file.seek(offset)
            while block := file.read(min(_BLOCK, self._beyond - offset)):
                found = block.find(b"\n")
                while found >= 0:
                    end = offset + found + 1
                    yield end
                    found = block.find(b"\n", found + 1)
                offset += len(block)
        if end < offset:  # no line break at the end of the file
            yield offset

    def _is_blank(self, start: int, end: int) -> bool:
        return _last_file.read(str(self._path), self._changed, start, end - start).isspace()

    def progress(self) -> float | None:
        size = self._beyond - self._first
        return (self._read - self._first) / size if size else 1.0


class LineStream:
    """JSONL from standard input, or one page of HTML."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        """Read from `stream`, which stays open."""
        self._stream = stream
        self._name = name

    def places(self) -> Iterator[Place]:
        lines = iter(self._stream)
        first = next((line for line in lines if not line.isspace()), b"")
        if _is_markup(first):
            return iter([PagePlace(Page(url="", body=b"".join([first, *lines])))])
        return _text_places(chain([first] if first else [], lines), self._name)

    def progress(self) -> float | None:
        return None


class CompressedLines:
    """JSONL in a .gz or .xz file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = path.stat().st_size
        self._read = 0

    def places(self) -> Iterator[Place]:
        unpack = gzip.open if self._path.suffix.lower() == ".gz" else lzma.open
        with self._path.open("rb") as raw, unpack(raw) as lines:
            for place in _text_places(lines, str(self._path)):
                self._read = raw.tell()
                yield place

    def progress(self) -> float | None:
        return self._read / self._size if self._size else 1.0


def _text_places(lines: Iterable[bytes], name: str) -> Iterator[Place]:
    try:
        for number, line in enumerate(lines, 1):
            if not line.isspace():
                yield TextPlace(name, number, line)
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"{name} cannot be read to its end: {error}") from error


class Folder:
    """A folder of HTML files, by name, or some of them."""

    def __init__(self, path: Path, first: int = 0, beyond: int | None = None) -> None:
        files = sorted(file for file in path.rglob("*") if file.suffix.lower() in PAGE_SUFFIXES and file.is_file())
        if not files:
            raise InputError(f"{path} holds no HTML files ({', '.join(PAGE_SUFFIXES)})")
        self.count = len(files)
        self._files = files[first:beyond]
        self._read = 0

    def places(self) -> Iterator[Place]:
        for file in self._files:
            self._read += 1
            yield _file_place(file)

    def progress(self) -> float | None:
        return self._read / max(len(self._files), 1)


class SingleFile:
    """One HTML file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def places(self) -> Iterator[Place]:
        yield _file_place(self._path)

    def progress(self) -> float | None:
        return 1.0


class WarcFile:
    """The HTML responses of a web archive."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._size = path.stat().st_size
        self._read = 0

    def places(self) -> Iterator[Place]:
        """Yield the pages of response and resource records that are HTML; redirects are none."""
        from fastwarc import ArchiveIterator, WarcRecordType  # noqa: PLC0415 -- only who reads WARC pays for it

        wanted = WarcRecordType.response | WarcRecordType.resource
        try:
            with self._path.open("rb") as file:
                for record in ArchiveIterator(file, record_types=wanted, auto_decode="all"):
                    self._read = file.tell()
                    if page := _page_of_record(record):
                        yield PagePlace(page)
        except (OSError, EOFError, ValueError) as error:
            raise InputError(f"{self._path} cannot be read to its end: {error}") from error

    def progress(self) -> float | None:
        return self._read / self._size if self._size else 1.0


def _page_of_record(record: "WarcRecord") -> Page | None:
    """Return the page of a record, or None where it holds something else."""
    if record.http_headers is None:
        return _page_of_resource(record)
    headers = dict(reversed(list(record.http_headers.items())))  # of several of one name the first; not all are ASCII
    status = record.http_headers.status_code or 200
    if not _is_html(record.http_content_type) or 300 <= status < 400:
        return None
    return _stored_page(record, _whole_body(record, headers), headers, status)


def _page_of_resource(record: "WarcRecord") -> Page | None:
    """Return the page of a record without HTTP headers: a resource, or what is left of a response cut at its start."""
    stated = record.headers.get("Content-Type")
    if (stated or "").startswith("application/http"):
        _whole_body(record, {})  # raises where the archive ends here
        return None
    return _stored_page(record, _whole_body(record, {}), {}, 200) if _is_html(stated) else None


def _is_html(content_type: str | None) -> bool:
    return "html" in (content_type or "text/html").lower()


def _stored_page(record: "WarcRecord", body: bytes, headers: Mapping[str, str], status: int) -> Page:
    url = (record.headers.get("WARC-Target-URI") or "").strip("<>")
    return Page(url=url, body=body, status=status, headers=headers, fetched_at=record.record_date)


def _whole_body(record: "WarcRecord", headers: Mapping[str, str]) -> bytes:
    """Read a record's body; `InputError` where the archive ends before it does."""
    promised = record.content_length
    body = record.reader.read()
    encoded = any(name.lower() in {"content-encoding", "transfer-encoding"} for name in headers)
    if (promised > 0 and not body) or (not encoded and len(body) < promised):
        raise InputError(f"the archive ends in the middle of a record, at byte {record.stream_pos:,}")
    return body


def _file_place(path: Path) -> FilePlace:
    try:
        return FilePlace(str(path), path.stat().st_size)
    except OSError:  # it went away; reading it will say so
        return FilePlace(str(path), 0)


def open_archive(source: str) -> Archive:
    """Open stored pages by path, or `-` for standard input."""
    if source == "-":
        return LineStream(sys.stdin.buffer, "standard input")
    path = Path(source)
    if path.is_dir():
        return Folder(path)
    if source.startswith(("http://", "https://")):
        raise InputError(f"{source}: this command reads stored pages; `extract`, `map` and `links` fetch")
    if not path.exists():
        raise InputError(f"there is no {source}")
    try:
        return _open_file(path)
    except OSError as error:
        raise InputError(f"cannot read {source}: {error.strerror or error}") from error


def _open_file(path: Path) -> Archive:
    if not path.is_file():  # a named pipe
        return LineStream(path.open("rb"), str(path))
    name = path.name.lower()
    bare = name.removesuffix(".gz").removesuffix(".xz")
    if bare.endswith(WARC_SUFFIXES):
        return WarcFile(path)
    if bare != name and bare.endswith(LINE_SUFFIXES):
        return CompressedLines(path)
    if name.endswith(PARQUET_SUFFIX):
        from sitewright.fetch.parquet_pages import ParquetPages  # noqa: PLC0415 -- it rests on this module

        return ParquetPages(path)
    if bare != name or not bare.endswith((*PAGE_SUFFIXES, *LINE_SUFFIXES)):
        return _guessed(path)
    return SingleFile(path) if bare.endswith(PAGE_SUFFIXES) or _is_markup(_beginning(path)) else LineFile(path)


def _guessed(path: Path) -> Archive:
    """Open a file whose name says nothing: what it begins with tells what it is."""
    beginning = _beginning(path)
    if _is_markup(beginning):
        return SingleFile(path)
    if beginning.startswith(b"{"):
        return LineFile(path)
    if not beginning:
        raise InputError(f"{path} is empty; expected {FORMATS}")
    raise UnknownFormat(f"{path}: not a kind of page file; expected {FORMATS}")


def _beginning(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_SHORT).removeprefix(codecs.BOM_UTF8).lstrip()


def _is_markup(text: bytes) -> bool:
    return text.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"<")


class _LastFile:
    """Reads from files by offset and keeps the last one open, so that a process opens each of its inputs once.

    Mapping it into memory would save a copy, but what was read would stay in the process's books.
    """

    def __init__(self) -> None:
        self._key: tuple[str, int] | None = None
        self._descriptor = -1

    def read(self, path: str, changed: int, offset: int, size: int) -> bytes:
        """Return `size` bytes from `offset`; `changed` tells a file from one that took its place."""
        try:
            if self._key != (path, changed):
                if self._key is not None:
                    os.close(self._descriptor)
                self._key = None
                self._descriptor = os.open(path, os.O_RDONLY)
                self._key = (path, changed)
            return os.pread(self._descriptor, size, offset)
        except OSError as error:
            raise InputError(f"cannot read {path}: {error.strerror or error}") from error


_last_file = _LastFile()


def page_from_line(line: bytes, name: str) -> Page:
    """Read a page from a line `{"url", "html", "time"?}`.

    >>> page_from_line(b'{"url": "https://example.com/", "html": "<h1>Hi</h1>"}', "pages.jsonl:1").body
    '<h1>Hi</h1>'
    """
    row = _row(line, name)
    body = row.get("html")
    if not isinstance(body, str):
        raise BadPageLine(f'{name}: expected {{"url": …, "html": …}}, found no "html" text')
    url = row.get("url")
    headers = row.get("headers")
    return Page(
        url=url if isinstance(url, str) else "",
        body=body,
        headers={str(key): str(value) for key, value in headers.items()} if isinstance(headers, dict) else {},
        fetched_at=moment_of(row.get("time")),
    )


def _row(line: bytes, name: str) -> dict[str, object]:
    try:
        row = orjson.loads(line)
    except orjson.JSONDecodeError:
        row = _lenient_row(line, name)
    if not isinstance(row, dict):
        raise BadPageLine(f"{name}: expected an object, found {type(row).__name__}")
    return row


def _lenient_row(line: bytes, name: str) -> object:
    """Read what strict JSON refuses but pages hold: half surrogates, NaN, stray bytes."""
    try:
        row = json.loads(line.decode("utf-8-sig", "replace"))
        return json.loads(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        raise BadPageLine(f"{name}: not JSON: {error}") from error


def moment_of(value: object) -> datetime | None:
    """Read the time of a stored page; one that cannot be read, or is from before or long after the web, is unknown."""
    moment: datetime | None
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            moment = datetime.fromisoformat(str(value)) if value else None
    except (ValueError, OSError, OverflowError):
        return None
    if moment is None or not _FIRST_YEAR <= moment.year < _LAST_YEAR:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
