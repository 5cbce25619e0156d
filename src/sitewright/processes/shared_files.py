"""Addresses of files that several machines share in (paths, s3://…), the files here out; and back, each at once."""

import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sitewright.errors import InputError, MissingExtra, OutputError

_DRAFTS = "_drafts"


def is_remote(place: str) -> bool:
    """Tell whether a place is not a path of this machine.

    >>> is_remote("s3://archive/pages.warc.gz"), is_remote("/archive/pages.warc.gz"), is_remote("pages:1")
    (True, False, False)
    """
    return "://" in place


@contextmanager
def here(place: str) -> Iterator[str]:
    """Give the path of a file; one that is elsewhere is copied, and removed at the end."""
    if not is_remote(place):
        yield place
        return
    with tempfile.TemporaryDirectory(prefix="sitewright-") as folder:
        target = Path(folder, place.rpartition("/")[2])
        files, path = _opened(place)
        try:
            with files.open_input_stream(path, compression=None) as source, target.open("wb") as file:
                while block := source.read(1 << 20):
                    file.write(block)
        except OSError as error:
            raise InputError(f"cannot read {place}: {error}") from error
        yield str(target)


def listed(place: str) -> list[str]:
    """Return the files of a folder that is elsewhere (its name ends with /), by name; of any other place itself."""
    if not is_remote(place) or not place.endswith("/"):
        return [place]
    names = SharedFolder(place).names()
    if not names:
        raise InputError(f"there is no file in {place}")
    return [place + name for name in sorted(names)]


class SharedFolder:
    """A folder that all machines write into; a file is there as a whole, or not at all."""

    def __init__(self, place: str) -> None:
        """Keep the place; see `names` and `put`."""
        self.place = place.rstrip("/")

    def names(self) -> set[str]:
        """Return the names of its files; none where there is no such folder."""
        from pyarrow.fs import FileSelector, FileType  # noqa: PLC0415 -- only with the extra

        files, path = _opened(self.place)
        try:
            found = files.get_file_info(FileSelector(path, allow_not_found=True))
        except OSError as error:
            raise OutputError(f"cannot look into {self.place}: {error}") from error
        return {one.base_name for one in found if one.type == FileType.File}

    def put(self, name: str, source: Path) -> None:
        """Write a file, in the place of one of the name."""
        files, path = _opened(self.place)
        draft = f"{path}/{_DRAFTS}/{secrets.token_hex(8)}"
        try:
            files.create_dir(f"{path}/{_DRAFTS}", recursive=True)
            with source.open("rb") as file, files.open_output_stream(draft, compression=None) as target:
                while block := file.read(1 << 20):
                    target.write(block)
            files.move(draft, f"{path}/{name}")
        except OSError as error:
            raise OutputError(f"cannot write {self.place}/{name}: {error}") from error

    def put_text(self, name: str, text: str) -> None:
        """Write a text."""
        with tempfile.NamedTemporaryFile("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            self.put(name, Path(file.name))

    def text(self, name: str) -> str:
        """Return a text; `InputError` where it cannot be read."""
        with here(f"{self.place}/{name}") as path:
            try:
                return Path(path).read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(f"cannot read {self.place}/{name}: {error}") from error

    def drop_drafts(self) -> None:
        """Remove what tasks that were ended left of their files."""
        files, path = _opened(self.place)
        try:
            files.delete_dir_contents(f"{path}/{_DRAFTS}", missing_dir_ok=True)
            if _DRAFTS in {Path(one.path).name for one in _listed(files, path)}:
                files.delete_dir(f"{path}/{_DRAFTS}")
        except OSError as error:
            raise OutputError(f"cannot tidy {self.place}: {error}") from error


def _listed(files: Any, path: str) -> Any:
    from pyarrow.fs import FileSelector  # noqa: PLC0415 -- only with the extra

    return files.get_file_info(FileSelector(path, allow_not_found=True))


def _opened(place: str) -> tuple[Any, str]:
    """Return the file system of a place, and its path there."""
    try:
        from pyarrow.fs import FileSystem, LocalFileSystem  # noqa: PLC0415 -- only with the extra
    except ImportError as error:
        raise MissingExtra(
            "files that machines share need the extra `spark`: pip install 'sitewright[spark]'"
        ) from error
    if not is_remote(place):
        return LocalFileSystem(), str(Path(place).absolute())
    try:
        files, path = FileSystem.from_uri(place)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot reach {place}: {error}") from error
    return files, path
