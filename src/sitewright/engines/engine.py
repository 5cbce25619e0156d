"""What runs the statements: tables are made, filled, read and scored; DuckDB does it here, Spark on a cluster."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]
"""A piece of a table: an array for each of its columns."""

Score = Callable[[Columns], NDArray[np.float32]]
"""Features in, a number for each row out; it travels to workers."""

Reading = Callable[[str], Iterator[Columns]]
"""The name of a file in, pieces of a table out; it travels to workers. Texts are never missing, numbers may be NaN."""


class Engine(Protocol):
    """A database that holds the tables of one computation."""

    quote: str
    """What names of columns stand in."""

    def read(self, places: Sequence[str]) -> list[str]:
        """Make the table `log` of files, as they are, and return the names of its columns."""

    def make_of(self, name: str, places: Sequence[str], reading: Reading, schema: str) -> None:
        """Make a table of what is read of files, with these columns (`site string, at bigint`)."""

    def make(self, name: str, statement: str) -> None:
        """Make a table, or make it anew, of what a statement gives."""

    def put(self, name: str, columns: Columns) -> None:
        """Make a table of a few values from here."""

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Return what a statement gives."""

    def make_scored(self, name: str, statement: str, score: Score) -> None:
        """Make a table of readers, items, what speaks for each, and its score."""

    def stream(self, statement: str) -> Iterable[tuple[Any, ...]]:
        """Yield what a statement gives, without holding all of it."""

    def close(self) -> None:
        """Let everything go."""
