"""The name of an output in, an open file out: one that is ours to close, or standard output, which is not."""

import sys
from pathlib import Path
from typing import BinaryIO, cast


class OutputStream:
    """A file, or standard output for `-`."""

    def __init__(self, target: str, mode: str = "wb") -> None:
        self._own = target != "-"
        self.file: BinaryIO = cast("BinaryIO", Path(target).open(mode)) if self._own else sys.stdout.buffer

    def close(self) -> None:
        """Close, or flush what is not ours."""
        if self._own:
            self.file.close()
        else:
            self.file.flush()
