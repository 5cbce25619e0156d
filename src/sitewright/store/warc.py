"""Pages in, WARC files out, and any page back from where it lies."""

import fcntl
import os
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Self

from sitewright.errors import StoreError
from sitewright.store.entries import PageLocation
from sitewright.store.members import pack, unpack, whole_bytes
from sitewright.store.warc_record import info_record, page_of, record_of
from sitewright.types import Page

ROLL_BYTES = 1_000_000_000
"""What the WARC standard recommends."""
_SUFFIX = ".warc.gz"
_MARK = ".unfinished"


class WarcStore:
    """A folder of WARC files. Each process opens its own; several may write to one folder, each to its own file.

    Beside a file that is not full yet lies a mark, `NAME.warc.gz.unfinished`, locked by the process that writes to it.
    """

    def __init__(self, folder: str | Path, *, roll_bytes: int = ROLL_BYTES) -> None:
        """Open the folder, making it where there is none, and cut off what killed processes left half written."""
        self._folder = Path(folder)
        self._roll_bytes = roll_bytes
        self._file: _Unfinished | None = None
        with _told(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            for found in _unfinished_in(self._folder):
                found.close()

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        self.close()

    def close(self) -> None:
        """Let go of the file; the next one to write goes on with it."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def append(self, page: Page) -> PageLocation:
        """Write a page; when this returns, it is on the disk."""
        return self.append_all([page])[0]

    def append_all(self, pages: Sequence[Page]) -> list[PageLocation]:
        """Write pages and wait once for the disk, which is most of the cost; all of them are written, or none."""
        if not pages:
            return []
        records = [record_of(page) for page in pages]
        with _told(self._folder):
            file = self._writable()
            places = file.append([pack(content) for content, _ in records])
        return [
            PageLocation(file.path.name, offset, length, digest)
            for (offset, length), (_, digest) in zip(places, records, strict=True)
        ]

    def read(self, location: PageLocation) -> Page:
        """Return the page that lies there; `StoreError` where it is gone or damaged."""
        path = self._folder / location.file
        if path.parent != self._folder:
            raise StoreError(f"{location.file}: not a file of {self._folder}")
        with _told(path), path.open("rb") as file:
            member = os.pread(file.fileno(), location.length, location.offset)
        try:
            return page_of(unpack(member), location.digest)
        except ValueError as error:
            raise StoreError(f"{path}: the record at byte {location.offset:,} is damaged: {error}") from error

    def files(self) -> list[Path]:
        """Return the WARC files, the oldest first."""
        return sorted(self._folder.glob(f"*{_SUFFIX}"))

    def _writable(self) -> "_Unfinished":
        """Return the file to write to: the one at hand, one that nobody writes to, or a new one."""
        if self._file is not None and self._file.size >= self._roll_bytes:
            self._file.finish()
            self._file = None
        if self._file is None:
            self._file = self._claimed() or _new_file(self._folder)
        if self._file.size == 0:
            about = info_record(self._file.path.name, datetime.now(UTC), f"sitewright {version('sitewright')}")
            self._file.append([pack(about)])
        return self._file

    def _claimed(self) -> "_Unfinished | None":
        kept: _Unfinished | None = None
        for found in _unfinished_in(self._folder):
            if found.size >= self._roll_bytes:
                found.finish()
            elif kept is None:
                kept = found
            else:
                found.close()
        return kept


class _Unfinished:
    """A file that is written to, and the lock on its mark."""

    def __init__(self, path: Path, lock: int) -> None:
        """Open the file, and cut off a torn record at its end."""
        self.path = path
        self._lock = lock
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        self.size = whole_bytes(self._descriptor)
        if self.size < os.fstat(self._descriptor).st_size:
            os.ftruncate(self._descriptor, self.size)

    def append(self, members: Sequence[bytes]) -> list[tuple[int, int]]:
        """Write members at the end and wait for the disk; return offset and length of each."""
        offset = self.size
        places = []
        for member in members:
            places.append((offset, len(member)))
            offset += len(member)
        try:
            _write(self._descriptor, b"".join(members), self.size)
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, self.size)
            raise
        self.size = offset
        return places

    def finish(self) -> None:
        """Mark the file as full: nobody writes to it or looks for torn records in it again."""
        _mark_of(self.path).unlink()
        self.close()

    def close(self) -> None:
        """Close the file and let go of the lock."""
        os.close(self._descriptor)
        os.close(self._lock)


def _unfinished_in(folder: Path) -> Iterator[_Unfinished]:
    """Yield the files that are not full and that nobody writes to, mended and locked."""
    for mark in sorted(folder.glob(f"*{_SUFFIX}{_MARK}")):
        lock = _locked(mark)
        if lock is not None:
            yield _Unfinished(mark.with_suffix(""), lock)


def _new_file(folder: Path) -> _Unfinished:
    """Make a file, whose mark is locked before others can see it."""
    path = folder / f"pages-{datetime.now(UTC):%Y%m%d%H%M%S%f}-{uuid.uuid4().hex[:8]}{_SUFFIX}"
    draft = folder / f".{path.name}"
    lock = os.open(draft, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o644)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    draft.rename(_mark_of(path))
    file = _Unfinished(path, lock)
    _sync_folder(folder)
    return file


def _locked(mark: Path) -> int | None:
    """Lock a mark; None where another process holds it, or finished its file meanwhile."""
    try:
        descriptor = os.open(mark, os.O_RDWR)
    except FileNotFoundError:
        return None
    with suppress(BlockingIOError):
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(descriptor).st_nlink:
            return descriptor
    os.close(descriptor)
    return None


def _mark_of(path: Path) -> Path:
    return path.with_name(path.name + _MARK)


def _write(descriptor: int, content: bytes, offset: int) -> None:
    view = memoryview(content)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view = view[written:]
        offset += written


def _sync_folder(folder: Path) -> None:
    """Have the name of a new file on the disk, too."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: the archive of pages cannot be used: {error.strerror or error}") from error
