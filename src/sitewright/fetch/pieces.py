"""Files of pages in, pieces of them out that can be read by themselves, each by another process, in the same order."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from sitewright.fetch.archive import Archive, Folder, LineFile, open_archive
from sitewright.fetch.parquet_pages import ParquetPages, row_groups

PIECE_BYTES = 32_000_000
"""A piece of lines is that large: some 400 pages of news, half a minute of a core without a map."""
_PIECE_FILES = 400


class Piece(NamedTuple):
    """A part of a file (bytes of lines, rows of Parquet) or folder (files); without an end, all of it."""

    source: str
    first: int = 0
    beyond: int | None = None
    lines_before: int = 0


def pieces_of(source: str) -> Iterator[Piece]:
    """Yield the pieces of a file or folder; compressed files and web archives are one each."""
    archive = open_archive(source)
    if isinstance(archive, LineFile):
        yield from _of_lines(source)
    elif isinstance(archive, ParquetPages):
        ends = [0]
        for rows in row_groups(Path(source)):
            ends.append(ends[-1] + rows)
        yield from (Piece(source, first, beyond) for first, beyond in pairwise(ends))
    elif isinstance(archive, Folder):
        count = archive.count
        yield from (Piece(source, first, first + _PIECE_FILES) for first in range(0, count, _PIECE_FILES))
    else:
        yield Piece(source)


def open_piece(piece: Piece) -> Archive:
    """Open a piece."""
    if piece.beyond is None:
        return open_archive(piece.source)
    path, archive = Path(piece.source), open_archive(piece.source)
    if isinstance(archive, LineFile):
        return LineFile(path, piece.first, piece.beyond, piece.lines_before)
    if isinstance(archive, Folder):
        return Folder(path, piece.first, piece.beyond)
    return ParquetPages(path, piece.first, piece.beyond)


def _of_lines(source: str) -> Iterator[Piece]:
    first = end = before = 0
    for number, end in enumerate(LineFile(Path(source)).line_ends(), 1):
        if end - first >= PIECE_BYTES:
            yield Piece(source, first, end, before)
            first, before = end, number
    if end > first:
        yield Piece(source, first, end, before)
