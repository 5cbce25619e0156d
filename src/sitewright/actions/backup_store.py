"""A store and its archive in, a copy of both as they are at one moment out, while collecting goes on."""

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from sitewright.actions.telling import Tell, nobody
from sitewright.errors import InputError, OutputError
from sitewright.store.compaction import keeping_house
from sitewright.store.database import open_store
from sitewright.store.transfer import copy_to_file, count_rows, opened
from sitewright.store.warc import archive_files, whole_file
from sitewright.values.words import counted

DATABASE, PAGES = "sitewright.db", "sitewright-pages"
"""What a copy is called: the names that commands expect in the current folder."""
_BLOCK = 1 << 20


@dataclass(slots=True)
class BackedUp:
    """What was copied, or would be."""

    rows: dict[str, int] = field(default_factory=dict)
    files: dict[str, int] = field(default_factory=dict)
    """Files of the archive that were not in the copy yet, with their bytes."""
    kept: int = 0
    """Files that were in the copy already."""
    missing: list[str] = field(default_factory=list)
    """Files of the archive that are not there, or too short."""
    dropped: int = 0
    """Files that were in the copy, and that the store has no more: what was in them was removed, or lies in others."""


def back_up(address: str, folder: Path, target: Path, *, dry_run: bool = False, tell: Tell = nobody) -> BackedUp:
    """Copy a store to a folder; what is there of an earlier copy is brought up to date.

    The copy is the new one when its database has its name; what only the one before needed is removed after that.
    """
    if target.resolve() == folder.resolve() or (target / PAGES).resolve() == folder.resolve():
        raise InputError(f"{target} is where the store itself is; name another folder")
    if dry_run:
        with opened(address) as engine, open_store(address) as store:
            done = BackedUp(rows=count_rows(engine))
            ends = store.archive_files()
            _copy_files(ends, folder, target / PAGES, done, tell=None)
            done.dropped = len(_of_no_use(ends, folder, target / PAGES))
            return done
    try:
        (target / PAGES).mkdir(parents=True, exist_ok=True)
        with keeping_house(folder):
            return _copied(address, folder, target, tell)
    except OSError as error:
        raise OutputError(f"cannot write to {target}: {error.strerror or error}") from error


def _copied(address: str, folder: Path, target: Path, tell: Tell) -> BackedUp:
    draft, done = target / f".{DATABASE}.draft", BackedUp()
    with opened(address) as source:
        done.rows = copy_to_file(source, draft, lambda table, rows: tell(f"{table}: {counted(rows, 'row')}"))
    with open_store(f"sqlite:///{draft}") as store:
        ends = store.archive_files()
    _copy_files(ends, folder, target / PAGES, done, tell=tell)
    for ending in ("-wal", "-shm"):  # of the copy before
        (target / (DATABASE + ending)).unlink(missing_ok=True)
        (target / (draft.name + ending)).unlink(missing_ok=True)
    draft.replace(target / DATABASE)
    for path in _of_no_use(ends, folder, target / PAGES):
        path.unlink(missing_ok=True)
        done.dropped += 1
    return done


def _of_no_use(ends: Mapping[str, int], folder: Path, target: Path) -> list[Path]:
    """Return the files of a copy that the database names no more, and that are gone from the archive, too."""
    return [path for path in archive_files(target) if path.name not in ends and not (folder / path.name).exists()]


def _copy_files(ends: Mapping[str, int], folder: Path, target: Path, done: BackedUp, tell: Tell | None) -> None:
    """Copy files up to the last page that the database knows: they only ever grow, so the copy goes on from its end."""
    for file, end in ends.items():
        path, copy = folder / file, target / file
        if copy.exists() and copy.stat().st_size >= end:
            done.kept += 1
        elif not path.exists() or path.stat().st_size < end:
            done.missing.append(file)
        else:
            done.files[file] = end
            if tell is not None:
                tell(f"{file}: {end:,} bytes")
                _copy_file(path, copy, end)


def _copy_file(path: Path, copy: Path, end: int) -> None:
    """Copy a file up to a byte; what is in the copy already stays as it is, for the file may be damaged since then."""
    if shutil.disk_usage(copy.parent).free < end:
        raise OutputError(f"{copy.parent}: there is no room for {end:,} bytes")
    known = copy.stat().st_size if copy.exists() else 0
    with whole_file(copy) as target:
        for source, start, stop in ((copy, 0, known), (path, known, end)):
            if start < stop:
                _write_part(source, start, stop, target)


def _write_part(path: Path, start: int, stop: int, target: BinaryIO) -> None:
    with path.open("rb") as source:
        while start < stop:
            block = os.pread(source.fileno(), min(_BLOCK, stop - start), start)
            if not block:
                raise OutputError(f"{path} got shorter meanwhile; run this again")
            target.write(block)
            start += len(block)
