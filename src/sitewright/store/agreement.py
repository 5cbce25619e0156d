"""A file of the archive and what the database says of it in, where they do not agree out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sitewright.errors import InputError
from sitewright.store.entries import PageLocation, StoredPage
from sitewright.store.parts import Part, parts_of


@dataclass(slots=True)
class FileState:
    """What a file holds."""

    file: str
    bytes: int = 0
    pages: int = 0
    """Whole ones of which the database knows."""
    lost: list[StoredPage] = field(default_factory=list)
    """Pages of which the database knows, and that cannot be read."""
    gaps: list[Part] = field(default_factory=list)
    """Damaged places of which the database says nothing."""
    spare: list[PageLocation] = field(default_factory=list)
    """Whole pages of which the database says nothing: whoever fetched them was killed, or their site is gone."""


def compare(path: Path, rows: Sequence[StoredPage]) -> FileState:
    """Read a file to its last byte, beside the pages that should lie in it."""
    state = FileState(path.name)
    known = {row.location.offset: row for row in rows}
    whole: set[int] = set()
    damaged: list[Part] = []
    for part in parts_of(path) if path.exists() else ():
        state.bytes += part.location.length
        if part.fault:
            damaged.append(part)
        elif part.page is not None:
            row = known.get(part.location.offset)
            if row is None:
                state.spare.append(part.location)
            elif row.location == part.location:
                whole.add(part.location.offset)
    state.pages = len(whole)
    state.lost = [row for row in rows if row.location.offset not in whole]
    state.gaps = [part for part in damaged if not any(_holds(part, row) for row in state.lost)]
    return state


def check_folder(files: Collection[str], folder: Path) -> None:
    """Raise `InputError` for a folder that has none of the files which a database names: another one is meant."""
    if files and not any((folder / file).exists() for file in files):
        raise InputError(f"none of the files that the database names is in {folder}; name it with --pages")


def lacking(files: Mapping[str, int], folder: Path, *, alone: bool = True) -> list[str]:
    """Return in words which of these files are not there, or end before their last page; it costs next to nothing.

    Not `alone`: other machines may have folders of their own, where the files are that are not in this one.
    """
    found = []
    for file, end in files.items():
        path = folder / file
        if not path.exists():
            found += [f"{path} is not there"] if alone else []
        elif (size := path.stat().st_size) < end:
            found.append(f"{path} ends at byte {size:,}, but its last page at {end:,}")
    return found


def _holds(part: Part, row: StoredPage) -> bool:
    start, end = part.location.offset, part.location.offset + part.location.length
    return start <= row.location.offset < end
