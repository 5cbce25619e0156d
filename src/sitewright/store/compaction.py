"""Files of the archive in, from which pages were dropped; files without these pages out. It may be killed at any point.

What is to be done is written to a list first, `.compacting`, and crossed out when it is done: whatever is interrupted
is begun again from what the database says then, into the same new file.
"""

import fcntl
import os
import re
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson

from sitewright.errors import InputError, StoreError
from sitewright.store.database import Store
from sitewright.store.entries import PageLocation
from sitewright.store.warc import claimed_file, info_member, whole_file

_LIST, _LOCK = ".compacting", ".housekeeping"
_OWN_PART = re.compile(r"-[0-9a-f]{8}(?=\.warc\.gz$)")


@contextmanager
def keeping_house(folder: Path) -> Iterator[None]:
    """Be the only one who copies or compacts an archive; who comes second is told."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        raise InputError(f"another process copies or compacts {folder}; wait until it is done") from error
    finally:
        os.close(descriptor)


def plan(folder: Path, files: Iterable[str]) -> None:
    """Write down that pages go from these files, before any does."""
    planned = planned_files(folder)
    for file in files:
        planned.setdefault(file, _new_name(file))
    _save(folder, planned)


def planned_files(folder: Path) -> dict[str, str]:
    """Return the files that are to be compacted, and into which."""
    try:
        return dict(orjson.loads((folder / _LIST).read_bytes()))
    except FileNotFoundError:
        return {}
    except orjson.JSONDecodeError as error:
        raise StoreError(
            f"{folder / _LIST} is damaged; remove it, what is not compacted then stays as it is"
        ) from error


def compact(store: Store, folder: Path, file: str) -> int | None:
    """Write a planned file anew with the pages that are left in it; return the bytes that are saved.

    None where another process writes to it: it stays planned.
    """
    path, new = folder / file, folder / planned_files(folder)[file]
    with claimed_file(path) as is_claimed:
        if not is_claimed:
            return None
        before = path.stat().st_size if path.exists() else 0
        moved = _rewritten(path, new, [page.location for page in store.pages_in(file)]) if before else []
        if moved:
            store.move_pages(moved)
        path.unlink(missing_ok=True)
    planned = planned_files(folder)
    del planned[file]
    _save(folder, planned)
    return before - (new.stat().st_size if new.exists() else 0)


def _rewritten(path: Path, new: Path, places: list[PageLocation]) -> list[tuple[PageLocation, PageLocation]]:
    """Copy pages as they are, damaged or not, to a new file; return from where to where."""
    if not places:
        return []
    if places[-1].offset + places[-1].length > path.stat().st_size:
        raise StoreError(f"{path} has lost pages; run: sitewright store check")
    moved = []
    with whole_file(new) as target, path.open("rb") as source:
        offset = target.write(info_member(new.name))
        for place in places:
            target.write(os.pread(source.fileno(), place.length, place.offset))
            moved.append((place, PageLocation(new.name, offset, place.length, place.digest)))
            offset += place.length
    return moved


def _new_name(file: str) -> str:
    """Return a name that sorts where the old one did."""
    own = f"-{uuid.uuid4().hex[:8]}"
    return _OWN_PART.sub(own, file) if _OWN_PART.search(file) else file.replace(".warc.gz", f"{own}.warc.gz")


def _save(folder: Path, planned: dict[str, str]) -> None:
    if planned:
        with whole_file(folder / _LIST) as file:
            file.write(orjson.dumps(planned))
    else:
        (folder / _LIST).unlink(missing_ok=True)
