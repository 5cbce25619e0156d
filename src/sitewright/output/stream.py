"""The name of an output in, an open file out: one that is ours to close, or standard output, which is not."""

import codecs
import sys
from pathlib import Path
from typing import BinaryIO, cast

from sitewright.values.words import harmless


class OutputStream:
    """A file, or standard output for `-`."""

    def __init__(self, target: str, mode: str = "wb") -> None:
        self._own = target != "-"
        self.file: BinaryIO = cast("BinaryIO", Path(target).open(mode)) if self._own else standard_output()

    def close(self) -> None:
        """Close, or flush what is not ours."""
        if self._own:
            self.file.close()
        else:
            self.file.flush()


def standard_output() -> BinaryIO:
    """Return standard output for the content of records; a terminal is shown what it would obey, and obeys nothing."""
    return cast("BinaryIO", _Terminal(sys.stdout.buffer)) if sys.stdout.isatty() else sys.stdout.buffer


class _Terminal:
    """Takes text in UTF-8, in which texts of strangers may be; files and pipes get it as it is, people like this."""

    def __init__(self, terminal: BinaryIO) -> None:
        self._terminal = terminal
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, content: bytes) -> int:
        text = self._decoder.decode(content).replace("\r\n", "\n")
        self._terminal.write(harmless(text).encode("utf-8"))
        return len(content)

    def flush(self) -> None:
        self._terminal.flush()
