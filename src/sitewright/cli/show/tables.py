"""Rows of texts in, a table on standard output out."""

import sys
from collections.abc import Collection, Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sitewright.cli.show.texts import shown_text

_PIPED_WIDTH = 160
"""Of what is not shown on a terminal."""


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str | Text]], *, numbers: Collection[str] = ()) -> None:
    """Print a table; `numbers` are the columns whose texts stand on the right. Texts are printed as they are."""
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    for column in columns:
        table.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else shown_text(cell) for cell in row))
    Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH).print(table)
