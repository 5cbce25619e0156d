"""Files of lines in, their lines out; also of packed files, and of standard input."""

import gzip
import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from sitewright.errors import InputError

_PACKED = {".gz": gzip.open, ".xz": lzma.open}


def read_lines(source: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, or of standard input for `-`, that are not blank, with their numbers."""
    try:
        with _opened(source) as file:
            for number, line in enumerate(file, 1):
                if line.strip():
                    yield number, line
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise InputError(f"cannot read {source}: {error}") from error


def _opened(source: str) -> IO[bytes]:
    if source == "-":
        return open(0, "rb", closefd=False)
    opener: Any = _PACKED.get(Path(source).suffix, open)
    file: IO[bytes] = opener(source, "rb")
    return file
