"""Pages in, WARC files out, and any page back from where it lies."""

import fcntl
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from sitewright.errors import StoreError
from sitewright.store.entries import PageLocation
from sitewright.store.members import gaps_and_end, pack, unpack
from sitewright.store.warc_record import info_record, page_of, record_of
from sitewright.types import Page

ROLL_BYTES = 1_000_000_000
"""What the WARC standard recommends."""
_SUFFIX = ".warc.gz"
_MARK = ".unfinished"


@dataclass(frozen=True, slots=True)
class PackedPage:
    """The record of a page, compressed, and the digest of the page's body."""

    member: bytes
    digest: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Bytes of a file that are no page any more; those before and behind them are."""

    file: str
    offset: int
    length: int


def pack_page(page: Page) -> PackedPage:
    """Compress a page for the archive, which is most of the work and may be done in another process."""
    record, digest = record_of(page)
    return PackedPage(pack(record), digest)


class WarcStore:
    """A folder of WARC files. Each process opens its own; several may write to one folder, each to its own file.

    Beside a file that is not full yet lies a mark, `NAME.warc.gz.unfinished`, locked by the process that writes to it.
    """

    def __init__(
        self, folder: str | Path, *, roll_bytes: int = ROLL_BYTES, ends: Mapping[str, int] | None = None
    ) -> None:
        """Open the folder, making it where there is none, and cut off what killed processes left half written.

        `ends` says where the last page of files ends that the database knows: nothing before it is cut off, and a file
        that is shorter has lost some, and is not written to, or new pages would lie where the lost ones did.
        """
        self._folder = Path(folder)
        self._roll_bytes = roll_bytes
        self._ends = ends or {}
        self._file: _Unfinished | None = None
        self.gaps: list[Gap] = []
        """What is damaged in files that are not full; `sitewright store check` looks at all, and closer."""
        with _told(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            for found in _unfinished_in(self._folder, self._ends):
                self.gaps += found.gaps
                found.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
        """Write pages and wait once for the disk; all of them are written, or none."""
        return self.append_packed([pack_page(page) for page in pages])

    def append_packed(self, packed: Sequence[PackedPage]) -> list[PageLocation]:
        """Write pages that `pack_page` compressed and wait once for the disk; all of them are written, or none."""
        if not packed:
            return []
        with _told(self._folder):
            file = self._writable()
            places = file.append([page.member for page in packed])
        return [
            PageLocation(file.path.name, offset, length, page.digest)
            for (offset, length), page in zip(places, packed, strict=True)
        ]

    def read(self, location: PageLocation) -> Page:
        """Return the page that lies there; `StoreError` where it is gone or damaged."""
        return read_page(self._folder, location)

    def copy(self, locations: Iterable[PageLocation], target: Path) -> None:
        """Write the pages that lie there to one WARC file, as they are; it has its name when it is whole."""
        copy_pages(self._folder, locations, target)

    def files(self) -> list[Path]:
        """Return the WARC files, the oldest first."""
        return archive_files(self._folder)

    def _writable(self) -> "_Unfinished":
        """Return the file to write to: the one at hand, one that nobody writes to, or a new one."""
        if self._file is not None and self._file.size >= self._roll_bytes:
            self._file.finish()
            self._file = None
        if self._file is None:
            self._file = self._claimed() or _new_file(self._folder)
        if self._file.size == 0:
            self._file.append([info_member(self._file.path.name)])
        return self._file

    def _claimed(self) -> "_Unfinished | None":
        kept: _Unfinished | None = None
        for found in _unfinished_in(self._folder, self._ends):
            if found.size >= self._roll_bytes or found.size < self._ends.get(found.path.name, 0):
                found.finish()
            elif kept is None:
                kept = found
            else:
                found.close()
        return kept


def archive_files(folder: str | Path) -> list[Path]:
    """Return the WARC files of a folder, the oldest first."""
    return sorted(Path(folder).glob(f"*{_SUFFIX}"))


def read_page(folder: str | Path, location: PageLocation) -> Page:
    """Return the page that lies there, for those who only read; `StoreError` where it is gone or damaged."""
    member = _member(Path(folder), location)
    try:
        return page_of(unpack(member), location.digest)
    except ValueError as error:
        raise _damaged(Path(folder), location, str(error)) from error


def copy_pages(
    folder: str | Path,
    locations: Iterable[PageLocation],
    target: Path,
    left_out: Callable[[StoreError], None] | None = None,
) -> None:
    """Write the pages that lie there to one WARC file, as they are; it has its name when it is whole.

    A page that is gone or damaged raises `StoreError`, or is told to `left_out` and left out.
    """
    with whole_file(target) as file:
        file.write(info_member(target.name))
        for location in locations:
            try:
                member = _whole_member(Path(folder), location)
            except StoreError as error:
                if left_out is None:
                    raise
                left_out(error)
            else:
                file.write(member)


def _whole_member(folder: Path, location: PageLocation) -> bytes:
    member = _member(folder, location)
    try:
        unpack(member)
    except ValueError as error:
        raise _damaged(folder, location, str(error)) from error
    return member


def _member(folder: Path, location: PageLocation) -> bytes:
    path = folder / location.file
    if path.parent != folder:
        raise StoreError(f"{location.file}: not a file of {folder}")
    with _told(path), path.open("rb") as file:
        return os.pread(file.fileno(), location.length, location.offset)


def _damaged(folder: Path, location: PageLocation, told: str) -> StoreError:
    return StoreError(f"{folder / location.file}: the record at byte {location.offset:,} is damaged: {told}")


class _Unfinished:
    """A file that is written to, and the lock on its mark."""

    def __init__(self, path: Path, lock: int, known_end: int = 0) -> None:
        """Open the file, and cut off a torn record at its end; what is damaged otherwise stays."""
        self.path = path
        self._lock = lock
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        damaged, self.size = gaps_and_end(self._descriptor, known_end)
        self.gaps = [Gap(path.name, span.offset, span.length) for span in damaged]
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


@contextmanager
def claimed_file(path: Path) -> Iterator[bool]:
    """Hold a file, so that nobody writes to it, and take its mark away in the end; False where somebody does."""
    mark = _mark_of(path)
    lock = _locked(mark)
    if lock is None:
        yield not mark.exists()
        return
    try:
        yield True
        mark.unlink(missing_ok=True)
    finally:
        os.close(lock)


def info_member(file: str) -> bytes:
    """Return the member that a file begins with: who wrote it."""
    return pack(info_record(file, datetime.now(UTC), f"sitewright {version('sitewright')}"))


def _unfinished_in(folder: Path, ends: Mapping[str, int]) -> Iterator[_Unfinished]:
    """Yield the files that are not full and that nobody writes to, mended and locked."""
    for mark in sorted(folder.glob(f"*{_SUFFIX}{_MARK}")):
        lock = _locked(mark)
        if lock is None:
            continue
        if (path := mark.with_suffix("")).exists():
            yield _Unfinished(path, lock, ends.get(path.name, 0))
        else:  # its file is gone, and must not begin anew: the database may still speak of what lay in it
            mark.unlink()
            os.close(lock)


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
def whole_file(target: Path) -> Iterator[BinaryIO]:
    """Open a file that gets its name when all is on the disk, and that is gone where that fails."""
    draft = target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}")
    with _told(target), draft.open("xb") as file:
        try:
            yield file
            file.flush()
            os.fsync(file.fileno())
            draft.replace(target)
            _sync_folder(target.absolute().parent)
        except BaseException:
            draft.unlink()
            raise


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path}: the archive of pages cannot be used: {error.strerror or error}") from error
